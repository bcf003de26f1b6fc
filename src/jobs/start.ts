import type { Work } from "../endpoints/prepare";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { ApiKey } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { getJob } from "../store/jobs";
import { openResult } from "../store/objects";
import { admit } from "./create";
import { readResult, toMeta } from "./job-record";
import { runWaiting, sendAway } from "./sync";
import { waitForEnd } from "./wait";

/** Who asks for work to be done, and how. */
export interface Call {
  caller: ApiKey;
  origin: string;
  /** The caller's Idempotency-Key. */
  idempotencyKey: string | null;
  /** Unix ms until which the caller waits for the result; null: not at all. */
  until: number | null;
  /** Aborted when the caller hangs up. */
  hangUp: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
}

/** What a caller gets. */
export type Started =
  /** A job that goes on, or that nobody waits for. */
  | { kind: "accepted"; job: Job }
  /** The result; null when it was kept for its time, and is gone. */
  | { kind: "completed"; jobId: string; meta: JobMeta; data: Record<string, unknown> | null }
  /** A large result, still in the store: its body must be read or cancelled. */
  | { kind: "stored"; jobId: string; meta: JobMeta; object: R2ObjectBody };

/**
 * Admits the work as a job, and runs it while the caller waits. Throws AppError when it isn't admitted, and, with the job's
 * id, when the job failed. Once there is a new job nothing else is thrown: it would invite a second request, and charge.
 */
export async function start(env: Env, work: Work, call: Call): Promise<Started> {
  const { caller, origin, idempotencyKey, until } = call;
  const waiting = until !== null;
  const admitted = await admit(env, { ...work, waiting, caller, origin, idempotencyKey, now: now() });
  if (admitted.kind === "repeated") return await repeated(env, admitted.jobId, until);
  const { job } = admitted;
  if (until === null) return { kind: "accepted", job };
  try {
    return await runHere(env, job, { ...call, until });
  } catch (error) {
    if (error instanceof AppError) throw error;
    log("error", "answer_failed", { job_id: job.id, ...toLogged(error) });
    call.waitUntil(sendAway(env, job.id));
    return { kind: "accepted", job };
  }
}

async function runHere(env: Env, job: Job, waiting: Call & { until: number }): Promise<Started> {
  const reached = await runWaiting(env, job, waiting);
  if (reached === null) return { kind: "accepted", job };
  if (reached.kind === "job") return await ended(env, reached.job);
  const { data, meta } = reached.end;
  if (data === null) return await stored(env, job, meta);
  return { kind: "completed", jobId: job.id, meta, data };
}

/** What an equal request made before: as it ended by `until` (Unix ms), or as it stands. */
async function repeated(env: Env, jobId: string, until: number | null): Promise<Started> {
  const job = until === null ? await getJob(env.DB, jobId) : await waitForEnd(env, jobId, until);
  if (job === null) throw new Error(`The repeated job ${jobId} is not there.`);
  if (until !== null && job.endedAt !== null) return await ended(env, job);
  // The promise of a 202 holds for this caller, whoever else waits for the same job.
  await sendAway(env, jobId);
  return { kind: "accepted", job };
}

/** A job that was read back: its result, or its error, thrown with the status of its code. */
async function ended(env: Env, job: Job): Promise<Started> {
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: job.id });
  }
  if (job.resultStored) return await stored(env, job, toMeta(job));
  return { kind: "completed", jobId: job.id, meta: toMeta(job), data: readResult(job) };
}

async function stored(env: Env, { id: jobId, run }: Job, meta: JobMeta): Promise<Started> {
  const object = await openResult(env.STORE, jobId, run);
  return object === null ? { kind: "completed", jobId, meta, data: null } : { kind: "stored", jobId, meta, object };
}
