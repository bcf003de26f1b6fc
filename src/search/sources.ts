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
  const fetcher = new EngineFetcher(context, ENGINES[engine], query);
  return suitableSources(context.env, engine, featuresOf(query)).map((source) =>
    "search" in source ? toApiSource(source, input, context.signal) : fetcher.toSource(source),
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

/** Fetches pages from the engine itself, with plain requests or in a browser. */
class EngineFetcher {
  readonly #context: SearchContext;
  readonly #engine: SearchEngine;
  readonly #query: SearchQuery;
  readonly #options: SearchFetchOptions;
  #renders = 0;

  constructor(context: SearchContext, engine: SearchEngine, query: SearchQuery) {
    this.#context = context;
    this.#engine = engine;
    this.#query = query;
    this.#options = toFetchOptions(context, query);
  }

  toSource(source: EngineSource): SearchSource {
    return {
      name: source.name,
      fetchPage: (page, next) => {
        const url = source.pageUrl(this.#query, page, next);
        return source.name === "browser" ? this.#render(url, source) : this.#fetch(url, source);
      },
    };
  }

  async #fetch(url: string, source: EngineSource): Promise<SourcePage> {
    const { overrides, ...options } = this.#options;
    const headers = requestHeaders(this.#engine, this.#query);
    const page = await fetchPage(overrides.toRequested(url), { ...options, headers });
    // Engines send UTF-8 even if their headers declare another encoding, so the headers are ignored.
    return this.#read({ ...page, html: new TextDecoder().decode(page.body) }, url, source);
  }

  async #render(url: string, source: EngineSource): Promise<SourcePage> {
    const { env, id, account, origin, signal } = this.#context;
    const { overrides, proxy, maxBytes, policy } = this.#options;
    const { userAgent, viewport, isMobile } = BROWSER_PROFILES[this.#query.device];
    const request = {
      id: `${id}.${this.#renders++}`,
      url: overrides.toRequested(url),
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
        acceptLanguage: acceptLanguage(this.#query),
        cookies: this.#engine.cookies(this.#query),
        until: { selector: this.#engine.readySelector, forMs: SERP_APPEAR_MS },
      },
    };
    const page = await renderForAccount(env, account, request, signal);
    return this.#read({ ...page, headers: new Map(Object.entries(page.headers)) }, url, source);
  }

  /** Extracts the results from a response. `requested` is the engine's own URL, without an override. */
  #read(
    { url, status, headers, html }: Required<PageResponse> & { url: string; html: string },
    requested: string,
    { name: source, readPage }: EngineSource,
  ): SourcePage {
    const canonical = this.#options.overrides.toCanonical(url, requested);
    const response = { status, headers };
    const type = typeOf(this.#query);
    const page =
      type === "web"
        ? readPage(html, canonical, response)
        : readTypedPage(this.#engine, html, { type, url: canonical, ...response });
    const trusted = rejectUntrusted(this.#engine, page, { url: canonical, status, html });
    if (trusted.kind === "results" && trusted.disagreement)
      log("warn", "serp_page_disagreement", { engine: this.#engine.label, source, ...trusted.disagreement });
    return { ...trusted, status };
  }
}
