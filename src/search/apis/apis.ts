import type { EngineName } from "../../contract/serp";
import { toText } from "../../lib/variables";
import { AppError } from "../../model/errors";
import { SERP_API_ANSWER_MS, SERP_API_MAX_PAUSE_MS, SERP_API_PAUSE_MS, SERP_RESULTS_MAX } from "../../model/limits";
import type { Patience, SearchApi } from "./search-api";
import { searchSerpApi } from "./serpapi";
import { searchSerper } from "./serper";
import { searchYandexApi } from "./yandex-api";

type SearchEnv = Partial<
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

const RESULTS_A_PAGE = 10;
const PATIENCE: Patience = {
  answerMs: SERP_API_ANSWER_MS,
  pauseMs: SERP_API_PAUSE_MS,
  maxPauseMs: SERP_API_MAX_PAUSE_MS,
};

/**
 * The official ways to an engine that the operator has a key for, the engine's own first. Throws AppError unavailable
 * when SERP_PROVIDER names none that is known.
 */
export function searchApis(env: SearchEnv, engine: EngineName, patience: Patience = PATIENCE): SearchApi[] {
  return [...yandexApi(env, engine, patience), ...providerApi(env, engine, patience)];
}

function yandexApi(env: SearchEnv, engine: EngineName, patience: Patience): SearchApi[] {
  const apiKey = toText(env.YANDEX_API_KEY);
  const folderId = toText(env.YANDEX_FOLDER_ID);
  if (engine !== "yandex" || apiKey === null || folderId === null) return [];
  const settings = { apiKey, folderId, origin: toOrigin(env.YANDEX_API_ORIGIN), patience };
  return [
    {
      source: "yandex_api",
      pageSize: SERP_RESULTS_MAX,
      search: (query, signal) => searchYandexApi(query, settings, signal),
    },
  ];
}

function providerApi(env: SearchEnv, engine: EngineName, patience: Patience): SearchApi[] {
  const provider = toText(env.SERP_PROVIDER);
  const apiKey = toText(env.SERP_PROVIDER_KEY);
  if (provider !== null && provider !== "serper" && provider !== "serpapi") {
    throw new AppError("unavailable", "The variable SERP_PROVIDER must be 'serper', 'serpapi' or empty.", {
      headers: { "Retry-After": "3600" },
    });
  }
  if (provider === null || apiKey === null) return [];
  // Serper asks Google alone.
  if (provider === "serper" && engine !== "google") return [];
  const search = provider === "serper" ? searchSerper : searchSerpApi;
  const settings = { apiKey, origin: toOrigin(env.SERP_PROVIDER_ORIGIN), patience };
  return [{ source: provider, pageSize: RESULTS_A_PAGE, search: (query, signal) => search(query, settings, signal) }];
}

function toOrigin(variable: string | undefined): string | null {
  return toText(variable)?.replace(/\/+$/, "") ?? null;
}
