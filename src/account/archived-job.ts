import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import type { Job, JobKey } from "../model/job";
import { callAccountOrGone } from "./client";
import { type ArchivePart, type JobColumns, type PayloadColumns, readArchived, readPart } from "./retention/archive";
import { toRetentionMs } from "./retention/retention";
import { toJob } from "./storage/job-row";
import type { JobRow } from "./storage/types";

/** The values of columns that an archive file lacks: large fields, and columns that were added later. */
const DEFAULTS = { result: null, evidence: null };

/**
 * Reads a job from an archive file. Call this function after `get` has returned null. Returns null if there is no such
 * job. Runs in the Worker, so that the account's Durable Object doesn't wait for R2.
 */
export async function readArchivedJob(env: Env, account: AccountRef, key: JobKey): Promise<Job | null> {
  const part = await callAccountOrGone(env, account, (stub) => stub.findArchive(key));
  if (part === null || "kind" in part) return null;
  const found = await readArchived(env.STORE, account.tag, part, key.id);
  return found === null ? null : toArchivedJob(env, account, part, found);
}

export async function readArchivedJobs(env: Env, account: AccountRef, part: ArchivePart): Promise<Job[]> {
  const found = await readPart(env.STORE, account.tag, part);
  return found.map((one) => toArchivedJob(env, account, part, one));
}

function toArchivedJob(
  env: Env,
  account: AccountRef,
  part: ArchivePart,
  found: { job: JobColumns; payload: PayloadColumns | null },
): Job {
  const row = { ...DEFAULTS, ...found.job, ...found.payload } as unknown as JobRow;
  const expired = part.expired || row.expired === 1 || (row.ended_at ?? 0) <= now() - toRetentionMs(env);
  const rest = expired
    ? { request: null, result: null, result_in: null, evidence: null, metadata: null, expired: 1 }
    : {};
  return toJob({ ...row, ...rest }, account);
}
