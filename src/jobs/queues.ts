import type { JobMessage } from "../model/job";
import { QUEUE_SEND_BATCH } from "../model/limits";
import type { DueJob } from "../store/job-recovery";

/** Rendered jobs have a queue of their own, so that they don't stand before quick pages. */
function queueOf(env: Env, rendered: boolean): Queue<JobMessage> {
  return rendered ? env.RENDERS : env.JOBS;
}

export async function enqueue(env: Env, job: DueJob, delaySeconds = 0): Promise<void> {
  await queueOf(env, job.rendered).send({ jobId: job.id }, { delaySeconds });
}

export async function enqueueAll(env: Env, jobs: DueJob[]): Promise<void> {
  // Neither queue's trouble is the other's.
  const sent = await Promise.allSettled([false, true].map((rendered) => sendAll(env, rendered, jobs)));
  for (const { reason } of sent.filter((one) => one.status === "rejected")) throw reason;
}

async function sendAll(env: Env, rendered: boolean, jobs: DueJob[]): Promise<void> {
  const messages = jobs.filter((job) => job.rendered === rendered).map((job) => ({ body: { jobId: job.id } }));
  for (let i = 0; i < messages.length; i += QUEUE_SEND_BATCH) {
    await queueOf(env, rendered).sendBatch(messages.slice(i, i + QUEUE_SEND_BATCH));
  }
}
