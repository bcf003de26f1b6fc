import type { Document } from "domhandler";
import { attribute } from "../html/parse/dom";
import { findAll, isLink } from "./dom";
import type { Organic } from "./engine";

/** Of an address' offset. */
const MAX_OFFSET = 10_000;

/** What the address asks for. */
export function searchedFor(url: string, parameter: string): string {
  return URL.parse(url)?.searchParams.get(parameter)?.trim() ?? "";
}

/** The page's results without repeats: the same address under the same title, of which one may be cut. */
export function distinct(results: readonly Organic[]): Organic[] {
  const titles = new Map<string, string[]>();
  return results.filter(({ url, title }) => {
    const known = titles.get(url) ?? [];
    titles.set(url, [...known, title]);
    return !known.some((other) => isSameTitle(other, title));
  });
}

const CUT = /\s*(?:…|\.\.\.)$/;
const MIN_STEM_CHARS = 8;

function isSameTitle(a: string, b: string): boolean {
  const isCutOf = (cut: string, whole: string) => {
    const stem = cut.replace(CUT, "");
    return stem !== cut && stem.length >= MIN_STEM_CHARS && whole.startsWith(stem);
  };
  return a === b || isCutOf(a, b) || isCutOf(b, a);
}

/** The nearest page of the same search that begins behind this one; by its number, since pages name their links anyhow. */
export function nextLink(
  document: Document,
  url: string,
  { parameter, path, first = 0 }: { parameter: string; path: string; first?: number },
): string | null {
  const here = URL.parse(url);
  if (!here) return null;
  const offsetOf = (address: URL) => Number(address.searchParams.get(parameter) ?? first);
  let next: { offset: number; href: string } | null = null;
  for (const link of findAll(document, isLink)) {
    const href = attribute(link, "href");
    if (!href.includes(`${parameter}=`)) continue;
    const address = URL.parse(href, url);
    if (address?.hostname !== here.hostname || address.pathname.replace(/\/$/, "") !== path) continue;
    const offset = offsetOf(address);
    if (offset > offsetOf(here) && offset <= MAX_OFFSET && offset < (next?.offset ?? Number.POSITIVE_INFINITY))
      next = { offset, href: address.href };
  }
  return next?.href ?? null;
}
