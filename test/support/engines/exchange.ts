// What is asked of the engines and of their APIs, and what is answered.
import type { ServerResponse } from "node:http";
import type { Search } from "./search.ts";

/** One request, as it came. */
export interface Searched {
  who: "google" | "bing" | "yandex" | ApiCall["api"];
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  /** Of the APIs alone: the JSON that was sent, and the rule that it broke. */
  body?: unknown;
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
  /** Of SerpApi the parameters. */
  body: Record<string, unknown>;
  search: Search;
  /** Results a page. */
  size: number;
  response: ServerResponse;
}
