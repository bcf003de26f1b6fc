import { SERP_PAGES_MAX } from "../model/limits";
import type { Device, Organic, ResultPage } from "./engine";
import { distinct } from "./page";

/** The results of some pages, one after the other. */
export interface Listing {
  organic: readonly Organic[];
  pages: number;
  /** What the first page that said so said. */
  total: number | null;
  /** Whether another page would bring more. */
  hasMore: boolean;
}

export const NO_PAGES: Listing = { organic: [], pages: 0, total: null, hasMore: true };

/** A mobile page that loads more as one scrolls has no link to the next. */
const MIN_SCROLLED = 5;

/** With a page's results at the end, those left out whose addresses are in the list already. */
export function withPage(listing: Listing, page: ResultPage, device: Device): Listing {
  const known = new Set(listing.organic.map(addressOf));
  const added = distinct(page.organic).filter((result) => !known.has(addressOf(result)));
  const pages = listing.pages + 1;
  const isLinked = page.next !== null || (device === "mobile" && page.organic.length >= MIN_SCROLLED);
  return {
    organic: [...listing.organic, ...added],
    pages,
    total: listing.total ?? page.total,
    // A page with nothing new repeats the one before: so would all after it.
    hasMore: page.kind === "results" && added.length > 0 && isLinked && pages < SERP_PAGES_MAX,
  };
}

export interface Ranked extends Organic {
  /** From 1, through all pages. */
  position: number;
}

export function ranked(listing: Listing, wanted: number): Ranked[] {
  return listing.organic.slice(0, wanted).map((result, index) => ({ position: index + 1, ...result }));
}

function addressOf({ url }: Organic): string {
  return url.replace(/#.*$/, "").replace(/\/$/, "");
}
