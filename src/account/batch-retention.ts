import type { Mode } from "../model/api-key";
import { DAY_MS } from "../model/limits";
import { archivedBefore, JOB_DAYS } from "./archive";
import type { Transaction } from "./transaction";

/** The maximum number of batches in one step. A crawl can have 10,000 pages. */
const BATCHES_PER_STEP = 10;

type KeyRow = { mode: Mode; id: string };

/**
 * Deletes the requests, the secrets and the labels of batches that ended at `before` (Unix ms) or earlier, and the rows of
 * batches whose jobs are archived. Returns true if more batches may be due.
 */
export function expireBatches(tx: Transaction, before: number): boolean {
  const expiring = tx.all<KeyRow>(
    "SELECT mode, id FROM batches WHERE ended_at <= ?1 AND request IS NOT NULL LIMIT ?2",
    before,
    BATCHES_PER_STEP,
  );
  for (const { mode, id } of expiring) {
    tx.run(
      "UPDATE batches SET request = NULL, defaults = NULL, secrets = NULL, metadata = NULL WHERE mode = ?1 AND id = ?2",
      mode,
      id,
    );
    tx.run(
      `UPDATE batch_pages SET request = NULL, secrets = NULL
       WHERE mode = ?1 AND batch_id = ?2 AND (request IS NOT NULL OR secrets IS NOT NULL)`,
      mode,
      id,
    );
  }
  const archived = tx.all<KeyRow>(
    "SELECT mode, id FROM batches WHERE ended_at < ?1 LIMIT ?2",
    toDeletedBefore(tx),
    BATCHES_PER_STEP,
  );
  for (const { mode, id } of archived) {
    tx.run("DELETE FROM batch_pages WHERE mode = ?1 AND batch_id = ?2", mode, id);
    tx.run("DELETE FROM batches WHERE mode = ?1 AND id = ?2", mode, id);
  }
  return expiring.length === BATCHES_PER_STEP || archived.length === BATCHES_PER_STEP;
}

/** Returns the time (Unix ms) before which all ended jobs are archived. */
function toDeletedBefore(tx: Transaction): number {
  const { date } = archivedBefore(tx);
  const oldest = tx.now - (JOB_DAYS + 1) * DAY_MS;
  return date === "" ? oldest : Math.max(oldest, Date.parse(date));
}

/** Returns the time (Unix ms) at which the next batch expires, or null if there is none. */
export function nextBatchExpiry(tx: Transaction, retentionMs: number): number | null {
  const row = tx.first<{ at: number | null }>("SELECT MIN(ended_at) AS at FROM batches WHERE request IS NOT NULL");
  return row === null || row.at === null ? null : row.at + retentionMs;
}
