import type { Mode } from "../model/api-key";
import {
  type Extractor,
  type ExtractorChange,
  type ExtractorQuery,
  MAX_EXTRACTOR_BYTES,
  MAX_EXTRACTORS,
  type StoredExtractor,
} from "../model/extractor";
import type { Transaction } from "./transaction";

type SummaryRow = {
  id: string;
  host: string;
  properties: string;
  is_active: number;
  pages: number;
  uses: number;
  misses: number;
  checks: number;
  drift: string | null;
  drifted_at: number | null;
  created_at: number;
  learned_at: number | null;
  used_at: number;
};
type Row = SummaryRow & { version: number; rules: string; last_run: string | null };

const SUMMARY_COLUMNS =
  "id, host, properties, is_active, pages, uses, misses, checks, drift, drifted_at, created_at, learned_at, used_at";
const COLUMNS = `${SUMMARY_COLUMNS}, version, rules, last_run`;
const NEW_LAYOUT = "A page has a new layout.";

/**
 * Returns the extractor for a page, or null. Counts the use of an active one, once per run. If the request has an active
 * extractor only for pages of another shape, notes at the latest one that the layout may have changed.
 */
export function useExtractor(tx: Transaction, mode: Mode, query: ExtractorQuery): StoredExtractor | null {
  const { host, shape, request, run } = query;
  const row = tx.first<Row>(
    `SELECT ${COLUMNS} FROM extractors WHERE mode = ?1 AND host = ?2 AND request = ?3 AND shape = ?4`,
    mode,
    host,
    request,
    shape,
  );
  if (row === null) {
    noteNewLayout(tx, mode, query);
    return null;
  }
  const isNewUse = row.is_active === 1 && row.last_run !== run;
  const uses = row.uses + (isNewUse ? 1 : 0);
  tx.run(
    "UPDATE extractors SET uses = ?3, used_at = ?4, last_run = ?5 WHERE mode = ?1 AND id = ?2",
    mode,
    row.id,
    uses,
    tx.now,
    run,
  );
  return toStored({ ...row, uses, used_at: tx.now });
}

function noteNewLayout(tx: Transaction, mode: Mode, { host, request }: ExtractorQuery): void {
  tx.run(
    `UPDATE extractors SET drift = ?4, drifted_at = ?5 WHERE mode = ?1 AND id =
       (SELECT id FROM extractors WHERE mode = ?1 AND host = ?2 AND request = ?3 AND is_active = 1
        ORDER BY used_at DESC LIMIT 1)`,
    mode,
    host,
    request,
    NEW_LAYOUT,
    tx.now,
  );
}

/**
 * Inserts or changes an extractor. Has no effect if its version isn't the one that the change is based on, because
 * another run has changed it. Drops the extractor that wasn't used for the longest time if there are too many.
 */
export function saveExtractor(tx: Transaction, mode: Mode, change: ExtractorChange): void {
  const { version, rules } = change;
  if (new TextEncoder().encode(rules).byteLength > MAX_EXTRACTOR_BYTES) return;
  if (version === 0) insertExtractor(tx, mode, change);
  else updateExtractor(tx, mode, change);
}

function updateExtractor(tx: Transaction, mode: Mode, change: ExtractorChange): void {
  const { id, version, rules, status, pages, isMiss, isCheck, drift } = change;
  tx.run(
    `UPDATE extractors SET version = version + 1, rules = ?4, is_active = ?5, pages = ?6, misses = misses + ?7,
       checks = checks + ?8, drift = COALESCE(?9, drift), drifted_at = CASE WHEN ?9 IS NULL THEN drifted_at ELSE ?10 END,
       learned_at = CASE WHEN ?5 = 0 THEN NULL WHEN is_active = 1 THEN learned_at ELSE ?10 END
     WHERE mode = ?1 AND id = ?2 AND version = ?3`,
    mode,
    id,
    version,
    rules,
    status === "active" ? 1 : 0,
    pages,
    isMiss ? 1 : 0,
    isCheck ? 1 : 0,
    drift,
    tx.now,
  );
}

function insertExtractor(tx: Transaction, mode: Mode, { id, query, properties, rules, pages }: ExtractorChange): void {
  tx.run(
    `INSERT INTO extractors (mode, id, host, request, shape, properties, version, rules, pages, last_run, created_at, used_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8, ?9, ?10, ?10) ON CONFLICT DO NOTHING`,
    mode,
    id,
    query.host,
    query.request,
    query.shape,
    JSON.stringify(properties),
    rules,
    pages,
    query.run,
    tx.now,
  );
  tx.run(
    `DELETE FROM extractors WHERE mode = ?1 AND id IN
       (SELECT id FROM extractors WHERE mode = ?1 ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ${MAX_EXTRACTORS})`,
    mode,
  );
}

/** Returns the extractors of a mode, the last used first. */
export function listExtractors(tx: Transaction, mode: Mode): Extractor[] {
  return tx
    .all<SummaryRow>(`SELECT ${SUMMARY_COLUMNS} FROM extractors WHERE mode = ?1 ORDER BY used_at DESC, id DESC`, mode)
    .map(toExtractor);
}

export function readExtractor(tx: Transaction, mode: Mode, id: string): StoredExtractor | null {
  const row = tx.first<Row>(`SELECT ${COLUMNS} FROM extractors WHERE mode = ?1 AND id = ?2`, mode, id);
  return row && toStored(row);
}

/** Deletes an extractor. Returns false if it doesn't exist. */
export function deleteExtractor(tx: Transaction, mode: Mode, id: string): boolean {
  return tx.sql.exec("DELETE FROM extractors WHERE mode = ? AND id = ?", mode, id).rowsWritten > 0;
}

/**
 * Deletes up to `limit` extractors that still learn and weren't used since `before` (Unix ms). They can have words of
 * single pages, such as headings. Returns the number of written rows.
 */
export function deleteOldExtractors(tx: Transaction, before: number, limit: number): number {
  return tx.sql.exec(
    `DELETE FROM extractors WHERE (mode, id) IN
       (SELECT mode, id FROM extractors WHERE is_active = 0 AND used_at <= ? LIMIT ?)`,
    before,
    limit,
  ).rowsWritten;
}

/** Returns the last use (Unix ms) of the first extractor that `deleteOldExtractors` deletes, or null. */
export function oldestLearningUse(tx: Transaction): number | null {
  return tx.first<{ at: number | null }>("SELECT MIN(used_at) AS at FROM extractors WHERE is_active = 0")?.at ?? null;
}

function toStored(row: Row): StoredExtractor {
  return { ...toExtractor(row), version: row.version, rules: row.rules };
}

function toExtractor(row: SummaryRow): Extractor {
  const { id, host, pages, uses, misses, checks, drift } = row;
  return {
    id,
    host,
    properties: JSON.parse(row.properties) as string[],
    status: row.is_active === 1 ? "active" : "learning",
    pages,
    uses,
    misses,
    checks,
    drift,
    driftedAt: row.drifted_at,
    createdAt: row.created_at,
    learnedAt: row.learned_at,
    usedAt: row.used_at,
  };
}
