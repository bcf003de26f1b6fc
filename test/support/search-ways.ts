import { inject } from "vitest";
import type { EngineName } from "../../src/contract/serp";
import { searchApis } from "../../src/search/apis/apis";
import type { ApiQuery, Patience, SearchApi } from "../../src/search/apis/search-api";
import { findPlace } from "../../src/search/places";
import { site } from "./client";
import type { Searched } from "./engines/exchange";

export const { apis } = inject("engines");
const KEYS = {
  YANDEX_API_KEY: "a Yandex key of the tests",
  YANDEX_FOLDER_ID: "b1gfolder",
  YANDEX_API_ORIGIN: `${apis}/`,
  SERP_PROVIDER_KEY: "a provider's key of the tests",
  SERP_PROVIDER_ORIGIN: apis,
};
/** What fails is tried again at once; nothing here takes longer than the runner's own patience. */
export const PATIENT: Patience = { answerMs: 15_000, pauseMs: 1, maxPauseMs: 10_000 };
export const BRISK: Patience = { ...PATIENT, answerMs: 1_000 };

export interface Way {
  source: SearchApi["source"];
  engine: EngineName;
  provider: string;
}

export const YANDEX_API: Way = { source: "yandex_api", engine: "yandex", provider: "Yandex Search API" };
export const SERPER: Way = { source: "serper", engine: "google", provider: "Serper" };
export const WAYS: Way[] = [
  YANDEX_API,
  SERPER,
  { source: "serpapi", engine: "google", provider: "SerpApi" },
  { source: "serpapi", engine: "bing", provider: "SerpApi" },
  { source: "serpapi", engine: "yandex", provider: "SerpApi" },
];

export interface Asking extends Partial<Omit<ApiQuery, "engine">> {
  location?: string;
  patience?: Patience;
  signal?: AbortSignal;
  variables?: Partial<typeof KEYS>;
}

function apiOf({ source, engine }: Way, { patience = PATIENT, variables = {} }: Asking): SearchApi {
  const provider = source === "yandex_api" ? "" : source;
  const [api] = searchApis({ ...KEYS, SERP_PROVIDER: provider, ...variables, ...onlyOf(source) }, engine, patience);
  if (api?.source !== source) throw new Error(`${source} isn't configured.`);
  return api;
}

function onlyOf(source: SearchApi["source"]): object {
  return source === "yandex_api" ? {} : { YANDEX_API_KEY: "" };
}

/** A search whose mark is its own, and what was asked of the API for it. */
export function search(behaviour: string, way: Way, asking: Asking = {}) {
  const { location, patience: _, signal, variables: __, ...more } = asking;
  const id = crypto.randomUUID();
  const query: ApiQuery = {
    text: `harbour cranes [[${behaviour} ${id}]]`,
    engine: way.engine,
    page: 0,
    count: 10,
    place: location === undefined ? null : findPlace(location),
    language: null,
    device: "desktop",
    ...more,
  };
  return {
    page: apiOf(way, asking).search(query, signal ?? new AbortController().signal),
    searched: async (): Promise<Searched[]> => await (await fetch(`${site}/__searched?path=${id}`)).json(),
  };
}

export async function failure(behaviour: string, way: Way, asking: Asking = {}) {
  const { page, searched } = search(behaviour, way, asking);
  const error: unknown = await page.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, searched: await searched() };
}
