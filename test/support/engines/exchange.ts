// Requests to the engines and the search APIs, and their responses.
import type { ServerResponse } from "node:http";
import type { StubSearch } from "./search.ts";

/** A request in the log. */
export interface LoggedRequest {
  server: "google" | "bing" | "yandex" | ApiCall["api"];
  method: string;
  /** The URL's path and query. */
  url: string;
  headers: Record<string, string>;
  /** The JSON of the request. Only for APIs. */
  body?: unknown;
  /** The rule that the request breaks. Null if it is valid. Only for APIs. */
  broken?: string | null;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  html?: string;
}

export interface ApiCall {
  api: "yandex_api" | "serper" | "serpapi";
  method: string;
  headers: Record<string, string>;
  /** The JSON of the request. For SerpApi, the URL's parameters. */
  body: Record<string, unknown>;
  search: StubSearch;
  /** The number of results on a page. */
  size: number;
  response: ServerResponse;
}
