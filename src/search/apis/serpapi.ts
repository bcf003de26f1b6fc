import { z } from "zod";
import type { EngineName } from "../../contract/serp";
import { bingMarket, googleLanguage, yandexDomain, yandexLanguage, yandexRegion } from "../locale";
import { ask } from "./ask";
import { SearchFailure, saysUsedUp, toFormFailure, usedUpFailure } from "./failure";
import { toOrganic } from "./found";
import { parseAnswer, Results, text } from "./json";
import type { ApiPage, ApiQuery, ApiSettings } from "./search-api";

const ORIGIN = "https://serpapi.com";
const RESULTS_A_PAGE = 10;

const Answer = z.object({
  search_metadata: z.object({ status: text }).catch({ status: "" }),
  search_information: z
    .object({ total_results: z.number().nullable().catch(null), organic_results_state: text })
    .catch({ total_results: null, organic_results_state: "" }),
  organic_results: Results.default([]),
  serpapi_pagination: z.object({ next: z.string().optional() }).catch({}),
  error: text,
});

type Parameters = Record<string, string | undefined>;

/** What each engine takes: https://serpapi.com/search-api, /bing-search-api and /yandex-search-api. */
const PARAMETERS: Readonly<Record<EngineName, (query: ApiQuery) => Parameters>> = {
  google: (query) => ({
    q: query.text,
    hl: googleLanguage(query).toLowerCase(),
    gl: countryOf(query),
    location: query.place?.city?.google ?? undefined,
    start: offsetOf(query, 0),
  }),
  bing: (query) => {
    const { market, country } = bingMarket(query);
    return {
      q: query.text,
      // The two exclude each other.
      mkt: market,
      cc: market ? undefined : country,
      location: query.place?.city?.google ?? undefined,
      safeSearch: "Off",
      first: offsetOf(query, 1),
    };
  },
  yandex: (query) => {
    const domain = yandexDomain(query.place);
    return {
      text: query.text,
      yandex_domain: domain,
      lang: yandexLanguage(query),
      // Of no effect at the others.
      lr: /\.(?:ru|com\.tr)$/.test(domain) ? yandexRegion(query.place) : undefined,
      p: query.page > 0 ? String(query.page) : undefined,
    };
  },
};

/** Any of the three engines by https://serpapi.com: about ten results a page. */
export function searchSerpApi(query: ApiQuery, settings: ApiSettings, signal: AbortSignal): Promise<ApiPage> {
  const { origin, apiKey, patience } = settings;
  const url = new URL(`${origin ?? ORIGIN}/search.json`);
  const parameters = { engine: query.engine, ...PARAMETERS[query.engine](query), device: query.device };
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value);
  url.searchParams.set("api_key", apiKey);
  return ask({
    provider: "SerpApi",
    url: url.href,
    init: {},
    patience,
    signal,
    read: (answer) => readSerpApi(query.engine, answer),
  });
}

/** https://serpapi.com/google-countries has Great Britain under `uk`. */
function countryOf({ place }: ApiQuery): string | undefined {
  const code = place?.country.code.toLowerCase();
  return code === "gb" ? "uk" : code;
}

/** Undefined on the first page. */
function offsetOf({ page }: ApiQuery, first: number): string | undefined {
  return page > 0 ? String(page * RESULTS_A_PAGE + first) : undefined;
}

function readSerpApi(engine: EngineName, answer: string): ApiPage {
  const answered = parseAnswer(Answer, answer);
  const { search_information, organic_results, serpapi_pagination, error } = answered;
  if (organic_results.length === 0) {
    if (saysNone(answered)) return { organic: [], total: 0, hasNext: false };
    if (error === "") throw toFormFailure();
    const words = "answered with an error";
    throw saysUsedUp(error) ? usedUpFailure(words) : new SearchFailure(words, { retryable: true });
  }
  const organic = toOrganic(engine, organic_results);
  return { organic, total: search_information.total_results, hasNext: serpapi_pagination.next !== undefined };
}

/** To SerpApi, a search that finds nothing is a success: https://serpapi.com/search-errors. */
function saysNone({ search_metadata, search_information, error }: z.infer<typeof Answer>): boolean {
  const isEmpty = /empty/i.test(search_information.organic_results_state);
  return search_metadata.status === "Success" && (isEmpty || /hasn't returned any results/i.test(error));
}
