import { toInvalidRequest } from "../contract/invalid-request";
import { validateBody } from "../endpoints/validate";
import { getOwnJob, jobNotFound, readSmallResult, toJobRecord, toMeta } from "../jobs/read";
import { type CallContext, submitRequest } from "../jobs/submit";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import { AppError } from "../model/errors";
import type { Job, JobMeta } from "../model/job";
import { MAX_TOOL_RESULT_BYTES, SECOND_MS, TOOL_WAIT_MS } from "../model/limits";
import { readSmall } from "../store/objects";
import { type ToolResult, toContent, toNote } from "./result";
import { GetJobRequest, type ToolName } from "./tools";

/** The caller of a tool. */
export type ToolCall = Pick<CallContext, "caller" | "origin" | "disconnected" | "waitUntil"> & {
  /** Called with the id of the job that the tool created or read. */
  onJob: (id: string) => void;
};

/** Runs a tool with the same functions as the API's routes. Throws the AppErrors of the routes. */
export async function callTool(env: Env, name: ToolName, args: unknown, call: ToolCall): Promise<ToolResult> {
  if (name === "get_job") return await readJob(env, args, call);
  const { mode } = call.caller;
  const request = validateBody(name, args, { env, mode, origin: call.origin });
  const submission = await submitRequest(env, request, { ...call, idempotencyKey: null, until: now() + TOOL_WAIT_MS });
  call.onJob(submission.kind === "accepted" ? submission.job.id : submission.jobId);
  if (submission.kind === "accepted") return inProgress(submission.job);
  const { jobId, meta } = submission;
  const source = toSource(request.request);
  if (submission.kind === "completed") return completed({ jobId, meta, source, data: submission.data });
  const json = await readSmall(submission.object, MAX_TOOL_RESULT_BYTES);
  return completed({ jobId, meta, source, data: json === "too large" ? json : JSON.parse(json) });
}

async function readJob(env: Env, args: unknown, { caller, onJob }: ToolCall): Promise<ToolResult> {
  const request = GetJobRequest.safeParse(args);
  if (!request.success) throw toInvalidRequest(request.error.issues, { value: args, schema: GetJobRequest });
  const { job_id: id, wait = 0 } = request.data;
  const job = await getOwnJob(env, caller.account, { id, mode: caller.mode }, wait * SECOND_MS);
  if (job === null) throw jobNotFound(id);
  onJob(id);
  if (job.error !== null) {
    const { code, message, status, retryable } = job.error;
    throw new AppError(code, message, { status, retryable, jobId: id });
  }
  if (job.endedAt === null) return inProgress(job);
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
  if (data === null) return toNote(`Job ${jobId} completed. Its result was deleted after the retention period.`);
  if (data === "too large") {
    return toNote(
      `Job ${jobId} completed. Its result is too large for a tool call. Read it with GET /v1/jobs/${jobId}, or request less: only the format markdown, or a part of the page.`,
    );
  }
  return toContent({ jobId, meta, source, data, nonce: newNonce() });
}

function inProgress(job: Job): ToolResult {
  const { status } = toJobRecord(job);
  return toNote(
    `Job ${job.id} is ${status}. It continues in the background. Call get_job with this job_id and wait: 30.`,
  );
}

/**
 * Returns the source of a result: the URL or the query of the request. It comes from the caller and is trusted, so it
 * is shown outside the marks around untrusted content.
 */
function toSource(request: object): string {
  const { url, query } = request as { url?: string; query?: string };
  if (url !== undefined) return JSON.stringify(url);
  return query === undefined ? "the given html" : `a search for ${JSON.stringify(query)}`;
}
