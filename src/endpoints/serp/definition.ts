import { invalidParameter } from "../../contract/invalid-request";
import { ScrapeRequest } from "../../contract/scrape";
import type { SerpRequest } from "../../contract/serp";
import { now } from "../../lib/clock";
import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import type { LoadMethod, RunPlans } from "../../model/run-plan";
import { ENGINES } from "../../search/engines/engines";
import { featuresOf } from "../../search/engines/search-engine";
import { checkOffer, toTimeRange, withDomains } from "../../search/filters";
import { findPlace } from "../../search/places/places";
import type { SearchQuery } from "../../search/results/result-page";
import { listSources } from "../../search/sources";
import { scrape } from "../scrape/definition";
import { type EndpointDefinition, FETCH_ERROR_CODES, type RequestContext } from "../shared/definition";

export const serp: EndpointDefinition<"serp"> = {
  label: "Search",
  errorCodes: {
    400: [],
    422: ["invalid_target", "unsupported_content", "target_too_large"],
    500: ["render_failed"],
    502: [...FETCH_ERROR_CODES, "proxy_unavailable", "serp_unavailable"],
  },
  describePrice: ({ serp: credits }) =>
    `The price is ${toCount(credits, "credit")}. With \`scrape\`, each page also costs as much as a scrape.`,
  validateRequest,
  needsBrowser: (request, { env, mode }) => mode === "live" && sourcesOf(request, env)[0] === "browser",
  plans: listPlans,
};

function validateRequest(request: SerpRequest): void {
  if (request.location !== undefined) checkPlace(request.location);
  checkOffer(request, now());
}

const EXAMPLE_URL = "https://example.com/";

function sourcesOf(request: SerpRequest, env: Env | null): string[] {
  return listSources(env, request.engine, featuresOf(readQuery(request)));
}

/** Returns the price. It doesn't depend on the source or on the number of result pages. */
function listPlans(request: SerpRequest, context: RequestContext): RunPlans {
  const { env, mode, prices } = context;
  const sources = sourcesOf(request, mode === "live" ? env : null);
  const plan = { method: chooseMethod(sources), lines: [{ item: "serp", credits: prices.serp }] };
  return [request.scrape === undefined ? plan : { ...plan, pageLines: pageLinesOf(request, context) }];
}

/** Returns the highest price of all pages that the search loads. */
function pageLinesOf({ scrape: options, num_results }: SerpRequest, context: RequestContext) {
  const { formats, limit = 0 } = options ?? {};
  const [{ lines }] = scrape.plans(ScrapeRequest.parse({ url: EXAMPLE_URL, formats }), context);
  return lines.map(({ item, credits }) => ({ item, credits: credits * Math.min(limit, num_results) }));
}

function chooseMethod([first, ...others]: readonly string[]): LoadMethod {
  if (first === "browser") return "browser";
  if (first !== "plain") return "search_api";
  return others.includes("browser") ? "plain_then_browser" : "plain";
}

/** Throws AppError if the location isn't a known place. */
function checkPlace(location: string): void {
  if (findPlace(location) !== null) return;
  const message = `is '${location}', which is not a known place; use an ISO country code, the English name of a country, a city, or 'City, Country'`;
  throw invalidParameter("location", message);
}

/** Returns the query of a request. Throws AppError. */
export function readQuery(request: SerpRequest): SearchQuery {
  const { engine, location, language, device, blocks, type, page = 1, time_range, safe_search } = request;
  const place = location === undefined ? null : findPlace(location);
  if (location !== undefined && place === null)
    throw new AppError("invalid_target", `The location '${location}' is not a known place.`);
  return {
    text: withDomains(request, ENGINES[engine]),
    place,
    language: language ?? null,
    device,
    blocks,
    type,
    firstPage: page - 1,
    timeRange: toTimeRange(time_range, now()),
    safeSearch: safe_search,
    includeDomains: request.include_domains,
    excludeDomains: request.exclude_domains,
  };
}
