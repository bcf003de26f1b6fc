import { AppError } from "../errors";
import { Semaphore } from "../lib/semaphore";
import { PROXY_CONNECTIONS } from "../limits";
import { type FetchOptions, fetchLocation } from "../upstream/page";
import type { Organic } from "./engine";
import { googleTarget } from "./links";
import type { OriginMap } from "./origins";

const TRIES = 2;

/**
 * Asks the engine's redirects where they lead, several at once, through the exit that the page came by. One that says
 * nothing keeps its link, marked as before: its rank is worth more than a gap.
 */
export async function resolveTargets(
  results: readonly Organic[],
  exit: FetchOptions & { origins: OriginMap },
): Promise<Organic[]> {
  const lines = new Semaphore(PROXY_CONNECTIONS);
  return await Promise.all(
    results.map(async (result) => {
      if (!result.unresolved) return result;
      const leave = await lines.take(exit.signal);
      try {
        const url = await resolve(result.url, exit);
        if (url === null) return result;
        const { unresolved: _, ...rest } = result;
        return { ...rest, url };
      } finally {
        leave();
      }
    }),
  );
}

async function resolve(url: string, { origins, ...exit }: FetchOptions & { origins: OriginMap }) {
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      const location = await fetchLocation(origins.toAsked(url), exit);
      // Where it leads back to the engine, to a wall of its, it has told nothing.
      const target = location === null ? null : googleTarget(location, url);
      if (target !== null && !target.unresolved) return target.url;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return null;
}
