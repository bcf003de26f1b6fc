import type { CallOptions, Query, Transport } from "./transport";
import type { Pagination } from "./wire";

/** What every list can be asked. */
export interface PageQuery {
  /** How many a page has: 1 to 100, default 20. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

export async function getPage<Item>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions | undefined,
): Promise<Page<Item>> {
  const { data, pagination } = await transport.call<Page<Item>>({ method: "GET", path, query, options });
  return { data, pagination };
}

/**
 * Every item, page after page, each once: what is added meanwhile moves the rest on, so that a page begins with what the one
 * before had.
 */
export async function* iterate<Item>(
  readPage: (offset: number) => Promise<Page<Item>>,
  { offset: first = 0, id }: { offset: number | undefined; id: (item: Item) => string },
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  for (let offset = first; ; ) {
    const { data, pagination } = await readPage(offset);
    for (const item of data) {
      if (seen.has(id(item))) continue;
      seen.add(id(item));
      yield item;
    }
    if (!pagination.has_more || data.length === 0) return;
    offset += data.length;
  }
}
