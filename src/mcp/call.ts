import { z } from "zod";
import { invalidParameter, invalidParameters, parseWith } from "../contract/invalid-request";
import { readySchema, SchemaName } from "../contract/schema-library";
import type { PageFields } from "../contract/scrape";
import { viewOf } from "../contract/view-options";
import { validateBody } from "../endpoints/validate";
import { readRequestContext, type Submission, submitRequest } from "../jobs/submit";
import { now } from "../lib/clock";
import { ENDPOINT_NAMES, type Endpoint } from "../model/endpoint";
import { AppError } from "../model/errors";
import { MAX_VIEW_BYTES, TOOL_WAIT_MS } from "../model/limits";
import { readSmall } from "../store/objects";
import { listJobs, readUsage } from "./account-tools";
import { cancel, startBatch, startCrawl, type ToolCall } from "./batch-tools";
import { inProgress, read, showJob } from "./read";
import { type ToolResult, toDryRunResult } from "./result";
import type { ToolName } from "./tools";

type Args = Record<string, unknown>;

const HANDLERS: {
  readonly [N in Exclude<ToolName, Endpoint>]: (env: Env, args: Args, call: ToolCall) => Promise<ToolResult>;
} = { batch: startBatch, crawl: startCrawl, read, list_jobs: listJobs, usage: readUsage, cancel };

/** Runs a tool with the same functions as the API's routes. Throws the AppErrors of the routes. */
export async function callTool(env: Env, name: ToolName, args: unknown, call: ToolCall): Promise<ToolResult> {
  const { options = {}, ...others } = parseWith(WithOptions, args);
  const given = Object.keys(options);
  const twice = given.find((option) => Object.hasOwn(others, option));
  if (twice !== undefined)
    throw invalidParameter(
      `options.${twice}`,
      `is also given as '${twice}' outside of 'options'; send only one of them`,
    );
  const body = { ...others, ...options };
  try {
    if (isEndpoint(name)) return await extract(env, name, body, call);
    return await HANDLERS[name](env, body, call);
  } catch (error) {
    throw withOptionPaths(error, given);
  }
}

/** The parameters of every tool. Those in `options` and the others are checked together, so each may be in either place. */
const WithOptions = z.looseObject({ options: z.record(z.string(), z.unknown()).optional() });

function isEndpoint(name: ToolName): name is Endpoint {
  return ENDPOINT_NAMES.some((endpoint) => endpoint === name);
}

/** Returns an error whose paths say which parameters were given in `options`. */
function withOptionPaths(error: unknown, options: readonly string[]): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_request" || error.jobId !== undefined) return error;
  const { details = [], hint } = error;
  if (!details.some(({ path }) => options.includes(path.split(".")[0] ?? ""))) return error;
  const moved = details.map(({ path, message }) => ({
    path: options.includes(path.split(".")[0] ?? "") ? `options.${path}` : path,
    message,
  }));
  return invalidParameters(moved, hint);
}

async function extract(env: Env, name: Endpoint, args: Args, call: ToolCall): Promise<ToolResult> {
  const body = name === "parse" ? withReadySchema(args) : args;
  const input = { body, origin: call.origin, waitMs: TOOL_WAIT_MS };
  const request = validateBody(name, body, await readRequestContext(env, call.caller, input));
  const submission = await submitRequest(env, request, { ...call, idempotencyKey: null, until: now() + TOOL_WAIT_MS });
  if (submission.kind === "dry_run") return toDryRunResult("job", submission.data);
  call.onJob(submission.kind === "accepted" ? submission.job.id : submission.jobId);
  if (submission.kind === "accepted") return inProgress(submission.job);
  const { jobId, meta } = submission;
  const isTemporary = "store" in request.request && request.request.store === false;
  const job = { ...call.caller, id: jobId, endpoint: name, isTemporary };
  const [source, data] = [toSource(request.request), await readSubmission(submission)];
  const options = name === "scrape" ? (viewOf(request.request) ?? {}) : {};
  return await showJob(env, { job, meta, source, data, options }, call);
}

/** Replaces the name of a ready-made schema by the schema. Its prompt is the default. */
function withReadySchema(args: Args): Args {
  const { schema, ...others } = args;
  // A schema that was sent as a text gets the contract's error.
  if (typeof schema !== "string" || schema.trimStart().startsWith("{")) return args;
  const { schema: name } = parseWith(z.object({ schema: SchemaName }), { schema });
  const ready = readySchema(name);
  return { prompt: ready.prompt, ...others, schema: ready.schema };
}

async function readSubmission(
  submission: Extract<Submission, { kind: "completed" | "stored" }>,
): Promise<Record<string, unknown> | "too large" | null> {
  if (submission.kind === "completed") return submission.data;
  const json = await readSmall(submission.object, MAX_VIEW_BYTES);
  return json === "too large" ? json : JSON.parse(json);
}

/** Returns the URL or the query of a request. The caller has sent it, so it is shown outside the marks. */
function toSource(request: object): string {
  const { url, query, capture_id, file } = request as PageFields & { query?: string };
  if (capture_id !== undefined) return `the capture ${JSON.stringify(capture_id)}`;
  if (file !== undefined) return `the file ${JSON.stringify(file.name)}`;
  if (url !== undefined) return JSON.stringify(url);
  return query === undefined ? "the given html" : `a search for ${JSON.stringify(query)}`;
}
