import type { EngineName } from "../../model/engine";
import type { SearchApiName } from "../engines/search-engine";
import type { OrganicResult, SearchQuery } from "../results/result-page";

export interface ApiQuery extends SearchQuery {
  engine: EngineName;
  /** Counts from 0. */
  page: number;
  /** Results a page, up to `pageSize`. An API without this parameter ignores it and returns about ten. */
  count: number;
}

export interface ApiPage {
  /** Each result once, in the page's order. */
  organic: OrganicResult[];
  /** The number of results that the engine reports, or null. */
  total: number | null;
  /** Another page may bring more. */
  hasNext: boolean;
}

/** A configured search API. */
export interface SearchApi {
  /** As `meta.source` says. */
  name: SearchApiName;
  /** The most results that one page has. */
  pageSize: number;
  /** Fetches a page. Throws AppError serp_unavailable, or the signal's reason if it is aborted. */
  search: (query: ApiQuery, signal: AbortSignal) => Promise<ApiPage>;
}

/** How long to wait for an API, in ms. */
export interface ApiTimeouts {
  /** The longest time for one complete answer. */
  answerMs: number;
  /** The delay before the retry, unless the API names one. */
  retryDelayMs: number;
  /** An API that asks for a longer delay isn't retried. */
  maxRetryDelayMs: number;
}

export interface ApiSettings {
  apiKey: string;
  /** Null: the provider's own origin. */
  origin: string | null;
  timeouts: ApiTimeouts;
}
