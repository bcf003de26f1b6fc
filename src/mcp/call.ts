import { parseWith } from "../contract/invalid-request";
import { readySchema } from "../contract/schema-library";
import { validateBody } from "../endpoints/validate";
import { getOwnJob, jobNotFound, readSmallResult, toJobRecord, toMeta } from "../jobs/read-job";
import { readRequestContext, type Submission, submitRequest, toAppError } from "../jobs/submit";
import { discardResult } from "../jobs/temporary";
import { now } from "../lib/clock";
import { newNonce } from "../lib/crypto";
import type { Job, JobMeta } from "../model/job";
import { MAX_TOOL_RESULT_BYTES, SECOND_MS, TOOL_WAIT_MS } from "../model/limits";
import { readSmall } from "../store/objects";
import { cancel, readBatch, startBatch, startCrawl, type ToolCall } from "./batch-tools";
import { type ToolResult, toContent, toDryRunNote, toNote } from "./result";
import { GetJobRequest, GetSchemaRequest } from "./tool-requests";
import type { ToolName } from "./tools";

/** Runs a tool with the same functions as the API's routes. Throws the AppErrors of the routes. */
export async function callTool(env: Env, name: ToolName, args: unknown, call: ToolCall): Promise<ToolResult> {
  if (name === "get_job") return await readJob(env, args, call);
  if (name === "get_schema") return readSchema(args);
  if (name === "batch") return await startBatch(env, args, call);
  if (name === "crawl") return await startCrawl(env, args, call);
  if (name === "get_batch") return await readBatch(env, args, call);
  if (name === "cancel") return await cancel(env, args, call);
  const { mode, account } = call.caller;
  const input = { body: args, origin: call.origin, waitMs: TOOL_WAIT_MS };
  const request = validateBody(name, args, await readRequestContext(env, call.caller, input));
  const submission = await submitRequest(env, request, { ...call, idempotencyKey: null, until: now() + TOOL_WAIT_MS });
  if (submission.kind === "dry_run") return toDryRunNote("job", submission.data);
  call.onJob(submission.kind === "accepted" ? submission.job.id : submission.jobId);
  if (submission.kind === "accepted") return inProgress(submission.job);
  const { jobId, meta } = submission;
  const source = toSource(request.request);
  const data = await readSubmission(submission);
  const result = completed({ jobId, meta, source, data });
  const isRead = data !== "too large" && result.structuredContent === undefined;
  if ("store" in request.request && request.request.store === false && isRead)
    call.waitUntil(discardResult(env, { account, mode, id: jobId }));
  return result;
}

async function readSubmission(
  submission: Extract<Submission, { kind: "completed" | "stored" }>,
): Promise<Record<string, unknown> | "too large" | null> {
  if (submission.kind === "completed") return submission.data;
  const json = await readSmall(submission.object, MAX_TOOL_RESULT_BYTES);
  return json === "too large" ? json : JSON.parse(json);
}

async function readJob(env: Env, args: unknown, { caller, onJob, waitUntil }: ToolCall): Promise<ToolResult> {
  const { job_id: id, wait = 0, offset } = parseWith(GetJobRequest, args);
  const job = await getOwnJob(env, caller.account, { id, mode: caller.mode }, wait * SECOND_MS);
  if (job === null) throw jobNotFound(id);
  onJob(id);
  if (job.error !== null) throw toAppError(id, job.error);
  if (job.endedAt === null) return inProgress(job);
  const data = await readSmallResult(env, job, MAX_TOOL_RESULT_BYTES);
  const result = completed({ jobId: id, meta: toMeta(job), source: "this job's target", data, offset });
  const isRead = data !== "too large" && result.structuredContent === undefined;
  if (job.isTemporary && isRead) waitUntil(discardResult(env, job));
  return result;
}

function readSchema(args: unknown): ToolResult {
  const { prompt, schema } = readySchema(parseWith(GetSchemaRequest, args).name);
  return toNote(JSON.stringify({ prompt, schema }));
}

function completed(end: {
  jobId: string;
  meta: JobMeta;
  source: string;
  data: Record<string, unknown> | "too large" | null;
  offset?: number | undefined;
}): ToolResult {
  const { jobId, meta, source, data, offset = 0 } = end;
  if (data === null)
    return toNote(
      `Job ${jobId} completed. Its result was deleted after it was read, or at the end of its retention period.`,
    );
  if (data === "too large") {
    return toNote(
      `Job ${jobId} completed. Its result is too large for a tool call. Read it with GET /v1/jobs/${jobId}, or request less: only the format markdown, or a part of the page.`,
    );
  }
  return toContent({ jobId, meta, source, data, offset, nonce: newNonce() });
}

function inProgress(job: Job): ToolResult {
  const { status } = toJobRecord(job);
  return toNote(
    `Job ${job.id} is ${status}. It continues in the background. Call get_job with this job_id and wait: 30.`,
  );
}

/** Returns the URL or the query of a request. The caller has sent it, so it is shown outside the marks. */
function toSource(request: object): string {
  const { url, query, capture_id } = request as { url?: string; query?: string; capture_id?: string };
  if (capture_id !== undefined) return `the capture ${JSON.stringify(capture_id)}`;
  if (url !== undefined) return JSON.stringify(url);
  return query === undefined ? "the given html" : `a search for ${JSON.stringify(query)}`;
}
