// Reads the pages of a batch or crawl with their complete results.
import type { PageRecord } from "../contract/batches";
import type { ViewOptions } from "../contract/view-options";
import { toByteStream } from "../lib/async";
import type { Batch, BatchPage } from "../model/batch";
import { AppError } from "../model/errors";
import { MAX_PAGES_RESULT_BYTES } from "../model/limits";
import { openResult } from "../store/objects";
import { toPageRecord, viewPage } from "./batch-records";
import { readPages } from "./batches";
import { discardResults } from "./temporary";

/** The number of pages that one call returns. Each has a result of at most 60 KB. Larger results are in R2. */
const PAGES_PER_CALL = 20;
/** The maximum number of calls to R2 and the account for one response. A Worker can make 10,000 in one invocation. */
const MAX_CALLS = 9_000;
/** The size of a chunk of NDJSON whose results aren't in R2. */
const CHUNK_CHARS = 65_536;

interface PagesPart {
  /** The number of the last page that is omitted. */
  after: number;
  /** The maximum number of pages. Default: all. */
  limit?: number;
  /** The maximum size of all results. A larger result is omitted. Default: no maximum. */
  maxBytes?: number;
  maxCalls?: number;
  /** True to also read the results of requests with `store: false`. */
  isRead?: boolean;
  /** With a view, the results of R2 aren't opened. */
  view?: ViewOptions | null;
}

/** A page and its result. The result is in the job, or in `stored` if it is in R2. The caller must read `stored`. */
export interface WholePage {
  page: BatchPage;
  stored: R2ObjectBody | null;
}

/**
 * Yields pages in the order of their numbers, and `next` if more pages follow. It is the `after` of the next part. Holds
 * at most PAGES_PER_CALL small results and one result of R2.
 */
export async function* readWholePages(
  env: Env,
  batch: Batch,
  { after, limit = Infinity, maxBytes = Infinity, maxCalls = MAX_CALLS, isRead = false, view = null }: PagesPart,
): AsyncGenerator<WholePage | { next: number }, void> {
  let [calls, pages, bytes] = [0, 0, 0];
  for (let next: number | null = after; next !== null; ) {
    // A part needs one call, and an additional one for each result in R2.
    if (pages === limit || calls + PAGES_PER_CALL >= maxCalls) return yield { next };
    const filter = { after: next, limit: Math.min(PAGES_PER_CALL, limit - pages), isFull: maxBytes > 0 };
    const part = await readPages(env, batch, filter);
    calls++;
    for (const page of part.pages) {
      const { job } = page;
      const isStored = maxBytes > 0 && job?.resultStored === true && (isRead || !job.isTemporary);
      const isOpened = isStored && view === null;
      const stored = isOpened ? await openResult(env.STORE, job.id, job.run) : null;
      if (isStored) calls++;
      const size = stored?.size ?? job?.result?.length ?? 0;
      if (bytes + size > maxBytes) await stored?.body.cancel();
      if (size <= maxBytes && bytes + size > maxBytes) return yield { next };
      if (job !== null && size > maxBytes) {
        yield { page: { ...page, job: { ...job, result: null, resultStored: true } }, stored: null };
      } else {
        // If the object is missing, retention has deleted the result.
        const isMissing = isOpened && stored === null;
        yield { page: isMissing ? { ...page, job: { ...job, resultStored: false } } : page, stored };
        bytes += size;
      }
      next = page.number;
      pages++;
    }
    next = part.next;
  }
}

/**
 * Returns the JSON of a page, as strings and as an object that must be read next. `isEnd` is false if a view doesn't
 * contain the end of the result.
 */
async function toJson(
  env: Env,
  batch: Batch,
  { page, stored }: WholePage,
  { isRead = false, view = null }: Pick<PagesPart, "isRead" | "view">,
): Promise<{ parts: (string | R2ObjectBody)[]; isEnd: boolean }> {
  const record = toPageRecord(batch, page, { isRead });
  if (view !== null && (isRead || page.job?.isTemporary !== true)) {
    // A stream that has begun can't become an error, so it omits a result that has no view.
    const viewing = viewPage(env, page, record, view);
    const viewed = await (isRead ? viewing.catch(toOmitted(record)) : viewing);
    return { parts: [JSON.stringify(viewed.record)], isEnd: viewed.isEnd };
  }
  if (stored === null) return { parts: [JSON.stringify(record)], isEnd: true };
  const { result: _, result_truncated: _1, ...fields } = record;
  return { parts: [`${JSON.stringify(fields).slice(0, -1)},"result":`, stored, "}"], isEnd: true };
}

/**
 * Returns the JSON members `pages` and `next_cursor` of one part of the pages. The results have at most
 * MAX_PAGES_RESULT_BYTES, so the part can have fewer pages than `limit`. Omits results of requests with `store: false`,
 * because callers who poll the status of a batch don't expect that this deletes results.
 */
export async function readPagesJson(
  env: Env,
  batch: Batch,
  query: { cursor?: number | undefined; limit: number; results: "full" | "none"; view: ViewOptions | null },
): Promise<string> {
  const { cursor: after = 0, limit, results } = query;
  const maxBytes = results === "full" ? MAX_PAGES_RESULT_BYTES : 0;
  const view = results === "full" ? query.view : null;
  const pages: string[] = [];
  let [room, number, last] = [MAX_PAGES_RESULT_BYTES, after, ""];
  for await (const item of readWholePages(env, batch, { after, limit, maxBytes, view })) {
    if ("next" in item) {
      last = toCursor(item.next);
      break;
    }
    const { parts } = await toJson(env, batch, item, { view });
    const text = (await Promise.all(parts.map(toText))).join("");
    // The size of a view isn't known before it is made.
    if (view !== null && pages.length > 0 && text.length > room) {
      last = toCursor(number);
      break;
    }
    pages.push(text);
    room -= text.length;
    number = item.page.number;
  }
  return `"pages":[${pages.join()}]${last}`;
}

function toOmitted(record: PageRecord) {
  return (error: unknown): { record: PageRecord; isEnd: boolean } => {
    if (!(error instanceof AppError)) throw error;
    return { record: { ...record, result: null, result_truncated: true }, isEnd: false };
  };
}

const toCursor = (number: number) => `,"next_cursor":"${number}"`;

async function toText(part: string | R2ObjectBody): Promise<string> {
  return typeof part === "string" ? part : await part.text();
}

/**
 * Streams the ended pages of a batch or crawl as NDJSON, with complete results, in the order of their numbers. `after`
 * is the number of the last page that is omitted. With a `view`, the lines have views of the results. If the response
 * can't contain all pages, its last line contains only `next_cursor`. Deletes sent results of requests with `store: false` only after the last line, so that a caller can
 * continue after an interruption.
 */
export function streamPages(
  env: Env,
  batch: Batch,
  part: { after: number; maxCalls?: number; view?: ViewOptions | null },
): ReadableStream<Uint8Array> {
  return toByteStream(toChunks(env, batch, { ...part, isRead: true }));
}

async function* toChunks(env: Env, batch: Batch, part: PagesPart): AsyncGenerator<string | Uint8Array, void> {
  const read: string[] = [];
  let text = "";
  for await (const item of readWholePages(env, batch, part)) {
    if ("next" in item) {
      text += `${JSON.stringify({ next_cursor: String(item.next) })}\n`;
      break;
    }
    const { job } = item.page;
    if ((job ?? batch).endedAt === null) continue;
    const { parts, isEnd } = await toJson(env, batch, item, part);
    if (isEnd && job?.isTemporary && job.status === "completed") read.push(job.id);
    for (const chunk of parts) {
      if (typeof chunk === "string") text += chunk;
      else {
        yield text;
        yield* chunk.body;
        text = "";
      }
    }
    text += "\n";
    if (text.length > CHUNK_CHARS) {
      yield text;
      text = "";
    }
  }
  if (text !== "") yield text;
  // This runs only after the caller has received the last line.
  await discardResults(env, batch, read);
}
