import type { NewPage } from "../account/batches/batch-types";
import { AccountUnreachableError, callAccount, callAccountOrGone } from "../account/client";
import type { FinishReply, JobEnd, ReleaseReason } from "../account/storage/types";
import type { EndpointRequests } from "../contract/endpoint-schemas";
import { runEndpoint } from "../endpoints/endpoints";
import { raceAbort } from "../lib/async";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { log, logAs, toLogged } from "../lib/log";
import { Reservation, SharedLimit } from "../lib/shared-limit";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import {
  type ClaimedJob,
  type Completed,
  type Job,
  type JobError,
  type JobRef,
  targetHost,
  wasRendered,
} from "../model/job";
import { JOB_TIMEOUT_MS, LEASE_RENEWAL_MS, MAX_ROW_RESULT_BYTES } from "../model/limits";
import { LARGE_PAGE_BYTES, SMALL_PAGE_BYTES } from "../model/page-limits";
import { totalOf } from "../model/receipt";
import { type Execution, NoCapacityError, type RunContext } from "../model/run-context";
import { getRequest, putResult } from "../store/objects";
import { loadFoundPages } from "./found-pages";
import { toMeta } from "./read-job";
import { checkRedirect, recoverVisited, reportFailure, reportFound } from "./report-page";
import { openSecrets, toSecretsKey } from "./secrets";

export type RunOutcome =
  /** The run has completed the job. `next` is a claimed page that the caller must run. */
  | { kind: "completed"; end: Completed; next?: ClaimedJob }
  /** The run has failed the job. */
  | { kind: "failed"; job: Job; next?: ClaimedJob }
  /** The job had already ended, or it doesn't exist. */
  | { kind: "ended" }
  /** Another run holds the lease until `until` (Unix ms). */
  | { kind: "leased"; until: number }
  /** The job is queued again. The caller must send its message with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The run has lost its lease, and another run continues the job. */
  | { kind: "lease_lost" };

/** The abort reason of a run that stops so that the queue starts a new run. The run doesn't count as an attempt. */
export class Handover extends Error {
  override readonly name = "Handover";
}

class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

// All runs of an isolate share its memory. The limit contains no request data.
const largeRuns = new SharedLimit(LARGE_PAGE_BYTES);

/**
 * Claims a job and runs it. Throws AppError if the account can't be reached. In that case, the job wasn't claimed, or
 * another run claims it after the lease has expired.
 */
export async function runJob(
  env: Env,
  { account, mode, job: id }: JobRef,
  options: Pick<RunOptions, "claimsNext"> = {},
): Promise<RunOutcome> {
  const token = newNonce();
  const claim = await callAccountOrGone(env, account, (stub) => stub.claim({ mode, id }, token));
  if (claim.kind === "gone") return { kind: "ended" };
  if (claim.kind === "leased") return claim;
  if (claim.kind === "run")
    return await logAs({ job_id: claim.job.id, account_id: account.id }, () => runClaimedJob(env, claim.job, options));
  logEnd(claim.job);
  return { kind: "failed", job: claim.job };
}

interface RunOptions {
  /** A signal. When it is aborted, the job is requeued. */
  handover?: AbortSignal;
  /** True if the caller can run the next page of the job's batch. */
  claimsNext?: boolean;
  /** The validated body of the request. By default, it is read from the job. */
  request?: EndpointRequests[Endpoint];
}

/** Runs a claimed job: executes it, stores the result and ends it. */
export async function runClaimedJob(
  env: Env,
  job: ClaimedJob,
  { handover, claimsNext = false, request }: RunOptions = {},
): Promise<RunOutcome> {
  const { isCrawled } = job;
  const startedAt = now();
  const lease = holdLease(env, job);
  const timeout = AbortSignal.timeout(JOB_TIMEOUT_MS);
  const signal = AbortSignal.any([lease.signal, timeout, ...(handover === undefined ? [] : [handover])]);
  const memory = new Reservation(largeRuns, signal);
  try {
    const context: RunContext = {
      env,
      job,
      signal,
      acquireLargeLock: async (bytes = LARGE_PAGE_BYTES) => {
        if (bytes > SMALL_PAGE_BYTES) await memory.acquire(Math.min(bytes, LARGE_PAGE_BYTES));
      },
      releaseLargeLock: () => memory.release(),
      findCapture: captureFinder(env, job),
      loadFoundPages: (request) => loadFoundPages(env, job, request),
      ...(isCrawled && { beforeRedirect: (url: URL) => checkRedirect(env, job, url) }),
    };
    const body = request ?? (await raceAbort(readRequest(env, job), signal));
    const running = runEndpoint(job.endpoint, body, context).catch(recoverVisited);
    const execution = await raceAbort(running, signal);
    if (!isCrawled) return await complete(env, job, execution, { startedAt, claimsNext });
    const reported = await reportFound(env, job, execution);
    return await complete(env, job, reported.execution, { startedAt, claimsNext, pages: reported.pages });
  } catch (error) {
    if (lease.signal.aborted) {
      log("warn", "lease_lost", { run: job.run });
      return { kind: "lease_lost" };
    }
    if (error instanceof AccountUnreachableError) return await requeue(env, job, toReleaseReason(error), error);
    if (timeout.aborted) {
      const error = new AppError("job_timeout", "The job took longer than 5 minutes.");
      return await fail(env, job, error, { startedAt, claimsNext });
    }
    if (!(error instanceof AppError)) return await requeue(env, job, toReleaseReason(error), error);
    if (!isCrawled) return await fail(env, job, error, { startedAt, claimsNext });
    const { retryAfterMs, pages } = await reportFailure(env, job, error);
    if (retryAfterMs === null) return await fail(env, job, error, { startedAt, claimsNext, pages });
    return await requeue(env, job, { kind: "busy_target", retryAfterMs }, error);
  } finally {
    memory.release();
    lease.stop();
  }
}

/** Reads the validated body of a job, and puts its secrets back. */
async function readRequest(env: Env, job: Job): Promise<EndpointRequests[Endpoint]> {
  const stored = JSON.parse(job.request ?? (await getRequest(env.STORE, job.id)));
  return await openSecrets(env, toSecretsKey(job), stored, job.secrets);
}

/** Returns the function that finds the captures of the account and mode. */
export function captureFinder(env: Env, { account, mode }: Pick<Job, "account" | "mode">): RunContext["findCapture"] {
  return async (query) => await callAccount(env, account, (stub) => stub.findCapture(mode, query));
}

/** Stores the result, then ends the job, so that a caller who reads `completed` finds the result. */
async function complete(env: Env, job: ClaimedJob, execution: Execution, run: EndingRun): Promise<RunOutcome> {
  const { data, extras, outcome = "ok", lines, isFree = false, capture } = execution;
  const json = JSON.stringify(data);
  // The job's row also contains the request. The result gets the remaining bytes.
  const roomFor = MAX_ROW_RESULT_BYTES - (job.request?.length ?? 0);
  const fitsRow = !job.settings.isStorageLarge && json.length <= roomFor && Buffer.byteLength(json) <= roomFor;
  if (!fitsRow) await putResult(env.STORE, job.id, job.run, json);
  const endedAt = now();
  const ended = await finish(
    env,
    job,
    {
      status: "completed",
      result: fitsRow ? json : null,
      extras: extras ?? null,
      charge: lines === undefined ? job.credits : totalOf(lines),
      ...(lines && { lines }),
      outcome,
      isFree,
      ...(capture && { capture }),
      processingTimeMs: endedAt - run.startedAt,
      endedAt,
    },
    run,
  );
  if (ended === null) return { kind: "lease_lost" };
  const meta = toMeta({ ...ended.job, extras: extras ?? null });
  // `data` is null for a large result, which the response streams from R2. Otherwise, a caller who reads slowly would
  // keep the result in memory.
  return {
    kind: "completed",
    end: { data: json.length > LARGE_PAGE_BYTES ? null : data, meta },
    ...(ended.next && { next: ended.next }),
  };
}

async function fail(env: Env, job: Job, error: AppError, run: EndingRun): Promise<RunOutcome> {
  const endedAt = now();
  const processingTimeMs = endedAt - run.startedAt;
  const end = { status: "failed", error: toJobError(error), processingTimeMs, endedAt } as const;
  const ended = await finish(env, job, end, run);
  return ended === null
    ? { kind: "lease_lost" }
    : { kind: "failed", job: ended.job, ...(ended.next && { next: ended.next }) };
}

interface EndingRun {
  startedAt: number;
  claimsNext: boolean;
  /** The next pages of the job's crawl. */
  pages?: NewPage[];
}

type EndedReply = Extract<FinishReply, { kind: "ended" }>;

/** Ends the job and logs its end. Returns null if another run has the job or the job has already ended. */
async function finish(
  env: Env,
  job: Job,
  end: JobEnd,
  { claimsNext, pages = [] }: EndingRun,
): Promise<EndedReply | null> {
  const next = { token: claimsNext && job.batchId !== null ? newNonce() : null, pages };
  const reply = await callAccountOrGone(env, job.account, (stub) => stub.finish(job, job.run, end, next), {
    retryAlways: true,
  });
  if (reply.kind === "ended") {
    logEnd(reply.job);
    return reply;
  }
  log("warn", "lease_lost", { run: job.run });
  return null;
}

/**
 * Requeues the job after an unexpected error, after a handover, or if no browser is free or the target is busy. Waiting
 * for the lease to expire would delay the job.
 */
async function requeue(env: Env, job: Job, reason: ReleaseReason, error: unknown): Promise<RunOutcome> {
  if (reason.kind === "error") log("error", "run_failed", { run: job.run, ...toLogged(error) });
  const reply = await callAccountOrGone(env, job.account, (stub) => stub.release(job, job.run, reason), {
    retryAlways: true,
  });
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
    callAccountOrGone(env, job.account, (stub) => stub.renew(job, job.run)).then(
      (reply) => {
        if (reply !== true) controller.abort(new LeaseLostError(`Run ${job.run} of job ${job.id} lost its lease.`));
      },
      // If the account can't be reached, the run may still have its lease, so it continues. The next renewal tries
      // again.
      (error) => log("warn", "renewal_failed", { run: job.run, ...toLogged(error) }),
    );
  }, LEASE_RENEWAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function toJobError({ code, message, status, retryable, details }: AppError): JobError {
  return { code, message, status, retryable, ...(details && { details }) };
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
    host: targetHost(job) ?? undefined,
    status: job.status,
    outcome: job.outcome ?? undefined,
    code: job.error?.code,
    runs: job.run,
    queue_ms: Math.max(0, (job.endedAt ?? job.createdAt) - job.createdAt - processingMs),
    processing_ms: processingMs,
    credits: job.creditsUsed,
  });
}
