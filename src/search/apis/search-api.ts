import type { EngineName } from "../../contract/serp";
import type { Organic, Query } from "../engine";

export interface ApiQuery extends Query {
  engine: EngineName;
  /** From 0. */
  page: number;
  /** Results a page, where the API lets one choose (`pageSize`); the others give about ten. */
  count: number;
}

export interface ApiPage {
  /** In the page's order, each once; empty when there are none. */
  organic: Organic[];
  /** How many the engine says there are; null when the API doesn't tell. */
  total: number | null;
  /** Another page may bring more. */
  hasNext: boolean;
}

export interface SearchApi {
  /** As `meta.source` names it. */
  source: "yandex_api" | "serper" | "serpapi";
  /** The most results that one page of it holds. */
  pageSize: number;
  /** Throws AppError serp_unavailable, and the signal's reason once that is aborted. */
  search: (query: ApiQuery, signal: AbortSignal) => Promise<ApiPage>;
}

/** How long an API is waited for, in ms. */
export interface Patience {
  /** One whole answer. */
  answerMs: number;
  /** Before the second try, where the API doesn't name a pause. */
  pauseMs: number;
  /** One that asks for a longer pause isn't tried again. */
  maxPauseMs: number;
}

export interface ApiSettings {
  apiKey: string;
  /** Null: the provider's own. */
  origin: string | null;
  patience: Patience;
}
