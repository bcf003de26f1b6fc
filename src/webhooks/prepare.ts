import { getJob } from "../store/jobs";
import { getResult } from "../store/objects";
import type { Delivery } from "./delivery-log";
import { toJobEvent, toTestEvent } from "./event";

/** The body of the delivery's event, from what the job left. Throws when that can't be read, or is gone. */
export async function readBody(env: Env, delivery: Delivery): Promise<string> {
  if (delivery.jobId === null) return toTestEvent(delivery);
  const job = await getJob(env.DB, delivery.jobId);
  if (job === null || job.endedAt === null) throw new Error(`The job ${delivery.jobId} has no event to push.`);
  return toJobEvent(job, job.resultStored ? await getResult(env.STORE, job.id, job.run) : job.result);
}
