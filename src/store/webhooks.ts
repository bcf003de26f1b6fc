import type { Mode } from "../model/api-key";

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

/** What a rotation leaves. All sealed. */
export interface Rotation {
  secret: string;
  /** The one that goes on signing beside it, until `previousExpiresAt` (Unix ms). */
  previous: string | null;
  previousExpiresAt: number | null;
}

/** Rotates from `from` (null: there was none); null, and nothing changed, when it isn't the present secret any more. */
export async function rotateSecret(
  db: D1Database,
  owner: Owner,
  from: string | null,
  { secret, previous, previousExpiresAt }: Rotation,
): Promise<WebhookRow | null> {
  try {
    return await db
      .prepare(
        `INSERT INTO webhooks (account_id, mode, secret) VALUES (?1, ?2, ?3)
         ON CONFLICT (account_id, mode) DO UPDATE SET
           secret = excluded.secret, previous_secret = ?4, previous_expires_at = ?5
         WHERE webhooks.secret IS ?6
         RETURNING ${COLUMNS}`,
      )
      .bind(owner.accountId, owner.mode, secret, previous, previousExpiresAt, from)
      .first<WebhookRow>();
  } catch (error) {
    // One that threw may have been committed.
    const row = await getWebhook(db, owner);
    if (row?.secret === secret) return row;
    throw error;
  }
}

function expectRow(row: WebhookRow | null, owner: Owner): WebhookRow {
  if (row === null) throw new Error(`The webhook settings of account ${owner.accountId} were not written.`);
  return row;
}
