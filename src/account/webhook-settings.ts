import type { Mode } from "../model/api-key";
import { ACCOUNT_ENDPOINT, DEFAULT_EVENTS, type WebhookEvent } from "../model/delivery";
import { MAX_WEBHOOK_ENDPOINTS } from "../model/limits";
import { moveDeliveries, stopDeliveries } from "./endpoint-deliveries";
import type { Transaction } from "./transaction";
import type {
  EndpointKey,
  NewWebhookEndpoint,
  WebhookChange,
  WebhookEndpointRow,
  WebhookReply,
  WebhookRow,
} from "./webhook-types";

type Row = {
  id: string;
  url: string | null;
  events: string | null;
  secret: string | null;
  previous_secret: string | null;
  previous_expires_at: number | null;
  created_at: number | null;
};

/** All webhook endpoints. The endpoint of the account's URL exists even if there is no URL. */
const ENDPOINTS = `(
  SELECT mode, '${ACCOUNT_ENDPOINT}' AS id, url, events, secret, previous_secret, previous_expires_at, NULL AS created_at
  FROM webhooks
  UNION ALL
  SELECT mode, id, url, events, secret, previous_secret, previous_expires_at, created_at FROM webhook_endpoints)`;

/** Returns the settings of an endpoint. Returns null if they were never set, or if the endpoint doesn't exist. */
export function getWebhook(tx: Transaction, { mode, id }: EndpointKey): WebhookRow | null {
  const row = tx.first<Row>(`SELECT * FROM ${ENDPOINTS} WHERE mode = ?1 AND id = ?2`, mode, id);
  return row === null ? null : toWebhook(row);
}

/** Returns the account's webhook URL for a mode, or null. */
export function getWebhookUrl(tx: Transaction, mode: Mode): string | null {
  return tx.first<{ url: string | null }>("SELECT url FROM webhooks WHERE mode = ?1", mode)?.url ?? null;
}

/** Lists the endpoints of a mode, oldest first. The first one is the account's URL if it is set. */
export function listEndpoints(tx: Transaction, mode: Mode): WebhookEndpointRow[] {
  const rows = tx.all<Row>(
    `SELECT * FROM ${ENDPOINTS} WHERE mode = ?1 AND url IS NOT NULL ORDER BY created_at IS NOT NULL, created_at, id`,
    mode,
  );
  return rows.map((row) => ({ ...toWebhook(row), id: row.id, url: row.url ?? "", createdAt: row.created_at }));
}

/** Returns true if the event is sent to an endpoint with these settings. */
export function isSubscribed({ events }: WebhookRow, event: WebhookEvent): boolean {
  return (events ?? DEFAULT_EVENTS).includes(event);
}

/**
 * Inserts an endpoint. Idempotent by its id. Returns `duplicate` if another endpoint has the URL, and `full` if the mode
 * has MAX_WEBHOOK_ENDPOINTS.
 */
export function createEndpoint(
  tx: Transaction,
  { mode, id, url, events, secret }: NewWebhookEndpoint,
): { kind: "webhook"; webhook: WebhookEndpointRow } | { kind: "duplicate" | "full" } {
  const endpoints = listEndpoints(tx, mode);
  const existing = endpoints.find((endpoint) => endpoint.id === id);
  if (existing !== undefined) return { kind: "webhook", webhook: existing };
  if (endpoints.some((endpoint) => endpoint.url === url)) return { kind: "duplicate" };
  if (endpoints.length >= MAX_WEBHOOK_ENDPOINTS) return { kind: "full" };
  tx.run(
    "INSERT INTO webhook_endpoints (mode, id, url, events, secret, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    ...[mode, id, url, events === null ? null : JSON.stringify(events), secret, tx.now],
  );
  const unset = { previousSecret: null, previousExpiresAt: null };
  return { kind: "webhook", webhook: { id, url, events, secret, ...unset, createdAt: tx.now } };
}

/**
 * Deletes an endpoint and abandons its pending deliveries. For ACCOUNT_ENDPOINT, removes the account's URL. Returns false
 * if there is no such endpoint.
 */
export function deleteEndpoint(tx: Transaction, { mode, id }: EndpointKey): boolean {
  const url = getWebhook(tx, { mode, id })?.url ?? null;
  if (url === null) return false;
  if (id === ACCOUNT_ENDPOINT) tx.run("UPDATE webhooks SET url = NULL, events = NULL WHERE mode = ?1", mode);
  else tx.run("DELETE FROM webhook_endpoints WHERE mode = ?1 AND id = ?2", mode, id);
  tx.run("DELETE FROM webhook_alerts WHERE mode = ?1 AND endpoint_id = ?2", mode, id);
  stopDeliveries(tx, { mode, id }, url);
  return true;
}

/** Applies a change to an endpoint unless `change` is null. Returns the resulting settings. */
export function changeWebhook(tx: Transaction, key: EndpointKey, change: WebhookChange | null): WebhookReply {
  const before = getWebhook(tx, key);
  if (key.id !== ACCOUNT_ENDPOINT && before === null) return { kind: "missing" };
  if (change?.kind === "url" && change.url !== null) {
    const others = listEndpoints(tx, key.mode).filter(({ id }) => id !== key.id);
    if (others.some(({ url }) => url === change.url)) return { kind: "duplicate" };
    if (others.length >= MAX_WEBHOOK_ENDPOINTS) return { kind: "full" };
  }
  if (change !== null) makeChange(tx, key, change);
  const from = before?.url ?? null;
  if (change?.kind === "url" && from !== null && change.url !== from) {
    if (change.url === null) stopDeliveries(tx, key, from);
    else moveDeliveries(tx, key, { from, to: change.url });
  }
  return { kind: "webhook", webhook: getWebhook(tx, key) ?? UNSET };
}

const UNSET: WebhookRow = { url: null, events: null, secret: null, previousSecret: null, previousExpiresAt: null };

function makeChange(tx: Transaction, key: EndpointKey, change: WebhookChange): void {
  if (change.kind === "rotation" && (getWebhook(tx, key)?.secret ?? null) !== change.from) return;
  switch (change.kind) {
    case "url":
      update(tx, key, "url = ?3", [change.url]);
      break;
    case "events":
      update(tx, key, "events = ?3", [change.events === null ? null : JSON.stringify(change.events)]);
      break;
    case "first_secret":
      update(tx, key, "secret = COALESCE(secret, ?3)", [change.secret]);
      break;
    case "rotation":
      update(tx, key, "secret = ?3, previous_secret = ?4, previous_expires_at = ?5", [
        change.secret,
        change.previousSecret,
        change.previousExpiresAt,
      ]);
      break;
  }
}

/** Updates columns of an endpoint's row. `sets` uses the parameters from ?3. */
function update(tx: Transaction, { mode, id }: EndpointKey, sets: string, values: SqlStorageValue[]): void {
  if (id === ACCOUNT_ENDPOINT) {
    tx.run("INSERT INTO webhooks (mode) VALUES (?1) ON CONFLICT DO NOTHING", mode);
    tx.run(`UPDATE webhooks SET ${sets} WHERE mode = ?1 AND ?2 = '${ACCOUNT_ENDPOINT}'`, mode, id, ...values);
  } else {
    tx.run(`UPDATE webhook_endpoints SET ${sets} WHERE mode = ?1 AND id = ?2`, mode, id, ...values);
  }
}

function toWebhook(row: Row): WebhookRow {
  return {
    url: row.url,
    events: row.events === null ? null : JSON.parse(row.events),
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousExpiresAt: row.previous_expires_at,
  };
}
