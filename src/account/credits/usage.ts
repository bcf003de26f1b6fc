import { invalidParameter } from "../../contract/invalid-request";
import { toIso } from "../../lib/clock";
import { toIdTime } from "../../lib/id";
import type { Mode } from "../../model/api-key";
import { type Job, wasRendered } from "../../model/job";
import { DAY_MS, USAGE_DAYS, USAGE_RANGE_MAX_DAYS } from "../../model/limits";
import type { UsageDimension } from "../../model/usage";
import { archivedBefore } from "../retention/archive";
import type { Transaction } from "../storage/transaction";
import type { Ending } from "../storage/types";
import { applyDueGrant, balanceOf } from "./account-row";
import { bucketOf } from "./histogram";
import { addToRecent, reportSoonIfFailed } from "./recent-counts";
import type { UsageRow, UsageTotals } from "./usage-totals";

/** Adds an ended job to `usage`. The job counts for the day (UTC) of its id, because the archive uses it too. */
export function recordUsage(tx: Transaction, { end, charge, job }: Ending): void {
  const { mode, keyId, endpoint } = job;
  const { date, code } = toUsageKey(job);
  const failed = job.error !== null;
  const durationMs = end.processingTimeMs;
  const stored = tx.first<{ recent: string | null }>(
    "SELECT recent FROM usage WHERE mode = ?1 AND date = ?2 AND key_id = ?3 AND endpoint = ?4 AND code = ?5",
    ...[mode, date, keyId, endpoint, code],
  );
  tx.run(
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations, recent)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, json_set('{}', ?8, 1), ?9)
     ON CONFLICT DO UPDATE SET requests = requests + 1, credits = credits + excluded.credits,
       durations = json_set(durations, ?8, COALESCE(json_extract(durations, ?8), 0) + 1),
       recent = excluded.recent`,
    ...[mode, date, keyId, endpoint, code, failed ? 1 : 0, charge, `$."${bucketOf(durationMs)}"`],
    addToRecent(stored?.recent ?? null, { rendered: wasRendered(job), failed, durationMs }, tx.now),
  );
  if (failed && mode === "live") reportSoonIfFailed(tx, { code, endpoint });
}

/** Returns the day and the code under which the usage counts an ended job. */
export function toUsageKey({ id, error, outcome }: Job): { date: string; code: string } {
  return { date: toIso(toIdTime(id)).slice(0, 10), code: error?.code ?? outcome ?? "ok" };
}

export interface UsageReport extends UsageTotals {
  balance: number;
  reserved: number;
  /** The current billing period. Times are Unix ms. */
  period: { start: number; end: number; granted: number; added: number; used: number };
  /** The first day whose jobs aren't archived (YYYY-MM-DD, UTC). Empty if no job was archived. */
  archivedBefore: string;
}

export interface UsageQuery {
  mode: Mode;
  /** The first day (YYYY-MM-DD, UTC). */
  since: string;
  /** The last day (YYYY-MM-DD, UTC). Undefined for the current day. */
  until?: string;
  groupBy?: readonly UsageDimension[];
}

/** One transaction reads at most this many rows of the table `usage`. */
const ROWS_PER_READ = 1_000;

/** The rows of the table `usage` that one transaction reads. */
export interface UsageRows {
  rows: UsageRow[];
  /** The position of the next rows. Null after the last row. */
  next: UsageRow | null;
}

/** Reads rows of a report, newest first. `after` is the last row that was read before, or null. */
export function readUsageRows(
  tx: Transaction,
  { mode, since, until = "9999-12-31" }: UsageQuery,
  after: UsageRow | null,
): UsageRows {
  const rows = tx.all<UsageRow>(
    `SELECT date, key_id, endpoint, code, failed, requests, credits, CASE failed WHEN 0 THEN durations END AS durations
     FROM usage WHERE mode = ?1 AND date >= ?2 AND (date, key_id, endpoint, code) < (?3, ?4, ?5, ?6)
     ORDER BY date DESC, key_id DESC, endpoint DESC, code DESC LIMIT ?7`,
    mode,
    since,
    after?.date ?? until,
    // "~" is greater than every id and name.
    after?.key_id ?? "~",
    after?.endpoint ?? "",
    after?.code ?? "",
    ROWS_PER_READ,
  );
  return { rows, next: rows.length < ROWS_PER_READ ? null : (rows.at(-1) ?? null) };
}

/** Returns the balance of an account, and the totals of the usage rows that were read before. Applies a grant that is due. */
export function toUsageReport(tx: Transaction, totals: UsageTotals): UsageReport {
  applyDueGrant(tx);
  const { periodStart, nextGrantAt, granted, added, used } = tx.state.credits;
  return {
    balance: balanceOf(tx.state, tx.totals),
    reserved: tx.totals.reserved,
    period: { start: periodStart, end: nextGrantAt, granted, added, used },
    archivedBefore: archivedBefore(tx).date,
    ...totals,
  };
}

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
