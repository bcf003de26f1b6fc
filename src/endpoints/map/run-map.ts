import type { MapData, MapRequest } from "../../contract/map";
import type { PageOutcome } from "../../html/outcome/outcome";
import { now } from "../../lib/clock";
import { AppError } from "../../model/errors";
import { MAP_TIMEOUT_MS, MAX_MAP_FEEDS, MAX_MAP_SITEMAPS, MAX_MAPPED_URLS } from "../../model/limits";
import { FETCH_TIMEOUT_MS } from "../../model/page-limits";
import type { Execution, RunContext } from "../../model/run-context";
import { readDenied } from "../../net/denied";
import { type CollectedSitemaps, collectSitemaps, guessSitemaps, type ReadSitemap } from "../../site/collect-sitemaps";
import { fetchRobots, RESOURCE_TIMEOUT_MS, type ResourceOptions, toResourceOptions } from "../../site/fetch-resource";
import { type PageLinks, readPageLinks } from "../../site/page-links";
import { isSameSite } from "../../site/same-site";
import { type OpenedPage, openTarget } from "../shared/open-target";
import { PageCaptures } from "../shared/page-captures";
import { findProxy } from "../shared/proxy";
import { toMapLines } from "./definition";
import { UrlList } from "./url-list";

/** The start page, or the error if it couldn't be loaded. */
type StartPage =
  | (Pick<OpenedPage, "outcome" | "rendered"> & { url: string; links: PageLinks | null })
  | { url: string; error: AppError };

const OK_OUTCOME: PageOutcome = { outcome: "ok", reason: null };
const NO_SITEMAPS: CollectedSitemaps = { entries: [], sitemaps: [], isTruncated: false };

/**
 * Collects the URLs of a site from its sitemaps, the links of the page and its feeds. A source that fails is reported
 * in `sources`. Throws AppError if no source has a URL.
 */
export async function runMap(request: MapRequest, context: RunContext): Promise<Execution> {
  const { env, job, signal } = context;
  const proxy = findProxy(env, request, job);
  const endsAt = now() + (request.timeout_ms ?? MAP_TIMEOUT_MS);
  const denied = await readDenied(env, job.account.id);
  const fetch = toResourceOptions(env, { origin: job.origin, proxy, denied, signal });
  const page = request.sitemap === "only" ? null : await loadPage(request, context, { proxy, endsAt });
  // Only the links of the page are kept, and reading the sitemaps can take long.
  context.releaseLargeLock();
  const start = page?.url ?? request.url;
  const robots = request.sitemap === "skip" ? null : await fetchRobots(start, fetch, toLimit(endsAt));
  const site = page === null ? (robots?.site ?? start) : start;
  const named = robots?.robots.sitemaps ?? [];
  const options = { site, includeSubdomains: request.include_subdomains, endsAt, fetch };
  const [sitemaps, feeds] = await Promise.all([
    robots === null
      ? NO_SITEMAPS
      : collect([...toNamed(named), ...guessSitemaps(site, named)], MAX_MAP_SITEMAPS, options),
    collect(toNamed(feedsOf(page)), MAX_MAP_FEEDS, options),
  ]);

  const list = new UrlList();
  const pageUrls = addPage(list, page, options);
  for (const entry of feeds.entries) list.add({ ...entry, source: "feed" });
  for (const entry of sitemaps.entries) list.add({ ...entry, source: "sitemap" });
  const failure = findFailure(page, sitemaps);
  if (list.size === 0) throw failure ?? noSitemap(site);
  const { urls, isTruncated } = list.select(request);
  const data: MapData = {
    url: start,
    urls,
    ...((isTruncated || sitemaps.isTruncated || feeds.isTruncated) && { truncated: true }),
    sources: {
      robots: { found: robots?.isFound === true, ...(robots?.error && { error: toSourceError(robots.error) }) },
      ...(page !== null && {
        page: { urls: pageUrls, ...("error" in page && { error: toSourceError(page.error) }) },
      }),
      sitemaps: sitemaps.sitemaps.map(toMapFile),
      feeds: feeds.sitemaps.map(toMapFile),
    },
  };
  const lines = toMapLines(job.prices, page !== null && "rendered" in page && page.rendered);
  const rendered = lines.length > 1 && { rendered: true };
  const { outcome, reason } = findOutcome(list, page, [...sitemaps.entries, ...feeds.entries].length > 0);
  if (reason === null) return { data, lines, extras: { ...rendered } };
  return { data, lines, outcome, extras: { outcome, outcome_reason: reason, ...rendered }, isFree: outcome !== "ok" };
}

/** Returns the outcome of the page if it explains why the map has few URLs, such as that of an application shell. */
function findOutcome(list: UrlList, page: StartPage | null, hasOthers: boolean): PageOutcome {
  if (page === null || "error" in page || page.links === null || hasOthers) return OK_OUTCOME;
  return list.size === 1 || page.outcome.outcome === "needs_rendering" ? page.outcome : OK_OUTCOME;
}

async function loadPage(
  { url, render }: MapRequest,
  context: RunContext,
  { proxy, endsAt }: { proxy: ResourceOptions["proxy"]; endsAt: number },
): Promise<StartPage> {
  const limit = { ms: Math.min(FETCH_TIMEOUT_MS, Math.max(1, endsAt - now())), usedMs: 0 };
  // The limit of the price prevents the rendering that `render: auto` allows.
  const mode = context.job.plan.method === "plain" ? "never" : render;
  try {
    const { content, page, outcome, rendered } = await openTarget(context, url, {
      mode,
      captures: new PageCaptures(context, {}, mode),
      proxy,
      waitFor: null,
      screenshot: false,
      visibility: false,
      load: { limit, waitUntil: "quiet", waitMs: 0, blockAds: false },
    });
    const links = page === null ? null : readPageLinks(page.document, { url: content.url });
    return { url: content.url, links, outcome, rendered };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { url, error };
  }
}

function toLimit(endsAt: number) {
  return { ms: Math.min(RESOURCE_TIMEOUT_MS, Math.max(1, endsAt - now())), usedMs: 0 };
}

type CollectContext = Omit<Parameters<typeof collectSitemaps>[1], "maxSitemaps" | "maxEntries">;

function collect(
  sources: Parameters<typeof collectSitemaps>[0],
  maxSitemaps: number,
  options: CollectContext,
): Promise<CollectedSitemaps> {
  return collectSitemaps(sources, { ...options, maxSitemaps, maxEntries: MAX_MAPPED_URLS });
}

/** These sources may be on other hosts, because the page declares its feeds and robots.txt declares its sitemaps. */
function toNamed(urls: readonly string[]) {
  return urls.map((url) => ({ url, isNamed: true }));
}

function feedsOf(page: StartPage | null): readonly string[] {
  return page !== null && "links" in page ? (page.links?.feeds ?? []) : [];
}

/** Adds the page, and its links to pages of the same site. Returns the number of these links. */
function addPage(list: UrlList, page: StartPage | null, { site, includeSubdomains }: CollectContext): number {
  if (page === null || "error" in page) return 0;
  const { url, links } = page;
  list.add({ url, title: links?.title ?? null, lastModified: null, source: "page" });
  const own = (links?.links ?? []).filter((link) => isSameSite(link.url, site, { includeSubdomains }));
  for (const link of own)
    list.add({ url: link.url, title: null, lastModified: null, source: "page", linkText: link.text });
  return own.length;
}

/** Returns the error of a map without URLs. */
function findFailure(page: StartPage | null, { sitemaps }: CollectedSitemaps): AppError | null {
  if (page !== null && "error" in page) return page.error;
  return sitemaps.find(({ error }) => error !== null)?.error ?? null;
}

function noSitemap(site: string): AppError {
  const { host } = new URL(site);
  return new AppError("unusable_page", `${host} has no sitemap with URLs of this site.`, {
    hint: "Omit 'sitemap: only' to get the links of the page.",
  });
}

function toSourceError({ code, message }: AppError) {
  return { code, message };
}

function toMapFile({ url, kind, entries, foreign, isTruncated, error }: ReadSitemap) {
  return {
    url,
    urls: entries,
    ...(foreign > 0 && { other_sites: foreign }),
    ...(kind === "index" && { is_index: true as const }),
    ...(isTruncated && { truncated: true as const }),
    ...(error !== null && { error: toSourceError(error) }),
  };
}
