import type { EngineName } from "../contract/serp";
import { searchApis } from "./apis/apis";
import type { SearchApi } from "./apis/search-api";
import type { Query } from "./engine";
import { directWays, type SearchContext, type Way } from "./ways";

/** All configured ways to ask an engine, in the order in which they are tried: official APIs, then the engine itself. */
export function waysOf(
  context: SearchContext,
  { engine, query, wanted }: { engine: EngineName; query: Query; wanted: number },
): Way[] {
  const apis = searchApis(context.env, engine).map((api) => toWay(api, { engine, query, wanted }, context.signal));
  return [...apis, ...directWays(context, engine, query)];
}

/** Whether the first way takes a browser. Throws AppError unavailable when the providers' variables make no sense. */
export function startsInBrowser(env: Env, engine: EngineName): boolean {
  return engine === "google" && searchApis(env, engine).length === 0;
}

function toWay(
  api: SearchApi,
  { engine, query, wanted }: { engine: EngineName; query: Query; wanted: number },
  signal: AbortSignal,
): Way {
  const count = Math.min(wanted, api.pageSize);
  return {
    source: api.source,
    page: async (page) => {
      const { organic, total, hasNext } = await api.search({ ...query, engine, page, count }, signal);
      const kind = organic.length > 0 ? "results" : "no_results";
      return { kind, organic, total, next: hasNext ? api.source : null, status: null };
    },
  };
}
