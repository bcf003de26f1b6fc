import { archivedBefore } from "./archive";
import type { CountFilter } from "./job-counts";
import type { Transaction } from "./transaction";

/** Returns true if the account has batches or crawls of this mode. Lists of jobs don't include their pages. */
export function hasBatches(tx: Transaction, mode: CountFilter["mode"]): boolean {
  return tx.first("SELECT 1 AS found FROM batches WHERE mode = ?1 LIMIT 1", mode) !== null;
}

/** Returns the number of jobs that match the filter and are pages of batches or crawls. */
export function countPages(tx: Transaction, { mode, keyId, endpoint, status }: CountFilter): number {
  const isUnfinished = status === "queued" || status === "processing";
  return isUnfinished
    ? countUnfinished(tx, { mode, keyId, endpoint, status })
    : countAll(tx, { mode, keyId, endpoint, status });
}

function countAll(tx: Transaction, filter: CountFilter): number {
  const { mode, keyId = null, endpoint = null, status = null } = filter;
  const { id: listedFrom } = archivedBefore(tx);
  const row = tx.first<{ pages: number | null }>(
    `SELECT SUM(CASE ?4 WHEN 'completed' THEN completed WHEN 'failed' THEN failed ELSE started END) AS pages
     FROM batches WHERE mode = ?1 AND (?2 IS NULL OR key_id = ?2) AND (?3 IS NULL OR endpoint = ?3) AND id >= ?5`,
    mode,
    keyId,
    endpoint,
    status ?? "",
    listedFrom,
  );
  return (row?.pages ?? 0) + (listedFrom === "" ? 0 : countPartlyArchived(tx, filter, listedFrom));
}

/** Counts the listed pages of older batches. There are only few such pages, because few batches run over midnight. */
function countPartlyArchived(tx: Transaction, { mode, keyId, endpoint, status }: CountFilter, listedFrom: string) {
  const row = tx.first<{ pages: number }>(
    `SELECT COUNT(*) AS pages FROM batches b JOIN jobs j INDEXED BY jobs_by_batch
       ON j.mode = b.mode AND j.batch_id IS NOT NULL AND j.batch_id = b.id AND j.id >= ?5
     WHERE b.mode = ?1 AND b.id < ?5 AND (?2 IS NULL OR b.key_id = ?2) AND (?3 IS NULL OR b.endpoint = ?3)
       AND (?4 IS NULL OR j.status = ?4)`,
    mode,
    keyId ?? null,
    endpoint ?? null,
    status ?? null,
    listedFrom,
  );
  return row?.pages ?? 0;
}

/** There are only few unfinished pages, because each one holds a concurrency slot. */
function countUnfinished(tx: Transaction, { mode, keyId, endpoint, status }: CountFilter): number {
  const row = tx.first<{ pages: number }>(
    `SELECT COUNT(*) AS pages FROM jobs INDEXED BY jobs_due
     WHERE due_at IS NOT NULL AND batch_id IS NOT NULL AND mode = ?1 AND (?2 IS NULL OR key_id = ?2)
       AND (?3 IS NULL OR endpoint = ?3) AND status = ?4`,
    mode,
    keyId ?? null,
    endpoint ?? null,
    status ?? null,
  );
  return row?.pages ?? 0;
}
