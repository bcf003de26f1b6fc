import { toIso } from "../lib/clock";
import type { Delivery } from "../model/delivery";
import type { Job } from "../model/job";
import { MAX_WEBHOOK_RESULT_BYTES } from "../model/limits";
import { getSmallResult } from "../store/objects";

/**
 * Returns the body of a job's event. `result` is the stored JSON of a completed job. It is null for a failed job, and
 * "too large" if it is too large for an event.
 */
function toJobEvent(job: Job, result: string | "too large" | null): string {
  const { error } = job;
  const head = JSON.stringify({
    event: `job.${job.status}`,
    job_id: job.id,
    status: job.status,
    endpoint: job.endpoint,
  });
  const meta = JSON.stringify({
    processing_time_ms: job.processingTimeMs ?? 0,
    credits_used: job.creditsUsed,
    created_at: toIso(job.createdAt),
    completed_at: toIso(job.endedAt ?? job.createdAt),
    // A search has no page.
    ...(job.outcome === null || job.endpoint === "serp" ? {} : { outcome: job.outcome }),
  });
  const end =
    error === null ? toResult(result) : `"error":${JSON.stringify({ code: error.code, message: error.message })}`;
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

const RESULT_DELETED = "Not sent: the job's result was deleted at the end of its retention period.";

/** The result of the event's job was deleted. The delivery's log shows the message. */
export class ResultDeletedError extends Error {
  override readonly name = "ResultDeletedError";
}

/**
 * Returns the body of the delivery's event. Every call returns the same bytes. `job` is the event's job, or null
 * if the event isn't about a job. Throws ResultDeletedError, or an error of R2.
 */
export async function readEventBody(env: Env, delivery: Delivery, job: Job | null): Promise<string> {
  // The Durable Object of the previous version has no payload. It can respond during a deployment.
  if (typeof delivery.payload === "string") return delivery.payload;
  if (delivery.jobId === null) return toTestEvent(delivery);
  if (job === null) throw new ResultDeletedError(RESULT_DELETED);
  if (job.error !== null) return toJobEvent(job, null);
  if (job.expired || (job.result === null && !job.resultStored)) throw new ResultDeletedError(RESULT_DELETED);
  if (job.result !== null) return toJobEvent(job, job.result);
  return toJobEvent(job, await getSmallResult(env.STORE, job.id, job.run, MAX_WEBHOOK_RESULT_BYTES));
}
