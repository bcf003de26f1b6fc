import { type CallOptions, sleep, type Transport } from "./transport";
import { toPollDelay } from "./waiting";
import type { BatchPageRecord } from "./wire";

/** A page whose job has ended. It always has a job id. */
type EndedPage = BatchPageRecord & { job_id: string };

interface BatchPath {
  transport: Transport;
  /** The path of the batch or crawl. */
  path: string;
  options: CallOptions;
}

interface Part {
  completed_at?: string;
  pages: BatchPageRecord[];
  next_cursor?: string;
}

/** The maximum number of pages in one response. */
const PART_PAGES = 100;

/**
 * Yields each page of a batch or crawl once, as soon as it has ended. Pages start in the order of their numbers, but
 * can end in any order. So each pass reads the pages that were running in the previous pass, and then the pages that
 * have started since.
 */
export async function* readEndedPages(source: BatchPath): AsyncGenerator<EndedPage, void, undefined> {
  const startedAt = Date.now();
  /** The numbers of the running pages, in ascending order. */
  let running: number[] = [];
  /** The number of the last page that has started. */
  let started = 0;
  for (;;) {
    const requestedAt = Date.now();
    let hasEnded: boolean | null = null;
    const still: number[] = [];
    for (const { last, numbers, ...first } of toSpans(running)) {
      // A response with large results has fewer pages than its limit.
      for (let after = first.after; after < last; ) {
        const part = await readPart(source, { after, limit: last - after });
        hasEnded ??= part.completed_at !== undefined;
        for (const page of part.pages) {
          if (!numbers.has(page.number)) continue;
          if (isEnded(page)) yield page;
          else still.push(page.number);
        }
        after = part.pages.at(-1)?.number ?? last;
      }
    }
    for (let isLast = false; !isLast; ) {
      const part = await readPart(source, { after: started, limit: PART_PAGES });
      hasEnded ??= part.completed_at !== undefined;
      for (const page of part.pages) {
        if (page.job_id === null) break;
        started = page.number;
        if (isEnded(page)) yield page;
        else still.push(page.number);
      }
      isLast = part.next_cursor === undefined || part.pages.some((page) => page.job_id === null);
    }
    // If all pages had already ended at the first response of this pass, this pass has read all of them.
    if (hasEnded) return;
    running = still;
    const next = requestedAt + toPollDelay(requestedAt - startedAt);
    await sleep(Math.max(0, next - Date.now()), source.options.signal);
  }
}

async function readPart(
  { transport, path, options }: BatchPath,
  { after, limit }: { after: number; limit: number },
): Promise<Part> {
  return await transport.call<Part>({ method: "GET", path, query: { cursor: after, limit }, options });
}

function isEnded(page: BatchPageRecord): page is EndedPage {
  return page.job_id !== null && (page.status === "completed" || page.status === "failed");
}

/** The pages after the number `after`, up to the number `last`. */
interface Span {
  after: number;
  last: number;
  numbers: ReadonlySet<number>;
}

/** Groups the numbers of pages, so that each group can be read with one request. */
function toSpans(numbers: readonly number[]): Span[] {
  const groups: number[][] = [];
  for (const number of numbers) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && number < group[0] + PART_PAGES) group.push(number);
    else groups.push([number]);
  }
  return groups.map((group) => {
    const [first = 0] = group;
    return { after: first - 1, last: group.at(-1) ?? first, numbers: new Set(group) };
  });
}
