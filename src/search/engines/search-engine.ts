import type { LinkTarget } from "../results/links";
import type { ResultPage, SearchQuery } from "../results/result-page";

/** The definition of a search engine: everything that differs between engines. `engines.ts` lists them all. */
export interface SearchEngine {
  /** The engine's name in messages. */
  label: string;
  /** Matches every host of the engine, including its other products. */
  hosts: RegExp;
  /** The URLs under which the engine answers a search. A page from another URL is a block page. */
  answersAt: { host: RegExp; path: RegExp };
  /** URLs of captchas, consent questions and sign-in pages. A redirect to one of them is not a result. */
  blockPages: { host: RegExp; path: RegExp | null };
  /** Matches a page that reloads itself. It repeats the query, so it looks like a notice that there are no results. */
  interstitial: RegExp | null;
  /** Serves results of another subject to clients that it takes for bots. */
  servesOffTopic: boolean;
  /** The engine's own sources, in the order in which they are tried. */
  sources: readonly [EngineSource, ...EngineSource[]];
  /** The search APIs that support the engine, in the order in which they are tried, before its own sources. */
  apis: readonly SearchApiName[];
  /** The URL that relative links in an API's answer refer to. */
  baseUrl: string;
  /** The text that the hourly check searches for. */
  checkQuery: string;
  /** A CSS selector that a rendered page matches when it can be read: results, a notice, a captcha or a consent question. */
  readySelector: string;
  /** Returns the cookies that a visitor has who answered the consent question and chose the market. */
  cookies(query: SearchQuery): Cookie[];
  /** Returns the URL of a result page. Pages count from 0. */
  searchUrl(query: SearchQuery, page: number): string;
  /** Reads a result page. `url` is the engine's own URL, after redirects. Never throws. */
  readPage: PageReader;
  /** Unwraps a link of a result page. Returns null if it is not a result. */
  readLink(href: string, base: string): LinkTarget | null;
}

/** One of the engine's own sources of results. */
export interface EngineSource {
  /** As `meta.source` says. */
  name: "plain" | "light" | "rss" | "browser";
  /** A source that doesn't take a place is left out when the search has one. */
  takesPlace: boolean;
  /** Returns the URL of a page. `next` is the URL that the page before it linked. */
  pageUrl(query: SearchQuery, page: number, next: string | null): string;
  readPage: PageReader;
}

export type SearchApiName = "yandex_api" | "serper" | "serpapi";

export interface Cookie {
  name: string;
  value: string;
}

export type PageReader = (html: string, url: string, response?: PageResponse) => ResultPage;

/** What the engine sent besides the page. */
export interface PageResponse {
  status?: number;
  headers?: { get(name: string): string | null | undefined };
}

/**
 * Returns the page, or an empty one if its URL, its status or its text show that it can't be an answer. A block page may
 * have links, and an error page may have a notice.
 */
export function rejectUntrusted<Page extends ResultPage>(
  { answersAt, interstitial }: SearchEngine,
  page: Page,
  { url, status, html }: { url: string; status: number; html: string },
): Page {
  if (page.kind !== "results" && page.kind !== "no_results") return page;
  const empty = { organic: [], next: null };
  if (status >= 400) return { ...page, ...empty, kind: status === 403 || status === 429 ? "blocked" : "unknown" };
  const address = URL.parse(url);
  if (address === null || !answersAt.host.test(address.hostname) || !answersAt.path.test(address.pathname))
    return { ...page, ...empty, kind: "blocked" };
  const isContradicted = page.kind === "no_results" && ((page.total ?? 0) > 0 || interstitial?.test(html));
  return isContradicted ? { ...page, kind: "unknown" } : page;
}
