import { sleep } from "../lib/clock";
import type { Gone, JobFilter } from "./types";

/** One page of a list, or the part of a page that one window contains. */
export interface ListPage<Item> {
  kind: "page";
  items: Item[];
  /** The number of matching jobs. If `isEstimate` is true, there may be more. */
  total: number;
  isEstimate: boolean;
  /** The number of matches that were skipped because of `offset`. It is less than `offset` if the reading ended early. */
  skipped: number;
  /** The cursor of the next page. Null if this is the last page. */
  next: string | null;
  /** The time before which jobs are archived (Unix ms). Null if the filter doesn't include archived jobs. */
  archivedBefore: number | null;
}

/**
 * Calls `readPart` until the page is full, but at most `maxParts` times, because each call reads a limited number of
 * rows. A page can therefore be shorter than requested and still have a next page. Only the first call counts the
 * matching jobs.
 */
export async function readPage<Item>(
  filter: JobFilter,
  maxParts: number,
  readPart: (filter: JobFilter) => Promise<ListPage<Item> | Gone> | ListPage<Item> | Gone,
): Promise<ListPage<Item> | Gone> {
  const first = await readPart(filter);
  if (first.kind === "gone") return first;
  const page = { ...first };
  for (let part = 1; part < maxParts && page.next !== null && page.items.length < filter.limit; part++) {
    // Lets the Durable Object serve other calls between two windows.
    await sleep(0);
    const reply = await readPart({
      ...filter,
      cursor: page.next,
      offset: filter.offset - page.skipped,
      limit: filter.limit - page.items.length,
      isCounted: false,
    });
    if (reply.kind === "gone") return reply;
    page.items = [...page.items, ...reply.items];
    page.skipped += reply.skipped;
    page.next = reply.next;
  }
  return filter.cursor === undefined ? withTotal(page, filter) : page;
}

/** Adjusts the total of a list's first page to the jobs that were read. A known total also shows if the list ends. */
function withTotal<Item>(page: ListPage<Item>, { offset }: JobFilter): ListPage<Item> {
  const read = offset + page.items.length;
  if (page.isEstimate) return { ...page, total: Math.max(page.total, page.next === null ? read : read + 1) };
  return read < page.total ? page : { ...page, next: null };
}
