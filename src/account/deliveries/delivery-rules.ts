import type { Attempt } from "../../model/delivery";
import {
  DAY_MS,
  HOUR_MS,
  MAX_WAKE_BACKOFF_MS,
  MINUTE_MS,
  SECOND_MS,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_RETRY_DELAYS_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../../model/limits";

/** The interrupted attempts of a delivery that don't count toward WEBHOOK_ATTEMPTS. The receiver didn't cause them. */
const FREE_INTERRUPTIONS = 1;
const GONE = 410;
/** A delivery is abandoned if preparing its event has failed for this long. */
const PREPARING_MAX_MS = DAY_MS;

const MAX_IN_FLIGHT = 20;
const MAX_IN_FLIGHT_PER_HOST = 4;
/** After this many consecutive timeouts, a receiver gets only one event at a time. */
const SLOW_AFTER_TIMEOUTS = 2;

/** After this many consecutive failures, a receiver gets at most one attempt a minute until one succeeds. */
const HELD_AFTER_FAILURES = 10;

/** Returns true if a receiver with this number of consecutive failures gets at most one attempt a minute. */
export function isFailing(failures: number): boolean {
  return failures >= HELD_AFTER_FAILURES;
}

export function isSuccess(code: number | null): boolean {
  return code !== null && code >= 200 && code < 300;
}

export type NextStep = { status: "succeeded" | "abandoned" } | { status: "pending"; nextAt: number };

/**
 * Decides the status of a delivery from its attempts. `now` (Unix ms) is the end of the latest attempt. A 2xx response
 * means success. A 410 response abandons the delivery. So does a failure if no attempt remains. Otherwise, the next
 * attempt is due after a delay. After an interrupted attempt, the delay starts WEBHOOK_TIMEOUT_MS after the attempt's
 * start. If `once` is true, only an interrupted attempt is retried.
 */
export function decideNext(attempts: readonly Attempt[], { once, now }: { once: boolean; now: number }): NextStep {
  const last = attempts.at(-1);
  if (last === undefined) return { status: "pending", nextAt: now };
  const code = last.status_code;
  if (isSuccess(code)) return { status: "succeeded" };
  const counted = countAttempts(attempts);
  const isOver = once ? counted > 0 : counted >= WEBHOOK_ATTEMPTS;
  if (code === GONE || isOver) return { status: "abandoned" };
  if (!last.interrupted) return { status: "pending", nextAt: now + delayAfter(counted) };
  const number = countAttempts(attempts.slice(0, -1)) + 1;
  return { status: "pending", nextAt: Math.max(now, last.at + WEBHOOK_TIMEOUT_MS + delayAfter(number)) };
}

/** Returns the log entry of an attempt that was interrupted by this service. `at` is the attempt's start (Unix ms). */
export function toInterrupted(at: number, error: string): Attempt {
  return { at, status_code: null, duration_ms: null, error, response: null, interrupted: true };
}

/** Returns the delay (ms) before the next attempt. `failed` is the number of failed attempts so far. */
function delayAfter(failed: number): number {
  return WEBHOOK_RETRY_DELAYS_MS[Math.max(0, failed - 1)] ?? WEBHOOK_RETRY_DELAYS_MS[0];
}

/** Returns the number of attempts that count toward WEBHOOK_ATTEMPTS. */
export function countAttempts(attempts: readonly Attempt[]): number {
  const interrupted = attempts.filter((attempt) => attempt.interrupted).length;
  return attempts.length - Math.min(interrupted, FREE_INTERRUPTIONS);
}

/**
 * Returns the time (Unix ms) at which an event must be prepared again, or null after a day of failures. The delay
 * starts at 5 s and doubles up to 2 minutes. `since` is the time of the first failure (Unix ms), and `times` is the
 * number of consecutive failures.
 */
export function postpone({ since, times, now }: { since: number; times: number; now: number }): number | null {
  if (now - since > PREPARING_MAX_MS) return null;
  return now + Math.min(5 * SECOND_MS * 2 ** Math.min(times - 1, 10), 2 * MINUTE_MS);
}

/** Returns the delay (ms) before the message of an attempt is resent. `resends` is the number of earlier resends. */
export function resendDelay(resends: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(resends, 10), MAX_WAKE_BACKOFF_MS);
}

/** An hour with the number of events that are planned for it. `hour` is its start (Unix ms). */
export type PlannedHour = { hour: number; events: number };

/**
 * Plans the first attempt of an event. `last` is the latest planned hour, or null. Returns the hour of the event, which is
 * the current hour unless `limit` events are already planned for it.
 */
export function planEvent(last: PlannedHour | null, { limit, now }: { limit: number; now: number }): PlannedHour {
  const current = now - (now % HOUR_MS);
  if (last === null || last.hour < current) return { hour: current, events: 1 };
  if (last.events < limit) return { hour: last.hour, events: last.events + 1 };
  return { hour: last.hour + HOUR_MS, events: 1 };
}

/** The number of deliveries that are being sent to each host. */
export type InFlight = ReadonlyMap<string, number>;

/** Returns true if the account may send another delivery now. */
export function maySend(inFlight: InFlight): boolean {
  return [...inFlight.values()].reduce((sum, count) => sum + count, 0) < MAX_IN_FLIGHT;
}

/** Returns true if the host may get another delivery now. `timeouts` is the host's number of consecutive timeouts. */
export function mayReceive(inFlight: InFlight, host: string, timeouts: number): boolean {
  return (inFlight.get(host) ?? 0) < (timeouts >= SLOW_AFTER_TIMEOUTS ? 1 : MAX_IN_FLIGHT_PER_HOST);
}
