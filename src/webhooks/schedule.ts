import type { Attempt } from "../model/delivery";
import { MINUTE_MS, SECOND_MS, WEBHOOK_ATTEMPTS, WEBHOOK_RETRY_DELAYS_MS } from "../model/limits";

/** An attempt that was interrupted on our side may have arrived. So many of them don't count as attempts. */
const FREE_INTERRUPTIONS = 1;
const GONE = 410;

export type DeliveryVerdict = { status: "succeeded" | "abandoned" } | { status: "pending"; nextAt: number };

/**
 * Decides what follows from the attempts so far, the last of which ended at `now` (Unix ms). A 2xx succeeds. A 410, or the
 * failure of the last attempt, abandons the delivery. Otherwise the next attempt is due after its delay. A `once` delivery is
 * never retried.
 */
export function judge(attempts: readonly Attempt[], { once, now }: { once: boolean; now: number }): DeliveryVerdict {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "pending", nextAt: now };
  const code = last.status_code;
  if (code !== null && code >= 200 && code < 300) return { status: "succeeded" };
  const counted = countAttempts(attempts);
  const isOver = once ? counted > 0 : counted >= WEBHOOK_ATTEMPTS;
  if (code === GONE || isOver) return { status: "abandoned" };
  return { status: "pending", nextAt: now + delayAfter(counted) };
}

/** Returns the delay (ms) after so many failed attempts. */
export function delayAfter(failed: number): number {
  return WEBHOOK_RETRY_DELAYS_MS[Math.max(0, failed - 1)] ?? WEBHOOK_RETRY_DELAYS_MS[0];
}

/** Returns how many of the attempts count. */
export function countAttempts(attempts: readonly Attempt[]): number {
  const interrupted = attempts.filter((attempt) => attempt.interrupted).length;
  return attempts.length - Math.min(interrupted, FREE_INTERRUPTIONS);
}

/** Returns the delay (ms) after a delivery couldn't be prepared, the n-th time in a row: 5 s, doubling up to 2 minutes. */
export function postponement(failures: number): number {
  return Math.min(5 * SECOND_MS * 2 ** Math.min(failures - 1, 10), 2 * MINUTE_MS);
}
