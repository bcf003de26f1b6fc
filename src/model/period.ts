/** A month of an account, from its own day and time of the month on. Unix ms. */
export interface Period {
  start: number;
  end: number;
}

/**
 * The period that `now` falls into, for an account made at `createdAt`. A day that a month lacks is its last one: an
 * account of 31 January is granted on 28 February and on 31 March.
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
