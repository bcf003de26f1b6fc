import { applyDueGrant, balanceOf } from "../credits/account-row";
import { UNFINISHED_JOBS } from "../storage/job-row";
import { type StorageLevel, storageLevel, type Transaction } from "../storage/transaction";

/** The state of an account's Durable Object, as the admin API shows it. Times are Unix ms. */
export interface Inspection {
  balance: number;
  reserved: number;
  /** The credits that were granted and charged in the current period. */
  granted: number;
  used: number;
  nextGrantAt: number;
  /** The number of jobs that haven't ended. */
  queued: number;
  processing: number;
  /** The number of asynchronous jobs that may run at a time. */
  concurrentJobs: number;
  storageBytes: number;
  storageLevel: StorageLevel;
  archivedBefore: string | null;
  /** The time at which maintenance (retention, archiving, summary) is due next. Null if no maintenance is due. */
  maintenanceAt: number | null;
}

export function inspect(tx: Transaction): Inspection {
  applyDueGrant(tx);
  const { credits, maintenanceAt } = tx.state;
  const jobs = tx.all<{ status: string; jobs: number }>(
    `SELECT status, COUNT(*) AS jobs FROM ${UNFINISHED_JOBS} GROUP BY status`,
  );
  const count = (status: string) => jobs.find((row) => row.status === status)?.jobs ?? 0;
  const archived = tx.first<{ archived_before: string }>("SELECT archived_before FROM account");
  return {
    balance: balanceOf(tx.state, tx.totals),
    reserved: tx.totals.reserved,
    granted: credits.granted,
    used: credits.used,
    nextGrantAt: credits.nextGrantAt,
    queued: count("queued"),
    processing: count("processing"),
    concurrentJobs: tx.state.settings.concurrentJobs,
    storageBytes: tx.sql.databaseSize,
    storageLevel: storageLevel(tx),
    archivedBefore: archived?.archived_before || null,
    maintenanceAt,
  };
}
