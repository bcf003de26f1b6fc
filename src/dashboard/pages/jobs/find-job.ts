import { getOwnJob } from "../../../jobs/read-job";
import type { Job } from "../../../model/job";
import { type DashboardContext, notInMode } from "../../ui/env";

/** Returns a job of the current mode. Throws AppError `not_found` if the account has no such job. */
export async function expectJob(c: DashboardContext, id: string): Promise<Job> {
  const job = await getOwnJob(c.env, c.var.account, { id, mode: c.var.mode });
  if (job === null) throw notInMode(c, "job");
  c.set("jobId", id);
  return job;
}
