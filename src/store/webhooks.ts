import type { Mode } from "../keys/api-key";

/** An account's settings for one mode. Secrets are sealed. */
export interface WebhookRow {
  url: string | null;
  secret: string | null;
  previous_secret: string | null;
  previous_expires_at: number | null;
}

interface Owner {
  accountId: string;
  mode: Mode;
}

const COLUMNS = "url, secret, previous_secret, previous_expires_at";

export async function getWebhook(db: D1Database, owner: Owner): Promise<WebhookRow | null> {
  return await db
    .prepare(`SELECT ${COLUMNS} FROM webhooks WHERE account_id = ?1 AND mode = ?2`)
    .bind(owner.accountId, owner.mode)
    .first<WebhookRow>();
}

/** Keeps this secret unless there is one already: of two that come at once, the first stays. Returns what holds. */
export async function keepSecret(db: D1Database, owner: Owner, sealed: string): Promise<WebhookRow> {
  return await upsert(db, owner, "secret", "COALESCE(webhooks.secret, excluded.secret)", sealed);
}

export async function setWebhookUrl(db: D1Database, owner: Owner, url: string | null): Promise<WebhookRow> {
  return await upsert(db, owner, "url", "excluded.url", url);
}

async function upsert(
  db: D1Database,
  owner: Owner,
  column: "url" | "secret",
  change: string,
  value: string | null,
): Promise<WebhookRow> {
  const row = await db
    .prepare(
      `INSERT INTO webhooks (account_id, mode, ${column}) VALUES (?1, ?2, ?3)
       ON CONFLICT (account_id, mode) DO UPDATE SET ${column} = ${change} RETURNING ${COLUMNS}`,
    )
    .bind(owner.accountId, owner.mode, value)
    .first<WebhookRow>();
  return expectRow(row, owner);
}

/** Puts a new secret in the place of the present one, which stays valid until `previousExpiresAt` (Unix ms). */
export async function rotateSecret(
  db: D1Database,
  owner: Owner,
  sealed: string,
  previousExpiresAt: number,
): Promise<WebhookRow> {
  const row = await db
    .prepare(
      `INSERT INTO webhooks (account_id, mode, secret) VALUES (?1, ?2, ?3)
       ON CONFLICT (account_id, mode) DO UPDATE SET
         previous_expires_at = CASE WHEN webhooks.secret IS NULL THEN NULL ELSE ?4 END,
         previous_secret = webhooks.secret, secret = excluded.secret
       RETURNING ${COLUMNS}`,
    )
    .bind(owner.accountId, owner.mode, sealed, previousExpiresAt)
    .first<WebhookRow>();
  return expectRow(row, owner);
}

function expectRow(row: WebhookRow | null, owner: Owner): WebhookRow {
  if (row === null) throw new Error(`The webhook settings of account ${owner.accountId} were not written.`);
  return row;
}
