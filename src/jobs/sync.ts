import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Job } from "../model/job";
import { HANDOVER_AFTER_MS } from "../model/limits";
import { detachJob, stopWaiting } from "../store/job-runs";
import { startDelivery } from "../webhooks/deliveries";
import { enqueue } from "./queues";
import { waitForEnd } from "./read";
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
  const onDisconnect = () => waitUntil(Promise.all([retryUpdate(env, job.id, stopWaiting), handOverLater()]));
  if (hangUp.aborted) onDisconnect();
  else hangUp.addEventListener("abort", onDisconnect, { once: true });

  const responded = new AbortController();
  const deadline = sleep(until - now(), responded.signal).catch(() => undefined);
  const outcome = await Promise.race([running, deadline.then(() => null)]);
  responded.abort();
  if (outcome?.kind === "completed") return outcome;
  // The job failed, or the queue has it now and may still end it in time.
  const reached = await waitForEnd(env, job.id, until);
  if (reached !== null && reached.endedAt !== null) return { kind: "job", job: reached };
  if (await stopWaiting(env.DB, job.id)) {
    waitUntil(handOverLater());
    return null;
  }
  const ended = await waitForEnd(env, job.id, until);
  return ended === null ? null : { kind: "job", job: ended };
}

/**
 * Ends the wait of a caller who gets a 202: the job becomes asynchronous, so its event is delivered. Retries for as long as
 * the platform lets work continue. Never throws.
 */
export async function detachCaller(env: Env, jobId: string): Promise<void> {
  if (await retryUpdate(env, jobId, detachJob)) await startDelivery(env, { id: jobId, round: 1 });
}

/** Retries the update until it succeeds. Returns its result, or false if the database stayed unreachable. */
async function retryUpdate(
  env: Env,
  jobId: string,
  statement: (db: D1Database, id: string) => Promise<boolean>,
): Promise<boolean> {
  for (let delayMs = 500; ; delayMs *= 2) {
    try {
      return await statement(env.DB, jobId);
    } catch (error) {
      log("warn", "detach_failed", { job_id: jobId, ...toLogged(error) });
      if (delayMs > MAX_RETRY_DELAY_MS) return false;
      await sleep(delayMs);
    }
  }
}

/** Runs the job, and sends it to the queue if this run could not end it. Never throws. */
async function runOrRequeue(env: Env, job: Job, handover: AbortSignal): Promise<RunOutcome> {
  try {
    const outcome = await runClaimedJob(env, job, handover);
    if (outcome.kind === "requeued") await enqueue(env, job, Math.ceil(outcome.delayMs / 1_000));
    return outcome;
  } catch (error) {
    // The database or the queue failed. The row says when the cron looks at the job again.
    log("error", "run_failed", { job_id: job.id, ...toLogged(error) });
    return { kind: "lease_lost" };
  }
}
