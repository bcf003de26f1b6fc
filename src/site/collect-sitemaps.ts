import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import { toCanonicalUrl } from "./canonical-url";
import { fetchSitemap, RESOURCE_TIMEOUT_MS, type ResourceOptions } from "./fetch-resource";
import { isSameSite } from "./same-site";
import { type Sitemap, type SitemapEntry, sitemapBudget } from "./sitemap";

interface SitemapSource {
  url: string;
  /** True if the site's robots.txt names the sitemap. Such a sitemap may be on another host. */
  isNamed: boolean;
  /** True for a usual address of a sitemap, which the site may not have. Only the first such sitemap with entries of the site is read. */
  isGuess?: boolean;
}

export interface ReadSitemap {
  url: string;
  kind: Sitemap["kind"] | null;
  /** The number of its entries that belong to the site. */
  entries: number;
  /** The number of its entries that belong to other sites. They are ignored. */
  foreign: number;
  isTruncated: boolean;
  /** The reason why it couldn't be read, or null. */
  error: AppError | null;
}

export interface CollectedSitemaps {
  /** The pages, each canonical URL once, in the order of the sitemaps. */
  entries: SitemapEntry[];
  sitemaps: ReadSitemap[];
  /** True if sitemaps or entries were omitted because of a limit. */
  isTruncated: boolean;
}

/** The usual addresses of sitemaps: of most sites, of WordPress and its plugins, and of compressed sitemaps. */
const USUAL_PATHS = ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.xml.gz"];

/** Returns the usual sitemaps of a site. If its robots.txt names sitemaps, returns only the most common one. */
export function guessSitemaps(site: string, named: readonly string[]): SitemapSource[] {
  const paths = named.length === 0 ? USUAL_PATHS : USUAL_PATHS.slice(0, 1);
  return paths.map((path) => ({ url: new URL(path, site).href, isNamed: false, isGuess: true }));
}

interface CollectOptions {
  /** A URL of the site. Only pages of this site are collected. */
  site: string;
  includeSubdomains: boolean;
  maxEntries: number;
  maxSitemaps: number;
  /** The time (Unix ms) at which reading ends. The result includes the sitemaps that were read before this time. */
  endsAt: number;
  fetch: ResourceOptions;
}

/** The maximum depth of nested indexes. A sitemap index should contain only sitemaps, but some contain other indexes. */
const MAX_INDEX_DEPTH = 3;

/**
 * Reads sitemaps and the sitemaps in their indexes. Reads each URL once, so indexes that contain each other can't cause
 * a loop. Ignores pages of other sites, as the protocol requires. Never throws an error of a sitemap. Rejects with the
 * signal's reason if it is aborted.
 */
export async function collectSitemaps(
  sources: readonly SitemapSource[],
  options: CollectOptions,
): Promise<CollectedSitemaps> {
  const collector = new Collector(options);
  let level = collector.select(sources);
  for (let depth = 0; depth <= MAX_INDEX_DEPTH && level.length > 0; depth++) level = await collector.read(level);
  return collector.finish(level.length > 0);
}

class Collector {
  readonly #options: CollectOptions;
  readonly #seen = new Set<string>();
  readonly #entries = new Map<string, SitemapEntry>();
  readonly #sitemaps: ReadSitemap[] = [];
  readonly #budget = sitemapBudget();
  #isTruncated = false;

  constructor(options: CollectOptions) {
    this.#options = options;
  }

  /** Returns the sitemaps that haven't been read and belong to the site. */
  select(sources: readonly SitemapSource[]): SitemapSource[] {
    const { site, maxSitemaps } = this.#options;
    return sources.filter(({ url, isNamed }) => {
      const key = toCanonicalUrl(url);
      if (key === null || this.#seen.has(key)) return false;
      if (!isNamed && !isSameSite(url, site, { includeSubdomains: true })) return false;
      if (this.#seen.size >= maxSitemaps || this.#isFull) {
        this.#isTruncated = true;
        return false;
      }
      this.#seen.add(key);
      return true;
    });
  }

  /** Reads the sitemaps of one level. Returns the sitemaps of the next level. */
  async read(level: readonly SitemapSource[]): Promise<SitemapSource[]> {
    const next: SitemapSource[] = [];
    let hasGuessed = false;
    // Reads one sitemap at a time, so that only one is in memory.
    for (const source of level) {
      if (hasGuessed && source.isGuess) continue;
      if (this.#isFull || now() >= this.#options.endsAt) {
        this.#isTruncated = true;
        break;
      }
      const { kind = null, entries = [] } = (await this.#fetch(source)) ?? {};
      const isOwn = ({ url }: SitemapEntry) => isSameSite(url, this.#options.site, { includeSubdomains: true });
      hasGuessed ||= source.isGuess === true && entries.some(isOwn);
      if (kind === "index") next.push(...entries.map(({ url }) => ({ url, isNamed: source.isNamed })));
      else this.#add(source, entries);
    }
    return this.select(next);
  }

  finish(isCut: boolean): CollectedSitemaps {
    return {
      entries: [...this.#entries.values()],
      sitemaps: this.#sitemaps,
      isTruncated: this.#isTruncated || isCut || this.#sitemaps.some(({ isTruncated }) => isTruncated),
    };
  }

  get #isFull(): boolean {
    return this.#entries.size >= this.#options.maxEntries || this.#budget.isUsedUp;
  }

  async #fetch({ url, isGuess = false }: SitemapSource): Promise<Sitemap | null> {
    const { fetch, endsAt } = this.#options;
    try {
      const limit = { ms: Math.min(RESOURCE_TIMEOUT_MS, Math.max(0, endsAt - now())), usedMs: 0 };
      const sitemap = await fetchSitemap(url, fetch, { limit, budget: this.#budget });
      const { kind, isTruncated } = sitemap;
      this.#sitemaps.push({ url, kind, entries: 0, foreign: 0, isTruncated, error: null });
      return sitemap;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Many sites respond with an HTML page if a sitemap doesn't exist.
      const isMissing = error.code === "target_http_error" || error.code === "unsupported_content";
      if (!isGuess || !isMissing || error.retryable)
        this.#sitemaps.push({ url, kind: null, entries: 0, foreign: 0, isTruncated: false, error });
      return null;
    }
  }

  #add(source: SitemapSource, entries: readonly SitemapEntry[]): void {
    const { site, includeSubdomains, maxEntries } = this.#options;
    const report = this.#sitemaps.find(({ url }) => url === source.url);
    let [own, foreign] = [0, 0];
    for (const entry of entries) {
      const key = toCanonicalUrl(entry.url);
      if (key === null) continue;
      if (!isSameSite(entry.url, site, { includeSubdomains })) {
        foreign++;
        continue;
      }
      own++;
      const known = this.#entries.get(key);
      if (known !== undefined) {
        known.title ??= entry.title;
        known.lastModified ??= entry.lastModified;
      } else if (this.#entries.size < maxEntries) this.#entries.set(key, { ...entry, url: key });
      else this.#isTruncated = true;
    }
    if (report !== undefined) Object.assign(report, { entries: own, foreign });
  }
}
