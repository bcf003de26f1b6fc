import type { Mode } from "../model/api-key";
import { IDEMPOTENCY_MS } from "../model/limits";
import type { Transaction } from "./transaction";

/** A request with its Idempotency-Key, or null if it has no key. */
interface Repeatable {
  mode: Mode;
  /** The id of the job, batch or crawl that the request creates. */
  id: string;
  /** The endpoint, `batch` or `crawl`. Keys of different endpoints are independent. */
  endpoint: string;
  idempotency: { key: string; bodyHash: string } | null;
}

/**
 * Returns the id that a request with the same Idempotency-Key created in the last 24 hours. Returns "conflict" if that
 * request had a different body, and null if there was none.
 */
export function findRepeated(tx: Transaction, { mode, endpoint, idempotency }: Repeatable): string | null {
  if (idempotency === null) return null;
  const row = tx.first<{ body_hash: string; job_id: string; created_at: number }>(
    "SELECT body_hash, job_id, created_at FROM idempotency_keys WHERE mode = ?1 AND endpoint = ?2 AND key = ?3",
    mode,
    endpoint,
    idempotency.key,
  );
  if (row === null || row.created_at <= tx.now - IDEMPOTENCY_MS) return null;
  return row.body_hash === idempotency.bodyHash ? row.job_id : "conflict";
}

/** Stores the request's Idempotency-Key. Replaces an expired one. */
export function rememberKey(tx: Transaction, { mode, id, endpoint, idempotency }: Repeatable): void {
  if (idempotency === null) return;
  tx.run(
    `INSERT OR REPLACE INTO idempotency_keys (mode, endpoint, key, body_hash, job_id, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
    mode,
    endpoint,
    idempotency.key,
    idempotency.bodyHash,
    id,
    tx.now,
  );
}
