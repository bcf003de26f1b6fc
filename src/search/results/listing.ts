import type { SerpBlocks } from "../../contract/serp-blocks";
import { SERP_PAGES_MAX } from "../../model/search-limits";
import { toPageKey } from "./links";
import type { Device, OrganicResult, ResultPage } from "./result-page";

export interface Listing {
  /** The blocks of the first page. */
  blocks: SerpBlocks;
  organic: readonly OrganicResult[];
  pages: number;
  /** The total from the first page that reported a total, or null. */
  total: number | null;
  /** True if another page may have more results. */
  hasMore: boolean;
}

export const EMPTY_LISTING: Listing = { blocks: {}, organic: [], pages: 0, total: null, hasMore: true };

/** A mobile page, which has no links to others, may have a next page if it has at least this many results. */
const MIN_SCROLLED = 5;

/** Appends the results of another page. Skips results whose URL is already in the listing. */
export function appendPage(listing: Listing, page: ResultPage, device: Device): Listing {
  const known = new Set(listing.organic.map(({ url }) => toPageKey(url)));
  const added = distinct(page.organic).filter(({ url }) => !known.has(toPageKey(url)));
  const pages = listing.pages + 1;
  const isLinked = page.next !== null || (device === "mobile" && page.organic.length >= MIN_SCROLLED);
  return {
    blocks: listing.pages === 0 ? (page.blocks ?? {}) : listing.blocks,
    organic: [...listing.organic, ...added],
    pages,
    total: listing.total ?? page.total,
    // The listing ends at a page without new results. Such a page repeats the page before it, and so do all later
    // pages.
    hasMore: page.kind === "results" && added.length > 0 && isLinked && pages < SERP_PAGES_MAX,
  };
}

export interface RankedResult extends OrganicResult {
  /** The position of the result, counted from 1 across all pages. */
  position: number;
}

export function rank(listing: Listing, max: number): RankedResult[] {
  return listing.organic.slice(0, max).map((result, index) => ({ position: index + 1, ...result }));
}

/** Removes duplicates: results with the same URL and the same title. A title equals its shortened form. */
export function distinct(results: readonly OrganicResult[]): OrganicResult[] {
  const titles = new Map<string, string[]>();
  return results.filter(({ url, title }) => {
    const known = titles.get(url) ?? [];
    titles.set(url, [...known, title]);
    return !known.some((other) => isSameTitle(other, title));
  });
}

const ELLIPSIS = /(?:(?<!\s)\s+)?(?:…|\.\.\.)$/;
const MIN_STEM_CHARS = 8;

function isSameTitle(a: string, b: string): boolean {
  const isCutOf = (cut: string, whole: string) => {
    const stem = cut.replace(ELLIPSIS, "");
    return stem !== cut && stem.length >= MIN_STEM_CHARS && whole.startsWith(stem);
  };
  return a === b || isCutOf(a, b) || isCutOf(b, a);
}
