import { newTaggedId } from "../../lib/id";
import type { Mode } from "../../model/api-key";
import {
  ACCOUNT_ENDPOINT,
  type Delivery,
  type DeliveryHook,
  REQUEST_ENDPOINT,
  type WebhookEvent,
} from "../../model/delivery";
import type { Job } from "../../model/job";
import { SYNC_WAIT_MS } from "../../model/limits";
import { keepUntilSent } from "../retention/temporary-results";
import type { Transaction } from "../storage/transaction";
import type { Ending, JobRow } from "../storage/types";
import { chooseStep, findDeliveryRow, reserveHour, sendMessage, toDelivery, toHost } from "./deliveries";
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
    if (url !== null) insertDelivery(tx, { ...delivery, id: job.id, endpointId, url });
    if (endpointId === REQUEST_ENDPOINT) return;
  }
  for (const { id: endpointId, url } of findEndpoints(tx, job.mode, event)) {
    if (endpointId === ACCOUNT_ENDPOINT) continue;
    if (hasDelivery(tx, job, endpointId)) continue;
    insertDelivery(tx, { ...delivery, id: newTaggedId(tx.state.account.tag), endpointId, url });
  }
}

/** Inserts the deliveries for a job's end. A caller who got the result gets no event. Pages use their batch's URLs. */
export function sendJobEvent(tx: Transaction, { row, end, job }: Ending): void {
  const isPushed = row.waiting === 0 || end.endedAt > row.created_at + SYNC_WAIT_MS;
  if (row.batch_id === null && isPushed) insertJobDeliveries(tx, job, row);
}

/** Returns the account's current URL, or null if it was removed or doesn't receive the event. */
function findAccountUrl(tx: Transaction, mode: Mode, event: WebhookEvent): string | null {
  const webhook = getWebhook(tx, { mode, id: ACCOUNT_ENDPOINT });
  return webhook !== null && isSubscribed(webhook, event) ? webhook.url : null;
}

export function findEndpoints(tx: Transaction, mode: Mode, event: WebhookEvent): { id: string; url: string }[] {
  return listEndpoints(tx, mode).filter((endpoint) => isSubscribed(endpoint, event));
}

/** Returns true if an event of the job was already sent to the endpoint. */
export function hasDelivery(tx: Transaction, { mode, id }: Job, endpointId: string): boolean {
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
    insertDelivery(tx, {
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

interface NewTestDelivery {
  mode: Mode;
  id: string;
  endpointId?: string;
  url: string;
  origin: string;
}

/** Inserts the delivery of a test event unless it exists. Returns the delivery. */
export function sendTest(tx: Transaction, delivery: NewTestDelivery): Delivery {
  insertDelivery(tx, { endpointId: ACCOUNT_ENDPOINT, ...delivery, jobId: null, event: "webhook.test", payload: null });
  const row = findDeliveryRow(tx, delivery);
  if (row === null) throw new Error(`The delivery ${delivery.id} isn't in the table.`);
  return toDelivery(row);
}

type NewDelivery = Pick<Delivery, "mode" | "id" | "jobId" | "event" | "payload" | "endpointId" | "url" | "origin"> & {
  hook?: DeliveryHook;
};

/** Inserts a delivery unless it exists. If the limits allow it, also starts its first attempt. */
export function insertDelivery(
  tx: Transaction,
  { mode, id, jobId, event, payload, hook, endpointId, url, origin }: NewDelivery,
): void {
  if (findDeliveryRow(tx, { mode, id }) !== null) return;
  const host = toHost(url);
  const hour = reserveHour(tx, mode);
  if (jobId !== null && hour > tx.now) keepUntilSent(tx, { mode, id: jobId }, hour);
  const { stage, due_at } = chooseStep(tx, host, hour > tx.now ? hour : undefined);
  const attempt = stage === "sending" ? 1 : 0;
  const form = hook === undefined ? null : JSON.stringify(hook);
  const columns = { mode, id, job_id: jobId, event, payload, hook: form, endpoint_id: endpointId, url, host, origin };
  const state = { status: "pending", stage, attempt, next_attempt_at: hour, due_at, created_at: tx.now };
  tx.insert("deliveries", { ...columns, ...state });
  if (stage === "sending") sendMessage(tx, { mode, id, round: 1, attempt });
}
