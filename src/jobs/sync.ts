import { callAccount } from "../account/client";
import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Job } from "../model/job";
import { HANDOVER_AFTER_MS } from "../model/limits";
import { enqueue } from "./create";
import { Handover, type RunOutcome, runClaimedJob } from "./run";

const MAX_RETRY_DELAY_MS = 8_000;

interface WaitingCaller {
  /** Unix ms at which the response must be sent. */
  until: number;
  /** Aborted when the caller disconnects. */
  hangUp: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
  /** How long the run may continue after the caller stopped waiting. Default: HANDOVER_AFTER_MS. */
  handoverAfterMs?: number;
}

/** The result, or the job that ended in another way, or null if the job continues without its caller. */
export type SyncResult = Extract<RunOutcome, { kind: "completed" }> | { kind: "job"; job: Job } | null;

/**
 * Runs a new job while its caller waits. If the job hasn't ended at `until`, it continues as an asynchronous job. The
 * platform lets work continue for about 30 s after a response or a disconnect. Before that, the run is handed to the queue.
 */
export async function runSync(
  env: Env,
  job: Job,
  { until, hangUp, waitUntil, handoverAfterMs = HANDOVER_AFTER_MS }: WaitingCaller,
): Promise<SyncResult> {
  const handover = new AbortController();
  const running = runOrRequeue(env, job, handover.signal);
  waitUntil(running);

  const handOverLater = async () => {
    await Promise.race([running, sleep(handoverAfterMs)]);
    handover.abort(new Handover("The caller of this run stopped waiting."));
  };
  const onDisconnect = () => waitUntil(Promise.all([detachCaller(env, job, { answered: false }), handOverLater()]));
  if (hangUp.aborted) onDisconnect();
  else hangUp.addEventListener("abort", onDisconnect, { once: true });

  const responded = new AbortController();
  const deadline = sleep(until - now(), responded.signal).catch(() => undefined);
  const outcome = await Promise.race([running, deadline.then(() => null)]);
  responded.abort();
  if (outcome?.kind === "completed") return outcome;
  if (outcome?.kind === "failed") return { kind: "job", job: outcome.job };
  // The queue may have the job now, and may still end it in time.
  const reached = await callAccount(env, job.account, (stub) => stub.get(job, Math.max(0, until - now())));
  if (reached !== null && reached.endedAt !== null) return { kind: "job", job: reached };
  const detached = await callAccount(env, job.account, (stub) => stub.detach(job, { answered: false }));
  if (detached.kind === "ended") return { kind: "job", job: detached.job };
  waitUntil(handOverLater());
  return null;
}

/**
 * Waits for a slot for a job whose caller waits. Returns the job once the caller may run it, the job as it ended, or null if
 * no slot became free until `until` (Unix ms). Then the job is asynchronous.
 */
export async function awaitSlot(
  env: Env,
  job: Job,
  { until, hangUp, waitUntil }: WaitingCaller,
): Promise<{ kind: "run" | "ended"; job: Job } | null> {
  const onDisconnect = () => waitUntil(detachCaller(env, job, { answered: false }));
  hangUp.addEventListener("abort", onDisconnect, { once: true });
  const reply = await callAccount(env, job.account, (stub) => stub.awaitSlot(job, until));
  hangUp.removeEventListener("abort", onDisconnect);
  if (reply.kind === "run" || reply.kind === "ended") return reply;
  const detached = await callAccount(env, job.account, (stub) => stub.detach(job, { answered: false }));
  return detached.kind === "ended" ? { kind: "ended", job: detached.job } : null;
}

/**
 * Makes a job asynchronous because its caller stopped waiting. `answered` tells that the caller got a 202, so that its event
 * is delivered even if the job has ended. Retries for as long as the platform lets work continue. Never throws.
 */
export async function detachCaller(env: Env, job: Job, options: { answered: boolean }): Promise<void> {
  for (let delayMs = 500; ; delayMs *= 2) {
    try {
      await callAccount(env, job.account, (stub) => stub.detach(job, options));
      return;
    } catch (error) {
      log("warn", "detach_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
      if (delayMs > MAX_RETRY_DELAY_MS) return;
      await sleep(delayMs);
    }
  }
}

/** Runs the job, and sends it to the queue if this run could not end it. Never throws. */
async function runOrRequeue(env: Env, job: Job, handover: AbortSignal): Promise<RunOutcome> {
  try {
    const outcome = await runClaimedJob(env, job, handover);
    if (outcome.kind === "requeued") await enqueue(env, job, outcome.delayMs);
    return outcome;
  } catch (error) {
    // The account can't be reached. Its alarm runs the job again once the lease has expired.
    log("error", "run_failed", { job_id: job.id, account_id: job.account.id, ...toLogged(error) });
    return { kind: "lease_lost" };
  }
}
