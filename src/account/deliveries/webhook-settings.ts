import type { Mode } from "../../model/api-key";
import { ACCOUNT_ENDPOINT, DEFAULT_EVENTS, type WebhookEvent } from "../../model/delivery";
import { MAX_WEBHOOK_ENDPOINTS } from "../../model/limits";
import type { Columns, Transaction } from "../storage/transaction";
import { beginWaiting, DELIVERY_COLUMNS, type DeliveryRow, toHost } from "./deliveries";
import { toInterrupted } from "./delivery-rules";

type Row = Omit<WebhookRow, "events"> & { events: string | null };

const SELECT_WEBHOOKS = `SELECT id, url, events, secret, previous_secret AS previousSecret,
  previous_expires_at AS previousExpiresAt, created_at AS createdAt FROM webhooks`;

/** Returns the settings of an endpoint. Returns null if they were never set, or if the endpoint doesn't exist. */
export function getWebhook(tx: Transaction, { mode, id }: EndpointKey): WebhookRow | null {
  const row = tx.first<Row>(`${SELECT_WEBHOOKS} WHERE mode = ?1 AND id = ?2`, mode, id);
  return row === null ? null : toWebhook(row);
}

export function getWebhookUrl(tx: Transaction, mode: Mode): string | null {
  return getWebhook(tx, { mode, id: ACCOUNT_ENDPOINT })?.url ?? null;
}

/** Lists the endpoints of a mode, oldest first. The first one is the account's URL if it is set. */
export function listEndpoints(tx: Transaction, mode: Mode): WebhookEndpointRow[] {
  const rows = tx.all<Row>(`${SELECT_WEBHOOKS} WHERE mode = ?1 AND url IS NOT NULL ORDER BY created_at, id`, mode);
  return rows.map((row) => ({ ...toWebhook(row), url: row.url ?? "" }));
}

/** Returns true if the event is sent to an endpoint with these settings. */
export function isSubscribed({ events }: WebhookRow, event: WebhookEvent): boolean {
  return (events ?? DEFAULT_EVENTS).includes(event);
}

/**
 * Inserts an endpoint. Idempotent by its id. Returns `duplicate` if another endpoint has the URL, and `full` if the mode
 * has MAX_WEBHOOK_ENDPOINTS.
 */
export function createEndpoint(tx: Transaction, { mode, id, url, events, secret }: NewWebhookEndpoint): WebhookReply {
  const endpoints = listEndpoints(tx, mode);
  const existing = endpoints.find((endpoint) => endpoint.id === id);
  if (existing !== undefined) return { kind: "webhook", webhook: existing };
  if (endpoints.some((endpoint) => endpoint.url === url)) return { kind: "duplicate" };
  if (endpoints.length >= MAX_WEBHOOK_ENDPOINTS) return { kind: "full" };
  tx.insert("webhooks", { mode, id, url, events: toColumn(events), secret, created_at: tx.now });
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
  if (id === ACCOUNT_ENDPOINT) tx.update("webhooks", { mode, id }, { url: null, events: null });
  else tx.run("DELETE FROM webhooks WHERE mode = ?1 AND id = ?2", mode, id);
  tx.run("DELETE FROM webhook_alerts WHERE mode = ?1 AND endpoint_id = ?2", mode, id);
  stopDeliveries(tx, { mode, id }, url);
  return true;
}

/** Applies a change to an endpoint unless `change` is null. Returns the resulting settings. Idempotent. */
export function changeWebhook(
  tx: Transaction,
  mode: Mode,
  change: WebhookChange | null,
  id: string = ACCOUNT_ENDPOINT,
): WebhookReply {
  const key = { mode, id };
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

const UNSET: WebhookRow = {
  id: ACCOUNT_ENDPOINT,
  url: null,
  events: null,
  secret: null,
  previousSecret: null,
  previousExpiresAt: null,
  createdAt: null,
};

function makeChange(tx: Transaction, key: EndpointKey, change: WebhookChange): void {
  const secret = getWebhook(tx, key)?.secret ?? null;
  if (change.kind === "rotation" && secret !== change.from) return;
  tx.run("INSERT INTO webhooks (mode, id) VALUES (?1, ?2) ON CONFLICT DO NOTHING", key.mode, key.id);
  tx.update("webhooks", key, toColumns(change, secret));
}

/** Returns the changed columns of an endpoint with this secret. */
function toColumns(change: WebhookChange, secret: string | null): Columns {
  switch (change.kind) {
    case "url":
      return { url: change.url };
    case "events":
      return { events: toColumn(change.events) };
    case "first_secret":
      return { secret: secret ?? change.secret };
    case "rotation": {
      const { previousSecret: previous_secret, previousExpiresAt: previous_expires_at } = change;
      return { secret: change.secret, previous_secret, previous_expires_at };
    }
  }
}

function toColumn(events: WebhookEvent[] | null): string | null {
  return events === null ? null : JSON.stringify(events);
}

function toWebhook(row: Row): WebhookRow {
  return { ...row, events: row.events === null ? null : JSON.parse(row.events) };
}

const STAGES = ["scheduled", "waiting", "sending"] as const;
const ABANDONED = "status = 'abandoned', stage = NULL, token = NULL, next_attempt_at = NULL, due_at = NULL";

/** Sends an endpoint's next attempts to its new URL, except those of redeliveries to another URL. */
function moveDeliveries(tx: Transaction, { mode, id }: EndpointKey, { from, to }: { from: string; to: string }) {
  for (const stage of STAGES) {
    // A delivery that waits for a turn of the old host doesn't wait for it.
    const due = stage === "scheduled" ? ", due_at = next_attempt_at" : "";
    tx.run(
      `UPDATE deliveries INDEXED BY deliveries_${stage} SET url = ?4, host = ?5${due}
       WHERE stage = '${stage}' AND mode = ?1 AND endpoint_id = ?2 AND url = ?3`,
      ...[mode, id, from, to, toHost(to)],
    );
  }
  // Deliveries that waited for the old host may be sent now, because the new host may have free slots.
  tx.wakeAt(tx.now);
  beginWaiting(tx, "");
}

/**
 * Abandons the pending deliveries of an endpoint that was deleted. The log of each delivery ends with the reason. For
 * ACCOUNT_ENDPOINT, abandons only deliveries to `url`, the account's URL that was removed, because the account's secret
 * can still sign deliveries to other URLs.
 */
function stopDeliveries(tx: Transaction, { mode, id }: EndpointKey, url: string): void {
  const isAccountUrl = id === ACCOUNT_ENDPOINT;
  const cause = isAccountUrl ? "the account's webhook URL was removed" : "the webhook endpoint was deleted";
  const values = [mode, id, isAccountUrl ? url : null];
  const begun = tx.all<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries INDEXED BY deliveries_sending
     WHERE stage = 'sending' AND mode = ?1 AND endpoint_id = ?2 AND (?3 IS NULL OR url = ?3) AND begun_at IS NOT NULL`,
    ...values,
  );
  const interrupted = `This attempt was interrupted because ${cause}. The receiver may have received the event.`;
  for (const row of begun) abandon(tx, row, JSON.stringify(toInterrupted(row.begun_at ?? tx.now, interrupted)));
  const unsent = JSON.stringify(toInterrupted(tx.now, `Not sent: ${cause}.`));
  for (const stage of STAGES) {
    tx.run(
      `UPDATE deliveries INDEXED BY deliveries_${stage} SET ${ABANDONED}, attempts = json_insert(attempts, '$[#]', json(?4))
       WHERE stage = '${stage}' AND mode = ?1 AND endpoint_id = ?2 AND (?3 IS NULL OR url = ?3)`,
      ...values,
      unsent,
    );
  }
  // The stopped attempts used slots that are now free.
  beginWaiting(tx, "");
}

function abandon(tx: Transaction, { mode, id }: DeliveryRow, entry: string): void {
  tx.run(
    `UPDATE deliveries SET ${ABANDONED}, attempts = json_insert(attempts, '$[#]', json(?3))
     WHERE mode = ?1 AND id = ?2`,
    ...[mode, id, entry],
  );
}

/** Identifies a webhook endpoint of the account. */
export interface EndpointKey {
  mode: Mode;
  id: string;
}

/** The settings of a webhook endpoint. Secrets are encrypted. */
export interface WebhookRow {
  id: string;
  /** Null if the account has no webhook URL. Only the endpoint ACCOUNT_ENDPOINT can have no URL. */
  url: string | null;
  /** The events that are sent to the endpoint. Null for DEFAULT_EVENTS. */
  events: WebhookEvent[] | null;
  secret: string | null;
  previousSecret: string | null;
  /** The time at which the previous secret stops signing (Unix ms). Null if there is no previous secret. */
  previousExpiresAt: number | null;
  /** Unix ms. Null for ACCOUNT_ENDPOINT. */
  createdAt: number | null;
}

/** A webhook endpoint in the list of endpoints. */
export type WebhookEndpointRow = WebhookRow & { url: string };

/**
 * `duplicate`: another endpoint has the URL. `full`: the mode has MAX_WEBHOOK_ENDPOINTS other endpoints. `missing`: there
 * is no such endpoint.
 */
export type WebhookReply = { kind: "webhook"; webhook: WebhookRow } | { kind: "duplicate" | "full" | "missing" };

interface NewWebhookEndpoint {
  mode: Mode;
  id: string;
  url: string;
  events: WebhookEvent[] | null;
  /** Encrypted. */
  secret: string;
}

/** A change of a webhook endpoint. Secrets are encrypted. */
export type WebhookChange =
  | { kind: "url"; url: string | null }
  /** Null selects DEFAULT_EVENTS. */
  | { kind: "events"; events: WebhookEvent[] | null }
  /** Stores the first secret. Has no effect if there is already a secret. */
  | { kind: "first_secret"; secret: string }
  /**
   * Replaces the secret. `from` is the expected secret, or null if there should be none. If the stored secret is a
   * different one, nothing changes. The previous secret signs until it expires.
   */
  | {
      kind: "rotation";
      from: string | null;
      secret: string;
      previousSecret: string | null;
      previousExpiresAt: number | null;
    };
