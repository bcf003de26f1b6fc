/** The local runtime's words for a browser that didn't start; the platform's speak of limits. */
export function isLaunchFailure(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Failed to launch local browser");
}
