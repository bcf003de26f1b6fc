import { toShownCounts, toShownCredits } from "../account/batches/batch-event";
import { BatchRequest, type InvalidEntry } from "../contract/batches";
import { CrawlRequest } from "../contract/crawls";
import { parseWith } from "../contract/invalid-request";
import { submitCrawl } from "../crawl/create";
import { readCrawlProgress } from "../crawl/read-crawl";
import { toPageRecord } from "../jobs/batch-records";
import { cancelBatch, findBatch, readPages, submitBatch } from "../jobs/batches";
import { getOwnJob, jobNotFound, readSmallResult, toJobRecord, toMeta } from "../jobs/read-job";
import { type CallContext, cancelJob } from "../jobs/submit";
import { checkScope } from "../keys/errors";
import { ENDPOINT_SCOPES } from "../model/api-key";
import type { Batch, BatchPage } from "../model/batch";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { MAX_TOOL_RESULT_TOKENS, MAX_VIEW_BYTES, SECOND_MS } from "../model/limits";
import { estimateTokens } from "../text-view/tokens";
import { fitItems, type ToolResult, toDryRunResult, toResult } from "./result";
import { type PartOptions, selectOrOutline } from "./result-part";
import { BatchToolRequest, CancelRequest, CrawlToolRequest, TOOL_PAGES } from "./tool-requests";

/** By default, the part of each page in a batch or crawl has this many tokens, and no outline. */
const PAGE_PART = { defaultTokens: 500, outline: false };

export type ToolCall = Pick<CallContext, "caller" | "origin" | "disconnected" | "waitUntil" | "requestId"> & {
  /** Called with the id of the job that the tool created or read. */
  onJob: (id: string) => void;
  /** The rate window that counted the call. */
  rate: AppEnv["Variables"]["rate"];
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
  if (submission.kind === "dry_run") return toDryRunResult("batch", submission.data);
  return await showStart(env, { ...submission, wait });
}

/** Starts a crawl. Returns its id, and its first pages if the call waits. */
export async function startCrawl(env: Env, args: unknown, call: ToolCall): Promise<ToolResult> {
  const { wait, ...fields } = parseWith(CrawlToolRequest, args);
  const request = parseWith(CrawlRequest, fields);
  const submission = await submitCrawl(env, { ...toSender(call), request });
  if (submission.kind === "dry_run") return toDryRunResult("crawl", submission.data);
  return await showStart(env, { ...submission, invalid: [], wait });
}

/** Returns the sender for a tool that starts a batch or crawl. A tool call has no Idempotency-Key. */
function toSender({ caller, origin, requestId }: ToolCall) {
  return { caller, origin, idempotencyKey: null, ...(requestId !== undefined && { requestId }) };
}

interface Start {
  batch: Batch;
  creditsMax: number;
  /** The requests that were omitted. */
  invalid: readonly InvalidEntry[];
  /** The number of seconds for which the call waits. */
  wait: number;
}

async function showStart(env: Env, { batch, creditsMax, invalid, wait }: Start): Promise<ToolResult> {
  const { shown, more } = fitItems(invalid);
  const omitted = { omitted_as_invalid: shown, ...(more > 0 && { more_omitted_as_invalid: more }) };
  const started = { credits_max: creditsMax, ...(invalid.length > 0 && omitted) };
  const waited = wait === 0 ? null : await findBatch(env, batch.account, { ...batch, waitMs: wait * SECOND_MS });
  return await showBatch(env, waited ?? batch, { started, limit: wait === 0 ? 0 : TOOL_PAGES.default, options: {} });
}

export async function cancel(env: Env, args: unknown, { caller, onJob }: ToolCall): Promise<ToolResult> {
  const { id } = parseWith(CancelRequest, args);
  const { account, mode } = caller;
  const job = await getOwnJob(env, account, { id, mode });
  if (job !== null) {
    onJob(id);
    checkScope(caller, ENDPOINT_SCOPES[job.endpoint]);
    const { status, error } = toJobRecord(await cancelJob(env, job));
    return toResult({ facts: { job_id: id, status, ...(error && { error: error.code }) } });
  }
  const batch = await findBatch(env, account, { mode, id });
  if (batch === null) throw jobNotFound(id);
  checkScope(caller, batch.endpoint);
  return toResult({ facts: await readFacts(env, await cancelBatch(env, batch)) });
}

interface Shown {
  /** The members of the result that only the start of the batch has. */
  started?: Record<string, unknown>;
  /** The maximum number of pages. */
  limit: number;
  /** The part of each page. `cursor` is the number of the last page that the caller has seen. */
  options: PartOptions;
}

/** Shows the status of a batch or crawl, and pages of it. A result has as many pages as fit into it. */
export async function showBatch(env: Env, batch: Batch, { started, limit, options }: Shown): Promise<ToolResult> {
  const { cursor = 0, ...ofPage } = options;
  const reading = limit === 0 ? NO_PAGES : readPages(env, batch, { after: cursor, limit, isFull: true });
  const [status, { pages, next }] = await Promise.all([readFacts(env, batch), reading]);
  const texts: string[] = [];
  let room = MAX_TOOL_RESULT_TOKENS;
  // One page after the other, because large results are in memory until they are cut.
  for (const page of pages) {
    const text = await showPage(env, { batch, page, options: { ...PAGE_PART, ...ofPage } });
    room -= estimateTokens(text) + MARKS_TOKENS;
    if (room < 0 && texts.length > 0) break;
    texts.push(text);
  }
  const nextCursor = texts.length < pages.length ? (pages[texts.length - 1]?.number ?? null) : next;
  const { kind, endedAt } = batch;
  const notes = [
    ...(endedAt === null ? [`The ${kind} continues in the background. Call read with this id and wait: 30.`] : []),
    ...(nextCursor === null ? [] : [`To get more pages, call read with this id and cursor: ${nextCursor}.`]),
    ...(texts.length > 0 ? ["If a page has a next_offset, call read with its job_id and this offset to read on."] : []),
  ];
  const source = `the pages of this ${kind}, each between its own marks`;
  return toResult({
    facts: { ...status, ...started, ...(nextCursor !== null && { next_cursor: nextCursor }) },
    untrusted: texts.length === 0 ? undefined : { source, text: texts },
    notes,
  });
}

/** The marks around a page, so that a page can't pose as another one. */
const MARKS_TOKENS = 70;
const NO_PAGES = { pages: [], next: null };

/** Returns the status of a batch or crawl. */
async function readFacts(env: Env, batch: Batch): Promise<Record<string, unknown>> {
  const { kind, id, status, error, counts, credits } = batch;
  return {
    [`${kind}_id`]: id,
    status,
    counts: toShownCounts(counts),
    credits: toShownCredits(credits),
    ...(error && { error: error.code }),
    ...(kind === "crawl" && (await readCrawlProgress(env, batch))),
  };
}

/** Returns a page with a part of its content. Omits the content with `store: false`, because reading it deletes it. */
async function showPage(
  env: Env,
  { batch, page, options }: { batch: Batch; page: BatchPage; options: PartOptions },
): Promise<string> {
  const { number, url, job_id, status, outcome, error } = toPageRecord(batch, page);
  const state = { url, job_id, status, ...(outcome && { outcome }), ...(error && { error: error.code }) };
  const toText = (more: object, text: string) => `Page ${number}: ${JSON.stringify({ ...state, ...more })}${text}`;
  if (page.job === null || page.job.status !== "completed") return toText({}, "");
  const result = page.job.isTemporary ? "too large" : await readSmallResult(env, page.job, MAX_VIEW_BYTES);
  if (result === "too large") return toText({}, "\n(To get the content, call read with the job_id.)");
  if (result === null) return toText({}, "");
  try {
    const whole = { endpoint: page.job.endpoint, data: result, meta: toMeta(page.job) };
    const { text, facts } = selectOrOutline(whole, options);
    return toText(facts, `\n${text}`);
  } catch (error) {
    // The other pages can have the format that the options need.
    if (!(error instanceof AppError)) throw error;
    return toText({ error: { code: error.code, message: error.message } }, "");
  }
}
