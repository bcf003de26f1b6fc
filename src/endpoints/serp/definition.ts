import { invalidParameter } from "../../contract/invalid-request";
import { ScrapeRequest } from "../../contract/scrape";
import { SerpData, type SerpRequest } from "../../contract/serp";
import type { SerpBlocks } from "../../contract/serp-blocks";
import { now } from "../../lib/clock";
import { toCount } from "../../lib/count";
import { AppError } from "../../model/errors";
import type { Execution, RunContext } from "../../model/run-context";
import type { LoadMethod, RunPlans } from "../../model/run-plan";
import { SERP_LOAD_MIN_MS, SERP_LOAD_MS } from "../../model/search-limits";
import { ENGINES } from "../../search/engines/engines";
import { featuresOf, type OtherType } from "../../search/engines/search-engine";
import { checkOffer, toTimeRange, withDomains } from "../../search/filters";
import { findPlace } from "../../search/places/places";
import { selectBlocks } from "../../search/results/blocks";
import type { RankedResult } from "../../search/results/listing";
import type { SearchQuery } from "../../search/results/result-page";
import { search } from "../../search/search";
import { listSources } from "../../search/sources";
import { scrape } from "../scrape/definition";
import {
  type EndpointDefinition,
  FETCH_ERROR_CODES,
  type MockContext,
  type RequestContext,
} from "../shared/definition";
import { LARGE_CHARS, toFiller } from "../shared/mocks";
import mocks from "./mock-results.json";

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
  run: runSerp,
  mock,
};

function validateRequest(request: SerpRequest): void {
  if (request.location !== undefined) checkPlace(request.location);
  checkOffer(request, now());
}

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

/** Loads the pages of the results, and returns them with the fields of `meta`. `startedAt`: the start of the search. */
async function loadPages(
  { scrape: options }: SerpRequest,
  results: readonly { url?: string | undefined }[],
  { loadFoundPages, startedAt }: Pick<RunContext, "loadFoundPages"> & { startedAt: number },
) {
  if (options === undefined) return { data: {}, extras: {} };
  const { limit, formats, ...view } = options;
  const urls = [...new Set(results.flatMap(({ url }) => url ?? []))].slice(0, limit);
  if (urls.length === 0) return { data: { pages: [] }, extras: {} };
  const waitMs = Math.max(SERP_LOAD_MIN_MS, SERP_LOAD_MS - (now() - startedAt));
  const { pages, batchId, creditsUsed } = await loadFoundPages({ urls, options: { formats }, view, waitMs });
  const extras = { pages_credits_used: creditsUsed, ...(batchId !== null && { batch_id: batchId }) };
  return { data: { pages }, extras };
}

function chooseMethod([first, ...others]: readonly string[]): LoadMethod {
  if (first === "browser") return "browser";
  if (first !== "plain") return "search_api";
  return others.includes("browser") ? "plain_then_browser" : "plain";
}

async function mock(request: SerpRequest, { large, run: { loadFoundPages } }: MockContext) {
  const data = mockSerp(request, { large });
  const results = request.type === "web" ? data.organic : (data[request.type] ?? []);
  const loaded = await loadPages(request, results, { loadFoundPages, startedAt: now() });
  return {
    data: { ...data, ...loaded.data },
    extras: {
      ...loaded.extras,
      pages_fetched: Math.ceil(request.num_results / MOCK_RESULTS_PER_PAGE),
      total_results_known: true,
    },
  };
}

/** Throws AppError if the location isn't a known place. */
function checkPlace(location: string): void {
  if (findPlace(location) !== null) return;
  const message = `is '${location}', which is not a known place; use an ISO country code, the English name of a country, a city, or 'City, Country'`;
  throw invalidParameter("location", message);
}

const EXAMPLE_URL = "https://example.com/";
const MOCK_RESULTS_PER_PAGE = 10;
const TOTAL_RESULTS = 1_240_000;
const SEARCH_TIME_MS = 420;
const { domains, subjects } = mocks;
const MAX_SLUG_CHARS = 60;

/** Returns exactly `num_results` results that mention the query and the engine. In the texts, `{query}` stands for it. */
export function mockSerp(request: SerpRequest, { large }: { large: boolean }): SerpData {
  const filler = large ? ` ${toFiller(LARGE_CHARS / 2 / request.num_results)}` : "";
  const organic = Array.from({ length: request.num_results }, (_, index) => toResult(request, index, filler));
  return {
    ...(request.type === "web"
      ? { organic, ...selectBlocks(mockBlocks(request), request.blocks) }
      : toTyped(request.type, organic)),
    total_results: TOTAL_RESULTS,
    search_time_ms: SEARCH_TIME_MS,
  };
}

function mockBlocks({ query, engine }: SerpRequest): SerpBlocks {
  const related = ["guide", "prices", "history"].map((word) => `${query} ${word}`);
  return {
    people_also_ask: [{ position: 1, question: `What is ${query}?` }],
    related_searches: related.map((text, index) => ({
      position: index + 1,
      query: text,
      url: `https://example.com/${engine}/${toSlug(text)}`,
    })),
    block_positions: { people_also_ask: 1, related_searches: MOCK_RESULTS_PER_PAGE },
  };
}

function toResult({ query, engine }: SerpRequest, index: number, filler: string): SerpData["organic"][number] {
  const position = index + 1;
  const { title = "", text = "" } = subjects[index % subjects.length] ?? {};
  const insert = (template: string) => template.replace("{query}", () => query);
  const description = insert(text) + filler;
  // Some snippets of real engines begin with the date of the page.
  const day = index % 3 === 0 ? `${(position % 28) + 1} Mar 2026 — ` : "";
  return {
    position,
    title: insert(title),
    url: `https://${domains[index % domains.length]}/${engine}/${toSlug(query)}/${position}`,
    description,
    snippet: day + description,
  };
}

function toSlug(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["search"];
  return encodeURI(words.join("-").slice(0, MAX_SLUG_CHARS).toWellFormed());
}

/** Runs a search. Reads pages until there are enough results or no page is left. Throws AppError. */
async function runSerp(request: SerpRequest, { env, job, signal, loadFoundPages }: RunContext): Promise<Execution> {
  const startedAt = now();
  const { engine, num_results: maxResults, type = "web" } = request;
  const query = readQuery(request);
  const context = {
    env,
    id: `${job.id}.${job.run}`,
    account: { id: job.account.id, concurrentRenders: job.settings.concurrentRenders },
    origin: job.origin,
    signal,
  };
  const found = await search(context, { engine, query, maxResults });
  const resolved = found.organic.filter(({ unresolved }) => !unresolved);
  const loaded = await loadPages(request, resolved, { loadFoundPages, startedAt });
  return {
    data: {
      ...(type === "web"
        ? { organic: found.organic.map(({ unresolved: _, extra: __, ...result }) => result), ...found.blocks }
        : toTyped(type, found.organic)),
      ...loaded.data,
      total_results: found.total ?? 0,
      search_time_ms: found.timeMs,
    },
    extras: {
      ...loaded.extras,
      pages_fetched: found.pages,
      total_results_known: found.total !== null,
      source: found.source,
      ...(found.isPartial && { partial: true }),
      ...(found.unresolved > 0 && { unresolved: found.unresolved }),
      ...(found.searchedQuery !== null && { query_changed: true, query_searched: found.searchedQuery }),
    },
  };
}

/** Returns the results of news, images or videos in the member of their name. */
function toTyped(type: OtherType, results: readonly (Pick<RankedResult, "extra"> & object)[]) {
  const items = results.map(({ extra, ...result }) => ({ ...result, ...extra }));
  return { organic: [], [type]: SerpData.shape[type].parse(items) };
}

function readQuery(request: SerpRequest): SearchQuery {
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
