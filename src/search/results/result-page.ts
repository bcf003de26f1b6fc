import type { SerpRequest } from "../../contract/serp";
import type { BlockName, SerpBlocks } from "../../contract/serp-blocks";
import type { SearchLocale } from "../places/locale";
import type { Sitelink } from "./blocks";
import type { Disagreement } from "./structure";

export type Device = SerpRequest["device"];

export interface SearchQuery extends SearchLocale {
  /** The text with all operators, including those for the domains below. */
  text: string;
  device: Device;
  /** The blocks to return. Undefined: all. */
  blocks?: readonly BlockName[] | undefined;
  /** Undefined: web. */
  type?: SerpRequest["type"] | undefined;
  /** The first result page to read, counted from 0. Undefined: 0. */
  firstPage?: number | undefined;
  timeRange?: TimeRange | undefined;
  safeSearch?: SerpRequest["safe_search"] | undefined;
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

/** A range of ISO dates, and the unit if it is the last day, week, month or year. */
export interface TimeRange {
  unit: Extract<SerpRequest["time_range"], string> | null;
  from: string;
  to: string;
}

export interface OrganicResult {
  title: string;
  /** The target's http or https URL, or the engine's redirect if `unresolved` is set. */
  url: string;
  /** The snippet as the page shows it, or "". */
  snippet: string;
  /** The snippet without its leading date. */
  description: string;
  /** The date as the page shows it. */
  date?: string;
  /** Links to other pages of the same site. */
  sitelinks?: Sitelink[];
  /** Further fields of a piece of news, a picture or a video. */
  extra?: { source: string; channel?: string; duration?: string; thumbnail?: string };
  /** True if `url` is the engine's redirect. Only a request to it reveals the target. */
  unresolved?: true;
}

/**
 * `blocked`: a block page, such as a captcha. `consent`: a consent form instead of results. `degraded`: a page for a
 * suspected bot that looks like an answer, but isn't. `unknown`: the page has neither results nor the notice "nothing
 * found". A degraded or unknown page never counts as an empty result.
 */
type ResultPageKind = "results" | "no_results" | "blocked" | "consent" | "degraded" | "unknown";

export type EmptyPageKind = Exclude<ResultPageKind, "results">;

export interface ResultPage {
  kind: ResultPageKind;
  /** The results in the page's order, without duplicates. Empty unless `kind` is `results`. */
  organic: OrganicResult[];
  /** The total number of results that the engine reports, or null. */
  total: number | null;
  /** The link to the next page, or null. */
  next: string | null;
  /** The other parts of the page. Undefined if the source has only organic results. */
  blocks?: SerpBlocks;
  /** True if the engine corrected the spelling of the query. */
  isCorrected?: true;
  /** Present if the two ways to find the results disagree, because the engine has probably changed its pages. */
  disagreement?: Disagreement;
}

export function emptyPage(kind: EmptyPageKind, total: number | null = null): ResultPage {
  return { kind, organic: [], total, next: null };
}
