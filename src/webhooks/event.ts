import { readArchivedJob } from "../account/archived-job";
import { toErrorRecord } from "../contract/error-codes";
import { type ViewOptions, viewOf } from "../contract/view-options";
import { toHookEvent } from "../doors/forms/firecrawl";
import { toIso } from "../lib/clock";
import { redactUrl } from "../lib/redact";
import type { AccountRef } from "../model/account";
import type { Delivery, DeliveryEvent } from "../model/delivery";
import type { Job } from "../model/job";
import { toShownLabels } from "../model/labels";
import { MAX_VIEW_BYTES, MAX_WEBHOOK_RESULT_BYTES } from "../model/limits";
import { findRequest, getSmallResult } from "../store/objects";
import { type View, viewOrOutline, withView } from "../text-view/view";

/** Returns the fields that only the event of a page has. */
function toPageFields({ event }: Delivery, { batchId, page, subject }: Job): Record<string, unknown> {
  if (!isPageEvent(event)) return {};
  // With `store: false`, the URL is deleted together with the result, but the event can be sent again later.
  const url = subject === null ? null : redactUrl(subject);
  return { [event === "crawl.page" ? "crawl_id" : "batch_id"]: batchId, page, url };
}

/** Returns the fields of `meta` that only the event of a crawl's page has. */
function toCrawlMeta({ event }: Delivery, { extras }: Job): Record<string, unknown> {
  if (event !== "crawl.page") return {};
  const { depth, duplicate_of, skipped } = extras ?? {};
  return { depth, duplicate_of, skipped };
}

function isPageEvent(event: DeliveryEvent): boolean {
  return event === "batch.page" || event === "crawl.page";
}

/** The result of an event: its JSON, null after a failure, or "too large". `view` is omitted for the whole result. */
interface EventResult {
  json: string | "too large" | null;
  view?: View;
}

/** Returns the body of a job's event. */
function toJobEvent(delivery: Delivery, job: Job, { json, view }: EventResult): string {
  const { error } = job;
  const head = JSON.stringify({
    event: isPageEvent(delivery.event) ? delivery.event : `job.${job.status}`,
    ...toPageFields(delivery, job),
    job_id: job.id,
    status: job.status,
    endpoint: job.endpoint,
    ...toShownLabels(job.labels),
  });
  const ended = {
    processing_time_ms: job.processingTimeMs ?? 0,
    credits_used: job.creditsUsed,
    ...(job.receipt && { receipt: job.receipt }),
    created_at: toIso(job.createdAt),
    completed_at: toIso(job.endedAt ?? job.createdAt),
    // Searches and maps don't load a page, so they have no outcome of a page.
    ...(job.outcome === null || job.endpoint === "serp" || job.endpoint === "map" ? {} : { outcome: job.outcome }),
    ...toCrawlMeta(delivery, job),
  };
  const isCut = { truncated: job.extras?.truncated };
  const meta = JSON.stringify(view === undefined ? ended : { ...ended, ...withView(isCut, view) });
  const end = error === null ? toResult(json) : `"error":${JSON.stringify(toErrorRecord(error, job.origin))}`;
  return `${head.slice(0, -1)},${end},"meta":${meta}}`;
}

/** Returns the JSON members for the result. The stored JSON is inserted unchanged. */
function toResult(json: string | "too large" | null): string {
  return json === "too large" ? '"result":null,"result_truncated":true' : `"result":${json ?? "null"}`;
}

/** Returns the body of a test event. */
function toTestEvent(delivery: Delivery): string {
  return JSON.stringify({
    event: "webhook.test",
    message:
      "This is a test event. Your receiver is ready if it verifies the signature and responds with a 2xx status.",
    meta: { created_at: toIso(delivery.createdAt) },
  });
}

const RESULT_DELETED =
  "Not sent: the job's result was deleted, because its retention period is over or its request has `store: false`.";

/** The result of the event's job was deleted. The delivery's log shows the message. */
export class ResultDeletedError extends Error {
  override readonly name = "ResultDeletedError";
}

/**
 * Returns the job of the delivery's event. `job` is the job in the account's Durable Object. If it is null, reads the job
 * from the archive. Returns null if there is no such job, or if the event isn't about a job.
 */
export async function findEventJob(
  env: Env,
  account: AccountRef,
  { mode, jobId }: Delivery,
  job: Job | null,
): Promise<Job | null> {
  if (job !== null || jobId === null) return job;
  return await readArchivedJob(env, account, { mode, id: jobId });
}

/**
 * Returns the body of the delivery's event. Every call returns the same bytes. `job` is the event's job, or null
 * if the event isn't about a job. Throws ResultDeletedError, or an error of R2.
 */
export async function readEventBody(env: Env, delivery: Delivery, job: Job | null): Promise<string> {
  if (delivery.payload !== null) return delivery.payload;
  const { hook } = delivery;
  if (delivery.jobId === null) return hook === null ? toTestEvent(delivery) : toHookEvent(delivery.id, hook);
  if (job === null) throw new ResultDeletedError(RESULT_DELETED);
  if (job.error !== null)
    return hook === null
      ? toJobEvent(delivery, job, { json: null })
      : toHookEvent(delivery.id, hook, { job, result: null });
  if (job.expired || (job.result === null && !job.resultStored)) throw new ResultDeletedError(RESULT_DELETED);
  const options = hook === null ? await findView(env, job) : null;
  const maxBytes = options === null ? MAX_WEBHOOK_RESULT_BYTES : MAX_VIEW_BYTES;
  const json = job.result ?? (await getSmallResult(env.STORE, job.id, job.run, maxBytes));
  if (hook !== null) return toHookEvent(delivery.id, hook, { job, result: json });
  if (options === null || json === "too large") return toJobEvent(delivery, job, { json });
  const view = viewOrOutline(JSON.parse(json), options);
  const viewed = JSON.stringify(view.result);
  const isLarge = Buffer.byteLength(viewed) > MAX_WEBHOOK_RESULT_BYTES;
  return toJobEvent(delivery, job, { json: isLarge ? "too large" : viewed, view });
}

/** Returns the view that the job's request selects. Null for the whole result, as with `store: false`. */
async function findView(env: Env, job: Job): Promise<ViewOptions | null> {
  if (job.endpoint !== "scrape" || job.isTemporary) return null;
  const request = job.request ?? (await findRequest(env.STORE, job.id));
  return request === null ? null : viewOf(JSON.parse(request));
}
