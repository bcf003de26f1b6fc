import type { Attempt } from "../model/delivery";
import { MINUTE_MS, SECOND_MS, WEBHOOK_ATTEMPTS, WEBHOOK_RETRY_DELAYS_MS } from "../model/limits";

/** Attempts that were cut short on our side may have arrived: so many aren't counted as the receiver's. */
const FREE_INTERRUPTIONS = 1;
const GONE = 410;

export type DeliveryVerdict = { status: "succeeded" | "abandoned" } | { status: "pending"; nextAt: number };

/**
 * What follows from the attempts so far, the last of which ended at `now` (Unix ms). 2xx ends it well, 410 or the last
 * attempt's failure for good; otherwise the next attempt is due after its pause. A `once` delivery isn't repeated.
 */
export function judge(attempts: readonly Attempt[], { once, now }: { once: boolean; now: number }): DeliveryVerdict {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "pending", nextAt: now };
  const code = last.status_code;
  if (code !== null && code >= 200 && code < 300) return { status: "succeeded" };
  const counted = countAttempts(attempts);
  const isOver = once ? counted > 0 : counted >= WEBHOOK_ATTEMPTS;
  if (code === GONE || isOver) return { status: "abandoned" };
  return { status: "pending", nextAt: now + pauseAfter(counted) };
}

/** The pause after so many failed attempts, in ms. */
export function pauseAfter(failed: number): number {
  return WEBHOOK_RETRY_DELAYS_MS[Math.max(0, failed - 1)] ?? WEBHOOK_RETRY_DELAYS_MS[0];
}

/** How many of the five are used up. */
export function countAttempts(attempts: readonly Attempt[]): number {
  const interrupted = attempts.filter((attempt) => attempt.interrupted).length;
  return attempts.length - Math.min(interrupted, FREE_INTERRUPTIONS);
}

/** How long a delivery that couldn't be prepared waits, the n-th time in a row: 5 s, doubling up to 2 min. */
export function postponement(failures: number): number {
  return Math.min(5 * SECOND_MS * 2 ** Math.min(failures - 1, 10), 2 * MINUTE_MS);
}
