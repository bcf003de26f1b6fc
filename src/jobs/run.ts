import { callAccount } from "../account/client";
import type { JobEnd, ReleaseReason } from "../account/types";
import { runEndpoint } from "../endpoints/endpoints";
import { Mutex, raceAbort } from "../lib/async";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { log, logAs, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { type Completed, type Job, type JobError, type JobRef, wasRendered } from "../model/job";
import {
  JOB_TIMEOUT_MS,
  LARGE_LOCK_MS,
  LARGE_PAGE_BYTES,
  LEASE_RENEWAL_MS,
  MAX_ROW_RESULT_BYTES,
} from "../model/limits";
import { type ClaimedJob, type Execution, NoCapacityError, type RunContext } from "../model/run-context";
import { getRequest, putResult } from "../store/objects";

/** The outcome of a run. */
export type RunOutcome =
  /** The run has completed the job. */
  | { kind: "completed"; end: Completed }
  /** The run has failed the job. */
  | { kind: "failed"; job: Job }
  /** The job had already ended, or it doesn't exist. */
  | { kind: "ended" }
  /** Another run holds the lease until `until` (Unix ms). */
  | { kind: "leased"; until: number }
  /** The job is queued again. The caller must send its message with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The run has lost its lease, and another run continues the job. */
  | { kind: "lease_lost" };

/**
 * The abort reason that stops a run so that the queue can start a new one. The stopped run doesn't count as an attempt.
 */
export class Handover extends Error {
  override readonly name = "Handover";
}

class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

// All runs of an isolate share this lock, because they share the isolate's memory. The lock contains no request data.
const largeRuns = new Mutex(LARGE_LOCK_MS);

/**
 * Claims a job and runs it. Throws AppError if the account can't be reached. In that case, the job wasn't claimed, or
 * another run claims it after the lease has expired.
 */
export async function runJob(env: Env, { account, mode, job: id }: JobRef): Promise<RunOutcome> {
  const token = newNonce();
  const claim = await callAccount(env, account, (stub) => stub.claim({ mode, id }, token));
  if (claim.kind === "gone") return { kind: "ended" };
  if (claim.kind === "leased") return claim;
  if (claim.kind === "run") return await runClaimedJob(env, claim.job);
  logEnd(claim.job);
  return { kind: "failed", job: claim.job };
}

/** Runs a claimed job: executes it, stores the result and ends it. Aborting `handover` requeues the job. */
export async function runClaimedJob(env: Env, job: Job, handover?: AbortSignal): Promise<RunOutcome> {
  return await logAs({ job_id: job.id, account_id: job.account.id }, () => execute(env, job, handover));
}

async function execute(env: Env, job: Job, handover?: AbortSignal): Promise<RunOutcome> {
  const startedAt = now();
  const lease = holdLease(env, job);
  const timeout = AbortSignal.timeout(JOB_TIMEOUT_MS);
  const signal = AbortSignal.any([lease.signal, timeout, ...(handover === undefined ? [] : [handover])]);
  const largeLock = createLargeLock(signal);
  try {
    const execution = await raceAbort(callEndpoint(env, job, { signal, acquireLargeLock: largeLock.acquire }), signal);
    return await complete(env, job, execution, startedAt);
  } catch (error) {
    if (lease.signal.aborted) {
      log("warn", "lease_lost", { run: job.run });
      return { kind: "lease_lost" };
    }
    if (timeout.aborted) {
      return await fail(env, job, new AppError("job_timeout", "The job took longer than 5 minutes."), startedAt);
    }
    if (error instanceof AppError) return await fail(env, job, error, startedAt);
    return await requeue(env, job, error);
  } finally {
    largeLock.release();
    lease.stop();
  }
}

/** Returns this run's access to the lock for large pages. Only the first call of `acquire` has an effect. */
function createLargeLock(signal: AbortSignal): { acquire: () => Promise<void>; release: () => void } {
  let acquiring: Promise<() => void> | undefined;
  return {
    acquire: async () => {
      acquiring ??= largeRuns.acquire(signal);
      await acquiring;
    },
    // `acquire` rejects if the run ends while it waits for the lock. In that case, there is no lock to release.
    release: () => void acquiring?.then((release) => release()).catch(() => {}),
  };
}

async function callEndpoint(
  env: Env,
  job: Job,
  { signal, acquireLargeLock }: Pick<RunContext, "signal" | "acquireLargeLock">,
): Promise<Execution> {
  const claimed: ClaimedJob = {
    id: job.id,
    account: job.account,
    concurrentRenders: job.concurrentRenders,
    run: job.run,
    endpoint: job.endpoint,
    mode: job.mode,
    request: JSON.parse(job.request ?? (await getRequest(env.STORE, job.id))),
    origin: job.origin,
    createdAt: job.createdAt,
    credits: job.credits,
  };
  const rendersHost = (host: string, needed: boolean | null) =>
    callAccount(env, job.account, (stub) => stub.rendersHost(host, needed));
  return await runEndpoint({ env, job: claimed, signal, acquireLargeLock, rendersHost });
}

/**
 * Stores the result, then ends the job. In this order, a caller who reads the status `completed` always finds the
 * result.
 */
async function complete(env: Env, job: Job, execution: Execution, startedAt: number): Promise<RunOutcome> {
  const { data, extras, outcome = "ok", charge = job.credits, isFree = false } = execution;
  const json = JSON.stringify(data);
  // The job's row also contains the request. The result gets the remaining bytes.
  const roomFor = MAX_ROW_RESULT_BYTES - (job.request?.length ?? 0);
  const fitsRow = !job.isStorageLarge && json.length <= roomFor && new TextEncoder().encode(json).byteLength <= roomFor;
  if (!fitsRow) await putResult(env.STORE, job.id, job.run, json);
  const endedAt = now();
  const ended = await finish(env, job, {
    status: "completed",
    result: fitsRow ? json : null,
    extras: extras ?? null,
    charge,
    outcome,
    isFree,
    processingTimeMs: endedAt - startedAt,
    endedAt,
  });
  if (ended === null) return { kind: "lease_lost" };
  const meta = { ...extras, processing_time_ms: endedAt - startedAt, credits_used: ended.creditsUsed };
  // `data` is null for a large result, which the response streams from R2. Otherwise, a caller who reads slowly would
  // keep the result in memory.
  return { kind: "completed", end: { data: json.length > LARGE_PAGE_BYTES ? null : data, meta } };
}

async function fail(env: Env, job: Job, error: AppError, startedAt: number): Promise<RunOutcome> {
  const endedAt = now();
  const processingTimeMs = endedAt - startedAt;
  const ended = await finish(env, job, { status: "failed", error: toJobError(error), processingTimeMs, endedAt });
  return ended === null ? { kind: "lease_lost" } : { kind: "failed", job: ended };
}

/** Ends the job and logs its end. Returns null if another run has the job or the job has already ended. */
async function finish(env: Env, job: Job, end: JobEnd): Promise<Job | null> {
  const reply = await callAccount(env, job.account, (stub) => stub.finish(job, job.run, end));
  if (reply.kind === "ended") {
    logEnd(reply.job);
    return reply.job;
  }
  log("warn", "lease_lost", { run: job.run });
  return null;
}

/**
 * Requeues the job after an unexpected error, after a handover, or if no browser is free. Waiting for the lease to
 * expire would delay the job.
 */
async function requeue(env: Env, job: Job, error: unknown): Promise<RunOutcome> {
  const reason = toReleaseReason(error);
  if (reason.kind === "error") log("error", "run_failed", { run: job.run, ...toLogged(error) });
  const reply = await callAccount(env, job.account, (stub) => stub.release(job, job.run, reason));
  if (reply.kind === "requeued") return reply;
  if (reply.kind === "ended") {
    logEnd(reply.job);
    return { kind: "failed", job: reply.job };
  }
  log("warn", "lease_lost", { run: job.run });
  return { kind: "lease_lost" };
}

function toReleaseReason(error: unknown): ReleaseReason {
  if (error instanceof Handover) return { kind: "handover" };
  if (error instanceof NoCapacityError) return { kind: "no_capacity", retryAfterMs: error.retryAfterMs };
  return { kind: "error" };
}

/** Renews the lease until `stop` is called. The signal aborts if a renewal is refused. */
function holdLease(env: Env, job: Job): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    callAccount(env, job.account, (stub) => stub.renew(job, job.run)).then(
      (isHeld) => {
        if (!isHeld) controller.abort(new LeaseLostError(`Run ${job.run} of job ${job.id} lost its lease.`));
      },
      // If the account can't be reached, the run may still have its lease, so it continues. The next renewal tries
      // again.
      (error) => log("warn", "renewal_failed", { run: job.run, ...toLogged(error) }),
    );
  }, LEASE_RENEWAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function toJobError({ code, message, status, retryable }: AppError): JobError {
  return { code, message, status, retryable };
}

/** Logs the end of a job. The account's Durable Object writes the analytics event. */
function logEnd(job: Job): void {
  const processingMs = job.processingTimeMs ?? 0;
  log("info", "job", {
    job_id: job.id,
    account_id: job.account.id,
    mode: job.mode,
    endpoint: job.endpoint,
    rendered: wasRendered(job),
    status: job.status,
    outcome: job.outcome ?? undefined,
    code: job.error?.code,
    runs: job.run,
    queue_ms: Math.max(0, (job.endedAt ?? job.createdAt) - job.createdAt - processingMs),
    processing_ms: processingMs,
    credits: job.creditsUsed,
  });
}
