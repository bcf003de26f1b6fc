import { invalidParameter } from "../contract/invalid-request";
import { toIso } from "../lib/clock";
import { DAY_MS, USAGE_DAYS, USAGE_RANGE_MAX_DAYS } from "../model/limits";

/** A range of days (YYYY-MM-DD, UTC). Both days are included. */
export interface UsageRange {
  from: string;
  to: string;
}

/**
 * Returns the range of a usage report. `to` is today by default, and `from` is `USAGE_DAYS` earlier. Throws AppError if
 * the range ends before it starts, or if it is longer than `USAGE_RANGE_MAX_DAYS`.
 */
export function toUsageRange(given: { from?: string | undefined; to?: string | undefined }, now: number): UsageRange {
  const to = given.to ?? toDay(now);
  const from = given.from ?? toDay(Date.parse(to) - USAGE_DAYS * DAY_MS);
  if (from > to) throw invalidParameter("from", `must not be after 'to' (${to})`);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days > USAGE_RANGE_MAX_DAYS)
    throw invalidParameter("from", `must be at most ${USAGE_RANGE_MAX_DAYS} days before 'to' (${to})`);
  return { from, to };
}

function toDay(ms: number): string {
  return toIso(ms).slice(0, 10);
}
