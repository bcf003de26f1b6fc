import { Semaphore } from "../lib/async";
import { AppError } from "../model/errors";
import { PROXY_CONNECTIONS } from "../model/page-limits";
import { SERP_RESOLVE_MS } from "../model/search-limits";
import { fetchLocation } from "../net/page";
import { requestHeaders } from "./engines/browser-profile";
import { isBlockPageUrl } from "./engines/engines";
import type { SearchEngine } from "./engines/search-engine";
import type { SearchFetchOptions } from "./fetch-options";
import type { OrganicResult, SearchQuery } from "./results/result-page";

const MAX_TRIES = 2;

interface RedirectRequest {
  engine: SearchEngine;
  query: SearchQuery;
  options: SearchFetchOptions;
}

/**
 * Replaces the engine's redirects with their targets. Sends several requests in parallel, with the headers and the
 * proxy of the page request. If a redirect can't be resolved, its result keeps its position and link, and stays marked
 * as unresolved.
 */
export async function resolveRedirects(
  results: readonly OrganicResult[],
  request: RedirectRequest,
): Promise<OrganicResult[]> {
  const connections = new Semaphore(PROXY_CONNECTIONS);
  return await Promise.all(
    results.map(async (result) => {
      if (!result.unresolved) return result;
      const release = await connections.acquire(request.options.signal);
      try {
        const url = await resolve(result.url, request);
        if (url === null) return result;
        const { unresolved: _, ...rest } = result;
        return { ...rest, url };
      } finally {
        release();
      }
    }),
  );
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
      const target = location === null ? null : engine.readLink(overrides.toCanonical(location, url), url);
      if (target !== null && !target.unresolved && !isBlockPageUrl(target.url)) return target.url;
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason;
      if (!timeout.aborted && !(error instanceof AppError)) throw error;
    }
  }
  return null;
}
