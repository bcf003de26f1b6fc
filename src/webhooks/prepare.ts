import type { Delivery } from "../model/delivery";
import { MAX_WEBHOOK_RESULT_BYTES } from "../model/limits";
import { getJob } from "../store/jobs";
import { getSmallResult } from "../store/objects";
import { toJobEvent, toTestEvent } from "./event";

/** There is nothing to push any more, and never will be. Its message is for the delivery's log. */
export class EventGone extends Error {
  override readonly name = "EventGone";
}

/** The body of the delivery's event, from what the job left. Throws EventGone, or whatever kept it from being read. */
export async function readBody(env: Env, delivery: Delivery): Promise<string> {
  if (delivery.jobId === null) return toTestEvent(delivery);
  const job = await getJob(env.DB, delivery.jobId);
  if (job === null || job.endedAt === null) throw new Error(`The job ${delivery.jobId} has no event to push.`);
  if (job.error !== null) return toJobEvent(job, null);
  if (job.resultStored) {
    return toJobEvent(job, await getSmallResult(env.STORE, job.id, job.run, MAX_WEBHOOK_RESULT_BYTES));
  }
  if (job.result === null) throw new EventGone("Not sent: the result was kept for its time, and is gone.");
  return toJobEvent(job, job.result);
}
