import type { EngineName } from "../contract/serp";
import { Semaphore } from "../lib/async";
import { AppError } from "../model/errors";
import { PROXY_CONNECTIONS, SERP_RESOLVE_MS } from "../model/limits";
import { fetchLocation } from "../net/page";
import { requestHeaders } from "./client";
import type { Organic, Query } from "./engine";
import { TARGET_OF } from "./links";
import type { Exit } from "./ways";

const TRIES = 2;
/** Where the engines put their walls, questions and sign-ins: no result leads there. */
const WALLS =
  /^(?:consent|sorry|ipv[46]|accounts)\.(?:google|youtube|bing|yandex)\.|^(?:login|account)\.(?:live|microsoft)\.com$|^passport\.yandex\./;
const WALL_PATHS = /^\/(?:sorry|showcaptcha|checkcaptcha)(?:\/|$)/;

interface Searched {
  engine: EngineName;
  query: Query;
}

/**
 * Asks the engine's redirects where they lead, several at once, as the page was asked for and through the same exit. One
 * that says nothing keeps its link, marked as before: its rank is worth more than a gap.
 */
export async function resolveTargets(results: readonly Organic[], searched: Searched, exit: Exit): Promise<Organic[]> {
  const lines = new Semaphore(PROXY_CONNECTIONS);
  return await Promise.all(
    results.map(async (result) => {
      if (!result.unresolved) return result;
      const leave = await lines.acquire(exit.signal);
      try {
        const url = await resolve(result.url, searched, exit);
        if (url === null) return result;
        const { unresolved: _, ...rest } = result;
        return { ...rest, url };
      } finally {
        leave();
      }
    }),
  );
}

async function resolve(url: string, { engine, query }: Searched, { origins, ...exit }: Exit): Promise<string | null> {
  const headers = requestHeaders(engine, query);
  for (let tries = 1; tries <= TRIES; tries++) {
    const late = AbortSignal.timeout(SERP_RESOLVE_MS);
    try {
      const signal = AbortSignal.any([exit.signal, late]);
      const location = await fetchLocation(origins.toAsked(url), { ...exit, headers, signal });
      // Where it leads back to the engine, to a wall of its, it has told nothing.
      const target = location === null ? null : TARGET_OF[engine](origins.toCanonical(location, url), url);
      if (target !== null && !target.unresolved && !isWall(target.url)) return target.url;
    } catch (error) {
      if (exit.signal.aborted) throw exit.signal.reason;
      if (!late.aborted && !(error instanceof AppError)) throw error;
    }
  }
  return null;
}

function isWall(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  const isEngines = /(?:^|\.)(?:google|bing|yandex)\./.test(hostname);
  return WALLS.test(hostname) || (isEngines && WALL_PATHS.test(pathname));
}
