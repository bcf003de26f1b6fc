import type { JobMessage } from "../model/job";
import { QUEUE_SEND_BATCH } from "../model/limits";
import type { DueJob } from "../store/job-recovery";

/** Returns the queue of a job. Rendered jobs have a separate queue, so that plain jobs don't wait behind them. */
function queueOf(env: Env, rendered: boolean): Queue<JobMessage> {
  return rendered ? env.RENDERS : env.JOBS;
}

/** Sends a job's message to its queue. */
export async function enqueue(env: Env, job: DueJob, delaySeconds = 0): Promise<void> {
  await queueOf(env, job.rendered).send({ jobId: job.id }, { delaySeconds });
}

/** Sends the messages of many jobs. Throws the first error after both queues were tried. */
export async function enqueueAll(env: Env, jobs: DueJob[]): Promise<void> {
  // Sends to both queues even if one fails.
  const sent = await Promise.allSettled([false, true].map((rendered) => sendAll(env, rendered, jobs)));
  for (const { reason } of sent.filter((one) => one.status === "rejected")) throw reason;
}

async function sendAll(env: Env, rendered: boolean, jobs: DueJob[]): Promise<void> {
  const messages = jobs.filter((job) => job.rendered === rendered).map((job) => ({ body: { jobId: job.id } }));
  for (let i = 0; i < messages.length; i += QUEUE_SEND_BATCH) {
    await queueOf(env, rendered).sendBatch(messages.slice(i, i + QUEUE_SEND_BATCH));
  }
}
