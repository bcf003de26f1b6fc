import type { SerpBlocks } from "../contract/serp-blocks";
import { Semaphore } from "../lib/async";
import { now, sleep } from "../lib/clock";
import { AppError } from "../model/errors";
import { PROXY_CONNECTIONS } from "../model/page-limits";
import { NoCapacityError } from "../model/run-context";
import { SERP_PAGE_DELAY_MS, SERP_RESOLVE_ALL_MS, SERP_RESOLVE_MS, SERP_WALK_MS } from "../model/search-limits";
import { fetchLocation } from "../net/page";
import { requestHeaders } from "./engines/browser-profile";
import { ENGINES, isBlockPageUrl } from "./engines/engines";
import { type SearchEngine, typeOf } from "./engines/search-engine";
import { type SearchContext, type SearchFetchOptions, toFetchOptions } from "./fetch-options";
import { isInDomains } from "./filters";
import { selectBlocks } from "./results/blocks";
import { readTarget } from "./results/links";
import { appendPage, EMPTY_LISTING, type Listing, type RankedResult, rank } from "./results/listing";
import { violatesOperator, withoutOperators } from "./results/operators";
import { isOffTopic } from "./results/relevance";
import type { SearchQuery } from "./results/result-page";
import { type SearchInput, type SearchSource, type SourcePage, searchSources } from "./sources";

interface SearchResult {
  /** The blocks of the first page that the query names. */
  blocks: SerpBlocks;
  organic: RankedResult[];
  total: number | null;
  pages: number;
  source: string;
  /** True if a later page failed, so there may be more results. */
  isPartial: boolean;
  /** The number of results whose URL is the engine's redirect instead of the target. */
  unresolved: number;
  /** The query that the engine searched instead of the requested one, or null. */
  searchedQuery: string | null;
  /** The number of results on the first page that only one way to read it found. 0 if the two ways agree on most. */
  disputed: number;
  timeMs: number;
}

/** The reason why a source returned no results. `degraded`: a page that isn't an answer to the query. */
type SourceFailure = { kind: "blocked" | "degraded" } | { kind: "down"; reason: string };

const MAX_TRIES = 2;

interface RedirectRequest {
  engine: SearchEngine;
  query: SearchQuery;
  options: SearchFetchOptions;
}

/**
 * Tries the sources in order until one returns results. Then fetches as many pages from that source as the request
 * needs. A page whose results all violate an operator of the query is requested once more, and is returned if the engine
 * doesn't return a better one. If no source works, throws AppError: `blocked_by_target` if a source returned a block
 * page or an unusable page, otherwise `serp_unavailable`.
 */
export async function search(context: SearchContext, input: SearchInput): Promise<SearchResult> {
  const startedAt = now();
  const engine = ENGINES[input.engine];
  const { firstPage = 0 } = input.query;
  const sources = searchSources(context, input);
  // An engine's only source is used again with a new session, but only if its page was degraded or changed.
  const again = sources.length === 1 ? searchSources({ ...context, id: `${context.id}.again` }, input) : [];
  const failures: SourceFailure[] = [];
  let changed: { source: SearchSource; page: SourcePage } | null = null;
  for (const [i, source] of [...sources, ...again].entries()) {
    if (i >= sources.length && changed === null && failures.at(-1)?.kind !== "degraded") break;
    const isLast = i >= sources.length - 1 && changed === null;
    const first = await attempt(context, () => source.fetchPage(firstPage, null), { input, isLast });
    if ("failure" in first) {
      failures.push(first.failure);
      continue;
    }
    const isChanged = violatesOperator(input.query.text, first.page.organic);
    if (!isChanged || changed !== null)
      return await collect(context, input, { source, ...first, isChanged, startedAt });
    changed = { source, page: first.page };
  }
  if (changed !== null) return await collect(context, input, { ...changed, isChanged: true, startedAt });
  throw toError(engine, failures);
}

interface Found {
  source: SearchSource;
  page: SourcePage;
  isChanged: boolean;
  startedAt: number;
}

/** Fetches the pages after the first one, and returns the result of the search. */
async function collect(
  context: SearchContext,
  input: SearchInput,
  { source, page, isChanged, startedAt }: Found,
): Promise<SearchResult> {
  const { listing, isPartial } = await collectPages(context, input, source, page);
  const organic = rank(listing, input.maxResults);
  return {
    blocks: await withTargets(selectBlocks(listing.blocks, input.query.blocks), context, input),
    organic,
    total: listing.total,
    pages: listing.pages,
    source: source.name,
    isPartial,
    unresolved: organic.filter(({ unresolved }) => unresolved).length,
    searchedQuery: isChanged ? readSearchedQuery(input, page) : null,
    disputed: page.disagreement ? page.disagreement.onlyNames + page.disagreement.onlyStructure : 0,
    timeMs: now() - startedAt,
  };
}

/** Returns the query that the engine searched. The links to other pages have it, even if the page doesn't show it. */
function readSearchedQuery({ engine, query }: SearchInput, { next }: SourcePage): string {
  const linked = next === null ? null : URL.parse(next)?.searchParams.get(ENGINES[engine].queryParameter);
  return linked && linked !== query.text ? linked : withoutOperators(query.text);
}

/** Fetches one page of results, checks it and resolves its redirects. `isLast`: the source has no fallback. */
async function attempt(
  context: SearchContext,
  fetchPage: () => Promise<SourcePage>,
  { input, isLast }: { input: SearchInput; isLast: boolean },
): Promise<{ page: SourcePage } | { failure: SourceFailure }> {
  const { query } = input;
  const engine = ENGINES[input.engine];
  let page: SourcePage;
  try {
    page = await fetchPage();
  } catch (error) {
    if (error instanceof NoCapacityError && !isLast) return { failure: { kind: "down", reason: error.message } };
    if (!(error instanceof AppError) || (error.code === "proxy_unavailable" && isLast)) throw error;
    if (error.code === "blocked_by_target") return { failure: { kind: "blocked" } };
    return { failure: { kind: "down", reason: error.message } };
  }
  const { kind, status } = page;
  if (kind === "no_results") return { page };
  if (kind === "results") {
    if (typeOf(query) === "web" && engine.servesOffTopic && isOffTopic(query.text, page))
      return { failure: { kind: "degraded" } };
    // Duplicates and the sites of results are found by URL, so redirects are resolved before.
    const redirects = page.organic.flatMap(({ url, unresolved }) => (unresolved ? [url] : []));
    const targets = await resolveRedirects(redirects, context, input);
    const organic = page.organic.map(({ unresolved, ...result }) => {
      const url = targets.get(result.url);
      if (url !== undefined) return { ...result, url };
      return { ...result, ...(unresolved && { unresolved }) };
    });
    return { page: { ...page, organic } };
  }
  const isDown = kind === "unknown" && status !== null && status >= 400;
  return {
    failure: isDown
      ? { kind: "down", reason: `${engine.label} responded with status ${status}.` }
      : { kind: kind === "degraded" ? kind : "blocked" },
  };
}

/** Appends the pages after `first` until `maxResults`, the last page, a failure, or SERP_WALK_MS. */
async function collectPages(
  context: SearchContext,
  input: SearchInput,
  source: SearchSource,
  first: SourcePage,
): Promise<{ listing: Listing; isPartial: boolean }> {
  const { query, maxResults } = input;
  const { firstPage = 0 } = query;
  const startedAt = now();
  const append = (listing: Listing, page: SourcePage): Listing => {
    const organic = page.organic.filter(({ url, unresolved }) => unresolved || isInDomains(url, query));
    return appendPage(listing, { ...page, organic }, query.device);
  };
  let page = first;
  let listing = append(EMPTY_LISTING, page);
  while (listing.organic.length < maxResults && listing.hasMore) {
    if (now() - startedAt > SERP_WALK_MS) return { listing, isPartial: true };
    await sleep(SERP_PAGE_DELAY_MS, context.signal);
    const { next } = page;
    const later = await attempt(context, () => source.fetchPage(firstPage + listing.pages, next), {
      input,
      isLast: false,
    });
    // If a later page fails, the results of the earlier pages are returned.
    if ("failure" in later) return { listing, isPartial: true };
    page = later.page;
    if (page.kind === "no_results") break;
    listing = append(listing, page);
  }
  return { listing, isPartial: false };
}

function toError({ label }: SearchEngine, failures: readonly SourceFailure[]): AppError {
  const down = failures.find((failure) => failure.kind === "down");
  if (down === undefined || failures.some(({ kind }) => kind !== "down"))
    return new AppError("blocked_by_target", `${label} returned a block page or a page without results.`);
  return new AppError("serp_unavailable", `${label} search failed: ${down.reason}`);
}

/** Replaces the engine's redirects in the blocks with their targets. */
async function withTargets(blocks: SerpBlocks, context: SearchContext, input: SearchInput): Promise<SerpBlocks> {
  const { links } = ENGINES[input.engine].page;
  const redirects: string[] = [];
  const json = JSON.stringify(blocks, (_, value: unknown) => {
    if (typeof value === "string" && /^https?:/.test(value) && readTarget(links, value, value)?.unresolved)
      redirects.push(value);
    return value;
  });
  if (redirects.length === 0) return blocks;
  const targets = new Map<unknown, string>(await resolveRedirects(redirects, context, input));
  return JSON.parse(json, (_, value: unknown) => targets.get(value) ?? value);
}

/**
 * Returns the targets of the engine's redirects. Sends several requests in parallel, with the headers and the proxy of
 * the page request. Omits redirects that can't be resolved, and those that SERP_RESOLVE_ALL_MS leaves no time for.
 */
async function resolveRedirects(
  urls: readonly string[],
  context: SearchContext,
  { engine, query }: SearchInput,
): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  if (urls.length === 0) return targets;
  const request = { engine: ENGINES[engine], query, options: toFetchOptions(context, query) };
  const connections = new Semaphore(PROXY_CONNECTIONS);
  const startedAt = now();
  await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const release = await connections.acquire(request.options.signal);
      try {
        const target = now() - startedAt > SERP_RESOLVE_ALL_MS ? null : await resolve(url, request);
        if (target !== null) targets.set(url, target);
      } finally {
        release();
      }
    }),
  );
  return targets;
}

async function resolve(
  url: string,
  { engine, query, options: { overrides, ...options } }: RedirectRequest,
): Promise<string | null> {
  const headers = requestHeaders(engine, query);
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const timeout = AbortSignal.timeout(SERP_RESOLVE_MS);
    try {
      const signal = AbortSignal.any([options.signal, timeout]);
      const location = await fetchLocation(overrides.toRequested(url), { ...options, headers, signal });
      const target =
        location === null ? null : readTarget(engine.page.links, overrides.toCanonical(location, url), url);
      if (target !== null && !target.unresolved && !isBlockPageUrl(target.url)) return target.url;
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (!timeout.aborted && !(error instanceof AppError)) throw error;
    }
  }
  return null;
}
