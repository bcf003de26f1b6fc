import type { Mode } from "../model/api-key";
import type { Transaction } from "./transaction";
import type { WebhookChange, WebhookRow } from "./types";

type Row = {
  url: string | null;
  secret: string | null;
  previous_secret: string | null;
  previous_expires_at: number | null;
};

/** Returns the webhook settings of a mode, or null if they were never set. */
export function getWebhook(tx: Transaction, mode: Mode): WebhookRow | null {
  const row = tx.first<Row>(
    "SELECT url, secret, previous_secret, previous_expires_at FROM webhooks WHERE mode = ?1",
    mode,
  );
  if (row === null) return null;
  const { url, secret, previous_secret: previousSecret, previous_expires_at: previousExpiresAt } = row;
  return { url, secret, previousSecret, previousExpiresAt };
}

/** Returns the account's webhook URL for a mode, or null. */
export function getWebhookUrl(tx: Transaction, mode: Mode): string | null {
  return tx.first<{ url: string | null }>("SELECT url FROM webhooks WHERE mode = ?1", mode)?.url ?? null;
}

/** Applies a change unless `change` is null. Returns the resulting settings. */
export function changeWebhook(tx: Transaction, mode: Mode, change: WebhookChange | null): WebhookRow {
  if (change !== null) makeChange(tx, mode, change);
  return getWebhook(tx, mode) ?? { url: null, secret: null, previousSecret: null, previousExpiresAt: null };
}

function makeChange(tx: Transaction, mode: Mode, change: WebhookChange): void {
  switch (change.kind) {
    case "url":
      tx.run(
        "INSERT INTO webhooks (mode, url) VALUES (?1, ?2) ON CONFLICT (mode) DO UPDATE SET url = excluded.url",
        ...[mode, change.url],
      );
      break;
    case "first_secret":
      tx.run(
        `INSERT INTO webhooks (mode, secret) VALUES (?1, ?2)
         ON CONFLICT (mode) DO UPDATE SET secret = excluded.secret WHERE webhooks.secret IS NULL`,
        ...[mode, change.secret],
      );
      break;
    case "rotation":
      tx.run(
        `INSERT INTO webhooks (mode, secret, previous_secret, previous_expires_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (mode) DO UPDATE SET secret = excluded.secret, previous_secret = excluded.previous_secret,
           previous_expires_at = excluded.previous_expires_at
         WHERE webhooks.secret IS ?5`,
        ...[mode, change.secret, change.previousSecret, change.previousExpiresAt, change.from],
      );
      break;
  }
}
