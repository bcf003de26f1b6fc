// Stores changes that must still be sent to a Durable Object. Each entry is written in the same batch as its change.
import { MINUTE_MS } from "../model/limits";

/**
 * A change that must be sent to an account's Durable Object or to a key's verifier. `stop` stops the unfinished work of a
 * key that was revoked or has expired. `version` increases with each change.
 */
export interface OutboxEntry {
  kind: "account" | "key" | "stop";
  /** The account's id, the key's hash, or the key's id. */
  target: string;
  version: number;
}

/** The hashes of all secrets, for a `FROM` clause. A rotated key has two, each with its verifier. */
export const KEY_HASHES = `(
  SELECT id, account_id, hash, revoked_at FROM api_keys
  UNION ALL SELECT id, account_id, previous_hash, revoked_at FROM api_keys WHERE previous_hash IS NOT NULL)`;

const COLUMNS = "kind, target, version";
const ON_CONFLICT = "ON CONFLICT (kind, target) DO UPDATE SET version = excluded.version, due_at = excluded.due_at";

/** Returns the statement that adds an account's change to the outbox. The entry is due at `dueAt` (Unix ms). */
export function accountEntryStatement(db: D1Database, accountId: string, dueAt: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'account', id, version, ?2 FROM accounts WHERE id = ?1
       ${ON_CONFLICT} RETURNING ${COLUMNS}`,
    )
    .bind(accountId, dueAt);
}

/** Returns the statement that adds an account's active keys to the outbox, due at `dueAt` (Unix ms). */
export function keyEntriesStatement(db: D1Database, accountId: string, dueAt: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'key', k.hash, a.version, ?2
       FROM ${KEY_HASHES} k JOIN accounts a ON a.id = k.account_id WHERE a.id = ?1 AND k.revoked_at IS NULL
       ${ON_CONFLICT} RETURNING ${COLUMNS}`,
    )
    .bind(accountId, dueAt);
}

/** A request that was verified before the end of a key can create work until this time after the end (MAX_BODY_MS). */
const LATE_WORK_MS = MINUTE_MS;
const OF_HASH = "FROM api_keys WHERE (hash = ?1 OR previous_hash = ?1)";

/**
 * Returns the statement that makes the end of a key's work due: after its revocation, or at its expiry. Has no effect on
 * a key that has neither of them, or with `isEdit` on a revoked key. If the expiry is removed later, the entry has no effect.
 */
export function stopEntryStatement(db: D1Database, hash: string, now: number, isEdit = false): D1PreparedStatement {
  const dueAt = "COALESCE(MAX(revoked_at, ?2), expires_at) + ?3";
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'stop', id, ?2, ${dueAt} ${OF_HASH} AND ${dueAt} IS NOT NULL
         AND (revoked_at IS NULL OR ?4 = 0) ${ON_CONFLICT}`,
    )
    .bind(hash, now, LATE_WORK_MS, isEdit ? 1 : 0);
}

/** Returns the statement that lets the work of a key continue after its end. */
export function dropStopEntryStatement(db: D1Database, hash: string): D1PreparedStatement {
  return db.prepare(`DELETE FROM outbox WHERE kind = 'stop' AND target IN (SELECT id ${OF_HASH})`).bind(hash);
}

/** Returns an account's pending change, or null if there is none. */
export async function getAccountEntry(db: D1Database, accountId: string): Promise<OutboxEntry | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'account' AND target = ?1`)
    .bind(accountId)
    .first<OutboxEntry>();
}

/** Returns up to `limit` due entries. Delays each one by `retryMs`, for a retry if sending fails. */
export async function takeDueEntries(
  db: D1Database,
  { now, limit, retryMs }: { now: number; limit: number; retryMs: number },
): Promise<OutboxEntry[]> {
  const { results } = await db
    .prepare(
      `UPDATE outbox SET due_at = ?1 + ?3
       WHERE (kind, target) IN (SELECT kind, target FROM outbox WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2)
       RETURNING ${COLUMNS}`,
    )
    .bind(now, limit, retryMs)
    .all<OutboxEntry>();
  return results;
}

/** Deletes entries that were sent. Keeps an entry if a later change has replaced it. */
export async function deleteEntries(db: D1Database, entries: OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const statement = db.prepare("DELETE FROM outbox WHERE kind = ?1 AND target = ?2 AND version = ?3");
  await db.batch(entries.map(({ kind, target, version }) => statement.bind(kind, target, version)));
}
