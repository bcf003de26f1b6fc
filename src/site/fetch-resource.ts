import type { Budget } from "../lib/budget";
import { Reservation } from "../lib/shared-limit";
import type { TimeLimit } from "../lib/time-limit";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { readChoice } from "../model/variables";
import { decode, toEncodingError } from "../net/content-encoding";
import type { Denied } from "../net/denied";
import { parseEgressPolicy } from "../net/egress";
import { type FetchedPage, type FetchOptions, fetchPage, LARGE_BODIES } from "../net/page";
import type { ProxyAddress } from "../net/proxy-config";
import { Resolver } from "../net/resolver";
import { toStatusError } from "../net/response";
import { ALLOW_ALL, DISALLOW_ALL, parseRobots, type Robots } from "./robots";
import { MAX_SITEMAP_BYTES, readSitemap, type Sitemap } from "./sitemap";

/** The options for all requests to a site's robots.txt, sitemaps and feeds. */
export type ResourceOptions = Omit<FetchOptions, "maxBytes" | "anyStatus" | "limit" | "beforeLarge">;

export interface FetchedRobots {
  robots: Robots;
  /** The reason why the robots.txt couldn't be read. Null if it was read, or if the site has none. */
  error: AppError | null;
  /** True if the site has a robots.txt. */
  isFound: boolean;
  /** The URL of the robots.txt after redirects. Without a robots.txt, the URL that was requested. */
  site: string;
}

/** The time limit for one robots.txt or sitemap. */
export const RESOURCE_TIMEOUT_MS = 15 * SECOND_MS;
/** The maximum size of a response for robots.txt. The part after MAX_ROBOTS_BYTES isn't parsed. */
const MAX_ROBOTS_RESPONSE_BYTES = 5 * 1024 * 1024;
/** The maximum size of a compressed sitemap. Larger files don't fit into memory with other requests. */
const MAX_SITEMAP_RESPONSE_BYTES = 20 * 1024 * 1024;
/** The part of LARGE_BODIES for a sitemap, so that only one is received and read at a time. */
const SITEMAP_WEIGHT = 3;

/** Returns the options for a run, with the egress policy, DNS and proxy of a scrape. */
export function toResourceOptions(
  env: Env,
  {
    origin,
    proxy,
    denied,
    ...options
  }: Pick<ResourceOptions, "signal"> & { origin: string; proxy: ProxyAddress | null; denied: Denied },
): ResourceOptions {
  return {
    policy: parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin], denied),
    resolver: new Resolver(env.DNS_RESOLVER),
    via: readChoice(env, "FETCH_VIA") ?? "fetch",
    userAgent: env.USER_AGENT,
    bot: env,
    proxy,
    ...options,
  };
}

/**
 * Fetches and parses the robots.txt of the URL's origin. Follows RFC 9309, section 2.3.1: without a robots.txt (4xx),
 * everything is allowed. If it can't be read (5xx, 429 or an error of the network), nothing is allowed. Rejects with the
 * signal's reason if it is aborted.
 */
export async function fetchRobots(url: string, options: ResourceOptions, limit?: TimeLimit): Promise<FetchedRobots> {
  const address = new URL("/robots.txt", url).href;
  const place = new Reservation(LARGE_BODIES, options.signal);
  const receiving = { maxBytes: MAX_ROBOTS_RESPONSE_BYTES, beforeLarge: () => place.acquire() };
  try {
    const page = await fetchResource(address, { ...options, ...receiving }, limit);
    return { robots: parseRobots(page.body, page.url), error: null, isFound: true, site: page.url };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error instanceof MissingResourceError) return { robots: ALLOW_ALL, error: null, isFound: false, site: address };
    // RFC 9309, section 2.3.1.2: a robots.txt that redirects too often counts as missing.
    const isMissing = error.code === "too_many_redirects";
    return { robots: isMissing ? ALLOW_ALL : DISALLOW_ALL, error, isFound: false, site: address };
  } finally {
    place.release();
  }
}

/** Fetches and reads a sitemap or a feed. Throws AppError, or the signal's reason if it is aborted. */
export async function fetchSitemap(
  url: string,
  options: ResourceOptions,
  { budget, limit }: { budget?: Budget; limit?: TimeLimit } = {},
): Promise<Sitemap> {
  const { signal } = options;
  const place = new Reservation(LARGE_BODIES, signal);
  const receiving = { maxBytes: MAX_SITEMAP_RESPONSE_BYTES, beforeLarge: () => place.acquire(SITEMAP_WEIGHT) };
  try {
    const page = await fetchResource(url, { ...options, ...receiving }, limit);
    const read = { url: page.url, signal, ...(budget !== undefined && { budget }) };
    const sitemap = await readSitemap(uncompressed(page.body), read);
    if (sitemap !== null) return sitemap;
    throw new AppError("unsupported_content", `${page.url} isn't a sitemap or a feed.`);
  } catch (error) {
    throw toEncodingError(error, new URL(url).host) ?? error;
  } finally {
    place.release();
  }
}

/** Thrown if a resource doesn't exist: the server responded with a status from 400 to 499, except 429. */
class MissingResourceError extends AppError {}

/** Fetches one file. Throws AppError if the response isn't successful, and MissingResourceError if there is no such file. */
async function fetchResource(
  url: string,
  options: ResourceOptions & Pick<FetchOptions, "maxBytes" | "beforeLarge">,
  limit: TimeLimit = { ms: RESOURCE_TIMEOUT_MS, usedMs: 0 },
): Promise<FetchedPage> {
  const page = await fetchPage(url, { ...options, limit, anyStatus: true });
  if (page.status >= 200 && page.status < 300) return page;
  const error = toStatusError(page.url, page.status, (name) => page.headers.get(name));
  const isMissing = page.status >= 400 && page.status < 500 && page.status !== 429;
  throw isMissing ? new MissingResourceError(...error) : new AppError(...error);
}

/** Decompresses a gzip file. Returns other files unchanged. Servers often send `.xml.gz` without Content-Encoding. */
function uncompressed(body: Uint8Array): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  if (!isGzip) return [body];
  return decode(
    (async function* () {
      yield body;
    })(),
    ["gzip"],
    MAX_SITEMAP_BYTES,
  );
}
