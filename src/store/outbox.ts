// Stores changes that must still be sent to a Durable Object. Each entry is written in the same batch as its change.

/**
 * A change that must be sent to an account's Durable Object or to a key's verifier. `version` increases with each
 * change.
 */
export interface OutboxEntry {
  kind: "account" | "key";
  /** The account's id, or the key's hash. */
  target: string;
  version: number;
}

/**
 * The hashes of all secrets of keys, for use in a `FROM` clause. A rotated key has two hashes, and each of them has a
 * verifier that must receive changes.
 */
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

/**
 * Returns the statement that adds the active keys of a changed account to the outbox. The entries are due at `dueAt`
 * (Unix ms).
 */
export function keyEntriesStatement(db: D1Database, accountId: string, dueAt: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'key', k.hash, a.version, ?2
       FROM ${KEY_HASHES} k JOIN accounts a ON a.id = k.account_id WHERE a.id = ?1 AND k.revoked_at IS NULL
       ${ON_CONFLICT} RETURNING ${COLUMNS}`,
    )
    .bind(accountId, dueAt);
}

/** Returns an account's pending change, or null if there is none. */
export async function getAccountEntry(db: D1Database, accountId: string): Promise<OutboxEntry | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'account' AND target = ?1`)
    .bind(accountId)
    .first<OutboxEntry>();
}

/**
 * Returns up to `limit` due entries. Also delays each entry by `retryMs`, so that the entry is retried if sending
 * fails.
 */
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
