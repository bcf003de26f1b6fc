// Changes keys. These functions must run in the key's verifier, which then reloads its record.
import type { ListedKey, Scope } from "../model/api-key";
import { COLUMNS, type KeyRow, toActive, toListedKey } from "./keys";
import { dropStopEntryStatement, stopEntryStatement } from "./outbox";

/**
 * Revokes a key permanently. `hash` is the hash of one of its secrets. Unless `keepsJobs` is true, also adds an entry
 * to the outbox, so that the key's work is stopped even if the caller doesn't do it. A revoked key stays unchanged.
 */
export async function revokeKey(
  db: D1Database,
  { hash, now, keepsJobs }: { hash: string; now: number; keepsJobs: boolean },
): Promise<void> {
  await db.batch([
    db
      .prepare("UPDATE api_keys SET revoked_at = ?2 WHERE (hash = ?1 OR previous_hash = ?1) AND revoked_at IS NULL")
      .bind(hash, now),
    keepsJobs ? dropStopEntryStatement(db, hash) : stopEntryStatement(db, hash, now),
  ]);
}

/** The properties of a key that can be changed. An undefined property stays unchanged. */
export interface KeyChange {
  name?: string | null | undefined;
  scopes?: Scope[] | undefined;
  allowedIps?: string[] | undefined;
  expiresAt?: number | null | undefined;
  creditLimit?: number | null | undefined;
}

/**
 * Changes a key. Returns the changed key, or null if no active key has this hash. Must run in the key's verifier, which
 * then reloads its record.
 */
export async function changeKey(
  db: D1Database,
  { hash, change, now }: { hash: string; change: KeyChange; now: number },
): Promise<ListedKey | null> {
  const { name, scopes, allowedIps, expiresAt, creditLimit } = change;
  const changes: [column: string, value: string | number | null | undefined][] = [
    ["name", name],
    ["scopes", scopes && JSON.stringify(scopes)],
    ["allowed_ips", allowedIps && JSON.stringify(allowedIps)],
    ["expires_at", expiresAt],
    ["credit_limit", creditLimit],
  ];
  const given = changes.filter(([, value]) => value !== undefined);
  const columns = ["hash = hash", ...given.map(([column], i) => `${column} = ?${i + 3}`)].join(", ");
  const [changed] = await db.batch<KeyRow>([
    db
      .prepare(`UPDATE api_keys SET ${columns} WHERE hash = ?1 AND ${toActive("?2")} RETURNING ${COLUMNS}`)
      .bind(hash, now, ...given.map(([, value]) => value)),
    stopEntryStatement(db, hash, now, true),
  ]);
  const row = changed?.results[0];
  return row === undefined ? null : toListedKey(row);
}

/** The new secret of a key, and the time (Unix ms) at which its current secret stops working. */
export interface KeyRotation {
  hash: string;
  prefix: string;
  last4: string;
  previousExpiresAt: number;
}

/**
 * Replaces the secret of a key. Adds the secret before the current one to the outbox, because it stops working
 * immediately. Returns the key, or null if no active key has the hash `from`. Must run in the key's verifier.
 */
export async function rotateKey(
  db: D1Database,
  { from, to, now }: { from: string; to: KeyRotation; now: number },
): Promise<ListedKey | null> {
  const [, rotated] = await db.batch<KeyRow>([
    db
      .prepare(
        `INSERT INTO outbox (kind, target, version, due_at)
         SELECT 'key', previous_hash, 0, ?2 FROM api_keys
         WHERE hash = ?1 AND previous_hash IS NOT NULL AND ${toActive("?2")}
         ON CONFLICT (kind, target) DO UPDATE SET due_at = excluded.due_at`,
      )
      .bind(from, now),
    db
      .prepare(
        `UPDATE api_keys SET previous_hash = hash, previous_expires_at = ?3, hash = ?4, prefix = ?5, last4 = ?6
         WHERE hash = ?1 AND ${toActive("?2")} RETURNING ${COLUMNS}`,
      )
      .bind(from, now, to.previousExpiresAt, to.hash, to.prefix, to.last4),
  ]);
  const row = rotated?.results[0];
  return row === undefined ? null : toListedKey(row);
}
