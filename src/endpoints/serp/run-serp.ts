import { SerpData, type SerpRequest } from "../../contract/serp";
import { now } from "../../lib/clock";
import type { Execution, RunContext } from "../../model/run-context";
import { SERP_LOAD_MIN_MS, SERP_LOAD_MS } from "../../model/search-limits";
import type { OtherType } from "../../search/engines/search-engine";
import type { RankedResult } from "../../search/results/listing";
import { search } from "../../search/search";
import { readQuery } from "./definition";

/** Runs a search. Reads pages until there are enough results or no page is left. Throws AppError. */
export async function runSerp(
  request: SerpRequest,
  { env, job, signal, loadFoundPages }: RunContext,
): Promise<Execution> {
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
export function toTyped(type: OtherType, results: readonly (Pick<RankedResult, "extra"> & object)[]) {
  const items = results.map(({ extra, ...result }) => ({ ...result, ...extra }));
  return { organic: [], [type]: SerpData.shape[type].parse(items) };
}

/** Loads the pages of the results, and returns them with the fields of `meta`. `startedAt`: the start of the search. */
export async function loadPages(
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
