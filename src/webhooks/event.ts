import { readArchivedJob } from "../account/archived-job";
import { toErrorRecord } from "../contract/error-codes";
import { toIso } from "../lib/clock";
import { redactUrl } from "../lib/redact";
import type { AccountRef } from "../model/account";
import type { Delivery, DeliveryEvent } from "../model/delivery";
import type { Job } from "../model/job";
import { toShownLabels } from "../model/labels";
import { MAX_WEBHOOK_RESULT_BYTES } from "../model/limits";
import { getSmallResult } from "../store/objects";

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
  const { depth, duplicate_of } = extras ?? {};
  return { depth, duplicate_of };
}

function isPageEvent(event: DeliveryEvent): boolean {
  return event === "batch.page" || event === "crawl.page";
}

/** Returns the body of a job's event. `result` is its stored JSON, null after a failure, or "too large". */
function toJobEvent(delivery: Delivery, job: Job, result: string | "too large" | null): string {
  const { error } = job;
  const head = JSON.stringify({
    event: isPageEvent(delivery.event) ? delivery.event : `job.${job.status}`,
    ...toPageFields(delivery, job),
    job_id: job.id,
    status: job.status,
    endpoint: job.endpoint,
    ...toShownLabels(job.labels),
  });
  const meta = JSON.stringify({
    processing_time_ms: job.processingTimeMs ?? 0,
    credits_used: job.creditsUsed,
    ...(job.receipt && { receipt: job.receipt }),
    created_at: toIso(job.createdAt),
    completed_at: toIso(job.endedAt ?? job.createdAt),
    // Searches and maps don't load a page, so they have no outcome of a page.
    ...(job.outcome === null || job.endpoint === "serp" || job.endpoint === "map" ? {} : { outcome: job.outcome }),
    ...toCrawlMeta(delivery, job),
  });
  const end = error === null ? toResult(result) : `"error":${JSON.stringify(toErrorRecord(error, job.origin))}`;
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
  if (delivery.jobId === null) return toTestEvent(delivery);
  if (job === null) throw new ResultDeletedError(RESULT_DELETED);
  if (job.error !== null) return toJobEvent(delivery, job, null);
  if (job.expired || (job.result === null && !job.resultStored)) throw new ResultDeletedError(RESULT_DELETED);
  if (job.result !== null) return toJobEvent(delivery, job, job.result);
  return toJobEvent(delivery, job, await getSmallResult(env.STORE, job.id, job.run, MAX_WEBHOOK_RESULT_BYTES));
}
