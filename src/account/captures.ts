import type { Mode } from "../model/api-key";
import type { JobKey } from "../model/job";
import type { CaptureQuery, NewPageCapture, PageCapture } from "../model/page-capture";
import type { Transaction } from "./transaction";

type Row = { id: string; run: number; captured_at: number; credits_used: number | null };

const ROW = `SELECT c.id, c.run, c.captured_at, j.credits_used
  FROM captures c LEFT JOIN jobs j ON j.mode = c.mode AND j.id = c.id`;

/** Returns the capture that the query selects. Returns null if there is none, or if retention has deleted it. */
export function findCapture(tx: Transaction, mode: Mode, query: CaptureQuery): PageCapture | null {
  const row =
    "id" in query
      ? tx.first<Row>(`${ROW} WHERE c.mode = ?1 AND c.id = ?2`, mode, query.id)
      : tx.first<Row>(
          `${ROW} WHERE c.mode = ?1 AND c.lookup = ?2 AND c.captured_at >= ?3 ORDER BY c.captured_at DESC LIMIT 1`,
          mode,
          query.lookup,
          query.since,
        );
  // Requests with test keys cost nothing, so their receipts show the prices of pages that were charged.
  const isFree = mode === "live" && row?.credits_used === 0;
  return row && { id: row.id, run: row.run, capturedAt: row.captured_at, isFree };
}

/** Inserts the capture of a completed job. */
export function insertCapture(tx: Transaction, { mode, id, run }: JobKey & { run: number }, capture: NewPageCapture) {
  tx.run(
    `INSERT INTO captures (mode, id, run, lookup, captured_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET run = excluded.run, lookup = excluded.lookup, captured_at = excluded.captured_at`,
    mode,
    id,
    run,
    capture.lookup,
    capture.capturedAt,
  );
}

/**
 * Deletes up to `limit` rows of captures that were kept at `before` (Unix ms). Returns the number of written
 * rows.
 */
export function deleteOldCaptures(tx: Transaction, before: number, limit: number): number {
  return tx.sql.exec(
    `DELETE FROM captures WHERE (mode, id) IN
       (SELECT mode, id FROM captures WHERE captured_at <= ? ORDER BY captured_at LIMIT ?)`,
    before,
    limit,
  ).rowsWritten;
}

/** Sets whether the account keeps the pages of its jobs as captures by default. */
export function setKeepsCaptures(tx: Transaction, keeps: boolean): void {
  tx.state.keepsCaptures = keeps;
  tx.run("UPDATE account SET keep_captures = ?1", keeps ? 1 : 0);
}
