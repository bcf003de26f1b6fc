import type { Context } from "hono";
import { invalidParameter } from "../contract/invalid-request";
import type { AppEnv } from "../model/env";
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../model/limits";

/** Returns the request's Idempotency-Key, or null. Throws AppError if it is empty or too long. */
export function readIdempotencyKey(c: Context<AppEnv>): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (key.trim() !== "" && key.length <= MAX_IDEMPOTENCY_KEY_CHARS) return key;
  throw invalidParameter("Idempotency-Key", `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters`, {
    kind: "header",
  });
}
