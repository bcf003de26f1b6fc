import type { JobRecord } from "../contract/jobs";
import { toIso } from "../lib/clock";
import type { Job, JobMeta } from "../model/job";

/** The result that lies in the row; null when its time is over. */
export function readResult(job: Job): Record<string, unknown> | null {
  return job.result === null ? null : JSON.parse(job.result);
}

export function toMeta(job: Job): JobMeta {
  return { ...job.extras, processing_time_ms: job.processingTimeMs ?? 0, credits_used: job.creditsUsed };
}

/** The Job of the contract, without its result. */
export function toJobRecord(job: Job): JobRecord {
  return {
    job_id: job.id,
    status: job.status,
    endpoint: job.endpoint,
    ...(job.error === null ? {} : { error: { code: job.error.code, message: job.error.message } }),
    created_at: toIso(job.createdAt),
    ...(job.endedAt === null ? {} : { completed_at: toIso(job.endedAt), meta: toMeta(job) }),
  } as JobRecord;
}

/** That a result fits its endpoint is the executors' doing. */
export function withResult(record: JobRecord, result: Record<string, unknown> | null): JobRecord {
  return { ...record, result } as JobRecord;
}

/** As lists have it: a result that doesn't lie in the row is left to the job itself. */
export function toListed(job: Job): JobRecord {
  if (job.status !== "completed") return toJobRecord(job);
  const record = withResult(toJobRecord(job), readResult(job));
  return job.resultStored ? { ...record, result_truncated: true } : record;
}
