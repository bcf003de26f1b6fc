import { mock } from "../endpoints/mock/execute";
import { parse } from "../endpoints/parse/execute";
import { scrape } from "../endpoints/scrape/execute";
import { serp } from "../endpoints/serp/execute";
import { Mutex, raceAbort } from "../lib/async";
import { now } from "../lib/clock";
import { log, logAs, toLogged } from "../lib/log";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { Completed, Job, JobError } from "../model/job";
import {
  JOB_TIMEOUT_MS,
  LARGE_PAGE_BYTES,
  LARGE_TURN_MS,
  LEASE_RENEWAL_MS,
  MAX_ROW_RESULT_BYTES,
  MAX_RUNS,
} from "../model/limits";
import { type ClaimedJob, type Execution, type Executor, NoCapacityError, type RunContext } from "../model/run";
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
import { startDelivery } from "../webhooks/start";
import { reportEnd } from "./job-report";

const executors: Record<Endpoint, Executor> = { scrape, parse, serp };

/** How a run went, for whoever holds the message or the caller. */
export type RunOutcome =
  /** This run completed the job. */
  | { kind: "completed"; end: Completed }
  /** This run ended the job with an error, or it had ended before, or it was never there. */
  | { kind: "ended" }
  /** Somebody else holds it until then (Unix ms). */
  | { kind: "leased"; until: number }
  /** It is queued again: send its message with this delay. */
  | { kind: "released"; delayMs: number }
  /** This run lost its lease: whoever took it carries on. */
  | { kind: "lost" };

/** Aborts a run so that the queue takes it up anew, without counting it. */
export class Handover extends Error {
  override readonly name = "Handover";
}

class LostLease extends Error {
  override readonly name = "LostLease";
}

// The one thing that is the isolate's, as the memory is, is a module: it holds whose turn it is, nothing of any request.
const largeRuns = new Mutex(LARGE_TURN_MS);

const ACCIDENT_DELAY_MS = 5_000;
/** A message that was sent and got lost is found again this much later. */
const WAKE_GRACE_MS = 120_000;

/**
 * Claims a job and works on it. Throws when the database fails: before the claim, nothing has happened and nothing
 * counts; at the end, the lease runs out and the job is taken up again.
 */
export async function run(env: Env, jobId: string): Promise<RunOutcome> {
  const startedAt = now();
  const claim = await claimJob(env.DB, jobId, startedAt);
  if (claim.kind === "gone") return { kind: "ended" };
  if (claim.kind === "leased") return claim;
  if (claim.kind === "exhausted") {
    await failExhausted(env, claim.job, startedAt);
    return { kind: "ended" };
  }
  return await work(env, claim.job);
}

/**
 * A job whose message the queue gave up on: ended when its runs are used up and nobody works on it. False: it isn't over,
 * since it may still be run, or is.
 */
export async function endIfExhausted(env: Env, jobId: string): Promise<boolean> {
  const at = now();
  const job = await getJob(env.DB, jobId);
  if (job === null || job.endedAt !== null) return true;
  return await failExhausted(env, job, at);
}

/** False when it isn't, or was ended by somebody else meanwhile. */
async function failExhausted(env: Env, job: Job, at: number): Promise<boolean> {
  const error = toJobError(outOfRuns());
  const ended = await failExhaustedJob(env.DB, job.id, error, at);
  if (ended === null) return false;
  reportEnd(env, job, { outcome: "failed", code: error.code, startedAt: at, endedAt: at });
  await push(env, job.id, ended);
  return true;
}

/** Works on a job that this run holds: execute, store, end. The one path of both modes. */
export async function work(env: Env, job: Job, handover?: AbortSignal): Promise<RunOutcome> {
  return await logAs({ job_id: job.id }, () => workOn(env, job, handover));
}

async function workOn(env: Env, job: Job, handover?: AbortSignal): Promise<RunOutcome> {
  const startedAt = now();
  const lease = holdLease(env, job);
  const timeout = AbortSignal.timeout(JOB_TIMEOUT_MS);
  const signal = AbortSignal.any([lease.signal, timeout, ...(handover === undefined ? [] : [handover])]);
  const turn = largeTurn(signal);
  try {
    const execution = await raceAbort(execute(env, job, { signal, takeTurn: turn.take }), signal);
    return await complete(env, job, execution, startedAt);
  } catch (error) {
    if (lease.signal.aborted) return lost(job);
    if (timeout.aborted) {
      return await fail(env, job, new AppError("job_timeout", "The job took longer than 5 minutes."), startedAt);
    }
    if (error instanceof AppError) return await fail(env, job, error, startedAt);
    return await putBack(env, job, error, startedAt);
  } finally {
    turn.end();
    lease.stop();
  }
}

/** A turn that is taken when it is first asked for. */
function largeTurn(signal: AbortSignal): { take: () => Promise<void>; end: () => void } {
  let taking: Promise<() => void> | undefined;
  return {
    take: async () => {
      taking ??= largeRuns.acquire(signal);
      await taking;
    },
    // A run that ended while it waited takes none.
    end: () => void taking?.then((end) => end()).catch(() => {}),
  };
}

async function execute(
  env: Env,
  job: Job,
  { signal, takeTurn }: Pick<RunContext, "signal" | "takeTurn">,
): Promise<Execution> {
  const executor = job.mode === "test" ? mock : executors[job.endpoint];
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
  return await executor({ env, job: claimed, signal, takeTurn });
}

/** Stores the result, then ends the job: a reader who sees "completed" finds it. */
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
  if (ended === null) return lost(job);
  reportEnd(env, job, { outcome: "completed", startedAt, endedAt });
  await push(env, job.id, ended);
  const meta = { ...extras, processing_time_ms: endedAt - startedAt, credits_used: job.credits };
  // Whoever waits for it may take a while to read it: until then, nobody's memory holds a large one.
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
  if (ended === null) return lost(job);
  reportEnd(env, job, { outcome: "failed", code: error.code, startedAt, endedAt });
  await push(env, job.id, ended);
  return { kind: "ended" };
}

/** Whoever took the job from this run ends it, and says so. */
function lost(job: Job): RunOutcome {
  log("warn", "run_lost", { run: job.run });
  return { kind: "lost" };
}

/** The delivery was written with the end, in the same transaction: this only makes it begin at once. */
async function push(env: Env, id: string, ended: Ended): Promise<void> {
  if (ended.pushes) await startDelivery(env, { id, round: 1 });
}

/** An accident, a hand-over or a full house: the job is queued again at once, or it would run into its own lease. */
async function putBack(env: Env, job: Job, error: unknown, startedAt: number): Promise<RunOutcome> {
  const counts = !(error instanceof Handover || error instanceof NoCapacityError);
  if (counts) {
    log("error", "run_failed", { run: job.run, ...toLogged(error) });
    if (job.countedRuns >= MAX_RUNS) return await fail(env, job, outOfRuns(), startedAt);
  }
  const delayMs = counts
    ? ACCIDENT_DELAY_MS * 2 ** (job.countedRuns - 1)
    : error instanceof NoCapacityError
      ? error.retryAfterMs
      : 0;
  const mine = await releaseJob(env.DB, { id: job.id, run: job.run, counts, wakeAt: now() + delayMs + WAKE_GRACE_MS });
  return mine ? { kind: "released", delayMs } : lost(job);
}

/** Renews the lease while the run goes on; the signal says that it was refused. */
function holdLease(env: Env, job: Job): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    renewLease(env.DB, job.id, job.run, now()).then(
      (mine) => {
        if (!mine) controller.abort(new LostLease(`Run ${job.run} of job ${job.id} lost its lease.`));
      },
      // A database that doesn't answer refuses nothing: the next renewal asks again, and the end is guarded.
      (error) => log("warn", "renewal_failed", { run: job.run, ...toLogged(error) }),
    );
  }, LEASE_RENEWAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function outOfRuns(): AppError {
  return new AppError("internal_error", "The job failed for a reason of ours, three times. Nothing was charged.");
}

function toJobError({ code, message, status, retryable }: AppError): JobError {
  return { code, message, status, retryable };
}
