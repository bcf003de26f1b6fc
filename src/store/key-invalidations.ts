/** Adds a key whose verifier can't be reached from here. The cron tells it. */
export async function insertInvalidation(db: D1Database, hash: string, wakeAt: number): Promise<void> {
  await db
    .prepare("INSERT OR IGNORE INTO key_invalidations (key_hash, version, wake_at) VALUES (?1, 1, ?2)")
    .bind(hash, wakeAt)
    .run();
}

/** A key whose verifier must read its record again. A later change has a higher version. */
export interface KeyInvalidation {
  hash: string;
  version: number;
}

export interface KeyInvalidationRow {
  key_hash: string;
  version: number;
}

export function toKeyInvalidation(row: KeyInvalidationRow): KeyInvalidation {
  return { hash: row.key_hash, version: row.version };
}

/** Returns the invalidations that are due, and delays each of them to its next attempt. */
export async function takeDueInvalidations(
  db: D1Database,
  now: number,
  limit: number,
  retryMs: number,
): Promise<KeyInvalidation[]> {
  const { results } = await db
    .prepare(
      `UPDATE key_invalidations SET wake_at = ?1 + ?3
       WHERE key_hash IN (SELECT key_hash FROM key_invalidations WHERE wake_at <= ?1 ORDER BY wake_at LIMIT ?2)
       RETURNING key_hash, version`,
    )
    .bind(now, limit, retryMs)
    .all<KeyInvalidationRow>();
  return results.map(toKeyInvalidation);
}

/** Deletes the invalidations that were delivered. One with a later version stays. */
export async function deleteInvalidations(db: D1Database, invalidations: KeyInvalidation[]): Promise<void> {
  if (invalidations.length === 0) return;
  const statement = db.prepare("DELETE FROM key_invalidations WHERE key_hash = ?1 AND version = ?2");
  await db.batch(invalidations.map((one) => statement.bind(one.hash, one.version)));
}
