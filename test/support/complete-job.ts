import type { NewJob } from "../../src/account/storage/types";
import type { AccountRef } from "../../src/model/account";
import type { JobExtras, Outcome } from "../../src/model/job";
import { newJob, stubOf } from "./account";

/**
 * Creates a job and completes it with this outcome, without a request to its page. The job is free unless the outcome
 * is `ok`.
 */
export async function completeJob(
  account: AccountRef,
  outcome: Outcome,
  { extras = null, ...job }: Partial<NewJob> & { extras?: JobExtras | null } = {},
): Promise<NewJob> {
  const created = newJob(account, { subject: "https://example.com/", ...job });
  const object = stubOf(account);
  await object.createJob(created);
  await object.claim(created, "token");
  const end = { status: "completed", result: "{}", charge: created.credits, processingTimeMs: 1 } as const;
  await object.finish(created, 1, { ...end, extras, outcome, isFree: outcome !== "ok", endedAt: Date.now() });
  return created;
}
