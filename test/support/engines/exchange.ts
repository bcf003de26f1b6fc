// Requests to the engines and the search APIs, and their responses.
import type { ServerResponse } from "node:http";
import type { EngineName } from "../../../src/model/engine.ts";
import type { StubSearch } from "./search.ts";

/** A logged request. */
export interface LoggedRequest {
  server: EngineName | ApiCall["api"];
  method: string;
  /** The URL's path and query. */
  url: string;
  headers: Record<string, string>;
  /** The JSON body. Undefined for requests to a search engine. */
  body?: unknown;
  /** The API rule that the request breaks. Null if the request is valid. Undefined for requests to a search engine. */
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
  /** The JSON body, or the URL's parameters for SerpApi. */
  body: Record<string, unknown>;
  /** The type of search, as the API names it. */
  type: string;
  search: StubSearch;
  /** The number of results per page. */
  size: number;
  response: ServerResponse;
}
