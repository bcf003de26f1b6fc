import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { HANDOVER_AFTER_MS } from "../limits";
import { getJob, stopWaiting } from "../store/jobs";
import type { AdmittedJob } from "./admit";
import type { Job } from "./job";
import { enqueue } from "./queues";
import { Handover, run } from "./run";
import { waitForEnd } from "./wait";

interface Waiting {
  /** Unix ms at which the answer must go out. */
  until: number;
  /** Aborted when the caller hangs up. */
  hangUp: AbortSignal;
  waitUntil: (promise: Promise<unknown>) => void;
  /** How long the run may go on once nobody waits for it. */
  handoverAfterMs?: number;
}

/**
 * Runs an admitted job here and now, for a caller who waits. Returns it as ended, or null when it isn't by then: the
 * job goes on, as an asynchronous one. The platform lets work go on for about 30 s after an answer or a hang-up;
 * before that the run is handed to the queue.
 */
export async function runWaiting(
  env: Env,
  job: AdmittedJob,
  { until, hangUp, waitUntil, handoverAfterMs = HANDOVER_AFTER_MS }: Waiting,
): Promise<Job | null> {
  const handover = new AbortController();
  const running = runHere(env, job, handover.signal);
  waitUntil(running);

  const over = new AbortController();
  const handOverLater = async () => {
    await stopWaiting(env.DB, job.id);
    await Promise.race([running, sleep(handoverAfterMs)]);
    handover.abort(new Handover("Nobody waits for this run any more."));
  };
  hangUp.addEventListener("abort", () => waitUntil(handOverLater()), { once: true });

  const deadline = sleep(until - now(), over.signal).catch(() => undefined);
  const ended = await Promise.race([running, deadline.then(() => false)]);
  over.abort();
  // An accident, or a full house: the queue has it now, and may still end it in time.
  const reached = ended ? await getJob(env.DB, job.id) : await waitForEnd(env, job.id, until);
  if (reached?.endedAt) return reached;
  if (await stopWaiting(env.DB, job.id)) {
    waitUntil(handOverLater());
    return null;
  }
  return await getJob(env.DB, job.id);
}

/** True when the job ended in this run; false when somebody else has to take it up, which is seen to. Never throws. */
async function runHere(env: Env, job: AdmittedJob, handover: AbortSignal): Promise<boolean> {
  let delayMs = 0;
  try {
    const outcome = await run(env, job.id, handover);
    if (outcome.kind === "ended") return true;
    if (outcome.kind !== "released") return false;
    delayMs = outcome.delayMs;
  } catch (error) {
    log("error", "run_failed", { job_id: job.id, ...toLogged(error) });
  }
  try {
    await enqueue(env, job, Math.ceil(delayMs / 1_000));
  } catch (error) {
    // The row says when the sweep looks again.
    log("error", "enqueue_failed", { job_id: job.id, ...toLogged(error) });
  }
  return false;
}
