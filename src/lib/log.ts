import { AsyncLocalStorage } from "node:async_hooks";
import { redact } from "./redact";

/** What the lines have in common that are written while something is done: whose it is. */
const subject = new AsyncLocalStorage<Record<string, string>>();

/** Every line that `work` writes has these fields, and those of the work that it is a part of. */
export function logAs<T>(fields: Record<string, string>, work: () => T): T {
  return subject.run({ ...subject.getStore(), ...fields }, work);
}

/** One JSON object a line. Never a key, never a page's content. */
export function log(level: "info" | "warn" | "error", event: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ level, event, ...subject.getStore(), ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** An accident for the log: its message and stack, and what caused it, without what they quote. */
export function toLogged(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: redact(String(error)) };
  return {
    error: redact(error.message),
    ...(error.stack === undefined ? {} : { stack: redact(error.stack) }),
    ...(error.cause === undefined
      ? {}
      : { cause: redact(error.cause instanceof Error ? error.cause.message : String(error.cause)) }),
  };
}
