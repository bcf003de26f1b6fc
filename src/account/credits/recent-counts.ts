// Counts the jobs that ended and the deliveries that were abandoned in the last hour, by period of ten minutes. The
// counts are kept in the rows of `usage`, so that a job writes no additional row. The summary sends them to D1.
import { toIso } from "../../lib/clock";
import { causeOf } from "../../model/errors";
import { DAY_MS, MINUTE_MS } from "../../model/limits";
import { type Counts, PERIOD_MS, type PeriodCounts, toJobCount, toPeriod } from "../../model/service-counts";
import type { Transaction } from "../storage/transaction";
import { maintainBy } from "./account-row";
import { bucketOf } from "./histogram";

/** Periods older than this are removed. */
const KEPT_MS = 6 * PERIOD_MS;
/** The maximum delay of the next summary if a job has failed because of this service. */
const URGENT_MS = MINUTE_MS;
/** The number of periods in a summary. Summaries are sent at least every 15 minutes. */
const SENT_PERIODS = 3;
/** A queue message can have 128 KB. If the counts are larger, older periods are omitted. */
const MAX_SENT_CHARS = 90_000;

/** The column `usage.recent`: the number of jobs by period (its start divided by `PERIOD_MS`) and count. */
type Recent = Record<string, Counts>;

interface RecentJob {
  rendered: boolean;
  failed: boolean;
  durationMs: number;
}

/** Adds an ended job to the counts. `stored` and the returned value are values of the column `usage.recent`. */
export function addToRecent(stored: string | null, job: RecentJob, now: number): string {
  const recent: Recent = stored === null ? {} : JSON.parse(stored);
  const period = String(toPeriod(now) / PERIOD_MS);
  const counts = { ...recent[period] };
  const kind = `${job.rendered ? "rendered" : "plain"}/${job.failed ? "" : bucketOf(job.durationMs)}`;
  counts[kind] = (counts[kind] ?? 0) + 1;
  const kept = Object.entries(recent).filter(([start]) => Number(start) * PERIOD_MS > now - KEPT_MS);
  return JSON.stringify({ ...Object.fromEntries(kept), [period]: counts });
}

/** Returns the counts of the current period and of the periods before it, newest first. Test keys aren't counted. */
export function readRecentCounts(tx: Transaction): PeriodCounts[] {
  const first = toPeriod(tx.now) - (SENT_PERIODS - 1) * PERIOD_MS;
  const periods = new Map<number, Record<string, number>>();
  const add = (start: number, name: string, count: number) => {
    if (start < first) return;
    const counts = periods.get(start) ?? {};
    counts[name] = (counts[name] ?? 0) + count;
    periods.set(start, counts);
  };
  // A job counts for the day on which it was created, which can be the day before its end.
  const rows = tx.all<{ endpoint: string; code: string; recent: string }>(
    "SELECT endpoint, code, recent FROM usage WHERE mode = 'live' AND date >= ?1 AND recent IS NOT NULL",
    toIso(first - DAY_MS).slice(0, 10),
  );
  for (const { endpoint, code, recent } of rows) {
    for (const [period, counts] of Object.entries(JSON.parse(recent) as Recent)) {
      for (const [kind, count] of Object.entries(counts)) {
        const [method = "", bucket = ""] = kind.split("/");
        add(Number(period) * PERIOD_MS, toJobCount({ endpoint, method, code, bucket }), count);
      }
    }
  }
  const abandoned = tx.all<{ period: number; deliveries: number }>(
    "SELECT period, deliveries FROM recent_abandoned WHERE period >= ?1",
    first,
  );
  for (const { period, deliveries } of abandoned) add(period, "deliveries/abandoned", deliveries);
  const sorted = [...periods].map(([start, counts]) => ({ start, counts })).sort((a, b) => b.start - a.start);
  let chars = 0;
  return sorted.filter(({ counts }, i) => {
    chars += JSON.stringify(counts).length;
    return i === 0 || chars <= MAX_SENT_CHARS;
  });
}

/** Sends the next summary within a minute if the job failed because of this service or an outside service. */
export function reportSoonIfFailed(tx: Transaction, { code, endpoint }: { code: string; endpoint: string }): void {
  const cause = causeOf(code, endpoint);
  if (cause === "service" || cause === "outside") reportSoon(tx);
}

/** Sends the next summary within a minute. */
export function reportSoon(tx: Transaction): void {
  maintainBy(tx, tx.now + URGENT_MS);
}
