import { isId } from "../lib/id";
import type { Mode } from "../model/api-key";
import type { Job, StoredJob } from "../model/job";
import { getJob } from "../store/jobs";
import { findRequest, openResult, readSmall } from "../store/objects";
import { readResult } from "./job-record";

/** A job of this account and mode; null when there is none with this id, whatever its form. */
export async function getOwnJob(
  env: Env,
  { id, accountId, mode }: { id: string; accountId: string; mode: Mode },
): Promise<StoredJob | null> {
  const job = isId(id) ? await getJob(env.DB, id) : null;
  return job?.accountId === accountId && job.mode === mode ? job : null;
}

/** The validated body that the job was made of, wherever it lies; null when its time is over. */
export async function readRequest(env: Env, job: Job): Promise<Record<string, unknown> | null> {
  const json = job.request ?? (await findRequest(env.STORE, job.id));
  return json === null ? null : JSON.parse(json);
}

/**
 * The result of a job, wherever it lies; one in the store is left there when it is larger than `maxBytes`. Null when there
 * is none (any more).
 */
export async function readSmallResult(
  env: Env,
  job: Job,
  maxBytes: number,
): Promise<Record<string, unknown> | "too large" | null> {
  if (!job.resultStored) return readResult(job);
  const object = await openResult(env.STORE, job.id, job.run);
  if (object === null) return null;
  const json = await readSmall(object, maxBytes);
  return json === "too large" ? json : JSON.parse(json);
}
