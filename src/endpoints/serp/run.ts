import type { SerpRequest } from "../../contract/serp";
import { AppError } from "../../model/errors";
import type { Execution, RunContext } from "../../model/run-context";
import { findPlace } from "../../search/places/places";
import type { SearchQuery } from "../../search/results/result-page";
import { search } from "../../search/search";

/**
 * Runs a search. Reads result pages until the requested number of results is reached or no page is left. Throws
 * AppError.
 */
export async function runSerp(request: SerpRequest, { env, job, signal }: RunContext): Promise<Execution> {
  const { engine, num_results: maxResults } = request;
  const query = toQuery(request);
  const context = {
    env,
    id: `${job.id}.${job.run}`,
    account: { id: job.account.id, concurrentRenders: job.settings.concurrentRenders },
    origin: job.origin,
    signal,
  };
  const found = await search(context, { engine, query, maxResults });
  return {
    data: {
      organic: found.organic.map(({ position, title, url, description, snippet }) => ({
        position,
        title,
        url,
        description,
        snippet,
      })),
      total_results: found.total ?? 0,
      search_time_ms: found.timeMs,
    },
    extras: {
      pages_fetched: found.pages,
      total_results_known: found.total !== null,
      source: found.source,
      ...(found.isPartial && { partial: true }),
      ...(found.unresolved > 0 && { unresolved: found.unresolved }),
    },
  };
}

function toQuery({ query: text, location, language, device }: SerpRequest): SearchQuery {
  const place = location === undefined ? null : findPlace(location);
  if (location !== undefined && place === null)
    throw new AppError("invalid_target", `The location '${location}' is not a known place.`);
  return { text, place, language: language ?? null, device };
}
