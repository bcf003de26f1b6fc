import type { CallOptions, Query, Transport } from "./transport";
import type { Pagination } from "./wire";

/** The parameters of every list. */
export interface PageQuery {
  /** Items per page: 1 to 100, default 20. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/** Requests one page of a list. */
export async function getPage<Item>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions | undefined,
): Promise<Page<Item>> {
  const { data, pagination } = await transport.call<Page<Item>>({ method: "GET", path, query, options });
  return { data, pagination };
}

/** The start of a page: an offset, or the cursor from the page before. */
export type PageStart = { offset: number | undefined } | { cursor: string };

/**
 * Yields every item of a list once. Requests each page when it is needed. In a list without cursors, new items shift
 * the other items during the iteration. The next page then repeats items, which are skipped.
 */
export async function* iterate<Item>(
  readPage: (start: PageStart) => Promise<Page<Item>>,
  { start, id }: { start: PageStart; id: (item: Item) => string },
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let next = start; ; ) {
    const { data, pagination } = await readPage(next);
    for (const item of data) {
      if (seen.has(id(item))) continue;
      seen.add(id(item));
      yield item;
    }
    const { has_more, next_cursor, offset } = pagination;
    if (!has_more || (data.length === 0 && next_cursor === undefined)) return;
    next = next_cursor === undefined ? { offset: offset + data.length } : { cursor: next_cursor };
  }
}

/** Yields every item of a list that has only cursors. Requests each part when it is needed. */
export async function* iterateParts<Item>(
  transport: Transport,
  path: string,
  query: object,
  options: CallOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | undefined; ; ) {
    const call = { method: "GET", path, query: { ...query, cursor }, options } as const;
    const { data, next_cursor } = await transport.call<{ data: Item[]; next_cursor?: string }>(call);
    yield* data;
    if (next_cursor === undefined) return;
    cursor = next_cursor;
  }
}
