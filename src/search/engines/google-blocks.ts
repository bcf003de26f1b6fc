import type { Document, Element } from "domhandler";
import { attribute, elementsUnder } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import type { FoundBlocks } from "../results/blocks";
import { isLink, textOf } from "../results/dom";
import { tidy } from "../results/texts";

/** A page of Google with its organic results. */
export interface GooglePage {
  document: Document;
  url: string;
  /** The links of the organic results. */
  organic: ReadonlySet<Element>;
  isSearchHost: RegExp;
}

/** Extracts the parts of a page besides its organic results. */
export function readGoogleBlocks(page: GooglePage): FoundBlocks {
  return { ...readRelatedSearches(page) };
}

/** Parameters of links to other pages of the same search, to other kinds of results and to refined searches. */
const OTHER_SEARCH = ["start", "tbm", "udm", "uds", "tbs", "lr"];

/**
 * Reads the related searches: the last group of links whose text is the query that they search for. Organic results
 * separate the groups. Links below a single result or answer form an earlier group.
 */
function readRelatedSearches({ document, url, organic, isSearchHost }: GooglePage): FoundBlocks {
  const query = (URL.parse(url)?.searchParams.get("q") ?? "").toLowerCase();
  let group: { query: string; url: string; at: Element }[] = [];
  let isEnded = false;
  for (const element of elementsUnder(document)) {
    if (organic.has(element)) isEnded = true;
    if (!isLink(element)) continue;
    const target = URL.parse(attribute(element, "href"), url);
    const text = tidy(target?.searchParams.get("q") ?? "", MAX_QUERY_CHARS);
    const isRelated =
      target?.pathname === "/search" &&
      isSearchHost.test(target.hostname) &&
      text.toLowerCase() !== query &&
      OTHER_SEARCH.every((name) => !target.searchParams.has(name)) &&
      textOf(element, MAX_QUERY_CHARS).toLowerCase() === text.toLowerCase();
    if (!target || !isRelated) continue;
    if (isEnded) group = [];
    isEnded = false;
    group.push({ query: text, url: target.href, at: element });
  }
  const [first] = group;
  if (!first) return {};
  return { related_searches: { content: group.map(({ at: _, ...item }) => item), at: first.at } };
}
