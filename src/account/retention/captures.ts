import type { Mode } from "../../model/api-key";
import type { CaptureQuery, PageCapture } from "../../model/page-capture";
import type { Transaction } from "../storage/transaction";
import type { Ending } from "../storage/types";

type Row = { id: string; run: number; captured_at: number; is_free: number };

const COLUMNS = "id, run, captured_at, is_free";

/** Returns the capture that the query selects. Returns null if there is none, or if retention has deleted it. */
export function findCapture(tx: Transaction, mode: Mode, query: CaptureQuery): PageCapture | null {
  const row =
    "id" in query
      ? tx.first<Row>(`SELECT ${COLUMNS} FROM captures WHERE mode = ?1 AND id = ?2`, mode, query.id)
      : tx.first<Row>(
          `SELECT ${COLUMNS} FROM captures WHERE mode = ?1 AND lookup = ?2 AND captured_at >= ?3
           ORDER BY captured_at DESC LIMIT 1`,
          ...[mode, query.lookup, query.since],
        );
  return row && { id: row.id, run: row.run, capturedAt: row.captured_at, isFree: row.is_free === 1 };
}

/** Inserts the capture that the run of a completed job has kept. */
export function insertCapture(tx: Transaction, { row, end, charge }: Ending): void {
  if (end.status !== "completed" || end.capture === undefined) return;
  // Requests with test keys cost nothing, so their receipts show the prices of pages that were charged.
  const isFree = row.mode === "live" && charge === 0;
  const { mode, id, run } = row;
  const { lookup, capturedAt: captured_at } = end.capture;
  tx.insert("captures", { mode, id, run, lookup, captured_at, is_free: isFree ? 1 : 0 }, "REPLACE");
}

/** Deletes up to `limit` captures that were kept at `before` (Unix ms). Returns the number of written rows. */
export function deleteOldCaptures(tx: Transaction, before: number, limit: number): number {
  return tx.run(
    `DELETE FROM captures WHERE (mode, id) IN
       (SELECT mode, id FROM captures WHERE captured_at <= ? ORDER BY captured_at LIMIT ?)`,
    ...[before, limit],
  );
}

/** Returns true if the account keeps captures by default. If `change` isn't null, first sets this setting to it. */
export function keepsCaptures(tx: Transaction, change: boolean | null): boolean {
  if (change !== null) {
    tx.state.keepsCaptures = change;
    tx.run("UPDATE account SET keep_captures = ?1", change ? 1 : 0);
  }
  return tx.state.keepsCaptures;
}
