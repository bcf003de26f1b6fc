import type { ApiKey, Mode, Scope } from "../keys/api-key";

interface KeyRow {
  id: string;
  account_id: string;
  mode: Mode;
  scopes: string;
  revoked_at: number | null;
}

/** The key with this SHA-256, revoked ones too; null when there is none. */
export async function getKeyByHash(db: D1Database, hash: string): Promise<ApiKey | null> {
  const row = await db
    .prepare("SELECT id, account_id, mode, scopes, revoked_at FROM api_keys WHERE hash = ?1")
    .bind(hash)
    .first<KeyRow>();
  if (row === null) return null;
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    scopes: JSON.parse(row.scopes) as Scope[],
    revokedAt: row.revoked_at,
  };
}
