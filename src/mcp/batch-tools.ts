import { toShownCounts, toShownCredits } from "../account/batches/batch-event";
import { BatchRequest } from "../contract/batches";
import { CrawlRequest } from "../contract/crawls";
import { parseWith } from "../contract/invalid-request";
import { submitCrawl } from "../crawl/create";
import { readCrawlProgress } from "../crawl/read-crawl";
import { toPageRecord } from "../jobs/batch-records";
import { batchNotFound, cancelBatch, findBatch, readPages, submitBatch } from "../jobs/batches";
import { getOwnJob, jobNotFound, toJobRecord } from "../jobs/read-job";
import { type CallContext, cancelJob } from "../jobs/submit";
import { checkScope } from "../keys/errors";
import { toCount } from "../lib/count";
import { newNonce } from "../lib/crypto";
import { ENDPOINT_SCOPES } from "../model/api-key";
import type { Batch, BatchPage } from "../model/batch";
import { SECOND_MS } from "../model/limits";
import { type ToolResult, toDryRunNote, toMarked, toNote } from "./result";
import { BatchToolRequest, CancelRequest, CrawlToolRequest, GetBatchRequest, TOOL_PAGES } from "./tool-requests";

/** The maximum length of a page's content in the result of a tool. The tool `get_job` returns the whole content. */
const MAX_PAGE_CHARS = 2_000;

export type ToolCall = Pick<CallContext, "caller" | "origin" | "disconnected" | "waitUntil" | "requestId"> & {
  /** Called with the id of the job that the tool created or read. */
  onJob: (id: string) => void;
  /** Counts the pages of a batch in the rate window. Throws AppError `rate_limited`. */
  countPages: (pages: number) => Promise<void>;
};

/** Starts a batch. Returns its id, and its first pages if the call waits. */
export async function startBatch(env: Env, args: unknown, call: ToolCall): Promise<ToolResult> {
  const { wait, ...fields } = parseWith(BatchToolRequest, args);
  const request = parseWith(BatchRequest, fields);
  checkScope(call.caller, request.endpoint);
  await call.countPages(request.requests.length);
  const submission = await submitBatch(env, { ...toSender(call), request });
  if (submission.kind === "dry_run") return toDryRunNote("batch", submission.data);
  const { invalid } = submission;
  const omitted = invalid.length === 0 ? "" : ` Omitted because they are invalid: ${JSON.stringify(invalid)}.`;
  return await showStart(env, { ...submission, omitted, wait });
}

/** Starts a crawl. Returns its id, and its first pages if the call waits. */
export async function startCrawl(env: Env, args: unknown, call: ToolCall): Promise<ToolResult> {
  const { wait, ...fields } = parseWith(CrawlToolRequest, args);
  const request = parseWith(CrawlRequest, fields);
  const submission = await submitCrawl(env, { ...toSender(call), request });
  if (submission.kind === "dry_run") return toDryRunNote("crawl", submission.data);
  return await showStart(env, { ...submission, omitted: "", wait });
}

/** Returns the sender for a tool that starts a batch or crawl. A tool call has no Idempotency-Key. */
function toSender({ caller, origin, requestId }: ToolCall) {
  return { caller, origin, idempotencyKey: null, ...(requestId !== undefined && { requestId }) };
}

interface Start {
  batch: Batch;
  creditsMax: number;
  /** A sentence about omitted requests, or an empty string. */
  omitted: string;
  /** The number of seconds for which the call waits. */
  wait: number;
}

async function showStart(env: Env, { batch, creditsMax, omitted, wait }: Start): Promise<ToolResult> {
  const head = `${toName(batch)} was started. It costs at most ${toCount(creditsMax, "credit")}.${omitted}`;
  if (wait === 0) return toNote(`${head} Call get_batch with this id and wait: 30 to get the pages.`);
  return await showBatch(env, (await findBatch(env, batch.account, { ...batch, waitMs: wait * SECOND_MS })) ?? batch, {
    head,
    cursor: 0,
    limit: TOOL_PAGES.default,
  });
}

export async function readBatch(env: Env, args: unknown, { caller }: ToolCall): Promise<ToolResult> {
  const { id, wait, ...part } = parseWith(GetBatchRequest, args);
  const batch = await findBatch(env, caller.account, { mode: caller.mode, id, waitMs: wait * SECOND_MS });
  if (batch === null) throw batchNotFound(id, "batch");
  return await showBatch(env, batch, part);
}

export async function cancel(env: Env, args: unknown, { caller, onJob }: ToolCall): Promise<ToolResult> {
  const { id } = parseWith(CancelRequest, args);
  const { account, mode } = caller;
  const job = await getOwnJob(env, account, { id, mode });
  if (job !== null) {
    onJob(id);
    checkScope(caller, ENDPOINT_SCOPES[job.endpoint]);
    const { status, error } = toJobRecord(await cancelJob(env, job));
    return toNote(`Job ${id} is ${status}${error === undefined ? "" : ` (${error.code})`}.`);
  }
  const batch = await findBatch(env, account, { mode, id });
  if (batch === null) throw jobNotFound(id);
  checkScope(caller, batch.endpoint);
  return toNote(await readHead(env, await cancelBatch(env, batch)));
}

async function showBatch(
  env: Env,
  batch: Batch,
  { head, cursor, limit }: { head?: string; cursor: number; limit: number },
): Promise<ToolResult> {
  const reading = readPages(env, batch, { after: cursor, limit, isFull: true });
  const [status, { pages, next }] = await Promise.all([readHead(env, batch), reading]);
  const more = next === null ? [] : [`There are more pages. Call get_batch with this id and cursor: ${next}.`];
  const running = batch.endedAt === null ? ["It is still running in the background."] : [];
  const notes = [...(head === undefined ? [] : [head]), status, ...running, ...more];
  if (pages.length === 0) return toNote(notes.join("\n"));
  const text = pages.map((page) => toPageText(batch, page)).join("\n\n");
  const mark = { source: `the pages of this ${batch.kind}`, text, nonce: newNonce() };
  return toMarked({ head: notes, ...mark, tail: [SHORTENED] });
}

const SHORTENED = `The content of each page is cut off after ${MAX_PAGE_CHARS} characters. To get the complete content, call get_job with the job_id of the page.`;

/** Returns the status of a batch or crawl in one line. */
async function readHead(env: Env, batch: Batch): Promise<string> {
  const { kind, status, error, counts, credits } = batch;
  const state = {
    counts: toShownCounts(counts),
    credits: toShownCredits(credits),
    ...(error && { error: error.code }),
    ...(kind === "crawl" && (await readCrawlProgress(env, batch))),
  };
  return `${toName(batch)} is ${status}. ${JSON.stringify(state)}`;
}

function toName({ kind, id }: Batch): string {
  return `${kind === "crawl" ? "Crawl" : "Batch"} ${id}`;
}

function toPageText(batch: Batch, page: BatchPage): string {
  const { number, url, job_id, status, outcome, error, result, result_truncated } = toPageRecord(batch, page);
  const state = { url, job_id, status, ...(outcome && { outcome }), ...(error && { error: error.code }) };
  const head = `Page ${number}: ${JSON.stringify(state)}`;
  if (result_truncated) return `${head}\n(To get the content, call get_job.)`;
  return result == null ? head : `${head}\n${toContent(result)}`;
}

/** Returns the beginning of a result: its Markdown or text, or if it has neither, the result as JSON. */
function toContent(result: Record<string, unknown>): string {
  const { markdown, text } = result;
  const content = [markdown, text].find((each) => typeof each === "string") ?? JSON.stringify(result);
  return String(content)
    .slice(0, MAX_PAGE_CHARS)
    .replace(/[\uD800-\uDBFF]$/, "");
}
