import type { Place } from "./places";

export type Device = "desktop" | "mobile";

/** A search with its place and language found in the tables. */
export interface Query {
  text: string;
  place: Place | null;
  /** A canonical BCP 47 tag. */
  language: string | null;
  device: Device;
}

export interface Organic {
  title: string;
  /** The target's own address, http or https, without the engine's wrapping. */
  url: string;
  /** As the page has it; empty where it has none. */
  snippet: string;
  /** The snippet without its leading date. */
  description: string;
  /** `url` is still the engine's redirect: only asking it tells the target. */
  unresolved?: true;
}

/**
 * `blocked`: a captcha or a refusal. `consent`: the cookie question in place of the page. `unknown`: neither results nor
 * an answer that says there are none; never an empty success.
 */
export type PageKind = "results" | "no_results" | "blocked" | "consent" | "unknown";

export interface ResultPage {
  kind: PageKind;
  /** In the page's order, each once; empty unless `kind` is `results`. */
  organic: Organic[];
  /** How many the engine says there are; null when it doesn't say. */
  total: number | null;
  /** Where the page links its next one; null where it doesn't, which at the end of all results is normal. */
  next: string | null;
  /** The engine says that it searched for another spelling. */
  isCorrected?: true;
}

/** What came with the page. */
export interface Answer {
  status?: number;
  headers?: { get(name: string): string | null | undefined };
}

export interface Engine {
  /** The address of a page of results; pages count from 0. */
  searchUrl(query: Query, page: number): string;
  /** What a rendered page has, as CSS, once it is to be read: results, a notice that there are none, a wall, the cookie question. */
  readySelector: string;
  /** `url` is the canonical address that the page was asked under, or led to. Never throws. */
  readPage(html: string, url: string, answer?: Answer): ResultPage;
}

export function emptyPage(kind: Exclude<PageKind, "results">, total: number | null = null): ResultPage {
  return { kind, organic: [], total, next: null };
}
