import { MINUTE_MS, SECOND_MS, WEBHOOK_ATTEMPTS, WEBHOOK_PAUSES_MS } from "../limits";
import type { Attempt } from "./delivery-log";

/** Interruptions of ours don't count as attempts of the receiver's, but don't go on for ever. */
const MAX_ATTEMPTS_WITH_INTERRUPTED = 2 * WEBHOOK_ATTEMPTS;
const GONE = 410;

export type Verdict = { status: "succeeded" | "abandoned" } | { status: "pending"; nextAt: number };

/**
 * What follows from the attempts so far, the last of which ended at `now` (Unix ms). 2xx ends it well, 410 or the last
 * attempt's failure for good; otherwise the next attempt is due after its pause. A `once` delivery isn't repeated.
 */
export function judge(attempts: readonly Attempt[], { once, now }: { once: boolean; now: number }): Verdict {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "pending", nextAt: now };
  const code = last.status_code;
  if (code !== null && code >= 200 && code < 300) return { status: "succeeded" };
  const answered = countAnswered(attempts);
  const isOver = answered >= WEBHOOK_ATTEMPTS || attempts.length >= MAX_ATTEMPTS_WITH_INTERRUPTED;
  if (code === GONE || once || isOver) return { status: "abandoned" };
  return { status: "pending", nextAt: now + pauseAfter(answered) };
}

/** The pause after so many failed attempts, in ms. */
export function pauseAfter(failed: number): number {
  return WEBHOOK_PAUSES_MS[Math.max(0, failed - 1)] ?? WEBHOOK_PAUSES_MS[0];
}

/** Attempts that a receiver had its chance in. */
export function countAnswered(attempts: readonly Attempt[]): number {
  return attempts.filter((attempt) => !attempt.interrupted).length;
}

/** How long a delivery that couldn't be prepared waits, the n-th time in a row: 5 s, doubling up to 2 min. */
export function postponement(failures: number): number {
  return Math.min(5 * SECOND_MS * 2 ** Math.min(failures - 1, 10), 2 * MINUTE_MS);
}
