/** A billing month of an account. It starts at the account's own day and time of the month. Times are Unix ms. */
export interface Period {
  start: number;
  end: number;
}

/**
 * Returns the period that contains `now`, for an account created at `createdAt`. If a month is too short, its last day
 * is used: an account created on January 31 gets its grants on February 28 and March 31.
 */
export function toPeriod(createdAt: number, now: number): Period {
  const months = Math.max(0, monthsBetween(createdAt, now));
  const start = addMonths(createdAt, months);
  if (start <= now || months === 0) return { start, end: addMonths(createdAt, months + 1) };
  return { start: addMonths(createdAt, months - 1), end: start };
}

function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}

function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** An alert about used credits. Times are Unix ms. */
export interface UsageAlert {
  /** The share of `limit` that was reached, in percent. */
  threshold: 80 | 100;
  /** The id of the key whose credit limit is meant. Null if the credits of the account are meant. */
  keyId: string | null;
  used: number;
  limit: number;
  period: Period;
  at: number;
}

/** The queue message for the email of an alert. */
export type UsageAlertMessage = { kind: "usage_alert"; accountId: string } & UsageAlert;
