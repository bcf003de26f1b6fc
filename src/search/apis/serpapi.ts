import { z } from "zod";
import type { EngineName } from "../../model/engine";
import { bingMarket, bingTime } from "../engines/bing";
import { googleLanguage, googleTime } from "../engines/google";
import { typeOf } from "../engines/search-engine";
import { yandexDomain, yandexLanguage, yandexRegion } from "../engines/yandex";
import { DeclaredText } from "../results/declared";
import { withParameters } from "../results/links";
import { isUsedUpMessage, SearchFailure, toFormFailure, usedUpFailure } from "./request";
import { ApiResults, parseApiResponse, toOrganicResults } from "./response";
import type { ApiPage, ApiQuery, SearchApiDefinition } from "./search-api";

const ORIGIN = "https://serpapi.com";
const RESULTS_PER_PAGE = 10;

const SerpApiResponse = z.object({
  search_metadata: z.object({ status: DeclaredText }).catch({ status: "" }),
  search_information: z
    .object({ total_results: z.number().nullable().catch(null), organic_results_state: DeclaredText })
    .catch({ total_results: null, organic_results_state: "" }),
  organic_results: ApiResults.default([]),
  news_results: ApiResults.catch([]),
  images_results: ApiResults.catch([]),
  video_results: ApiResults.catch([]),
  serpapi_pagination: z.object({ next: z.string().optional() }).catch({}),
  error: DeclaredText,
});

/** The parameter `tbm` for each type, and the member with the results. */
const TYPES = {
  web: { tbm: undefined, member: "organic_results" },
  news: { tbm: "nws", member: "news_results" },
  images: { tbm: "isch", member: "images_results" },
  videos: { tbm: "vid", member: "video_results" },
} as const;
const FILTERS = ["time_range", "safe_search"] as const;

type UrlParameters = Record<string, string | undefined>;

/** Each engine's parameters: https://serpapi.com/search-api, /bing-search-api and /yandex-search-api. */
const PARAMETERS: { readonly [E in EngineName]: (query: ApiQuery) => UrlParameters } = {
  google: (query) => ({
    q: query.text,
    hl: googleLanguage(query).toLowerCase(),
    gl: countryOf(query),
    location: query.place?.city?.google ?? undefined,
    // Pages of pictures have numbers instead of offsets.
    ...(query.type === "images"
      ? { ijn: query.page > 0 ? String(query.page) : undefined }
      : { start: offsetOf(query, 0) }),
    tbm: TYPES[typeOf(query)].tbm,
    tbs: query.timeRange && googleTime(query.timeRange),
    // Google's default is moderate.
    safe: query.safeSearch && { off: "off", moderate: "", strict: "active" }[query.safeSearch],
  }),
  bing: (query) => {
    const { market, country } = bingMarket(query);
    return {
      q: query.text,
      // SerpApi rejects a request that has both `mkt` and `cc`.
      mkt: market,
      cc: market ? undefined : country,
      location: query.place?.city?.google ?? undefined,
      safeSearch: { off: "Off", moderate: "Moderate", strict: "Strict" }[query.safeSearch ?? "off"],
      filters: query.timeRange && bingTime(query.timeRange),
      first: offsetOf(query, 1),
    };
  },
  yandex: (query) => {
    const domain = yandexDomain(query.place);
    return {
      text: query.text,
      yandex_domain: domain,
      lang: yandexLanguage(query),
      // Yandex's other domains ignore `lr`.
      lr: /\.(?:ru|com\.tr)$/.test(domain) ? yandexRegion(query.place) : undefined,
      p: query.page > 0 ? String(query.page) : undefined,
    };
  },
};

/** SerpApi (https://serpapi.com) searches any engine. A page has about ten results. */
export const serpapi: SearchApiDefinition = {
  label: "SerpApi",
  origin: ORIGIN,
  pageSize: RESULTS_PER_PAGE,
  lacks: (engine) => (engine === "google" ? [] : ["news", "images", "videos", ...(engine === "yandex" ? FILTERS : [])]),
  toRequest: (query, { apiKey }) => {
    const parameters = { engine: query.engine, ...PARAMETERS[query.engine](query), device: query.device };
    const { pathname, search } = new URL(withParameters(`${ORIGIN}/search.json`, { ...parameters, api_key: apiKey }));
    return { path: pathname + search };
  },
  read: readSerpApi,
};

/** Returns the country's code for SerpApi, `uk` for Great Britain: https://serpapi.com/google-countries. */
function countryOf({ place }: ApiQuery): string | undefined {
  const code = place?.country.code.toLowerCase();
  return code === "gb" ? "uk" : code;
}

/** Returns the offset of the page's first result. Returns undefined for the first page. */
function offsetOf({ page }: ApiQuery, first: number): string | undefined {
  return page > 0 ? String(page * RESULTS_PER_PAGE + first) : undefined;
}

function readSerpApi(text: string, query: ApiQuery): ApiPage {
  const response = parseApiResponse(SerpApiResponse, text);
  const { search_information, serpapi_pagination, error } = response;
  const results = response[TYPES[typeOf(query)].member];
  if (results.length === 0) {
    if (isEmptyResponse(response)) return { organic: [], total: 0, hasNext: false };
    if (error === "") throw toFormFailure();
    const message = "returned an error";
    throw isUsedUpMessage(error) ? usedUpFailure(message) : new SearchFailure(message, { retryable: true });
  }
  const organic = toOrganicResults(query.engine, results);
  return { organic, total: search_information.total_results, hasNext: serpapi_pagination.next !== undefined };
}

/** Returns true if nothing was found, which SerpApi reports as a success: https://serpapi.com/search-errors. */
function isEmptyResponse({ search_metadata, search_information, error }: z.infer<typeof SerpApiResponse>): boolean {
  const isEmpty = /empty/i.test(search_information.organic_results_state);
  return search_metadata.status === "Success" && (isEmpty || /hasn't returned any results/i.test(error));
}
