import { runEndpoint } from "../endpoints/endpoints";
import { Mutex, raceAbort } from "../lib/async";
import { now } from "../lib/clock";
import { log, logAs, toLogged, writeDataPoint } from "../lib/log";
import { AppError, type ErrorCode } from "../model/errors";

import type { Completed, Job, JobError } from "../model/job";
import {
  JOB_TIMEOUT_MS,
  LARGE_LOCK_MS,
  LARGE_PAGE_BYTES,
  LEASE_RENEWAL_MS,
  MAX_ROW_RESULT_BYTES,
  MAX_RUNS,
} from "../model/limits";
import { type ClaimedJob, type Execution, NoCapacityError, type RunContext } from "../model/run-context";
import {
  claimJob,
  completeJob,
  type Ended,
  failExhaustedJob,
  failJob,
  releaseJob,
  renewLease,
} from "../store/job-runs";
import { getJob } from "../store/jobs";
import { getRequest, putResult } from "../store/objects";
import { startDelivery } from "../webhooks/deliveries";

/** How a run ended. */
export type RunOutcome =
  /** The run completed the job. */
  | { kind: "completed"; end: Completed }
  /** The run failed the job, or the job had ended before or doesn't exist. */
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

const RETRY_DELAY_MS = 5_000;
/** A lost message is sent again this long after it was due. */
const WAKE_GRACE_MS = 120_000;

/**
 * Claims a job and runs it. Throws if the database fails. Before the claim, nothing has happened then; at the end, the
 * lease expires and the job is claimed again.
 */
export async function runJob(env: Env, jobId: string): Promise<RunOutcome> {
  const startedAt = now();
  const claim = await claimJob(env.DB, jobId, startedAt);
  if (claim.kind === "gone") return { kind: "ended" };
  if (claim.kind === "leased") return claim;
  if (claim.kind === "exhausted") {
    await failExhausted(env, claim.job, startedAt);
    return { kind: "ended" };
  }
  return await runClaimedJob(env, claim.job);
}

/**
 * Fails a job whose message the queue gave up on, if its attempts are used up and no run holds it. Returns false if the job
 * may still be run.
 */
export async function endIfExhausted(env: Env, jobId: string): Promise<boolean> {
  const at = now();
  const job = await getJob(env.DB, jobId);
  if (job === null || job.endedAt !== null) return true;
  return await failExhausted(env, job, at);
}

/** Returns false if attempts are left, or if another run ended the job meanwhile. */
async function failExhausted(env: Env, job: Job, at: number): Promise<boolean> {
  const error = toJobError(maxAttemptsError());
  const ended = await failExhaustedJob(env.DB, job.id, error, at);
  if (ended === null) return false;
  reportEnd(env, job, { outcome: "failed", code: error.code, startedAt: at, endedAt: at });
  await push(env, job.id, ended);
  return true;
}

/** Runs a claimed job: executes it, stores the result and ends it. Aborting `handover` sends it back to its queue. */
export async function runClaimedJob(env: Env, job: Job, handover?: AbortSignal): Promise<RunOutcome> {
  return await logAs({ job_id: job.id }, () => execute(env, job, handover));
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
    if (lease.signal.aborted) return leaseLost(job);
    if (timeout.aborted) {
      return await fail(env, job, new AppError("job_timeout", "The job took longer than 5 minutes."), startedAt);
    }
    if (error instanceof AppError) return await fail(env, job, error, startedAt);
    return await requeue(env, job, error, startedAt);
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
    accountId: job.accountId,
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

/** Stores the result before it ends the job, so that whoever reads "completed" finds the result. */
async function complete(env: Env, job: Job, { data, extras }: Execution, startedAt: number): Promise<RunOutcome> {
  const json = JSON.stringify(data);
  const fitsRow =
    json.length <= MAX_ROW_RESULT_BYTES && new TextEncoder().encode(json).byteLength <= MAX_ROW_RESULT_BYTES;
  if (!fitsRow) await putResult(env.STORE, job.id, job.run, json);
  const endedAt = now();
  const ended = await completeJob(env.DB, {
    id: job.id,
    run: job.run,
    result: fitsRow ? json : null,
    meta: extras ?? null,
    creditsUsed: job.credits,
    processingTimeMs: endedAt - startedAt,
    endedAt,
  });
  if (ended === null) return leaseLost(job);
  reportEnd(env, job, { outcome: "completed", startedAt, endedAt });
  await push(env, job.id, ended);
  const meta = { ...extras, processing_time_ms: endedAt - startedAt, credits_used: job.credits };
  // A waiting caller may read slowly. A large result is streamed from R2, so that it doesn't stay in memory.
  return { kind: "completed", end: { data: json.length > LARGE_PAGE_BYTES ? null : data, meta } };
}

async function fail(env: Env, job: Job, error: AppError, startedAt: number): Promise<RunOutcome> {
  const endedAt = now();
  const ended = await failJob(env.DB, {
    id: job.id,
    run: job.run,
    error: toJobError(error),
    processingTimeMs: endedAt - startedAt,
    endedAt,
  });
  if (ended === null) return leaseLost(job);
  reportEnd(env, job, { outcome: "failed", code: error.code, startedAt, endedAt });
  await push(env, job.id, ended);
  return { kind: "ended" };
}

/** Logs that another run took the job. That run ends it and reports its end. */
function leaseLost(job: Job): RunOutcome {
  log("warn", "run_lost", { run: job.run });
  return { kind: "lease_lost" };
}

/** Starts the delivery at once. Its row was written in the transaction that ended the job, so this is only a hint. */
async function push(env: Env, id: string, ended: Ended): Promise<void> {
  if (ended.pushes) await startDelivery(env, { id, round: 1 });
}

/**
 * Requeues the job after an unexpected error, a handover, or when no browser is free. Waiting for the lease to expire would
 * delay the job.
 */
async function requeue(env: Env, job: Job, error: unknown, startedAt: number): Promise<RunOutcome> {
  const counts = !(error instanceof Handover || error instanceof NoCapacityError);
  if (counts) {
    log("error", "run_failed", { run: job.run, ...toLogged(error) });
    if (job.countedRuns >= MAX_RUNS) return await fail(env, job, maxAttemptsError(), startedAt);
  }
  const delayMs = counts
    ? RETRY_DELAY_MS * 2 ** (job.countedRuns - 1)
    : error instanceof NoCapacityError
      ? error.retryAfterMs
      : 0;
  const mine = await releaseJob(env.DB, { id: job.id, run: job.run, counts, wakeAt: now() + delayMs + WAKE_GRACE_MS });
  return mine ? { kind: "requeued", delayMs } : leaseLost(job);
}

/** Renews the lease until `stop` is called. The signal aborts when a renewal is refused. */
function holdLease(env: Env, job: Job): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    renewLease(env.DB, job.id, job.run, now()).then(
      (mine) => {
        if (!mine) controller.abort(new LostLease(`Run ${job.run} of job ${job.id} lost its lease.`));
      },
      // An unreachable database is no refusal. The next renewal tries again, and the end of the job is guarded.
      (error) => log("warn", "renewal_failed", { run: job.run, ...toLogged(error) }),
    );
  }, LEASE_RENEWAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function maxAttemptsError(): AppError {
  return new AppError("internal_error", "The job failed for a reason of ours, three times. Nothing was charged.");
}

function toJobError({ code, message, status, retryable }: AppError): JobError {
  return { code, message, status, retryable };
}

interface JobEnd {
  outcome: "completed" | "failed";
  code?: ErrorCode;
  /** Unix ms at which the run began. */
  startedAt: number;
  endedAt: number;
}

/** Writes one log line and one data point for the job, from the run that ended it. */
function reportEnd(env: Env, job: Job, { outcome, code, startedAt, endedAt }: JobEnd): void {
  const queueMs = startedAt - job.createdAt;
  const processingMs = endedAt - startedAt;
  const credits = outcome === "completed" ? job.credits : 0;
  log("info", "job", {
    job_id: job.id,
    account_id: job.accountId,
    mode: job.mode,
    endpoint: job.endpoint,
    rendered: job.rendered,
    outcome,
    code,
    runs: job.run,
    queue_ms: queueMs,
    processing_ms: processingMs,
    credits,
  });
  writeDataPoint(env, {
    account: job.accountId,
    blobs: ["job", job.endpoint, outcome, code, job.mode, job.rendered ? "rendered" : "plain"],
    doubles: [processingMs, queueMs, credits, job.run],
  });
}
