import { toInvalidRequest } from "../contract/invalid-request";
import { readWork } from "../endpoints/prepare";
import { toJobRecord, toMeta } from "../jobs/job-record";
import { getOwnJob, readSmallResult } from "../jobs/own";
import { type Call, start } from "../jobs/start";
import { waitForEnd } from "../jobs/wait";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { AppError } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { MAX_TOOL_RESULT_BYTES, SECOND_MS, TOOL_WAIT_MS } from "../model/limits";
import { readSmall } from "../store/objects";
import { type ToolResult, toContent, toNote } from "./result";
import { GetJobRequest, type ToolName } from "./tools";

/** Who calls a tool. */
export type ToolCall = Pick<Call, "caller" | "origin" | "hangUp" | "waitUntil"> & {
  /** Told the job that the call is about. */
  onJob: (id: string) => void;
};

/** Does what a tool is for, by the functions that the routes call. Throws AppError as they do. */
export async function callTool(env: Env, name: ToolName, args: unknown, call: ToolCall): Promise<ToolResult> {
  if (name === "get_job") return await readJob(env, args, call);
  const { mode } = call.caller;
  const work = readWork(name, args, { env, mode, origin: call.origin });
  const started = await start(env, work, { ...call, idempotencyKey: null, until: now() + TOOL_WAIT_MS });
  call.onJob(started.kind === "accepted" ? started.job.id : started.jobId);
  if (started.kind === "accepted") return underWay(started.job);
  const { jobId, meta } = started;
  const source = toSource(work.request);
  if (started.kind === "completed") return completed({ jobId, meta, source, data: started.data });
  const json = await readSmall(started.object, MAX_TOOL_RESULT_BYTES);
  return completed({ jobId, meta, source, data: json === "too large" ? json : JSON.parse(json) });
}

async function readJob(env: Env, args: unknown, { caller, onJob }: ToolCall): Promise<ToolResult> {
  const request = GetJobRequest.safeParse(args);
  if (!request.success) throw toInvalidRequest(request.error.issues);
  const { job_id: id, wait = 0 } = request.data;
  const { accountId, mode } = caller;
  let job = await getOwnJob(env, { id, accountId, mode });
  if (job === null) throw new AppError("not_found", `There is no job '${id}'.`);
  onJob(id);
  if (wait > 0 && job.endedAt === null) job = (await waitForEnd(env, id, now() + wait * SECOND_MS)) ?? job;
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: id });
  }
  if (job.endedAt === null) return underWay(job);
  const data = await readSmallResult(env, job, MAX_TOOL_RESULT_BYTES);
  return completed({ jobId: id, meta: toMeta(job), source: "this job's target", data });
}

function completed(end: {
  jobId: string;
  meta: JobMeta;
  source: string;
  data: Record<string, unknown> | "too large" | null;
}): ToolResult {
  const { jobId, meta, source, data } = end;
  if (data === null) return toNote(`Job ${jobId} completed; its result was kept for its time and is gone.`);
  if (data === "too large") {
    return toNote(
      `Job ${jobId} completed; its result is too large to be shown here: GET /v1/jobs/${jobId} has it. Ask for markdown alone, or select a part of the page.`,
    );
  }
  return toContent({ jobId, meta, source, data, nonce: newNonce() });
}

function underWay(job: Job): ToolResult {
  const { status } = toJobRecord(job);
  return toNote(`Job ${job.id} is ${status}. It goes on by itself: call get_job with this job_id and wait: 30.`);
}

/** A caller's own words, which stand outside of the marks: an address, or what was searched for. */
function toSource(request: object): string {
  const { url, query } = request as { url?: string; query?: string };
  if (url !== undefined) return JSON.stringify(url);
  return query === undefined ? "the given html" : `a search for ${JSON.stringify(query)}`;
}
