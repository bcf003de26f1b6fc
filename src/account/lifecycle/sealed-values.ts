// The encrypted values in an account's tables. After a change of ENCRYPTION_KEY, a Worker encrypts them with the new key.

import type { Mode } from "../../model/api-key";
import { UNFINISHED_JOBS } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";

/** A column with encrypted values. */
interface Source {
  kind: SealedValue["kind"];
  table: string;
  column: string;
  /** The id to which the encryption is bound. */
  owner: string;
  /** The rows that can have a value. Default: all rows of the table. */
  rows?: string;
}

const SOURCES: readonly Source[] = [
  { kind: "webhook", table: "webhooks", column: "secret", owner: "id" },
  { kind: "webhook", table: "webhooks", column: "previous_secret", owner: "id" },
  // Batches come before jobs. If a page starts between these two steps, it copies the batch's secrets, which are
  // already encrypted with the new key.
  { kind: "request", table: "batches", column: "secrets", owner: "id" },
  { kind: "request", table: "batch_pages", column: "secrets", owner: "batch_id" },
  { kind: "request", table: "jobs", column: "secrets", owner: "COALESCE(batch_id, id)", rows: UNFINISHED_JOBS },
];

/** An encrypted value of the account. */
export interface SealedValue {
  /** The index of the value's column in the list of columns. */
  source: number;
  kind: "webhook" | "request";
  mode: Mode;
  /** The id to which the encryption is bound: the id of a webhook endpoint, a job or a batch. */
  owner: string;
  sealed: string;
}

/** The position in a list of encrypted values: a column, and the last value that was listed. */
export interface SealedPosition {
  source: number;
  after: string;
}

const PAGE_VALUES = 10;

export const SEALED_START: SealedPosition = { source: 0, after: "" };

/** Returns one page of the values, and the position of the next page. The position is null after the last value. */
export function listSealed(
  { sql }: Transaction,
  { source, after }: SealedPosition,
): { values: SealedValue[]; next: SealedPosition | null } {
  const from = SOURCES[source];
  if (from === undefined) return { values: [], next: null };
  const rows = sql
    .exec<{ mode: Mode; owner: string; sealed: string }>(
      `SELECT DISTINCT mode, ${from.owner} AS owner, ${from.column} AS sealed FROM ${from.rows ?? from.table}
       WHERE ${from.column} > ?1 ORDER BY sealed LIMIT ?2`,
      after,
      PAGE_VALUES,
    )
    .toArray();
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === PAGE_VALUES;
  return {
    values: rows.map((row) => ({ ...row, source, kind: from.kind })),
    next: isFull
      ? { source, after: last.sealed }
      : source + 1 < SOURCES.length
        ? { source: source + 1, after: "" }
        : null,
  };
}

/** Replaces encrypted values. Skips a value that has changed since it was listed. Returns the number of replaced values. */
export function replaceSealed({ sql }: Transaction, changes: { value: SealedValue; sealed: string }[]): number {
  return changes.filter(({ value, sealed }) => replaceValue(sql, value, sealed)).length;
}

/** Replaces a value in all rows that contain it. Returns false if no row contains it any longer. */
function replaceValue(sql: SqlStorage, value: SealedValue, sealed: string): boolean {
  const to = SOURCES[value.source];
  if (to === undefined) return false;
  const isUnfinished = to.rows === undefined ? "TRUE" : `id IN (SELECT id FROM ${to.rows} WHERE ${to.column} = ?3)`;
  const { rowsWritten } = sql.exec(
    `UPDATE ${to.table} SET ${to.column} = ?1
     WHERE mode = ?2 AND ${to.column} = ?3 AND ${to.owner} = ?4 AND ${isUnfinished}`,
    sealed,
    value.mode,
    value.sealed,
    value.owner,
  );
  return rowsWritten > 0;
}
