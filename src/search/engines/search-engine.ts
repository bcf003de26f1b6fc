import type { SerpRequest } from "../../contract/serp";
import type { PageRules } from "../results/engine-page";
import type { ResultPage, SearchQuery } from "../results/result-page";

/** The definition of a search engine. `engines.ts` lists all engines. */
export interface SearchEngine {
  /** The engine's name in error messages. */
  label: string;
  /** Matches every host of the engine, including its other products. */
  hosts: RegExp;
  /** The URLs of result pages. A page from any other URL is treated as a block page. */
  resultPages: { host: RegExp; path: RegExp };
  /** The URLs of captchas, consent forms and sign-in pages. The target of a redirect to them is unknown. */
  blockPages: { host: RegExp; path: RegExp | null };
  /** Matches a page that reloads itself. Such a page repeats the query, so it looks like a "nothing found" notice. */
  interstitial: RegExp | null;
  /** True if the engine serves results for a different query when it takes the client for a bot. */
  servesOffTopic: boolean;
  /** The engine's own sources, in the order of their use. */
  sources: readonly [EngineSource, ...EngineSource[]];
  /** The search APIs that support the engine, in order. They are tried before its own sources. */
  apis: readonly SearchApiName[];
  /** The other types of search that the engine offers. */
  types: { readonly [T in OtherType]?: TypeOffer };
  /** The operator between alternatives. */
  or: "OR" | "|";
  /** The URL parameter with the query. */
  queryParameter: "q" | "text";
  /** The base URL for relative links in an API's response. */
  baseUrl: string;
  /** A CSS selector that matches once a page has results, a notice, a captcha or a consent form. */
  readySelector: string;
  /** Returns the cookies of a visitor who has answered the consent form and chosen the market. */
  cookies(query: SearchQuery): Cookie[];
  /** Returns the URL of a result page. Pages count from 0. */
  searchUrl(query: SearchQuery, page: number): string;
  /** Extracts the results from a page. `url` is the engine's own URL after redirects. Never throws. */
  readPage: PageReader;
  /** The rules for its result pages. */
  page: PageRules;
}

/** A source of results that requests the engine itself, with plain requests or in a browser. */
export interface EngineSource {
  /** The value of `meta.source` in the response. */
  name: "plain" | "light" | "rss" | "browser";
  /** The features that the source ignores. Searches with one of them skip the source. */
  lacks: readonly Feature[];
  /** Returns the URL of a page. `next` is the link to this page on the previous page, or null. */
  pageUrl(query: SearchQuery, page: number, next: string | null): string;
  readPage: PageReader;
}

/** A part of a query that a source may ignore. */
export type Feature = "place" | "time_range" | "safe_search" | OtherType;
export type OtherType = Exclude<SerpRequest["type"], "web">;

export function typeOf({ type = "web" }: SearchQuery): SerpRequest["type"] {
  return type;
}

/** Returns the features that the query has. */
export function featuresOf({ place, type = "web", timeRange, safeSearch }: SearchQuery): Feature[] {
  return [
    ...(place === null ? [] : (["place"] as const)),
    ...(timeRange === undefined ? [] : (["time_range"] as const)),
    ...(safeSearch === undefined ? [] : (["safe_search"] as const)),
    ...(type === "web" ? [] : [type]),
  ];
}

/** A kind of `time_range`. `dates`: a range of dates. */
export type TimeOffer = "day" | "week" | "month" | "year" | "dates";
export const ALL_TIMES: readonly TimeOffer[] = ["day", "week", "month", "year", "dates"];

export interface TypeOffer {
  /** The largest number of results that the engine shows for this type. */
  maxResults: number;
  timeRanges: readonly TimeOffer[];
}

export type SearchApiName = "yandex_api" | "serper" | "serpapi";

export interface Cookie {
  name: string;
  value: string;
}

export type PageReader = (html: string, url: string, response?: PageResponse) => ResultPage;

export interface PageResponse {
  status?: number;
  headers?: { get(name: string): string | null | undefined };
}

/**
 * Returns the page. If its URL, status or text contradicts its results, returns an empty page instead. For example, a
 * block page may have links, and an error page may have a notice.
 */
export function rejectUntrusted<Page extends ResultPage>(
  { resultPages, interstitial }: SearchEngine,
  page: Page,
  { url, status, html }: { url: string; status: number; html: string },
): Page {
  if (page.kind !== "results" && page.kind !== "no_results") return page;
  const empty = { organic: [], next: null };
  if (status >= 400) return { ...page, ...empty, kind: status === 403 || status === 429 ? "blocked" : "unknown" };
  const address = URL.parse(url);
  if (address === null || !resultPages.host.test(address.hostname) || !resultPages.path.test(address.pathname))
    return { ...page, ...empty, kind: "blocked" };
  const isContradicted = page.kind === "no_results" && ((page.total ?? 0) > 0 || interstitial?.test(html));
  return isContradicted ? { ...page, kind: "unknown" } : page;
}
