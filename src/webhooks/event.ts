import { toIso } from "../lib/clock";
import type { Delivery } from "../model/delivery";
import type { Job } from "../model/job";
import { MAX_WEBHOOK_RESULT_BYTES } from "../model/limits";
import { getSmallResult } from "../store/objects";

/**
 * Returns the body of a job's event. `result` is the stored JSON of a completed job, null for a
 * failed one, or "too large".
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
  });
  const outcome =
    error === null ? toResult(result) : `"error":${JSON.stringify({ code: error.code, message: error.message })}`;
  return `${head.slice(0, -1)},${outcome},"meta":${meta}}`;
}

/** Inserts the result's JSON unchanged. */
function toResult(json: string | "too large" | null): string {
  return json === "too large" ? '"result":null,"result_truncated":true' : `"result":${json ?? "null"}`;
}

/** Returns the body of a test event. */
function toTestEvent(delivery: Delivery): string {
  return JSON.stringify({
    event: "webhook.test",
    message: "This is a test of your webhook: a receiver that verifies the signature and answers 2xx is ready.",
    meta: { created_at: toIso(delivery.createdAt) },
  });
}

const GONE_MESSAGE = "Not sent: the result was kept for its time, and is gone.";

/** Thrown if the result of the event's job was deleted. The message goes to the delivery's log. */
export class EventGone extends Error {
  override readonly name = "EventGone";
}

/**
 * Returns the body of the delivery's event, always with the same bytes. `job` is the job of the event. Throws EventGone, or the
 * error of R2.
 */
export async function readEventBody(env: Env, delivery: Delivery, job: Job | null): Promise<string> {
  if (delivery.jobId === null) return toTestEvent(delivery);
  if (job === null) throw new EventGone(GONE_MESSAGE);
  if (job.error !== null) return toJobEvent(job, null);
  if (job.expired || (job.result === null && !job.resultStored)) throw new EventGone(GONE_MESSAGE);
  if (job.result !== null) return toJobEvent(job, job.result);
  return toJobEvent(job, await getSmallResult(env.STORE, job.id, job.run, MAX_WEBHOOK_RESULT_BYTES));
}
