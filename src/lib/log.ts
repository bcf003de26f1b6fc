import { withoutContent } from "./without-content";

/** One JSON object a line. Never a key, never a page's content. */
export function log(level: "info" | "warn" | "error", event: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** An accident for the log: its message and stack, and what caused it, without what they quote. */
export function toLogged(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: withoutContent(String(error)) };
  return {
    error: withoutContent(error.message),
    ...(error.stack === undefined ? {} : { stack: withoutContent(error.stack) }),
    ...(error.cause === undefined
      ? {}
      : { cause: withoutContent(error.cause instanceof Error ? error.cause.message : String(error.cause)) }),
  };
}
