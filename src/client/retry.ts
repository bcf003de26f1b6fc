import type { ExtractionError } from "./errors";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** The service's rate window. Whoever asks for a longer pause is taken at their word: the caller decides. */
const MAX_RETRY_AFTER_MS = 60_000;
/** So that callers who were refused together don't come back together. */
const SPREAD_MS = 250;

/**
 * How long to wait before another try, or null when there shouldn't be one. `attempt` counts from 0, `random` is from 0 to 1.
 * `repeatable`: a second request does no more than the first.
 */
export function toPause(
  error: ExtractionError,
  { attempt, repeatable, random }: { attempt: number; repeatable: boolean; random: number },
): number | null {
  // A job that has ended ends the same way for each repeat of its request.
  if (!error.retryable || error.jobId !== null) return null;
  // These two are refusals: nothing has been done. A 503 that isn't the service's own may come from the middle of the work,
  // as when the platform ends a Worker.
  const refused = error.status === 429 || error.code === "unavailable";
  if (!repeatable && !refused) return null;
  const grown = Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS) * (0.5 + random / 2);
  if (error.retryAfterMs === null) return grown;
  if (error.retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  return Math.max(grown, error.retryAfterMs + random * SPREAD_MS);
}
