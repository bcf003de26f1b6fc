import { callAccount, callAccountOrGone } from "../account/client";
import type { CheckedJob } from "../account/storage/types";
import type { EndpointRequests } from "../contract/endpoint-schemas";
import type { DryRun } from "../contract/price-options";
import type { ViewOptions } from "../contract/view-options";
import type { RequestContext } from "../endpoints/shared/definition";
import { usesPaidCapture } from "../endpoints/shared/page-captures";
import type { ValidatedRequest } from "../endpoints/validate";
import { checkScope } from "../keys/errors";
import { now, sleep, toIso } from "../lib/clock";
import { toIdTime } from "../lib/id";
import { addToLogs, log, toLogged } from "../lib/log";
import type { ApiKey } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import type { ClaimedJob, Job, JobError, JobMeta } from "../model/job";
import { HANDOVER_AFTER_MS, MAX_VIEW_BYTES } from "../model/limits";
import { toPrices } from "../model/prices";
import { toReceipt, totalOf } from "../model/receipt";
import { allLines } from "../model/run-plan";
import { openResult, readSmall } from "../store/objects";
import { type View, viewResult } from "../text-view/view";
import { type CreateJobInput, createJob, describeRefusal, enqueue } from "./create";
import { getOwnJob, jobNotFound, readResult, toMeta, viewTooLarge } from "./read-job";
import { captureFinder, Handover, type RunOutcome, runClaimedJob } from "./run-job";
import { hashBody } from "./secrets";

const MAX_RETRY_DELAY_MS = 8_000;

interface WaitingCaller {
  /** The time at which the response must be sent (Unix ms). */
  until: number;
  disconnected: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
  /** The validated body of the request. By default, it is read from the job. */
  request?: EndpointRequests[Endpoint];
  /** The time (ms) for which the run may continue after the caller has stopped waiting. Default: HANDOVER_AFTER_MS. */
  handoverAfterMs?: number;
}

/** `completed`: this run completed the job. `job`: it failed, or another run ended it. Null: it continues. */
type SyncResult = Extract<RunOutcome, { kind: "completed" }> | { kind: "job"; job: Job } | null;

/** The caller of a request, and how long the caller waits. */
export interface CallContext {
  caller: ApiKey;
  origin: string;
  idempotencyKey: string | null;
  /** The time at which the caller stops waiting for the result (Unix ms). Null for an asynchronous request. */
  until: number | null;
  disconnected: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
  /** The request's `X-Request-Id`. The job stores it, so that an operator can find the job with it. */
  requestId?: string;
  resumes?: CreateJobInput["resumes"];
}

export type Submission =
  /** The request had `dry_run: true`, so no job was created. */
  | { kind: "dry_run"; data: DryRun }
  /** The job continues without the caller. The response is a 202. */
  | { kind: "accepted"; job: Job }
  /** The result. `data` is null if retention has deleted it. */
  | { kind: "completed"; jobId: string; meta: JobMeta; data: Record<string, unknown> | null }
  /** A large result in R2. The body must be read or canceled. */
  | { kind: "stored"; jobId: string; meta: JobMeta; object: R2ObjectBody };

/**
 * Returns the context in which a request of this caller is validated. `waitMs` is the maximum time for which the caller
 * waits for the result, or undefined. Reads the capture that the body names, because the price depends on it.
 */
export async function readRequestContext(
  env: Env,
  { mode, account, prices }: Pick<ApiKey, "mode" | "account" | "prices">,
  { body, origin, waitMs }: { body: unknown; origin: string; waitMs?: number | undefined },
): Promise<RequestContext> {
  const paid = await usesPaidCapture(captureFinder(env, { account, mode }), body);
  const context = { env, mode, origin, prices: toPrices(env, prices), accountId: account.id, waitMs };
  return { ...context, usesPaidCapture: paid };
}

/**
 * Creates a job for a request, and runs it if the caller waits. A dry run creates no job. Throws AppError if the job
 * can't be created. Throws AppError with `jobId` if the job fails. After the job was created, throws no other error,
 * because the caller would retry, and the retry would be charged again.
 */
export async function submitRequest(env: Env, request: ValidatedRequest, call: CallContext): Promise<Submission> {
  const { caller, origin, idempotencyKey, until, requestId, resumes } = call;
  const waiting = until !== null;
  if ("scrape" in request.request && request.request.scrape !== undefined) checkScope(caller, "scrape");
  if (request.request.dry_run === true) {
    return { kind: "dry_run", data: await previewJob(env, request, { caller, waiting }) };
  }
  const created = await createJob(env, {
    ...request,
    waiting,
    caller,
    origin,
    idempotencyKey,
    resumes,
    now: now(),
    ...(requestId !== undefined && { requestId }),
  });
  if (created.kind === "repeated") return await awaitRepeated(env, created.job, until);
  const { job, next } = created;
  if (until === null) return { kind: "accepted", job };
  try {
    const waitingCaller = { ...call, until, request: request.request };
    const slot = next === "run" ? ({ kind: "run", job } as const) : await awaitSlot(env, job, waitingCaller);
    if (slot === null) return { kind: "accepted", job };
    if (slot.kind === "ended") return await readOutcome(env, slot.job);
    const reached = await runSync(env, slot.job, waitingCaller);
    if (reached === null) return { kind: "accepted", job };
    if (reached.kind === "job") return await readOutcome(env, reached.job);
    const { data, meta } = reached.end;
    if (data !== null) return { kind: "completed", jobId: job.id, meta, data };
    const stored = await openStored(env, slot.job, meta);
    if (stored.kind !== "stored") throw new Error("The result that the run has stored is missing.");
    return stored;
  } catch (error) {
    // Throw only an error of the job itself. After any other error, the caller gets a 202.
    if (error instanceof AppError && error.jobId !== undefined) throw error;
    log("error", "response_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
    call.waitUntil(detachCaller(env, job, { accepted: true }));
    return { kind: "accepted", job };
  }
}

/**
 * Submits a request as `submitRequest` does. If the job doesn't end in time, the next request of the same key with the
 * same body waits for this job instead of creating another one. Clients of Firecrawl repeat such requests.
 */
export async function submitResumable(env: Env, request: ValidatedRequest, call: CallContext): Promise<Submission> {
  const { account, mode, id } = call.caller;
  const { endpoint } = request;
  const bodyHash = await hashBody(env, account.id, request.request, true);
  const key = `resume:${id}:${bodyHash}`;
  const startedAt = now();
  // The job exists and may have been charged, so an error here must not become the response.
  const onError = (error: unknown) => log("error", "resume_not_saved", { account_id: account.id, ...toLogged(error) });
  const forget = async (jobId: string) => {
    if (toIdTime(jobId) >= startedAt) return;
    await callAccount(env, account, (stub) => stub.forgetKey({ mode, endpoint, key })).catch(onError);
  };
  try {
    const resumes = { key, bodyHash, isResumed: true as const };
    const submission = await submitRequest(env, request, { ...call, resumes });
    if (submission.kind === "accepted") {
      const remembered = { mode, endpoint, id: submission.job.id, idempotency: { key, bodyHash } };
      await callAccount(env, account, (stub) => stub.rememberKey(remembered)).catch(onError);
    } else if (submission.kind !== "dry_run") await forget(submission.jobId);
    return submission;
  } catch (error) {
    if (error instanceof AppError && error.jobId !== undefined) await forget(error.jobId);
    throw error;
  }
}

/**
 * Returns the outcome of a job that an earlier request with the same Idempotency-Key created. Waits until `until` (Unix
 * ms) for the job's end. Doesn't wait if `until` is null.
 */
async function awaitRepeated(env: Env, job: Job, until: number | null): Promise<Submission> {
  if (until === null) {
    // This caller gets a 202, so a webhook event must be sent, even if another caller still waits for the job.
    if (job.waiting) await detachCaller(env, job, { accepted: true });
    return { kind: "accepted", job };
  }
  const reached = (await getOwnJob(env, job.account, job, Math.max(0, until - now()))) ?? job;
  if (reached.endedAt !== null) return await readOutcome(env, reached);
  await detachCaller(env, reached, { accepted: true });
  return { kind: "accepted", job: reached };
}

/** Cancels a job with the pages that it loads, and returns it. A job that has ended is returned unchanged. */
export async function cancelJob(env: Env, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  const canceled = await callAccount(env, job.account, (stub) => stub.cancel({ mode: job.mode, id: job.id }));
  if (canceled === null) throw jobNotFound(job.id);
  return canceled;
}

/** Returns the result of a job that has ended. Throws the job's error if it failed. */
async function readOutcome(env: Env, job: Job): Promise<Submission> {
  if (job.error !== null) throw toAppError(job.id, job.error);
  if (job.resultStored) return await openStored(env, job, toMeta(job));
  return { kind: "completed", jobId: job.id, meta: toMeta(job), data: readResult(job) };
}

/**
 * Returns a view of the result, or null if retention has deleted the result. Throws AppError with the id of the
 * completed job if the result has no such view.
 */
export async function viewSubmission(
  submission: Extract<Submission, { kind: "completed" | "stored" }>,
  options: ViewOptions,
): Promise<View | null> {
  const { jobId } = submission;
  try {
    if (submission.kind === "completed") return submission.data === null ? null : viewResult(submission.data, options);
    const json = await readSmall(submission.object, MAX_VIEW_BYTES);
    if (json === "too large") throw viewTooLarge(options);
    return viewResult(JSON.parse(json), options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, status, details, hint } = error;
    throw new AppError(code, message, { status, hint, jobId, ...(details && { details }) });
  }
}

/** Returns the error of a failed job, as its caller gets it. */
export function toAppError(jobId: string, { code, message, status, retryable, details }: JobError): AppError {
  return new AppError(code, message, { status, retryable, ...(details && { details }), jobId });
}

async function openStored(env: Env, { id: jobId, run }: Job, meta: JobMeta): Promise<Submission> {
  const object = await openResult(env.STORE, jobId, run);
  return object === null ? { kind: "completed", jobId, meta, data: null } : { kind: "stored", jobId, meta, object };
}

/** Returns the highest price and the method of a request. Creates no job, but throws the AppErrors of its creation. */
async function previewJob(
  env: Env,
  { endpoint, request, rendered, plan }: ValidatedRequest,
  { caller, waiting }: { caller: ApiKey; waiting: boolean },
): Promise<DryRun> {
  const isFree = caller.mode === "test";
  const job: CheckedJob = {
    mode: caller.mode,
    keyId: caller.id,
    endpoint,
    credits: isFree ? 0 : totalOf(plan.lines),
    creditLimit: caller.creditLimit,
    rendered,
    waiting,
    plan,
    ...("capture_id" in request && request.capture_id !== undefined && { captureId: request.capture_id }),
  };
  const reply = await callAccount(env, caller.account, (account) => account.checkJob(job));
  if (reply.kind !== "possible") throw describeRefusal(reply, job);
  const { total, lines } = toReceipt(allLines(plan), isFree ? 0 : totalOf(allLines(plan)), "test_key");
  const { balance, key, next } = reply;
  return {
    max_credits: total,
    method: plan.method,
    ...(plan.model !== undefined && { model: plan.model }),
    ...(plan.strategy !== undefined && { strategy: plan.strategy }),
    lines,
    balance,
    ...(key !== null && {
      key_limit: { limit: key.limit, used: key.used, reserved: key.reserved, resets_at: toIso(key.resetsAt) },
    }),
    would_wait: next === "wait",
  };
}

/**
 * Runs a new job while its caller waits. If the job hasn't ended at `until`, it becomes asynchronous. The platform
 * stops a run about 30 s after the response or a disconnect. The run is therefore handed over to the queue before that
 * time.
 */
export async function runSync(
  env: Env,
  job: ClaimedJob,
  { until, disconnected, waitUntil, request, handoverAfterMs = HANDOVER_AFTER_MS }: WaitingCaller,
): Promise<SyncResult> {
  addToLogs({ job_id: job.id, account_id: job.account.id });
  const handover = new AbortController();
  const running = runClaimedJob(env, job, { handover: handover.signal, ...(request && { request }) }).then(
    async (outcome) => {
      if (outcome.kind === "requeued") await enqueue(env, job, outcome.delayMs);
      return outcome;
    },
    (error): RunOutcome => {
      // The account couldn't be reached. After the lease has expired, the account's alarm requeues the job.
      log("error", "run_failed", toLogged(error));
      return { kind: "lease_lost" };
    },
  );
  waitUntil(running);

  const handOverLater = async () => {
    await Promise.race([running, sleep(handoverAfterMs)]);
    handover.abort(new Handover("The caller of this run stopped waiting."));
  };
  const onDisconnect = () => waitUntil(Promise.all([detachCaller(env, job, { accepted: false }), handOverLater()]));
  if (disconnected.aborted) onDisconnect();
  else disconnected.addEventListener("abort", onDisconnect, { once: true });

  const responded = new AbortController();
  const deadline = sleep(until - now(), responded.signal).catch(() => undefined);
  const outcome = await Promise.race([running, deadline.then(() => null)]);
  responded.abort();
  if (outcome?.kind === "completed") return outcome;
  if (outcome?.kind === "failed") return { kind: "job", job: outcome.job };
  // The job may have been requeued, so this call waits until `until` for another run to end it.
  const reached = await callAccountOrGone(env, job.account, (stub) => stub.get(job, Math.max(0, until - now())));
  if (reached !== null && reached.endedAt !== null) return { kind: "job", job: reached };
  const detached = await callAccountOrGone(env, job.account, (stub) => stub.detach(job, { accepted: false }));
  if (detached.kind === "ended") return { kind: "job", job: detached.job };
  waitUntil(handOverLater());
  return null;
}

/**
 * Waits for a slot for a synchronous job. Returns `run` when the caller may run the job, or `ended` if the job has
 * ended. Returns null if no slot became free before `until` (Unix ms). The job is then asynchronous.
 */
export async function awaitSlot(
  env: Env,
  job: Job,
  { until, disconnected, waitUntil }: WaitingCaller,
): Promise<{ kind: "run"; job: ClaimedJob } | { kind: "ended"; job: Job } | null> {
  const onDisconnect = () => waitUntil(detachCaller(env, job, { accepted: false }));
  disconnected.addEventListener("abort", onDisconnect, { once: true });
  const reply = await callAccountOrGone(env, job.account, (stub) => stub.awaitSlot(job, until));
  disconnected.removeEventListener("abort", onDisconnect);
  if (reply.kind === "run" || reply.kind === "ended") return reply;
  const detached = await callAccountOrGone(env, job.account, (stub) => stub.detach(job, { accepted: false }));
  return detached.kind === "ended" ? { kind: "ended", job: detached.job } : null;
}

/**
 * Makes a job asynchronous because its caller stopped waiting. `accepted` is true if the caller got a 202. In that case,
 * the webhook event is delivered even if the job has already ended. Retries up to five times, in about 15 s. Never throws.
 */
export async function detachCaller(env: Env, job: Job, options: { accepted: boolean }): Promise<void> {
  for (let delayMs = 500; ; delayMs *= 2) {
    try {
      await callAccountOrGone(env, job.account, (stub) => stub.detach(job, options));
      return;
    } catch (error) {
      log("warn", "detach_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
      if (delayMs > MAX_RETRY_DELAY_MS) return;
      await sleep(delayMs);
    }
  }
}
