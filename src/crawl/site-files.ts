import { now } from "../lib/clock";
import type { AccountRef } from "../model/account";
import type { CrawlOptions } from "../model/crawl";
import { SECOND_MS } from "../model/limits";
import { readDenied } from "../net/denied";
import { collectSitemaps, guessSitemaps } from "../site/collect-sitemaps";
import { type FetchedRobots, fetchRobots, toResourceOptions } from "../site/fetch-resource";
import type { Robots } from "../site/robots";

const ROBOTS_MS = 30 * SECOND_MS;
/** The time limit for reading all sitemaps of a site. */
const SITEMAPS_MS = 60 * SECOND_MS;
const MAX_SITEMAPS = 50;
const MAX_SITEMAP_URLS = 50_000;

/** The account of a crawl, and the origin of the request that created the crawl. */
interface CrawlOwner {
  account: AccountRef;
  origin: string;
}

export async function readRobots(env: Env, url: string, crawl: CrawlOwner): Promise<FetchedRobots> {
  return await fetchRobots(url, await readOptions(env, crawl, ROBOTS_MS));
}

/**
 * Returns the canonical URLs in the site's sitemaps, and a URL of the site. Omits sitemaps that can't be read.
 * `robotsOf` returns the rules of a host, or null if they haven't been read.
 */
export async function readSitemapUrls(
  env: Env,
  { options, finalUrl, ...crawl }: CrawlOwner & { options: CrawlOptions; finalUrl: string | null },
  robotsOf: (host: string) => Robots | null,
): Promise<{ site: string; urls: string[] }> {
  let url = finalUrl ?? options.url;
  let robots = robotsOf(new URL(url).host);
  if (robots === null || options.sitemap === "only") {
    const read = await readRobots(env, url, crawl);
    robots = read.robots;
    // If no first page was visited, only the redirect of robots.txt shows that the site has another host name.
    if (options.sitemap === "only") url = read.site;
  }
  const named = robots.sitemaps.map((sitemap) => ({ url: sitemap, isNamed: true }));
  const { entries } = await collectSitemaps(named.length > 0 ? named : guessSitemaps(url, []), {
    site: url,
    includeSubdomains: options.allowSubdomains,
    maxEntries: MAX_SITEMAP_URLS,
    maxSitemaps: MAX_SITEMAPS,
    endsAt: now() + SITEMAPS_MS,
    // The signal is only a fallback, because each request has its own time limit.
    fetch: await readOptions(env, crawl, 2 * SITEMAPS_MS),
  });
  return { site: url, urls: entries.map((entry) => entry.url) };
}

async function readOptions(env: Env, { account, origin }: CrawlOwner, ms: number) {
  const denied = await readDenied(env, account.id);
  const signal = AbortSignal.timeout(ms);
  return toResourceOptions(env, { origin, proxy: null, denied, signal });
}
