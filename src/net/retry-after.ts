import { now } from "../lib/clock";
import { MAX_RETRY_AFTER_MS, SECOND_MS } from "../model/limits";

/** Before another try at a target that is busy and doesn't say for how long. */
const RETRY_PAUSE_MS = SECOND_MS;

/**
 * How long (ms) a target that is busy for the moment asks to be left alone, by its status and Retry-After; null when it
 * isn't, or for too long. It may give seconds or a date (RFC 9110, 10.2.3).
 */
export function pauseBeforeRetry(status: number, retryAfter: string | null | undefined): number | null {
  if (status !== 429 && status !== 503) return null;
  const after = retryAfter?.trim();
  if (after === undefined) return RETRY_PAUSE_MS;
  const pause = /^\d{1,9}$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - now();
  return pause <= MAX_RETRY_AFTER_MS ? Math.max(0, pause) : null;
}
