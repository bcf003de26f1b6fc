import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { HANDOVER_AFTER_MS } from "../limits";
import { stopWaiting } from "../store/job-runs";
import type { Job } from "./job";
import { enqueue } from "./queues";
import { Handover, type RunOutcome, work } from "./run";
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

/** What the caller gets: the result itself, the job that ended otherwise or elsewhere, or null when it goes on. */
export type Awaited = Extract<RunOutcome, { kind: "completed" }> | { kind: "job"; job: Job } | null;

/**
 * Runs an admitted job here and now, for a caller who waits. When it hasn't ended by then, the job goes on as an
 * asynchronous one. The platform lets work go on for about 30 s after an answer or a hang-up; before that the run is
 * handed to the queue.
 */
export async function runWaiting(
  env: Env,
  job: Job,
  { until, hangUp, waitUntil, handoverAfterMs = HANDOVER_AFTER_MS }: Waiting,
): Promise<Awaited> {
  const handover = new AbortController();
  const running = runHere(env, job, handover.signal);
  waitUntil(running);

  const handOverLater = async () => {
    await Promise.race([running, sleep(handoverAfterMs)]);
    handover.abort(new Handover("Nobody waits for this run any more."));
  };
  hangUp.addEventListener("abort", () => waitUntil(Promise.all([stopWaiting(env.DB, job.id), handOverLater()])), {
    once: true,
  });

  const answered = new AbortController();
  const deadline = sleep(until - now(), answered.signal).catch(() => undefined);
  const outcome = await Promise.race([running, deadline.then(() => null)]);
  answered.abort();
  if (outcome?.kind === "completed") return outcome;
  // It failed, or the queue has it now, and may still end it in time.
  const reached = await waitForEnd(env, job.id, until);
  if (reached !== null && reached.endedAt !== null) return { kind: "job", job: reached };
  if (await stopWaiting(env.DB, job.id)) {
    waitUntil(handOverLater());
    return null;
  }
  const ended = await waitForEnd(env, job.id, until);
  return ended === null ? null : { kind: "job", job: ended };
}

/** Runs the job; what this run couldn't end goes to the queue. Never throws. */
async function runHere(env: Env, job: Job, handover: AbortSignal): Promise<RunOutcome> {
  try {
    const outcome = await work(env, job, handover);
    if (outcome.kind === "released") await enqueue(env, job, Math.ceil(outcome.delayMs / 1_000));
    return outcome;
  } catch (error) {
    // The database failed at the end, or the queue: the row says when the sweep looks again.
    log("error", "run_failed", { job_id: job.id, ...toLogged(error) });
    return { kind: "lost" };
  }
}
