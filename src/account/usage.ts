import { toIso } from "../lib/clock";
import { toIdTime } from "../lib/id";
import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { UsageDimension } from "../model/usage";
import { archivedBefore } from "./archive";
import { bucketOf } from "./histogram";
import { addToRecent, reportSoonIfFailed } from "./recent-counts";
import { applyDueGrant, balanceOf } from "./state";
import type { Transaction } from "./transaction";
import { addUpUsage, type UsageRow, type UsageTotals } from "./usage-totals";

/** An ended job, as usage counts it. */
export interface EndedJob {
  mode: Mode;
  /**
   * The job's id, a UUIDv7. Usage counts the job on the day (UTC) that the id contains. The archive uses the same day.
   */
  id: string;
  keyId: string;
  endpoint: Endpoint;
  /** The outcome of a completed job, such as `ok`, or the error code of a failed job. */
  code: string;
  failed: boolean;
  rendered: boolean;
  credits: number;
  durationMs: number;
}

/** Adds an ended job to the table `usage`. Writes one row. */
export function recordUsage(tx: Transaction, job: EndedJob): void {
  const bucket = `$."${bucketOf(job.durationMs)}"`;
  const date = toIso(toIdTime(job.id)).slice(0, 10);
  const stored = tx.first<{ recent: string | null }>(
    "SELECT recent FROM usage WHERE mode = ?1 AND date = ?2 AND key_id = ?3 AND endpoint = ?4 AND code = ?5",
    ...[job.mode, date, job.keyId, job.endpoint, job.code],
  );
  tx.run(
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations, recent)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, json_set('{}', ?8, 1), ?9)
     ON CONFLICT DO UPDATE SET requests = requests + 1, credits = credits + excluded.credits,
       durations = json_set(durations, ?8, COALESCE(json_extract(durations, ?8), 0) + 1),
       recent = excluded.recent`,
    job.mode,
    date,
    job.keyId,
    job.endpoint,
    job.code,
    job.failed ? 1 : 0,
    job.credits,
    bucket,
    addToRecent(stored?.recent ?? null, job, tx.now),
  );
  if (job.failed && job.mode === "live") reportSoonIfFailed(tx, job);
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

/** Returns the balance and the usage of one mode. Applies a grant that is due. */
export function readUsage(
  tx: Transaction,
  { mode, since, until = "9999-12-31", groupBy = [] }: UsageQuery,
): UsageReport {
  applyDueGrant(tx);
  const rows = tx.sql.exec<UsageRow>(
    `SELECT date, key_id, endpoint, code, failed, requests, credits, CASE failed WHEN 0 THEN durations END AS durations
     FROM usage WHERE mode = ?1 AND date >= ?2 AND date <= ?3 ORDER BY date DESC, endpoint`,
    mode,
    since,
    until,
  );
  const { periodStart, nextGrantAt, granted, added, used } = tx.state.credits;
  return {
    balance: balanceOf(tx.state, tx.totals),
    reserved: tx.totals.reserved,
    period: { start: periodStart, end: nextGrantAt, granted, added, used },
    archivedBefore: archivedBefore(tx).date,
    ...addUpUsage(rows, groupBy),
  };
}
