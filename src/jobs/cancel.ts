import { callAccount } from "../account/client";
import type { Job } from "../model/job";
import { jobNotFound } from "./read";

/** Cancels a job and returns it. A job that has ended is returned unchanged. */
export async function cancelJob(env: Env, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  const canceled = await callAccount(env, job.account, (stub) => stub.cancel({ mode: job.mode, id: job.id }));
  if (canceled === null) throw jobNotFound(job.id);
  return canceled;
}
