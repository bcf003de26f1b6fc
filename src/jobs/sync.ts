import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { Job } from "../model/job";
import { HANDOVER_AFTER_MS } from "../model/limits";
import { leaveAlone, stopWaiting } from "../store/job-runs";
import { startDelivery } from "../webhooks/start";
import { enqueue } from "./queues";
import { Handover, type RunOutcome, work } from "./run";
import { waitForEnd } from "./wait";

const MAX_LEAVING_PAUSE_MS = 8_000;

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
  const onHangUp = () => waitUntil(Promise.all([leave(env, job.id, stopWaiting), handOverLater()]));
  if (hangUp.aborted) onHangUp();
  else hangUp.addEventListener("abort", onHangUp, { once: true });

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

/**
 * A caller is sent away with the promise of an asynchronous job, however it stands: its event will be pushed. Tries for as
 * long as the platform lets work go on; never throws.
 */
export async function sendAway(env: Env, jobId: string): Promise<void> {
  if (await leave(env, jobId, leaveAlone)) await startDelivery(env, { id: jobId, round: 1 });
}

/** False when the database couldn't be reached either, for as long as it can be tried. */
async function leave(
  env: Env,
  jobId: string,
  statement: (db: D1Database, id: string) => Promise<boolean>,
): Promise<boolean> {
  for (let pause = 500; ; pause *= 2) {
    try {
      return await statement(env.DB, jobId);
    } catch (error) {
      log("warn", "leaving_failed", { job_id: jobId, ...toLogged(error) });
      if (pause > MAX_LEAVING_PAUSE_MS) return false;
      await sleep(pause);
    }
  }
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
