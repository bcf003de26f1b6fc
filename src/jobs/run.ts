import { callAccount } from "../account/client";
import type { JobEnd, ReleaseReason } from "../account/types";
import { runEndpoint } from "../endpoints/endpoints";
import { Mutex, raceAbort } from "../lib/async";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { log, logAs, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import type { Completed, Job, JobError, JobMessage } from "../model/job";
import {
  JOB_TIMEOUT_MS,
  LARGE_LOCK_MS,
  LARGE_PAGE_BYTES,
  LEASE_RENEWAL_MS,
  MAX_ROW_RESULT_BYTES,
} from "../model/limits";
import { type ClaimedJob, type Execution, NoCapacityError, type RunContext } from "../model/run-context";
import { getRequest, putResult } from "../store/objects";

/** How a run ended. */
export type RunOutcome =
  /** The run completed the job. */
  | { kind: "completed"; end: Completed }
  /** The run failed the job. */
  | { kind: "failed"; job: Job }
  /** The job had ended before or doesn't exist. */
  | { kind: "ended" }
  /** Another run holds the lease until then (Unix ms). */
  | { kind: "leased"; until: number }
  /** The job is queued again. Its message must be sent with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The run lost its lease. The run that took it continues the job. */
  | { kind: "lease_lost" };

/** Aborts a run so that the queue starts a new one. The run doesn't count as an attempt. */
export class Handover extends Error {
  override readonly name = "Handover";
}

class LostLease extends Error {
  override readonly name = "LostLease";
}

// Memory belongs to the isolate, so this lock does too. It holds no data of a request.
const largeRuns = new Mutex(LARGE_LOCK_MS);

/**
 * Claims a job and runs it. Throws AppError if the account can't be reached. Before the claim, nothing has happened then; at
 * the end, the lease expires and the job is claimed again.
 */
export async function runJob(env: Env, { account, mode, job: id }: JobMessage): Promise<RunOutcome> {
  const token = newNonce();
  const claim = await callAccount(env, account, (stub) => stub.claim({ mode, id }, token));
  if (claim.kind === "gone") return { kind: "ended" };
  if (claim.kind === "leased") return claim;
  if (claim.kind === "run") return await runClaimedJob(env, claim.job);
  logEnd(claim.job);
  return { kind: "failed", job: claim.job };
}

/** Runs a claimed job: executes it, stores the result and ends it. Aborting `handover` sends it back to its queue. */
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
      log("warn", "run_lost", { run: job.run });
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

/** Returns a lock on large runs. The first call of `acquire` acquires it; later calls do nothing. */
function createLargeLock(signal: AbortSignal): { acquire: () => Promise<void>; release: () => void } {
  let acquiring: Promise<() => void> | undefined;
  return {
    acquire: async () => {
      acquiring ??= largeRuns.acquire(signal);
      await acquiring;
    },
    // A run that ended while it waited never got the lock.
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
  return await runEndpoint({ env, job: claimed, signal, acquireLargeLock });
}

/** Stores the result before it ends the job, so that a caller who reads `completed` finds the result. */
async function complete(env: Env, job: Job, { data, extras }: Execution, startedAt: number): Promise<RunOutcome> {
  const json = JSON.stringify(data);
  // The row also holds the request.
  const roomFor = MAX_ROW_RESULT_BYTES - (job.request?.length ?? 0);
  const fitsRow = !job.isStorageLarge && json.length <= roomFor && new TextEncoder().encode(json).byteLength <= roomFor;
  if (!fitsRow) await putResult(env.STORE, job.id, job.run, json);
  const endedAt = now();
  const ended = await finish(env, job, {
    status: "completed",
    result: fitsRow ? json : null,
    extras: extras ?? null,
    charge: job.credits,
    processingTimeMs: endedAt - startedAt,
    endedAt,
  });
  if (ended === null) return { kind: "lease_lost" };
  const meta = { ...extras, processing_time_ms: endedAt - startedAt, credits_used: ended.creditsUsed };
  // A waiting caller may read slowly. A large result is streamed from R2, so that it doesn't stay in memory.
  return { kind: "completed", end: { data: json.length > LARGE_PAGE_BYTES ? null : data, meta } };
}

async function fail(env: Env, job: Job, error: AppError, startedAt: number): Promise<RunOutcome> {
  const endedAt = now();
  const processingTimeMs = endedAt - startedAt;
  const ended = await finish(env, job, { status: "failed", error: toJobError(error), processingTimeMs, endedAt });
  return ended === null ? { kind: "lease_lost" } : { kind: "failed", job: ended };
}

/** Ends the job. Returns null if another run has it. That run ends it and logs its end. */
async function finish(env: Env, job: Job, end: JobEnd): Promise<Job | null> {
  const reply = await callAccount(env, job.account, (stub) => stub.finish(job, job.run, end));
  if (reply.kind === "ended") {
    logEnd(reply.job);
    return reply.job;
  }
  log("warn", "run_lost", { run: job.run });
  return null;
}

/**
 * Requeues the job after an unexpected error, a handover, or when no browser is free. Waiting for the lease to expire would
 * delay the job.
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
  log("warn", "run_lost", { run: job.run });
  return { kind: "lease_lost" };
}

function toReleaseReason(error: unknown): ReleaseReason {
  if (error instanceof Handover) return { kind: "handover" };
  if (error instanceof NoCapacityError) return { kind: "no_capacity", retryAfterMs: error.retryAfterMs };
  return { kind: "error" };
}

/** Renews the lease until `stop` is called. The signal aborts when a renewal is refused. */
function holdLease(env: Env, job: Job): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    callAccount(env, job.account, (stub) => stub.renew(job, job.run)).then(
      (mine) => {
        if (!mine) controller.abort(new LostLease(`Run ${job.run} of job ${job.id} lost its lease.`));
      },
      // An unreachable account is no refusal. The next renewal tries again, and the end of the job is guarded.
      (error) => log("warn", "renewal_failed", { run: job.run, ...toLogged(error) }),
    );
  }, LEASE_RENEWAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function toJobError({ code, message, status, retryable }: AppError): JobError {
  return { code, message, status, retryable };
}

/** Writes the log line of a job that has ended. The account writes its event. */
function logEnd(job: Job): void {
  const processingMs = job.processingTimeMs ?? 0;
  log("info", "job", {
    job_id: job.id,
    account_id: job.account.id,
    mode: job.mode,
    endpoint: job.endpoint,
    rendered: job.rendered,
    status: job.status,
    outcome: job.outcome ?? undefined,
    code: job.error?.code,
    runs: job.run,
    queue_ms: Math.max(0, (job.endedAt ?? job.createdAt) - job.createdAt - processingMs),
    processing_ms: processingMs,
    credits: job.creditsUsed,
  });
}
