import type { EngineName } from "../../model/engine";
import type { Feature, SearchApiName } from "../engines/search-engine";
import type { OrganicResult, SearchQuery } from "../results/result-page";

export interface ApiQuery extends SearchQuery {
  engine: EngineName;
  /** The number of the page, counted from 0. */
  page: number;
  /** The number of results per page, at most `pageSize`. APIs without this parameter return about ten results. */
  count: number;
}

export interface ApiPage {
  /** The results in the page's order, without duplicates. */
  organic: OrganicResult[];
  /** The total number of results that the engine reports, or null. */
  total: number | null;
  /** True if another page may have more results. */
  hasNext: boolean;
}

export interface SearchApi {
  /** The value of `meta.source` in the response. */
  name: SearchApiName;
  /** The maximum number of results per page. */
  pageSize: number;
  /** The features that the API ignores. Searches with one of them skip the API. */
  lacks: readonly Feature[];
  /** Fetches a page. Throws AppError `serp_unavailable`, or the signal's reason if it is aborted. */
  search: (query: ApiQuery, signal: AbortSignal) => Promise<ApiPage>;
}

/** Timeouts and delays for requests to an API, in ms. */
export interface ApiTimeouts {
  /** The maximum time for one complete response. */
  responseMs: number;
  /** The delay before a retry if the API sends no Retry-After. */
  retryDelayMs: number;
  /** The longest Retry-After delay that is respected. With a longer delay, the request isn't retried. */
  maxRetryDelayMs: number;
}

export interface ApiSettings {
  apiKey: string;
  /** The id of the folder, which only Yandex's API needs. */
  folderId: string;
  /** The origin that replaces the API's own, or null. */
  origin: string | null;
}

/** The definition of a search API. `apis.ts` lists all APIs. */
export interface SearchApiDefinition {
  /** The API's name in error messages. */
  label: string;
  origin: string;
  /** The maximum number of results per page. */
  pageSize: number;
  /** Returns the features that the API ignores for the engine. */
  lacks(engine: EngineName): readonly Feature[];
  /** Returns the path of a request with its query, and the options of `fetch`. */
  toRequest(query: ApiQuery, settings: ApiSettings): { path: string; init?: RequestInit };
  /** Parses a response. Throws SearchFailure if it contains an error or doesn't have the documented form. */
  read(text: string, query: ApiQuery): ApiPage;
}
