import type { EngineName } from "../contract/serp";
import { now, sleep } from "../lib/clock";
import { AppError } from "../model/errors";
import { SERP_PAGE_PAUSE_MS, SERP_WALK_MS } from "../model/limits";
import { NoCapacityError } from "../model/run";
import type { Query } from "./engine";
import { type Listing, NO_PAGES, type Ranked, ranked, withPage } from "./listing";
import { isOffTopic } from "./relevance";
import { resolveTargets } from "./resolve";
import { type Exit, exitOf, type Found, type SearchContext, type Way } from "./ways";

export interface Search {
  engine: EngineName;
  query: Query;
  /** How many results, at most. */
  wanted: number;
}

export interface SearchResult {
  organic: Ranked[];
  total: number | null;
  pages: number;
  /** The way that brought it. */
  source: string;
  /** A later page didn't come: there would have been more. */
  isPartial: boolean;
  /** Of the results, those whose address is still the engine's redirect. */
  unresolved: number;
  timeMs: number;
}

const NAMES: Readonly<Record<EngineName, string>> = { google: "Google", bing: "Bing", yandex: "Yandex" };

/** What came in place of results. */
type Miss = { kind: "wall" } | { kind: "down"; reason: string };

/**
 * Asks by one way after the other until one brings an answer, then by that one for as many pages as it takes. Throws
 * AppError blocked_by_target when a wall stood in each way, or serp_unavailable.
 */
export async function search(
  context: SearchContext,
  { engine, query, wanted }: Search,
  ways: readonly Way[],
): Promise<SearchResult> {
  const startedAt = now();
  const misses: Miss[] = [];
  for (const [i, way] of ways.entries()) {
    const isLast = i === ways.length - 1;
    const first = await attempt(() => way.page(0, null), { engine, query }, { isLast });
    if ("miss" in first) {
      misses.push(first.miss);
      continue;
    }
    const walk = new Walk(context, { engine, query, wanted }, way);
    const { listing, isPartial } = await walk.from(first.page);
    const organic = ranked(listing, wanted);
    return {
      organic,
      total: listing.total,
      pages: listing.pages,
      source: way.source,
      isPartial,
      unresolved: organic.filter(({ unresolved }) => unresolved).length,
      timeMs: now() - startedAt,
    };
  }
  throw toError(engine, misses);
}

/** The page, when it is an answer to the query. */
async function attempt(
  ask: () => Promise<Found>,
  { engine, query }: Pick<Search, "engine" | "query">,
  { isLast }: { isLast: boolean },
): Promise<{ page: Found } | { miss: Miss }> {
  let page: Found;
  try {
    page = await ask();
  } catch (error) {
    // Without a browser another way is left, or what was found before.
    if (error instanceof NoCapacityError && !isLast) return { miss: { kind: "down", reason: error.message } };
    if (!(error instanceof AppError) || (error.code === "proxy_unavailable" && isLast)) throw error;
    if (error.code === "blocked_by_target") return { miss: { kind: "wall" } };
    return { miss: { kind: "down", reason: error.message } };
  }
  const { kind, status } = page;
  if (kind === "results" && !(engine === "bing" && isOffTopic(query.text, page))) return { page };
  if (kind === "no_results") return { page };
  const isDown = kind === "unknown" && status !== null && status >= 400;
  return {
    miss: isDown ? { kind: "down", reason: `${NAMES[engine]} answered with status ${status}.` } : { kind: "wall" },
  };
}

class Walk {
  readonly #context: SearchContext;
  readonly #search: Search;
  readonly #way: Way;
  readonly #exit: Exit;
  readonly #startedAt = now();

  constructor(context: SearchContext, search: Search, way: Way) {
    this.#context = context;
    this.#search = search;
    this.#way = way;
    this.#exit = exitOf(context, search.query);
  }

  /** The first page, and as many of those after it as are needed, there and let through. */
  async from(first: Found): Promise<{ listing: Listing; isPartial: boolean }> {
    const { wanted } = this.#search;
    let page = first;
    let listing = await this.#add(NO_PAGES, page);
    while (listing.organic.length < wanted && listing.hasMore) {
      if (now() - this.#startedAt > SERP_WALK_MS) return { listing, isPartial: true };
      await sleep(SERP_PAGE_PAUSE_MS, this.#context.signal);
      const { next } = page;
      // Whatever a later page meets, those before it are there.
      const later = await attempt(() => this.#way.page(listing.pages, next), this.#search, { isLast: false });
      if ("miss" in later) return { listing, isPartial: true };
      page = later.page;
      if (page.kind === "no_results") break;
      listing = await this.#add(listing, page);
    }
    return { listing, isPartial: false };
  }

  /** Addresses are compared when they are the targets' own. */
  async #add(listing: Listing, page: Found): Promise<Listing> {
    const { engine, query } = this.#search;
    const organic = await resolveTargets(page.organic, { engine, query }, this.#exit);
    return withPage(listing, { ...page, organic }, query.device);
  }
}

function toError(engine: EngineName, misses: readonly Miss[]): AppError {
  const name = NAMES[engine];
  const down = misses.find((miss) => miss.kind === "down");
  if (misses.some(({ kind }) => kind === "wall") || down === undefined) {
    return new AppError(
      "blocked_by_target",
      `${name} answered with a wall or a page without results in place of an answer.`,
    );
  }
  return new AppError("serp_unavailable", `${name} could not be asked: ${down.reason}`);
}
