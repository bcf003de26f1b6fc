import type { Attempt } from "../model/delivery";
import {
  DAY_MS,
  MAX_WAKE_BACKOFF_MS,
  MINUTE_MS,
  SECOND_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_RETRY_DELAYS_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../model/limits";

/** An attempt that was interrupted on our side may have arrived. So many of them don't count as attempts. */
const FREE_INTERRUPTIONS = 1;
const GONE = 410;
/** An event that can't be prepared for this long is abandoned. */
const PREPARING_MAX_MS = DAY_MS;

const MAX_IN_FLIGHT = 20;
const MAX_IN_FLIGHT_PER_HOST = 4;
/** After so many time-outs in a row, a receiver gets one event at a time. */
const SLOW_AFTER_TIMEOUTS = 2;

export type DeliveryVerdict = { status: "succeeded" | "abandoned" } | { status: "pending"; nextAt: number };

/**
 * Decides what follows from the attempts so far, the last of which ended at `now` (Unix ms). A 2xx succeeds. A 410, or the
 * failure of the last attempt, abandons the delivery. Otherwise the next attempt is due after its delay. After an interrupted
 * attempt, the delay begins when the answer would have been due. A `once` delivery is never retried.
 */
export function judge(attempts: readonly Attempt[], { once, now }: { once: boolean; now: number }): DeliveryVerdict {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "pending", nextAt: now };
  const code = last.status_code;
  if (code !== null && code >= 200 && code < 300) return { status: "succeeded" };
  const counted = countAttempts(attempts);
  const isOver = once ? counted > 0 : counted >= WEBHOOK_ATTEMPTS;
  if (code === GONE || isOver) return { status: "abandoned" };
  if (!last.interrupted) return { status: "pending", nextAt: now + delayAfter(counted) };
  const number = countAttempts(attempts.slice(0, -1)) + 1;
  return { status: "pending", nextAt: Math.max(now, last.at + WEBHOOK_TIMEOUT_MS + delayAfter(number)) };
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

/**
 * Decides when an event that couldn't be prepared is tried again: after 5 s, doubling up to 2 minutes. `since` is when that
 * first happened, and `times` how often in a row. Returns null after a day.
 */
export function postpone({ since, times, now }: { since: number; times: number; now: number }): number | null {
  if (now - since > PREPARING_MAX_MS) return null;
  return now + Math.min(5 * SECOND_MS * 2 ** Math.min(times - 1, 10), 2 * MINUTE_MS);
}

/** Returns how long (ms) to wait for an attempt's message before it is sent again, after so many times. */
export function resendDelay(resends: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(resends, 10), MAX_WAKE_BACKOFF_MS);
}

/** Deliveries that are being sent, by the receiver's host. */
export type InFlight = ReadonlyMap<string, number>;

/** Returns true if the account may send another delivery. */
export function hasFreeSlot(inFlight: InFlight): boolean {
  return [...inFlight.values()].reduce((sum, count) => sum + count, 0) < MAX_IN_FLIGHT;
}

/** Returns true if the receiver may get another delivery now. `timeouts` is the number of its time-outs in a row. */
export function mayReceive(inFlight: InFlight, host: string, timeouts: number): boolean {
  return (inFlight.get(host) ?? 0) < (timeouts >= SLOW_AFTER_TIMEOUTS ? 1 : MAX_IN_FLIGHT_PER_HOST);
}
