import { newTaggedId } from "../lib/id";
import type { Mode } from "../model/api-key";
import type { Batch } from "../model/batch";
import { ACCOUNT_ENDPOINT, type Delivery, REQUEST_ENDPOINT, type WebhookEvent } from "../model/delivery";
import type { Job } from "../model/job";
import { toBatchEvent } from "./batch-event";
import type { BatchRow } from "./batch-row";
import { findDeliveryRow, mayBegin, toDelivery, toHost } from "./deliveries";
import { resendDelay } from "./delivery-rules";
import type { JobRow } from "./job-row";
import type { Transaction } from "./transaction";
import { getWebhook, isSubscribed, listEndpoints } from "./webhook-settings";

/**
 * Inserts the deliveries for a job that has ended. If the job's request has a webhook URL, the event is sent only to
 * this URL. Otherwise, the event is sent to the additional endpoints that receive it, and to the account's URL if the
 * account had one when the job was created. The URLs of the endpoints are read when the job ends. Existing deliveries
 * don't change.
 */
export function insertJobDeliveries(
  tx: Transaction,
  job: Job,
  { webhook_endpoint_id: endpointId }: Pick<JobRow, "webhook_endpoint_id">,
): void {
  const event = job.status === "completed" ? "job.completed" : "job.failed";
  const delivery = { mode: job.mode, jobId: job.id, event, payload: null, origin: job.origin } as const;
  if (job.webhookUrl !== null && endpointId !== null) {
    const url = endpointId === REQUEST_ENDPOINT ? job.webhookUrl : findAccountUrl(tx, job.mode, event);
    // This delivery has the job's id, which is therefore its X-Webhook-ID.
    if (url !== null) insert(tx, { ...delivery, id: job.id, endpointId, url });
    if (endpointId === REQUEST_ENDPOINT) return;
  }
  for (const { id: endpointId, url } of findFurtherEndpoints(tx, job.mode, event)) {
    if (hasDelivery(tx, job, endpointId)) continue;
    insert(tx, { ...delivery, id: newTaggedId(tx.state.account.tag), endpointId, url });
  }
}

/**
 * Inserts the deliveries for a page of a batch that has ended. If the batch's request has a webhook URL, the event is
 * sent only to this URL. Existing deliveries don't change. `batch` is the row of the batch.
 */
export function insertPageDeliveries(tx: Transaction, job: Job, batch: BatchRow): void {
  const event = batch.kind === "crawl" ? "crawl.page" : "batch.page";
  const delivery = { mode: job.mode, jobId: job.id, event, payload: null, origin: job.origin } as const;
  if (batch.webhook_endpoint_id === REQUEST_ENDPOINT) {
    const url = batch.page_events === 1 ? batch.webhook_url : null;
    if (url !== null) insert(tx, { ...delivery, id: job.id, endpointId: REQUEST_ENDPOINT, url });
    return;
  }
  for (const { id: endpointId, url } of findEndpoints(tx, job.mode, event)) {
    if (hasDelivery(tx, job, endpointId)) continue;
    insert(tx, { ...delivery, id: newTaggedId(tx.state.account.tag), endpointId, url });
  }
}

/**
 * Inserts the deliveries for the end of a batch. Call it in the transaction that ends the batch, because it isn't
 * idempotent: a batch that was resumed ends again.
 */
export function insertBatchDeliveries(tx: Transaction, batch: Batch, row: BatchRow): void {
  const { mode, origin } = batch;
  const event = batch.kind === "crawl" ? "crawl.completed" : "batch.completed";
  const payload = JSON.stringify(toBatchEvent(batch));
  if (row.webhook_endpoint_id !== REQUEST_ENDPOINT) {
    insertAccountEvent(tx, { mode, event, payload });
    return;
  }
  if (row.webhook_url === null) return;
  const id = newTaggedId(tx.state.account.tag);
  insert(tx, { mode, id, jobId: null, event, payload, endpointId: REQUEST_ENDPOINT, url: row.webhook_url, origin });
}

/** Returns the account's current URL, or null if it was removed or doesn't receive the event. */
function findAccountUrl(tx: Transaction, mode: Mode, event: WebhookEvent): string | null {
  const webhook = getWebhook(tx, { mode, id: ACCOUNT_ENDPOINT });
  return webhook !== null && isSubscribed(webhook, event) ? webhook.url : null;
}

function findFurtherEndpoints(tx: Transaction, mode: Mode, event: WebhookEvent): { id: string; url: string }[] {
  return findEndpoints(tx, mode, event).filter(({ id }) => id !== ACCOUNT_ENDPOINT);
}

function findEndpoints(tx: Transaction, mode: Mode, event: WebhookEvent): { id: string; url: string }[] {
  return listEndpoints(tx, mode).filter((endpoint) => isSubscribed(endpoint, event));
}

function hasDelivery(tx: Transaction, { mode, id }: Job, endpointId: string): boolean {
  const sql = "SELECT id FROM deliveries WHERE mode = ?1 AND job_id = ?2 AND job_id <> id AND endpoint_id = ?3";
  return tx.first(sql, mode, id, endpointId) !== null;
}

/**
 * Inserts the deliveries of an event that isn't about a job, one for each endpoint that receives it. `payload` is the
 * body of the event as JSON. Call it in the transaction that causes the event, because it isn't idempotent.
 */
export function insertAccountEvent(
  tx: Transaction,
  { mode, event, payload }: { mode: Mode; event: WebhookEvent; payload: string },
): void {
  for (const { id: endpointId, url } of findEndpoints(tx, mode, event)) {
    insert(tx, {
      mode,
      id: newTaggedId(tx.state.account.tag),
      jobId: null,
      event,
      payload,
      endpointId,
      url,
      origin: "",
    });
  }
}

export interface NewTestDelivery {
  mode: Mode;
  id: string;
  /** The endpoint that is tested. */
  endpointId?: string;
  url: string;
  origin: string;
}

/** Inserts the delivery of a test event unless it exists. Returns the delivery. */
export function insertTestDelivery(tx: Transaction, delivery: NewTestDelivery): Delivery {
  insert(tx, { endpointId: ACCOUNT_ENDPOINT, ...delivery, jobId: null, event: "webhook.test", payload: null });
  const row = findDeliveryRow(tx, delivery);
  if (row === null) throw new Error(`The delivery ${delivery.id} isn't in the table.`);
  return toDelivery(row);
}

type NewDelivery = Pick<Delivery, "mode" | "id" | "jobId" | "event" | "payload" | "endpointId" | "url" | "origin">;

/** Inserts a delivery. If the send limits allow it, also starts its first attempt in the same transaction. */
function insert(tx: Transaction, { mode, id, jobId, event, payload, endpointId, url, origin }: NewDelivery): void {
  const host = toHost(url);
  const begins = mayBegin(tx, host);
  const dueAt = begins ? tx.now + resendDelay(0) : null;
  const inserted = tx.first(
    `INSERT INTO deliveries (mode, id, job_id, event, payload, endpoint_id, url, host, origin, status, stage, attempt,
       next_attempt_at, due_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending', ?10, ?11, ?12, ?13, ?12)
     ON CONFLICT DO NOTHING RETURNING id`,
    ...[mode, id, jobId, event, payload, endpointId, url, host, origin],
    ...[begins ? "sending" : "waiting", begins ? 1 : 0, tx.now, dueAt],
  );
  if (inserted === null || dueAt === null) return;
  tx.wakeAt(dueAt);
  tx.deliveries.push({ kind: "delivery", account: tx.state.account, mode, delivery: id, round: 1, attempt: 1 });
}
