// The results of jobs with `store: false`. The request is deleted when the job ends. The result is deleted after it was
// read, or one hour after the end of the job. The table `temporary_results` lists the jobs that still have stored data.
import { withTimeout } from "../../lib/async";
import { log, toLogged } from "../../lib/log";
import type { Mode } from "../../model/api-key";
import type { JobKey } from "../../model/job";
import { MINUTE_MS, R2_TIMEOUT_MS, TEMPORARY_RESULT_MS } from "../../model/limits";
import { deleteObjects } from "../../store/objects";
import { readRow } from "../storage/job-row";
import type { RowOf, Transaction } from "../storage/transaction";
import type { JobRow } from "../storage/types";

/** The stored URL of a page whose request has `store: false` and whose result was deleted. The column can't be NULL. */
export const DELETED_URL = "";

/** The maximum number of jobs whose objects one alarm deletes. */
const BATCH = 100;
const RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Deletes the request of a job that ends, and schedules the deletion of its result and objects. */
export function endTemporary(tx: Transaction, row: JobRow, { hasResult }: { hasResult: boolean }): void {
  const { mode, id } = row;
  const isPage = row.batch_id !== null;
  // A page of a batch keeps its URL as long as its result, because the page's event and record contain the URL.
  tx.run(
    `UPDATE jobs SET request = NULL, subject = CASE WHEN batch_id IS NULL THEN NULL ELSE subject END
     WHERE mode = ?1 AND id = ?2`,
    ...[mode, id],
  );
  tx.run("UPDATE payloads SET request = NULL WHERE mode = ?1 AND id = ?2", mode, id);
  // If the row contains no request, the request is in R2. An earlier run may also have stored a result in R2.
  if (!hasResult && !isPage && row.request !== null && row.run <= 1) return;
  planDeletion(tx, row, tx.now + (hasResult || isPage ? TEMPORARY_RESULT_MS : 0));
}

/** Deletes the result of an ended job with `store: false`. The alarm deletes its objects in R2. Idempotent. */
function discardResult(tx: Transaction, key: JobKey): void {
  const row = readRow(tx, key);
  if (row === null || row.temporary === 0 || row.ended_at === null) return;
  const planned = tx.first("SELECT 1 AS found FROM temporary_results WHERE mode = ?1 AND id = ?2", key.mode, key.id);
  if (planned === null) return;
  deleteResult(tx, row);
  planDeletion(tx, row, tx.now);
}

/** Keeps a result for one more hour from `sentAt` (Unix ms), because the job's event waits until then. */
export function keepUntilSent(tx: Transaction, { mode, id }: JobKey, sentAt: number): void {
  tx.run(
    "UPDATE temporary_results SET due_at = MAX(due_at, ?3) WHERE mode = ?1 AND id = ?2 AND due_at > ?4",
    ...[mode, id, sentAt + TEMPORARY_RESULT_MS, tx.now],
  );
}

/** Deletes the results of jobs with `store: false` after they were read. Does nothing for other jobs. Idempotent. */
export function discardResults(tx: Transaction, mode: Mode, ids: string[]): void {
  for (const id of ids) discardResult(tx, { mode, id });
}

/** Deletes the result of a job after all its webhook events were sent. */
export function discardDelivered(tx: Transaction, key: JobKey): void {
  const pending = tx.first(
    `SELECT 1 AS found FROM deliveries
     WHERE mode = ?1 AND (id = ?2 OR (job_id = ?2 AND job_id <> id)) AND status = 'pending'`,
    ...[key.mode, key.id],
  );
  if (pending === null) discardResult(tx, key);
}

/**
 * Deletes the results that are due, with their objects in R2. Returns true if more may be due. If R2 fails, the objects
 * become due again after five minutes.
 */
export async function deleteDueResults(
  store: R2Bucket,
  transact: <T>(work: (tx: Transaction) => T) => T | undefined,
): Promise<boolean> {
  const due = transact((tx) => {
    const keys = tx.all<RowOf<JobKey>>(
      "SELECT mode, id FROM temporary_results WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2",
      ...[tx.now, BATCH],
    );
    const rows = keys.map((key) => ({ ...key, run: readRow(tx, key)?.run ?? 1 }));
    for (const row of rows) {
      deleteResult(tx, row);
      planDeletion(tx, row, tx.now + RETRY_AFTER_MS);
    }
    return rows;
  });
  if (due === undefined || due.length === 0) return false;
  try {
    await withTimeout(R2_TIMEOUT_MS, deleteObjects(store, due));
  } catch (error) {
    log("warn", "results_not_deleted", toLogged(error));
    return false;
  }
  transact((tx) => {
    for (const { mode, id } of due) tx.run("DELETE FROM temporary_results WHERE mode = ?1 AND id = ?2", mode, id);
  });
  return due.length === BATCH;
}

function deleteResult(tx: Transaction, { mode, id }: JobKey): void {
  tx.run("DELETE FROM payloads WHERE mode = ?1 AND id = ?2", mode, id);
  tx.run("UPDATE jobs SET result_in = NULL, subject = NULL WHERE mode = ?1 AND id = ?2", mode, id);
  tx.run(
    `UPDATE batch_pages SET url = ?3 WHERE mode = ?1 AND (batch_id, number) IN
       (SELECT batch_id, page FROM jobs WHERE mode = ?1 AND id = ?2 AND batch_id IS NOT NULL) AND job_id = ?2`,
    ...[mode, id, DELETED_URL],
  );
}

function planDeletion(tx: Transaction, { mode, id }: JobKey, dueAt: number): void {
  tx.insert("temporary_results", { mode, id, due_at: dueAt }, "REPLACE");
  tx.wakeAt(dueAt);
}
