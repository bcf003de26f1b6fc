import { toErrorRecord } from "../../contract/error-codes";
import { toIso } from "../../lib/clock";
import { newTaggedId } from "../../lib/id";
import type { Batch } from "../../model/batch";
import { type Hook, type HookEvent, REQUEST_ENDPOINT } from "../../model/delivery";
import type { Job } from "../../model/job";
import { toShownLabels } from "../../model/labels";
import { findEndpoints, hasDelivery, insertAccountEvent, insertDelivery } from "../deliveries/new-deliveries";
import type { Transaction } from "../storage/transaction";
import type { BatchRow } from "./batch-row";

/**
 * Inserts the deliveries for a page of a batch that has ended. If the batch's request has a webhook URL, the event is
 * sent only to this URL. Existing deliveries don't change. `batch` is the row of the batch.
 */
export function insertPageDeliveries(tx: Transaction, job: Job, batch: BatchRow): void {
  const event = batch.kind === "crawl" ? "crawl.page" : "batch.page";
  const delivery = { mode: job.mode, jobId: job.id, event, payload: null, origin: job.origin } as const;
  if (batch.hook !== null) {
    insertHookDelivery(tx, batch, "page", { job });
    return;
  }
  if (batch.webhook_endpoint_id === REQUEST_ENDPOINT) {
    const url = batch.page_events === 1 ? batch.webhook_url : null;
    if (url !== null) insertDelivery(tx, { ...delivery, id: job.id, endpointId: REQUEST_ENDPOINT, url });
    return;
  }
  for (const { id: endpointId, url } of findEndpoints(tx, job.mode, event)) {
    if (hasDelivery(tx, job, endpointId)) continue;
    insertDelivery(tx, { ...delivery, id: newTaggedId(tx.state.account.tag), endpointId, url });
  }
}

/** Inserts the deliveries for the end of a batch, in its transaction. Not idempotent: a resumed batch ends again. */
export function insertBatchDeliveries(tx: Transaction, batch: Batch, row: BatchRow): void {
  if (row.hook !== null) {
    insertHookDelivery(tx, row, batch.error === null ? "completed" : "failed", { error: batch.error?.message });
    return;
  }
  const { mode, origin } = batch;
  const event = batch.kind === "crawl" ? "crawl.completed" : "batch.completed";
  const payload = JSON.stringify(toBatchEvent(batch));
  if (row.webhook_endpoint_id !== REQUEST_ENDPOINT) {
    insertAccountEvent(tx, { mode, event, payload });
    return;
  }
  if (row.webhook_url === null) return;
  const id = newTaggedId(tx.state.account.tag);
  insertDelivery(tx, {
    mode,
    id,
    jobId: null,
    event,
    payload,
    endpointId: REQUEST_ENDPOINT,
    url: row.webhook_url,
    origin,
  });
}

/** Inserts the delivery of an event in Firecrawl's form, if the request of the batch has selected the event. */
export function insertHookDelivery(
  tx: Transaction,
  row: BatchRow | null,
  name: HookEvent,
  { job, error }: { job?: Job; error?: string | undefined } = {},
): void {
  if (row === null || row.hook === null || row.webhook_url === null) return;
  const { events, ...hook } = JSON.parse(row.hook) as Hook;
  if (!events.includes(name)) return;
  insertDelivery(tx, {
    mode: row.mode,
    id: job?.id ?? newTaggedId(tx.state.account.tag),
    jobId: job?.id ?? null,
    event: `${row.kind}.${name === "failed" ? "completed" : name}`,
    payload: null,
    hook: { ...hook, type: `${row.kind === "crawl" ? "crawl" : "batch_scrape"}.${name}`, id: row.id, error },
    endpointId: REQUEST_ENDPOINT,
    url: row.webhook_url,
    origin: row.origin,
  });
}

/** Returns the body of the event that reports the end of a batch or crawl. */
function toBatchEvent(batch: Batch): Record<string, unknown> {
  const { kind, id, status, endpoint, error, counts, credits, createdAt, endedAt } = batch;
  return {
    event: `${kind}.completed`,
    [kind === "crawl" ? "crawl_id" : "batch_id"]: id,
    status,
    endpoint,
    ...toShownLabels(batch.labels),
    ...(error !== null && { error: toErrorRecord(error, batch.origin) }),
    counts: toShownCounts(counts),
    credits: toShownCredits(credits),
    meta: { created_at: toIso(createdAt), completed_at: toIso(endedAt ?? createdAt) },
  };
}

export function toShownCounts({ total, pending, running, completed, failed, byCode }: Batch["counts"]) {
  return { total, pending, running, completed, failed, by_code: byCode };
}

export function toShownCredits({ reserved, used, givenBack }: Batch["credits"]) {
  return { reserved, used, given_back: givenBack };
}
