import { callAccountOrGone } from "../account/client";
import type { EndpointRequests } from "../contract/endpoint-schemas";
import { now, sleep } from "../lib/clock";
import { addToLogs, log, toLogged } from "../lib/log";
import type { Endpoint } from "../model/endpoint";
import type { ClaimedJob, Job } from "../model/job";
import { HANDOVER_AFTER_MS } from "../model/limits";
import { enqueue } from "./create";
import { Handover, type RunOutcome, runClaimedJob } from "./run-job";

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
