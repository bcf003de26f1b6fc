import type { ValidatedRequest } from "../endpoints/validate";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { ApiKey } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { openResult } from "../store/objects";
import { createJob } from "./create";
import { getOwnJob, readResult, toMeta } from "./read";
import { awaitSlot, detachCaller, runSync } from "./sync";

/** The caller of a request, and how long it waits. */
export interface CallContext {
  caller: ApiKey;
  origin: string;
  /** The caller's Idempotency-Key, or null. */
  idempotencyKey: string | null;
  /** Unix ms until which the caller waits for the result, or null for an asynchronous request. */
  until: number | null;
  /** Aborted when the caller disconnects. */
  hangUp: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
}

/** The outcome of a request for its caller. */
export type Submission =
  /** The job continues, or the caller doesn't wait. */
  | { kind: "accepted"; job: Job }
  /** The result, or null if its retention is over. */
  | { kind: "completed"; jobId: string; meta: JobMeta; data: Record<string, unknown> | null }
  /** A large result that is still in R2. Its body must be read or cancelled. */
  | { kind: "stored"; jobId: string; meta: JobMeta; object: R2ObjectBody };

/**
 * Creates a job for a request, and runs it if the caller waits. Throws AppError if the job isn't created, and, with the job's
 * id, if the job fails. After the job was created nothing else is thrown, since a retry would be charged a second time.
 */
export async function submitRequest(env: Env, request: ValidatedRequest, call: CallContext): Promise<Submission> {
  const { caller, origin, idempotencyKey, until } = call;
  const waiting = until !== null;
  const created = await createJob(env, { ...request, waiting, caller, origin, idempotencyKey, now: now() });
  if (created.kind === "repeated") return await repeated(env, created.job, until);
  const { job, next } = created;
  if (until === null) return { kind: "accepted", job };
  try {
    return await runForCaller(env, { job, next }, { ...call, until });
  } catch (error) {
    // Only an error of the job itself may be thrown. After another one the caller gets a 202.
    if (error instanceof AppError && error.jobId !== undefined) throw error;
    log("error", "response_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
    call.waitUntil(detachCaller(env, job, { answered: true }));
    return { kind: "accepted", job };
  }
}

async function runForCaller(
  env: Env,
  { job, next }: { job: Job; next: "run" | "wait" },
  waiting: CallContext & { until: number },
): Promise<Submission> {
  const slot = next === "run" ? ({ kind: "run", job } as const) : await awaitSlot(env, job, waiting);
  if (slot === null) return { kind: "accepted", job };
  if (slot.kind === "ended") return await ended(env, slot.job);
  const reached = await runSync(env, slot.job, waiting);
  if (reached === null) return { kind: "accepted", job };
  if (reached.kind === "job") return await ended(env, reached.job);
  const { data, meta } = reached.end;
  if (data === null) return await stored(env, job, meta);
  return { kind: "completed", jobId: job.id, meta, data };
}

/** Returns the job of an earlier equal request, as it ended by `until` (Unix ms) or as it is now. */
async function repeated(env: Env, job: Job, until: number | null): Promise<Submission> {
  if (until === null) {
    // This caller gets a 202, so the event must be delivered even if another caller still waits for the job.
    if (job.waiting) await detachCaller(env, job, { answered: true });
    return { kind: "accepted", job };
  }
  const reached = (await getOwnJob(env, job.account, job, Math.max(0, until - now()))) ?? job;
  if (reached.endedAt !== null) return await ended(env, reached);
  await detachCaller(env, reached, { answered: true });
  return { kind: "accepted", job: reached };
}

/** Returns the result of a job that has ended. Throws the job's error if it failed. */
async function ended(env: Env, job: Job): Promise<Submission> {
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: job.id });
  }
  if (job.resultStored) return await stored(env, job, toMeta(job));
  return { kind: "completed", jobId: job.id, meta: toMeta(job), data: readResult(job) };
}

async function stored(env: Env, { id: jobId, run }: Job, meta: JobMeta): Promise<Submission> {
  const object = await openResult(env.STORE, jobId, run);
  return object === null ? { kind: "completed", jobId, meta, data: null } : { kind: "stored", jobId, meta, object };
}
