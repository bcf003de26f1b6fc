import type { JobRecord } from "../contract/jobs";
import { now, sleep, toIso } from "../lib/clock";
import { isId } from "../lib/id";
import type { Mode } from "../model/api-key";
import type { Job, JobMeta, StoredJob } from "../model/job";
import { getJob } from "../store/jobs";
import { findRequest, openResult, readSmall } from "../store/objects";

const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 1_000;

/** Returns the job if it belongs to this account and mode, and null otherwise. The id may have any form. */
export async function getOwnJob(
  env: Env,
  { id, accountId, mode }: { id: string; accountId: string; mode: Mode },
): Promise<StoredJob | null> {
  const job = isId(id) ? await getJob(env.DB, id) : null;
  return job?.accountId === accountId && job.mode === mode ? job : null;
}

/** Returns the validated body of the job from its row or from R2, or null if its retention is over. */
export async function readRequest(env: Env, job: Job): Promise<Record<string, unknown> | null> {
  const json = job.request ?? (await findRequest(env.STORE, job.id));
  return json === null ? null : JSON.parse(json);
}

/**
 * Returns the result of a job from its row or from R2, or null if there is none (any more). A result in R2 that is larger
 * than `maxBytes` isn't read.
 */
export async function readSmallResult(
  env: Env,
  job: Job,
  maxBytes: number,
): Promise<Record<string, unknown> | "too large" | null> {
  if (!job.resultStored) return readResult(job);
  const object = await openResult(env.STORE, job.id, job.run);
  if (object === null) return null;
  const json = await readSmall(object, maxBytes);
  return json === "too large" ? json : JSON.parse(json);
}

/** Polls the job until it has ended or `until` (Unix ms) is reached, and returns it. Returns null if there is no such job. */
export async function waitForEnd(env: Env, jobId: string, until: number): Promise<StoredJob | null> {
  for (let delayMs = FIRST_POLL_MS; ; delayMs = Math.min(delayMs * 1.5, MAX_POLL_MS)) {
    const job = await getJob(env.DB, jobId);
    const left = until - now();
    if (job === null || job.endedAt !== null || left <= 0) return job;
    await sleep(Math.min(delayMs, left));
  }
}

/** Returns the result that is stored in the row, or null if there is none or its retention is over. */
export function readResult(job: Job): Record<string, unknown> | null {
  return job.result === null ? null : JSON.parse(job.result);
}

/** Returns the `meta` of a job that has ended. */
export function toMeta(job: Job): JobMeta {
  return { ...job.extras, processing_time_ms: job.processingTimeMs ?? 0, credits_used: job.creditsUsed };
}

/** Returns the job as the API shows it, without its result. */
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

/** Adds the result. That it fits the endpoint is up to the endpoint's `run`. */
export function withResult(record: JobRecord, result: Record<string, unknown> | null): JobRecord {
  return { ...record, result } as JobRecord;
}

/** Returns the job as lists show it. A result that is stored in R2 is left out. */
export function toListed(job: Job): JobRecord {
  if (job.status !== "completed") return toJobRecord(job);
  const record = withResult(toJobRecord(job), readResult(job));
  return job.resultStored ? { ...record, result_truncated: true } : record;
}
