import type { CallOptions, Query, Transport } from "./transport";
import type { Pagination } from "./wire";

/** Parameters of every list. */
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

/** Where a page begins. */
export type Place = { offset: number | undefined } | { cursor: string };

/**
 * Yields every item of a list once and requests each page when it is needed. Where the list has no cursor, items that are added
 * during the iteration shift the others, so a page can repeat items of the page before.
 */
export async function* iterate<Item>(
  readPage: (place: Place) => Promise<Page<Item>>,
  { place: first, id }: { place: Place; id: (item: Item) => string },
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let place = first; ; ) {
    const { data, pagination } = await readPage(place);
    for (const item of data) {
      if (seen.has(id(item))) continue;
      seen.add(id(item));
      yield item;
    }
    const { has_more, next_cursor, offset } = pagination;
    if (!has_more || (data.length === 0 && next_cursor === undefined)) return;
    place = next_cursor === undefined ? { offset: offset + data.length } : { cursor: next_cursor };
  }
}
