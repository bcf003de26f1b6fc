import type { ListedKey } from "../model/api-key";
import { ACCOUNT_COLUMNS, type Account, type AccountRow, toAccount } from "./accounts";
import { type KeyRow, toListedKey } from "./keys";

/** Selects keys by id, by the SHA-256 of the secret, or by the visible parts of the secret. */
export type KeySearch =
  | { kind: "id"; id: string }
  | { kind: "hash"; hash: string }
  | { kind: "label"; prefix: string; last4: string | null };

const MAX_FOUND = 20;
const KEY_COLUMNS = `k.id AS key_id, k.account_id, k.mode, k.name AS key_name, k.prefix, k.last4, k.scopes, k.allowed_ips,
  k.created_at AS key_created_at, k.last_used_at, k.revoked_at, k.expires_at, k.credit_limit, k.previous_expires_at`;

const SELECT = `SELECT ${ACCOUNT_COLUMNS}, ${KEY_COLUMNS} FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE a.erased_at IS NULL`;
const END = `ORDER BY k.created_at DESC LIMIT ${MAX_FOUND}`;

type FoundRow = AccountRow &
  Omit<KeyRow, "id" | "name" | "created_at"> & { key_id: string; key_name: string | null; key_created_at: number };

/** Returns keys of all accounts with their accounts, newest first. Also returns revoked and expired keys. */
export async function findKeys(db: D1Database, search: KeySearch): Promise<{ account: Account; key: ListedKey }[]> {
  const { results } = await toStatement(db, search).all<FoundRow>();
  return results.map((row) => {
    const { key_id: id, key_name: name, key_created_at: createdAt } = row;
    return { account: toAccount(row), key: toListedKey({ ...row, id, name, created_at: createdAt }) };
  });
}

function toStatement(db: D1Database, search: KeySearch): D1PreparedStatement {
  if (search.kind === "id") return db.prepare(`${SELECT} AND k.id = ?1 ${END}`).bind(search.id);
  if (search.kind === "hash")
    return db.prepare(`${SELECT} AND (k.hash = ?1 OR k.previous_hash = ?1) ${END}`).bind(search.hash);
  return db
    .prepare(`${SELECT} AND k.prefix = ?1 AND (?2 IS NULL OR k.last4 = ?2) ${END}`)
    .bind(search.prefix, search.last4);
}
