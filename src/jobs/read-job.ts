import { readArchivedJob } from "../account/archived-job";
import { callAccount } from "../account/client";
import { MAX_SHOWN_REQUEST_BYTES } from "../account/storage/job-row";
import { EXAMPLE_JOB_ID } from "../contract/common";
import { toErrorRecord } from "../contract/error-codes";
import { invalidParameter } from "../contract/invalid-request";
import type { JobRecord } from "../contract/jobs";
import type { ViewOptions } from "../contract/view-options";
import { now, toIso } from "../lib/clock";
import { isId, toTag } from "../lib/id";
import { redactQuery, redactSecrets } from "../lib/redact";
import type { AccountRef } from "../model/account";
import { MODES } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Job, JobKey, JobMeta } from "../model/job";
import { toShownLabels } from "../model/labels";
import { MAX_VIEW_BYTES } from "../model/limits";
import { toAdvice } from "../model/outcome-help";
import { findRequest, openResult, readSmall } from "../store/objects";
import { type View, viewResult } from "../text-view/view";

const MB = 1024 * 1024;

/** Returns the account's job of this mode, or null for any other id. Waits up to `waitMs` for its end. */
export async function getOwnJob(env: Env, account: AccountRef, { mode, id }: JobKey, waitMs = 0): Promise<Job | null> {
  if (!isId(id) || toTag(id) !== account.tag) return null;
  const until = now() + waitMs;
  const job = await callAccount(env, account, (stub) => stub.get({ mode, id }, Math.max(0, until - now())));
  return job ?? (await readArchivedJob(env, account, { mode, id }));
}

/** Returns the account's job with this id, in either mode. Returns null if it doesn't exist. */
export async function getOwnJobOfAnyMode(env: Env, account: AccountRef, id: string): Promise<Job | null> {
  for (const mode of MODES) {
    const job = await getOwnJob(env, account, { id, mode });
    if (job !== null) return job;
  }
  return null;
}

/** Returns the error for an id that isn't a job of the caller's account and mode. `id` may be any string. */
export function jobNotFound(id: string): AppError {
  const form = isId(id) ? "" : ` A job id is a UUID, such as ${EXAMPLE_JOB_ID}.`;
  return new AppError("not_found", `There is no job '${id}'.${form}`, {
    hint: "Check the id. A job can be read only with a key of its account and its mode: live jobs with a live key, test jobs with a test key.",
  });
}

/** Returns the validated body of the job from its row or from R2. Returns null if retention has deleted it. */
export async function readRequest(env: Env, job: Job): Promise<Record<string, unknown> | null> {
  const json = job.request ?? (await findRequest(env.STORE, job.id));
  return json === null ? null : JSON.parse(json);
}

/**
 * Returns the result of a job from its row or from R2. Returns null if the job has no result or retention has deleted
 * the result. Returns "too large" if the result is in R2 and has more than `maxBytes`; the result isn't read then.
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

/**
 * Returns a view of the result of a completed job, or null if the result was deleted. Throws AppError if the result has
 * no such view. `show` creates the view.
 */
export async function readView(
  env: Env,
  job: Job,
  options: ViewOptions,
  show: typeof viewResult = viewResult,
): Promise<View | "too large" | null> {
  const result = await readSmallResult(env, job, MAX_VIEW_BYTES);
  if (result === null || result === "too large") return result;
  // The data of a parse can have members with the names of text formats, which have no view.
  return show(job.endpoint === "scrape" ? result : { data: result }, options);
}

/** Returns the error for a result that is too large for a view. */
export function viewTooLarge(options: ViewOptions): AppError {
  const [path = ""] = Object.keys(options);
  const size = `${MAX_VIEW_BYTES / MB} MB`;
  return invalidParameter(
    path,
    `can't be used, because the result has more than ${size}; read the whole result instead`,
  );
}

/** Returns the result from the job's row. Returns null if the row has no result or retention has deleted the result. */
export function readResult(job: Job): Record<string, unknown> | null {
  return job.result === null ? null : JSON.parse(job.result);
}

/** Returns the `meta` of a job that has ended. */
export function toMeta(job: Job): JobMeta {
  const { extras, processingTimeMs, creditsUsed, receipt } = job;
  const price = { credits_used: creditsUsed, ...(receipt && { receipt }) };
  const hint = extras?.outcome === undefined ? null : toAdvice(job.outcome, extras);
  return { ...extras, ...(hint !== null && { hint }), processing_time_ms: processingTimeMs ?? 0, ...price };
}

/** Returns the job in the API's format, without its result. */
export function toJobRecord(job: Job): JobRecord {
  return {
    job_id: job.id,
    status: job.status,
    endpoint: job.endpoint,
    key_id: job.keyId,
    ...toShownRequest(job),
    ...(job.isTemporary && { stored: false }),
    ...toShownLabels(job.labels),
    ...(job.batchId !== null && { batch_id: job.batchId }),
    ...(job.page !== null && { page: job.page }),
    ...(job.outcome === null ? {} : { outcome: job.outcome }),
    ...(job.error === null ? {} : { error: toErrorRecord(job.error, job.origin) }),
    created_at: toIso(job.createdAt),
    ...(job.endedAt === null ? {} : { completed_at: toIso(job.endedAt), meta: toMeta(job) }),
  } as JobRecord;
}

/**
 * Returns the request as job records show it, without secrets. Removes API keys and webhook secrets that a caller put
 * into a field by mistake. Removes the values of query parameters of `url` with names such as `token`. Removes the path
 * of `webhook_url`, because it often contains the receiver's secret.
 */
function toShownRequest({ request, expired, isTemporary, endedAt }: Job): {
  request: Record<string, unknown> | null;
  request_truncated?: true;
} {
  const isDeleted = expired || (isTemporary && endedAt !== null);
  if (request === null) return { request, ...(isDeleted ? {} : { request_truncated: true }) };
  if (Buffer.byteLength(request) > MAX_SHOWN_REQUEST_BYTES) {
    return { request: null, request_truncated: true };
  }
  const fields = JSON.parse(redactSecrets(request)) as Record<string, unknown>;
  const { url, webhook_url: webhookUrl } = fields;
  return {
    request: {
      ...fields,
      ...(typeof url === "string" ? { url: redactQuery(url) } : {}),
      ...(typeof webhookUrl === "string" ? { webhook_url: hidePath(webhookUrl) } : {}),
    },
  };
}

function hidePath(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? `${origin}/` : `${origin}/…`;
}

/** Adds the result to the record. The cast is safe, because the endpoint's `run` has created the result. */
export function withResult(record: JobRecord, result: Record<string, unknown> | null): JobRecord {
  return { ...record, result } as JobRecord;
}

/** Returns the job as lists show it: without a result that is in R2 or that `store: false` hides. */
export function toListed(job: Job): JobRecord {
  if (job.status !== "completed") return toJobRecord(job);
  if (job.isTemporary) return withResult(toJobRecord(job), null);
  const record = withResult(toJobRecord(job), readResult(job));
  return job.resultStored ? { ...record, result_truncated: true } : record;
}
