import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import type { Job, JobKey } from "../model/job";
import { readArchived } from "./archive";
import { callAccount } from "./client";
import { type JobRow, toJob } from "./job-row";
import { toRetentionMs } from "./retention";

/** Columns that were added to `jobs` after a file was written are missing in it. Their values are these. */
const DEFAULTS = { result: null, evidence: null, expired: 0 };

/**
 * Reads a job whose day was archived, for a caller that got null from `get`. Returns null if there is no such job. The Worker
 * reads the file, so that the object doesn't wait for R2.
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
