import type { AccountRef } from "../model/account";
import type { ListedKey, Mode, VerifierRecord } from "../model/api-key";
import { DAY_MS } from "../model/limits";
import { type Plan, toPlanLimits } from "../model/plan";
import { readOwnPrices } from "../model/prices";
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from "./accounts";
import { KEY_HASHES, stopEntryStatement } from "./outbox";

const REVOKED_LISTED_MS = 30 * DAY_MS;

/** A row of `api_keys` with the columns in COLUMNS. The lists are JSON. */
export type KeyRow = Omit<ListedKey, "scopes" | "allowedIps"> & { scopes: string; allowedIps: string };

export const COLUMNS = `id, mode, name, prefix, last4, scopes, allowed_ips AS allowedIps, created_at AS createdAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt, expires_at AS expiresAt, credit_limit AS creditLimit,
  previous_expires_at AS previousExpiresAt, receiver`;

/** The condition of active keys, which count toward the plan's limit. `?` is the current time (Unix ms). */
export const toActive = (now: string) => `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

export function toListedKey(row: KeyRow): ListedKey {
  return { ...row, scopes: JSON.parse(row.scopes), allowedIps: JSON.parse(row.allowedIps) };
}

type RecordRow = Omit<KeyRow, "name" | "prefix" | "last4" | "createdAt" | "lastUsedAt"> &
  AccountRef & {
    accountId: string;
    isPrevious: number;
    prices: string | null;
    suspendedAt: number | null;
    plan: Plan;
    ratePerMinute: number | null;
  };

/**
 * Returns the key with this SHA-256 and the account data that its verifier needs. Also returns revoked and expired
 * keys. `hash` can also belong to the secret before the key's last rotation. Returns null if the key doesn't exist or
 * its account was erased. Always reads from the primary database.
 */
export async function getKeyRecord(env: Pick<Env, "DB" | "PLAN_LIMITS">, hash: string): Promise<VerifierRecord | null> {
  const row = await env.DB.withSession("first-primary")
    .prepare(
      `SELECT k.id, k.account_id AS accountId, k.mode, k.scopes, k.allowed_ips AS allowedIps,
         k.revoked_at AS revokedAt, k.expires_at AS expiresAt, k.credit_limit AS creditLimit,
         k.previous_expires_at AS previousExpiresAt, k.hash <> ?1 AS isPrevious, a.tag, a.object, a.jurisdiction,
         a.suspended_at AS suspendedAt, a.plan, a.rate_per_minute AS ratePerMinute, a.prices
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE (k.hash = ?1 OR k.previous_hash = ?1) AND a.erased_at IS NULL`,
    )
    .bind(hash)
    .first<RecordRow>();
  if (row === null) return null;
  const { id, mode, revokedAt, expiresAt, creditLimit, tag, object, jurisdiction } = row;
  return {
    id,
    mode,
    scopes: JSON.parse(row.scopes),
    allowedIps: JSON.parse(row.allowedIps),
    revokedAt,
    expiresAt: row.isPrevious === 1 ? toEarlier(expiresAt, row.previousExpiresAt) : expiresAt,
    creditLimit,
    account: { id: row.accountId, tag, object, jurisdiction },
    ...(row.prices !== null && { prices: readOwnPrices(row.prices) }),
    suspended: row.suspendedAt !== null,
    limit: row.ratePerMinute ?? toPlanLimits(env)[row.plan].ratePerMinute,
  };
}

function toEarlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

export interface NewKey extends Omit<ListedKey, "lastUsedAt" | "revokedAt" | "previousExpiresAt"> {
  accountId: string;
  hash: string;
  /** The maximum number of active keys of the account. */
  limit: number;
}

/** Inserts a key. Returns null and inserts nothing if the account has reached its limit of keys. */
export async function insertKey(db: D1Database, key: NewKey): Promise<ListedKey | null> {
  const insert = db
    .prepare(
      `INSERT INTO api_keys (id, account_id, hash, mode, name, prefix, last4, scopes, allowed_ips, created_at,
         expires_at, credit_limit, receiver)
       SELECT ?1 ->> 'id', ?1 ->> 'accountId', ?1 ->> 'hash', ?1 ->> 'mode', ?1 ->> 'name', ?1 ->> 'prefix',
         ?1 ->> 'last4', ?1 ->> 'scopes', ?1 ->> 'allowedIps', ?1 ->> 'createdAt', ?1 ->> 'expiresAt',
         ?1 ->> 'creditLimit', ?1 ->> 'receiver'
       WHERE (SELECT COUNT(*) FROM api_keys WHERE account_id = ?2 AND ${toActive("?3")}
         AND (receiver IS NULL) = (?1 ->> 'receiver' IS NULL)) < ?4
       RETURNING ${COLUMNS}`,
    )
    .bind(JSON.stringify(key), key.accountId, key.createdAt, key.limit);
  const [inserted] = await db.batch<KeyRow>([insert, stopEntryStatement(db, key.hash, key.createdAt)]);
  const row = inserted?.results[0];
  return row === undefined ? null : toListedKey(row);
}

interface KeyFilter {
  accountId: string;
  /** The mode of the listed keys. Null lists the keys of both modes. */
  mode: Mode | null;
  now: number;
  limit: number;
  offset: number;
}

/** Lists the keys that people created, newest first. Includes revoked and expired keys for 30 days. */
export async function listKeys(db: D1Database, filter: KeyFilter): Promise<{ keys: ListedKey[]; total: number }> {
  const where = `account_id = ?1 AND receiver IS NULL AND (?2 IS NULL OR mode = ?2) AND (revoked_at IS NULL OR revoked_at > ?3)
    AND (expires_at IS NULL OR expires_at > ?3)`;
  const values = [filter.accountId, filter.mode, filter.now - REVOKED_LISTED_MS];
  const [page, count] = await db.batch<KeyRow | { total: number }>([
    db
      .prepare(`SELECT ${COLUMNS} FROM api_keys WHERE ${where} ORDER BY id DESC LIMIT ?4 OFFSET ?5`)
      .bind(...values, filter.limit, filter.offset),
    db.prepare(`SELECT COUNT(*) AS total FROM api_keys WHERE ${where}`).bind(...values),
  ]);
  const counted = count?.results[0] as { total: number } | undefined;
  return { keys: ((page?.results ?? []) as KeyRow[]).map(toListedKey), total: counted?.total ?? 0 };
}

/** Lists the keys of the account's connected applications, newest first. */
export async function listConnections(db: D1Database, accountId: string): Promise<ListedKey[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM api_keys WHERE account_id = ?1 AND receiver IS NOT NULL AND revoked_at IS NULL
       ORDER BY id DESC`,
    )
    .bind(accountId)
    .all<KeyRow>();
  return results.map(toListedKey);
}

/** The name of a key, for lists of other objects. */
export interface KeyName {
  id: string;
  name: string | null;
  last4: string;
}

const MAX_KEY_NAMES = 1_000;

/** Returns the names of the account's keys of one mode: active keys first, newest first, at most 1,000. */
export async function listKeyNames(
  db: D1Database,
  { accountId, mode }: { accountId: string; mode: Mode },
): Promise<KeyName[]> {
  const { results } = await db
    .prepare(
      `SELECT id, name, last4 FROM api_keys WHERE account_id = ?1 AND mode = ?2
       ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ?3`,
    )
    .bind(accountId, mode, MAX_KEY_NAMES)
    .all<KeyName>();
  return results;
}

/** Returns a key, or null if the account has no key with this id. */
export async function getListedKey(
  db: D1Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<ListedKey | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?1 AND account_id = ?2`)
    .bind(id, accountId)
    .first<KeyRow>();
  return row === null ? null : toListedKey(row);
}

/** Returns the account of a key that was revoked or has expired. Returns null if the key is active or doesn't exist. */
export async function findEndedKey(
  db: D1Database,
  id: string,
  now: number,
): Promise<{ account: AccountRef; isRevoked: boolean } | null> {
  const row = await db
    .prepare(
      `SELECT a.id, a.tag, a.object, a.jurisdiction, k.revoked_at IS NOT NULL AS isRevoked
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE k.id = ?1 AND NOT (${toActive("?2")}) AND a.erased_at IS NULL`,
    )
    .bind(id, now)
    .first<AccountRef & { isRevoked: number }>();
  if (row === null) return null;
  const { isRevoked, ...account } = row;
  return { account, isRevoked: isRevoked === 1 };
}

/** Returns the number of active keys in both modes, for the plan's limit. Connected applications aren't counted. */
export async function countActiveKeys(db: D1Database, accountId: string, now: number): Promise<number> {
  const count = await db
    .prepare(`SELECT COUNT(*) AS active FROM api_keys WHERE account_id = ?1 AND receiver IS NULL AND ${toActive("?2")}`)
    .bind(accountId, now)
    .first<number>("active");
  return count ?? 0;
}

/** The SHA-256 of a key's secrets. Each is the name of a verifier. */
export interface KeyHashes {
  hash: string;
  /** The hash of the secret before the last rotation. Null if the key was never rotated. */
  previous: string | null;
}

/** Returns the hashes of a key. Returns null if the account has no such key in this mode. */
export async function getKeyHashes(
  db: D1Database,
  { id, accountId, mode }: { id: string; accountId: string; mode: Mode | null },
): Promise<KeyHashes | null> {
  return await db
    .prepare(
      `SELECT hash, previous_hash AS previous FROM api_keys
       WHERE id = ?1 AND account_id = ?2 AND (?3 IS NULL OR mode = ?3)`,
    )
    .bind(id, accountId, mode)
    .first<KeyHashes>();
}

/** Stores when keys were last used, with one statement. Ignores a time that is earlier than the stored one. */
export async function setLastUsed(db: D1Database, uses: { keyId: string; at: number }[]): Promise<void> {
  await db
    .prepare(
      `UPDATE api_keys SET last_used_at = used.at
       FROM (SELECT value ->> 'keyId' AS id, MAX(value ->> 'at') AS at FROM json_each(?1) GROUP BY 1) AS used
       WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
    )
    .bind(JSON.stringify(uses))
    .run();
}

/**
 * Deletes keys that were revoked or expired more than 30 days ago. Adds them to the outbox, so that their verifiers
 * delete them too. Returns the number of deleted keys.
 */
export async function deleteRevokedKeys(db: D1Database, now: number, limit: number): Promise<number> {
  const endedAt = "MIN(COALESCE(revoked_at, expires_at), COALESCE(expires_at, revoked_at))";
  const old = `SELECT id FROM api_keys WHERE revoked_at <= ?1 OR expires_at <= ?1 ORDER BY ${endedAt}, rowid LIMIT ?2`;
  const before = now - REVOKED_LISTED_MS;
  const [, deleted] = await db.batch([
    db
      .prepare(
        `INSERT INTO outbox (kind, target, version, due_at) SELECT 'key', hash, 0, ?3 FROM ${KEY_HASHES}
         WHERE id IN (${old})
         ON CONFLICT (kind, target) DO UPDATE SET due_at = excluded.due_at`,
      )
      .bind(before, limit, now),
    db.prepare(`DELETE FROM api_keys WHERE id IN (${old})`).bind(before, limit),
  ]);
  return deleted?.meta.changes ?? 0;
}

/** Selects keys by id, by the SHA-256 of the secret, or by the visible parts of the secret. */
type KeySearch =
  | { kind: "id"; id: string }
  | { kind: "hash"; hash: string }
  | { kind: "label"; prefix: string; last4: string | null };

const MAX_FOUND = 20;

/** Returns keys of all accounts with their accounts, newest first. Also returns revoked and expired keys. */
export async function findKeys(db: D1Database, search: KeySearch): Promise<{ account: Account; key: ListedKey }[]> {
  const [condition, ...values] = toCondition(search);
  const found = `FROM api_keys WHERE ${condition} AND account_id IN (SELECT id FROM accounts WHERE erased_at IS NULL)
    ORDER BY created_at DESC LIMIT ${MAX_FOUND}`;
  const [keys, accounts] = await db.batch([
    db.prepare(`SELECT account_id AS accountId, ${COLUMNS} ${found}`).bind(...values),
    db.prepare(`SELECT ${ACCOUNT_COLUMNS} FROM accounts a WHERE a.id IN (SELECT account_id ${found})`).bind(...values),
  ]);
  const byId = new Map(((accounts?.results ?? []) as AccountRow[]).map((row) => [row.id, toAccount(row)]));
  return ((keys?.results ?? []) as (KeyRow & { accountId: string })[]).flatMap(({ accountId, ...row }) => {
    const account = byId.get(accountId);
    return account === undefined ? [] : [{ account, key: toListedKey(row) }];
  });
}

function toCondition(search: KeySearch): [condition: string, ...values: (string | null)[]] {
  if (search.kind === "id") return ["id = ?1", search.id];
  if (search.kind === "hash") return ["(hash = ?1 OR previous_hash = ?1)", search.hash];
  return ["prefix = ?1 AND (?2 IS NULL OR last4 = ?2)", search.prefix, search.last4];
}
