import { inject } from "vitest";
import type { EngineName } from "../../src/model/engine";
import { searchApis } from "../../src/search/apis/apis";
import type { ApiQuery, ApiTimeouts, SearchApi } from "../../src/search/apis/search-api";
import { findPlace } from "../../src/search/places/places";
import { site } from "./client";
import type { LoggedRequest } from "./engines/exchange";

export const { apis } = inject("engines");
const KEYS = {
  YANDEX_API_KEY: "test Yandex key",
  YANDEX_FOLDER_ID: "b1gfolder",
  YANDEX_API_ORIGIN: `${apis}/`,
  SERP_PROVIDER_KEY: "test provider key",
  SERP_PROVIDER_ORIGIN: apis,
};
/** Timeouts for tests. Retries start almost immediately. The response timeout is too long to expire in a test. */
export const TIMEOUTS: ApiTimeouts = { responseMs: 15_000, retryDelayMs: 1, maxRetryDelayMs: 10_000 };
export const SHORT_TIMEOUTS: ApiTimeouts = { ...TIMEOUTS, responseMs: 1_000 };

/** A search API that provides an engine's results. */
export interface ApiSource {
  name: SearchApi["name"];
  engine: EngineName;
  provider: string;
}

export const YANDEX_API: ApiSource = { name: "yandex_api", engine: "yandex", provider: "Yandex Search API" };
export const SERPER: ApiSource = { name: "serper", engine: "google", provider: "Serper" };
export const API_SOURCES: ApiSource[] = [
  YANDEX_API,
  SERPER,
  { name: "serpapi", engine: "google", provider: "SerpApi" },
  { name: "serpapi", engine: "bing", provider: "SerpApi" },
  { name: "serpapi", engine: "yandex", provider: "SerpApi" },
];

export interface CallOptions extends Partial<Omit<ApiQuery, "engine">> {
  location?: string;
  timeouts?: ApiTimeouts;
  signal?: AbortSignal;
  variables?: Partial<typeof KEYS>;
}

function apiOf({ name, engine }: ApiSource, { timeouts = TIMEOUTS, variables = {} }: CallOptions): SearchApi {
  const provider = name === "yandex_api" ? "" : name;
  const [api] = searchApis({ ...KEYS, SERP_PROVIDER: provider, ...variables, ...onlyOf(name) }, engine, timeouts);
  if (api?.name !== name) throw new Error(`${name} isn't configured.`);
  return api;
}

function onlyOf(name: SearchApi["name"]): object {
  return name === "yandex_api" ? {} : { YANDEX_API_KEY: "" };
}

/** Searches for text with a unique mark. `requests` returns the API's log of requests with this mark. */
export function callApi(behavior: string, source: ApiSource, options: CallOptions = {}) {
  const { location, timeouts: _, signal, variables: __, ...more } = options;
  const id = crypto.randomUUID();
  const query: ApiQuery = {
    text: `harbour cranes [[${behavior} ${id}]]`,
    engine: source.engine,
    page: 0,
    count: 10,
    place: location === undefined ? null : findPlace(location),
    language: null,
    device: "desktop",
    ...more,
  };
  return {
    page: apiOf(source, options).search(query, signal ?? new AbortController().signal),
    requests: async (): Promise<LoggedRequest[]> => await (await fetch(`${site}/__searches?path=${id}`)).json(),
  };
}

/** Searches like `callApi` and returns what it throws, or null. */
export async function callFailingApi(behavior: string, source: ApiSource, options: CallOptions = {}) {
  const { page, requests } = callApi(behavior, source, options);
  const error: unknown = await page.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, requests: await requests() };
}
