// The outbox: changes that a Durable Object must still learn. A row is written in the batch of its change.

/** A change that an account's object or a key's verifier must learn. A later change has a higher version. */
export interface OutboxEntry {
  kind: "account" | "key";
  /** The account's id, or the key's hash. */
  target: string;
  version: number;
}

const COLUMNS = "kind, target, version";
const ON_CONFLICT = "ON CONFLICT (kind, target) DO UPDATE SET version = excluded.version, due_at = excluded.due_at";

/** Returns the statement that adds the change of an account. It is due at `dueAt` (Unix ms). */
export function announceAccount(db: D1Database, accountId: string, dueAt: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'account', id, version, ?2 FROM accounts WHERE id = ?1
       ${ON_CONFLICT} RETURNING ${COLUMNS}`,
    )
    .bind(accountId, dueAt);
}

/** Returns the statement that adds every active key of a changed account. They are due at `dueAt` (Unix ms). */
export function announceKeys(db: D1Database, accountId: string, dueAt: number): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (${COLUMNS}, due_at) SELECT 'key', k.hash, a.version, ?2
       FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE a.id = ?1 AND k.revoked_at IS NULL
       ${ON_CONFLICT} RETURNING ${COLUMNS}`,
    )
    .bind(accountId, dueAt);
}

/** Returns the change of an account that its object hasn't learned yet, or null. */
export async function getAccountEntry(db: D1Database, accountId: string): Promise<OutboxEntry | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE kind = 'account' AND target = ?1`)
    .bind(accountId)
    .first<OutboxEntry>();
}

/** Returns the changes that are due, and delays each of them to its next attempt. */
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

/** Deletes the changes that were learned. One with a later version stays. */
export async function deleteEntries(db: D1Database, entries: OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const statement = db.prepare("DELETE FROM outbox WHERE kind = ?1 AND target = ?2 AND version = ?3");
  await db.batch(entries.map(({ kind, target, version }) => statement.bind(kind, target, version)));
}
