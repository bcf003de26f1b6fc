import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import type { Job, JobKey } from "../model/job";
import { readArchived } from "./archive";
import { callAccount } from "./client";
import { type JobRow, toJob } from "./job-row";
import { toRetentionMs } from "./retention";

/** Default values for columns that were added to `jobs` after an archive file was written. */
const DEFAULTS = { result: null, evidence: null, expired: 0 };

/**
 * Reads a job from an archive file. Call this function after `get` has returned null. Returns null if there is no such
 * job. Runs in the Worker, so that the account's Durable Object doesn't wait for R2.
 */
export async function readArchivedJob(env: Env, account: AccountRef, key: JobKey): Promise<Job | null> {
  const reply = await callAccount(env, account, (stub) => stub.findArchive(key));
  if (reply.kind === "gone" || reply.part === null) return null;
  const found = await readArchived(env.STORE, account.tag, reply.part, key.id);
  if (found === null) return null;
  const row = { ...DEFAULTS, ...found.job, ...found.payload } as unknown as JobRow;
  const expired = reply.part.expired || row.expired === 1 || (row.ended_at ?? 0) <= now() - toRetentionMs(env);
  const rest = expired ? { request: null, result: null, result_in: null, evidence: null, expired: 1 } : {};
  return toJob({ ...row, ...rest }, { account, concurrentRenders: 0, isStorageLarge: false });
}
