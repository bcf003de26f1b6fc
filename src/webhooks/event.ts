import { toIso } from "../lib/clock";
import type { Delivery } from "../model/delivery";
import type { Job } from "../model/job";

/**
 * The body of a job's event, the same bytes whenever it is made. `result` is the stored JSON of a completed job, null for a
 * failed one; what is too large to be pushed is left to the job.
 */
export function toJobEvent(job: Job, result: string | "too large" | null): string {
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

/** The result is JSON already: it goes in as it is. */
function toResult(json: string | "too large" | null): string {
  return json === "too large" ? '"result":null,"result_truncated":true' : `"result":${json ?? "null"}`;
}

/** The body of a test event. */
export function toTestEvent(delivery: Delivery): string {
  return JSON.stringify({
    event: "webhook.test",
    message: "This is a test of your webhook: a receiver that verifies the signature and answers 2xx is ready.",
    meta: { created_at: toIso(delivery.createdAt) },
  });
}
