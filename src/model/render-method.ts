/** The methods to render a page: in sessions of a browser that this service controls, or with Quick Actions. */
export const RENDER_METHODS = ["sessions", "quick-actions"] as const;
export type RenderMethod = (typeof RENDER_METHODS)[number];

/** Parses the variable RENDER_METHOD. Returns `sessions` if it is empty. Throws an Error for an unknown value. */
export function toRenderMethod(text: string | undefined): RenderMethod {
  const problem = describeInvalidRenderMethod(text);
  if (problem !== null) throw new Error(problem);
  return find(text) ?? "sessions";
}

/** Returns a message for an unknown value of RENDER_METHOD, or null. */
export function describeInvalidRenderMethod(text: string | undefined): string | null {
  const value = text?.trim() ?? "";
  if (value === "" || find(value) !== undefined) return null;
  return `RENDER_METHOD is "${value}". It must be "sessions", "quick-actions" or empty.`;
}

function find(text: string | undefined): RenderMethod | undefined {
  return RENDER_METHODS.find((name) => name === text?.trim());
}
