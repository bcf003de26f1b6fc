import type { PageRecord } from "../contract/batches";
import type { ViewOptions } from "../contract/view-options";
import { toByteStream } from "../lib/async";
import type { Batch } from "../model/batch";
import { AppError } from "../model/errors";
import { openResult } from "../store/objects";
import { toPageRecord, viewPage } from "./batch-records";
import { readPages } from "./batches";
import { discardResults } from "./temporary";

/** The number of pages that one call returns. Each has a result of at most 60 KB. Larger results are in R2. */
const PAGES_PER_CALL = 20;
/** The maximum number of calls to R2 and the account for one response. A Worker can make 10,000 in one invocation. */
const MAX_CALLS = 9_000;

/**
 * Streams the ended pages of a batch or crawl as NDJSON, with complete results, in the order of their numbers. `after`
 * is the number of the last page that is omitted. With a `view`, the lines have views of the results. Holds one part of the pages in memory at a time, and streams results
 * from R2. If the response can't contain all pages, its last line contains only `next_cursor`. Deletes sent results of
 * requests with `store: false` only after the last line, so that a caller can continue after an interruption.
 */
export function streamPages(
  env: Env,
  batch: Batch,
  { after, maxCalls = MAX_CALLS, view = null }: { after: number; maxCalls?: number; view?: ViewOptions | null },
): ReadableStream<Uint8Array> {
  return toByteStream(toChunks(env, batch, { after, maxCalls, view }));
}

async function* toChunks(
  env: Env,
  batch: Batch,
  { after, maxCalls, view }: { after: number; maxCalls: number; view: ViewOptions | null },
): AsyncGenerator<string | Uint8Array, void> {
  let next: number | null = after;
  let calls = 0;
  const read: string[] = [];
  while (next !== null) {
    // A part needs one call, and an additional one for each result in R2.
    if (calls + PAGES_PER_CALL >= maxCalls) {
      yield `${JSON.stringify({ next_cursor: String(next) })}\n`;
      break;
    }
    const part = await readPages(env, batch, { after: next, limit: PAGES_PER_CALL, isFull: true });
    calls++;
    let text = "";
    for (const page of part.pages.filter(({ job }) => (job ?? batch).endedAt !== null)) {
      const record = toPageRecord(batch, page, { isRead: true });
      const viewed =
        view === null ? { record, isEnd: true } : await viewPage(env, page, record, view).catch(toOmitted(record));
      if (viewed.isEnd && page.job?.isTemporary && page.job.status === "completed") read.push(page.job.id);
      if (view !== null) {
        if (page.job?.resultStored) calls++;
        yield `${JSON.stringify(viewed.record)}\n`;
        continue;
      }
      const { result_truncated: isStored, ...line } = record;
      if (isStored !== true || page.job === null) text += `${JSON.stringify(line)}\n`;
      else {
        const { result: _, ...fields } = line;
        calls++;
        yield `${text}${JSON.stringify(fields).slice(0, -1)},"result":`;
        const object = await openResult(env.STORE, page.job.id, page.job.run);
        if (object === null) yield "null";
        else yield* object.body;
        text = "}\n";
      }
    }
    next = part.next;
    if (text !== "") yield text;
  }
  // This runs only after the caller has received the last line.
  await discardResults(env, batch, read);
}

/** Returns a function that omits a result without a view. A response that has begun can't become an error. */
function toOmitted(record: PageRecord) {
  return (error: unknown): { record: PageRecord; isEnd: boolean } => {
    if (!(error instanceof AppError)) throw error;
    return { record: { ...record, result: null, result_truncated: true }, isEnd: false };
  };
}
