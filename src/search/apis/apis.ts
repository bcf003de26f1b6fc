import { z } from "zod";
import { toText } from "../../lib/env";
import type { EngineName } from "../../model/engine";
import { AppError } from "../../model/errors";
import { SERP_API_MAX_RETRY_DELAY_MS, SERP_API_RETRY_DELAY_MS, SERP_API_TIMEOUT_MS } from "../../model/search-limits";
import { ENGINES } from "../engines/engines";
import { googleLanguage, googleTime } from "../engines/google";
import { type SearchApiName, typeOf } from "../engines/search-engine";
import { requestApi } from "./request";
import { ApiResults, parseApiResponse, toOrganicResults } from "./response";
import type { ApiSettings, ApiTimeouts, SearchApi, SearchApiDefinition } from "./search-api";
import { serpapi } from "./serpapi";
import { yandexApi } from "./yandex-api";

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

/** Serper (https://serper.dev) searches Google. It has about ten results a page, no total and no device. */
const serper: SearchApiDefinition = {
  label: "Serper",
  origin: "https://google.serper.dev",
  pageSize: 10,
  lacks: () => ["safe_search"],
  toRequest: (query, { apiKey }) => ({
    path: `/${typeOf(query) === "web" ? "search" : typeOf(query)}`,
    init: {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        q: query.text,
        hl: googleLanguage(query).toLowerCase(),
        gl: query.place?.country.code.toLowerCase(),
        location: query.place?.city?.google ?? undefined,
        page: query.page + 1,
        tbs: query.timeRange && googleTime(query.timeRange),
      }),
    },
  }),
  read: (text, query) => {
    const name = typeOf(query) === "web" ? "organic" : typeOf(query);
    const organic = toOrganicResults("google", parseApiResponse(z.object({ [name]: ApiResults }), text)[name] ?? []);
    // Serper doesn't mark the last page, but the page after it is empty.
    return { organic, total: null, hasNext: organic.length > 0 };
  },
};

const APIS: { readonly [A in SearchApiName]: SearchApiDefinition } = { yandex_api: yandexApi, serper, serpapi };

/**
 * Returns the configured search APIs that support the engine, in the order of the engine's `apis`. Throws AppError
 * `not_configured` if SERP_PROVIDER is not a known API.
 */
export function searchApis(env: SearchApiEnv, engine: EngineName, timeouts: ApiTimeouts = TIMEOUTS): SearchApi[] {
  checkProvider(env);
  return ENGINES[engine].apis.flatMap((name) => {
    const api = APIS[name];
    const settings = readSettings(env, name);
    if (settings === null) return [];
    const search: SearchApi["search"] = (query, signal) => requestApi(api, { query, settings, timeouts, signal });
    return [{ name, pageSize: api.pageSize, lacks: api.lacks(engine), search }];
  });
}

function checkProvider(env: SearchApiEnv): void {
  const provider = toText(env.SERP_PROVIDER);
  if (provider === null || provider === "serper" || provider === "serpapi") return;
  throw new AppError("not_configured", "The variable SERP_PROVIDER must be 'serper', 'serpapi' or empty.", {
    headers: { "Retry-After": "3600" },
  });
}

/** Returns the settings of an API, or null if the operator hasn't configured it. */
function readSettings(env: SearchApiEnv, name: SearchApiName): ApiSettings | null {
  const isYandex = name === "yandex_api";
  const apiKey = toText(isYandex ? env.YANDEX_API_KEY : env.SERP_PROVIDER_KEY);
  const folderId = toText(env.YANDEX_FOLDER_ID);
  const isChosen = isYandex ? folderId !== null : toText(env.SERP_PROVIDER) === name;
  if (apiKey === null || !isChosen) return null;
  const origin = toText(isYandex ? env.YANDEX_API_ORIGIN : env.SERP_PROVIDER_ORIGIN);
  return { apiKey, folderId: folderId ?? "", origin: origin?.replace(/(?<!\/)\/+$/, "") ?? null };
}
