import { z } from "zod";
import { toText } from "../../lib/env";
import type { EngineName } from "../../model/engine";
import { AppError } from "../../model/errors";
import { SERP_RESULTS_MAX } from "../../model/limits";
import { SERP_API_MAX_RETRY_DELAY_MS, SERP_API_RETRY_DELAY_MS, SERP_API_TIMEOUT_MS } from "../../model/search-limits";
import { ENGINES } from "../engines/engines";
import { googleLanguage } from "../engines/google";
import type { SearchApiName } from "../engines/search-engine";
import { requestApi } from "./request";
import { ApiResults, parseApiResponse, toOrganicResults } from "./response";
import type { ApiPage, ApiQuery, ApiSettings, ApiTimeouts, SearchApi } from "./search-api";
import { searchSerpApi } from "./serpapi";
import { searchYandexApi } from "./yandex-api";

type SearchApiEnv = Partial<
  Pick<
    Env,
    | "YANDEX_API_KEY"
    | "YANDEX_FOLDER_ID"
    | "YANDEX_API_ORIGIN"
    | "SERP_PROVIDER"
    | "SERP_PROVIDER_KEY"
    | "SERP_PROVIDER_ORIGIN"
  >
>;

const TIMEOUTS: ApiTimeouts = {
  responseMs: SERP_API_TIMEOUT_MS,
  retryDelayMs: SERP_API_RETRY_DELAY_MS,
  maxRetryDelayMs: SERP_API_MAX_RETRY_DELAY_MS,
};

interface ApiConfiguration {
  env: SearchApiEnv;
  timeouts: ApiTimeouts;
}

/** The functions that create the APIs. A function returns null if the operator hasn't configured its API. */
const APIS: { readonly [A in SearchApiName]: (configuration: ApiConfiguration) => SearchApi | null } = {
  yandex_api: createYandexApi,
  serper: (configuration) => createProviderApi("serper", searchSerper, configuration),
  serpapi: (configuration) => createProviderApi("serpapi", searchSerpApi, configuration),
};

const ORIGIN = "https://google.serper.dev";

const SerperResponse = z.object({ organic: ApiResults });

/**
 * Returns the configured search APIs that support the engine, in the order of the engine's `apis`. Throws AppError
 * `not_configured` if SERP_PROVIDER is not a known API.
 */
export function searchApis(env: SearchApiEnv, engine: EngineName, timeouts: ApiTimeouts = TIMEOUTS): SearchApi[] {
  checkProvider(env);
  return ENGINES[engine].apis.flatMap((name) => APIS[name]({ env, timeouts }) ?? []);
}

function checkProvider(env: SearchApiEnv): void {
  const provider = toText(env.SERP_PROVIDER);
  if (provider === null || provider === "serper" || provider === "serpapi") return;
  throw new AppError("not_configured", "The variable SERP_PROVIDER must be 'serper', 'serpapi' or empty.", {
    headers: { "Retry-After": "3600" },
  });
}

function createYandexApi({ env, timeouts }: ApiConfiguration): SearchApi | null {
  const apiKey = toText(env.YANDEX_API_KEY);
  const folderId = toText(env.YANDEX_FOLDER_ID);
  if (apiKey === null || folderId === null) return null;
  const settings = { apiKey, folderId, origin: toOrigin(env.YANDEX_API_ORIGIN), timeouts };
  return {
    name: "yandex_api",
    pageSize: SERP_RESULTS_MAX,
    search: (query, signal) => searchYandexApi(query, settings, signal),
  };
}

const PROVIDER_PAGE_SIZE = 10;

function createProviderApi(
  name: "serper" | "serpapi",
  search: (query: ApiQuery, settings: ApiSettings, signal: AbortSignal) => Promise<ApiPage>,
  { env, timeouts }: ApiConfiguration,
): SearchApi | null {
  const apiKey = toText(env.SERP_PROVIDER_KEY);
  if (toText(env.SERP_PROVIDER) !== name || apiKey === null) return null;
  const settings = { apiKey, origin: toOrigin(env.SERP_PROVIDER_ORIGIN), timeouts };
  return { name, pageSize: PROVIDER_PAGE_SIZE, search: (query, signal) => search(query, settings, signal) };
}

function toOrigin(variable: string | undefined): string | null {
  return toText(variable)?.replace(/\/+$/, "") ?? null;
}

/**
 * Searches Google through https://serper.dev. A page has about ten results and no total. Serper has no parameter for
 * the device.
 */
function searchSerper(query: ApiQuery, settings: ApiSettings, signal: AbortSignal): Promise<ApiPage> {
  const { origin, apiKey, timeouts } = settings;
  return requestApi({
    provider: "Serper",
    url: `${origin ?? ORIGIN}/search`,
    init: {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        q: query.text,
        hl: googleLanguage(query).toLowerCase(),
        gl: query.place?.country.code.toLowerCase(),
        location: query.place?.city?.google ?? undefined,
        page: query.page + 1,
      }),
    },
    timeouts,
    signal,
    read: readSerper,
  });
}

function readSerper(text: string): ApiPage {
  const organic = toOrganicResults("google", parseApiResponse(SerperResponse, text).organic);
  // Serper doesn't mark the last page, but the page after it is empty.
  return { organic, total: null, hasNext: organic.length > 0 };
}
