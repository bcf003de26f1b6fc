import { AppError } from "./errors";

/** A range of pages of a document. Pages start at 1, and the range includes both ends. */
export interface PageRange {
  first: number;
  last: number;
}

/** The pages of a document. */
export interface DocumentPages {
  total: number;
  /** The pages that were read completely, in ascending order. */
  read: number[];
}

/**
 * Parses a list of pages and ranges, such as `1-5,9`. `10-` selects all pages from 10 on. Returns null unless the list
 * is in ascending order and each page occurs once.
 */
export function parsePageRanges(list: string): PageRange[] | null {
  const ranges: PageRange[] = [];
  for (const item of list.split(",")) {
    const match = /^(\d{1,6})(?:\s*(-)\s*(\d{1,6})?)?$/.exec(item.trim());
    if (match === null) return null;
    const first = Number(match[1]);
    const end = match[2] === undefined ? first : Number.POSITIVE_INFINITY;
    const last = match[3] === undefined ? end : Number(match[3]);
    if (first <= (ranges.at(-1)?.last ?? 0) || last < first) return null;
    ranges.push({ first, last });
  }
  return ranges;
}

/** The options that select the pages of a document. */
export interface PageSelection {
  /** Undefined: all pages are selected. */
  pages?: readonly PageRange[];
  /** True if the start of each page is marked. */
  pageMarkers?: boolean;
}

/** Returns the first `max` selected pages of a document with `total` pages. */
function selectPages(ranges: readonly PageRange[] | undefined, total: number, max: number): number[] {
  const pages: number[] = [];
  for (const { first, last } of ranges ?? [{ first: 1, last: total }]) {
    for (let page = first; page <= Math.min(last, total) && pages.length < max; page++) pages.push(page);
  }
  return pages;
}

/**
 * Returns the pages of a document to read, and if the last selected ones were omitted. `kind` is the plural of what the
 * document has, such as `slides`. Throws AppError if it has none of the pages.
 */
export function choosePages(
  { pages: ranges }: PageSelection,
  { total, max, kind }: { total: number; max: number; kind: string },
): { pages: number[]; isCut: boolean } {
  const pages = selectPages(ranges, total, max + 1);
  if (ranges !== undefined && pages.length === 0) {
    throw new AppError(
      "section_not_found",
      `The document has only ${total} ${kind}, so it has none of the requested ones.`,
    );
  }
  return { pages: pages.slice(0, max), isCut: pages.length > max };
}

/** Returns a list of pages in ascending order as `parsePageRanges` reads it. */
export function formatPages(pages: readonly number[]): string {
  const ranges: PageRange[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
