import { renderForAccount } from "../browser/render-client";
import { log } from "../lib/log";
import type { EngineName } from "../model/engine";
import { SERP_APPEAR_MS } from "../model/search-limits";
import { fetchPage } from "../net/page";
import { searchApis } from "./apis/apis";
import type { SearchApi } from "./apis/search-api";
import { BROWSER_PROFILES, requestHeaders } from "./engines/browser-profile";
import { ENGINES } from "./engines/engines";
import {
  type EngineSource,
  type Feature,
  featuresOf,
  type PageResponse,
  rejectUntrusted,
  type SearchEngine,
  typeOf,
} from "./engines/search-engine";
import { readTypedPage } from "./engines/typed-page";
import { type SearchContext, type SearchFetchOptions, toFetchOptions } from "./fetch-options";
import { acceptLanguage } from "./places/locale";
import type { ResultPage, SearchQuery } from "./results/result-page";

const RESULTS_PER_PAGE = 10;

export interface SearchInput {
  engine: EngineName;
  query: SearchQuery;
  maxResults: number;
}

/** A source of an engine's results: a search API, or the engine itself. */
export interface SearchSource {
  /** The value of `meta.source` in the response. */
  name: string;
  /** Fetches a page, counted from 0. `next` is its link on the previous page, or null. Throws AppError. */
  fetchPage(page: number, next: string | null): Promise<SourcePage>;
}

/** A page of results with its HTTP status. The status is null for a page from an API. */
export type SourcePage = ResultPage & { status: number | null };

/** Returns the sources of a search in the order of their use: the configured APIs, then the engine itself. */
export function searchSources(context: SearchContext, input: SearchInput): SearchSource[] {
  const { engine, query } = input;
  const options = toFetchOptions(context, query);
  return suitableSources(context.env, engine, featuresOf(query)).map((source) =>
    "search" in source
      ? toApiSource(source, input, context.signal)
      : {
          name: source.name,
          fetchPage: (page, next) => fetchEnginePage(context, input, { source, options, page, next }),
        },
  );
}

/** Returns the sources that support the features, in the order of their use. Without `env`, only the engine's own. */
function suitableSources(
  env: Env | null,
  engine: EngineName,
  features: readonly Feature[],
): (SearchApi | EngineSource)[] {
  const apis = env === null ? [] : searchApis(env, engine);
  return [...apis, ...ENGINES[engine].sources].filter(({ lacks }) => !features.some((name) => lacks.includes(name)));
}

/**
 * Returns the names of the sources that support the features, in the order of their use. Without `env`, only the
 * engine's own. Throws AppError if SERP_PROVIDER isn't a known API.
 */
export function listSources(env: Env | null, engine: EngineName, features: readonly Feature[]): string[] {
  return suitableSources(env, engine, features).map(({ name }) => name);
}

function toApiSource(api: SearchApi, { engine, query, maxResults }: SearchInput, signal: AbortSignal): SearchSource {
  // The pages of an API have the size of the engine's pages if the search doesn't begin with the first one.
  const count = Math.min(query.firstPage ? RESULTS_PER_PAGE : maxResults, api.pageSize);
  return {
    name: api.name,
    fetchPage: async (page) => {
      const { organic, total, hasNext } = await api.search({ ...query, engine, page, count }, signal);
      const kind = organic.length > 0 ? "results" : "no_results";
      return { kind, organic, total, next: hasNext ? api.name : null, status: null };
    },
  };
}

interface EngineRequest {
  source: EngineSource;
  options: SearchFetchOptions;
  page: number;
  next: string | null;
}

/** Fetches a page from the engine itself, and extracts its results. */
async function fetchEnginePage(
  context: SearchContext,
  { engine: name, query }: SearchInput,
  { source, options: { overrides, ...options }, page, next }: EngineRequest,
): Promise<SourcePage> {
  const engine = ENGINES[name];
  const requested = source.pageUrl(query, page, next);
  const address = overrides.toRequested(requested);
  const { status, headers, html, ...response } =
    source.name === "browser"
      ? await render(context, address, { engine, query, page, options })
      : await fetchText(address, { ...options, headers: requestHeaders(engine, query) });
  const url = overrides.toCanonical(response.url, requested);
  const type = typeOf(query);
  const read =
    type === "web"
      ? source.readPage(html, url, { status, headers })
      : readTypedPage(engine, html, { type, url, status, headers });
  const trusted = rejectUntrusted(engine, read, { url, status, html });
  if (trusted.kind === "results" && trusted.disagreement)
    log("warn", "serp_page_disagreement", { engine: engine.label, source: source.name, ...trusted.disagreement });
  return { ...trusted, status };
}

type EngineResponse = Required<PageResponse> & { url: string; html: string };

async function fetchText(url: string, options: Parameters<typeof fetchPage>[1]): Promise<EngineResponse> {
  const page = await fetchPage(url, options);
  // Engines send UTF-8 even if their headers declare another encoding, so the headers are ignored.
  return { ...page, html: new TextDecoder().decode(page.body) };
}

interface RenderOptions {
  engine: SearchEngine;
  query: SearchQuery;
  page: number;
  options: Omit<SearchFetchOptions, "overrides">;
}

async function render(
  { env, id, account, origin, signal }: SearchContext,
  url: string,
  { engine, query, page: number, options }: RenderOptions,
): Promise<EngineResponse> {
  const { proxy, maxBytes, policy } = options;
  const { userAgent, viewport, isMobile } = BROWSER_PROFILES[query.device];
  const request = {
    id: `${id}.${number}`,
    url,
    waitFor: null,
    screenshot: false,
    visibility: false,
    maxHtmlBytes: maxBytes,
    allowedPrivateHosts: [...policy.allowed].join(),
    ownOrigins: [env.PUBLIC_URL, origin],
    proxy,
    visit: {
      userAgent,
      viewport,
      isMobile,
      acceptLanguage: acceptLanguage(query),
      cookies: engine.cookies(query),
      until: { selector: engine.readySelector, forMs: SERP_APPEAR_MS },
    },
  };
  const page = await renderForAccount(env, account, request, signal);
  return { ...page, headers: new Map(Object.entries(page.headers)) };
}
