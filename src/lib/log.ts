import { AsyncLocalStorage } from "node:async_hooks";
import { redact } from "./redact";

/** The fields that `logAs` adds to each log line, such as the request's id. */
const context = new AsyncLocalStorage<Record<string, string>>();

/** Runs `work` and adds the fields to each line that it logs. Nested calls add their fields to the outer ones. */
export function logAs<T>(fields: Record<string, string>, work: () => T): T {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** Adds fields to all following lines within the innermost `logAs`. Has no effect outside of it. */
export function addToLogs(fields: Record<string, string>): void {
  const current = context.getStore();
  if (current !== undefined) Object.assign(current, fields);
}

/** Writes one line to the log, as a JSON object. The fields must not contain API keys or page content. */
export function log(level: "info" | "warn" | "error", event: string, fields: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ level, event, ...context.getStore(), ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** Returns the log fields for an error: its redacted message, stack and cause. */
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

interface DataPoint {
  account: string | undefined;
  /** The dimensions. Queries refer to them by position. */
  blobs: (string | null | undefined)[];
  /** The amounts. Queries refer to them by position. */
  doubles: number[];
}

/** Writes a data point to Workers Analytics Engine, if a dataset is bound. Never throws. */
export function writeDataPoint(env: Env, { account, blobs, doubles }: DataPoint): void {
  try {
    env.ANALYTICS?.writeDataPoint({
      indexes: [account ?? ""],
      blobs: blobs.map((blob) => blob ?? ""),
      doubles,
    });
  } catch (error) {
    log("warn", "not_counted", toLogged(error));
  }
}
