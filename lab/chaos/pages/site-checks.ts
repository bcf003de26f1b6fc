// The checks that compare the pages with the site and its requests.
import type { CrawlSite } from "../../../test/support/crawl-site/site.ts";
import type { SiteVisit } from "../../../test/support/crawl-site/visits.ts";
import type { JobRow } from "../state.ts";
import { broken, type Violation } from "../violation.ts";
import type { ShownPage } from "./api.ts";

/**
 * The maximum number of pages in each endless part of the site. A page that a kill interrupted is requested again, and
 * counts twice.
 */
const MAX_TRAP_PAGES: Readonly<Record<string, number>> = { calendar: 100, filter: 1_000, loop: 30, session: 500 };
const REDIRECTS = /^\/(?:go|redirect)\//;
const PER_HOST = 2;
/** The statuses with which busy pages respond to the first request. */
const BUSY: readonly number[] = [429, 503];

/** Checks that the crawl contains each page of the site once, and no page that robots.txt forbids. */
export function checkCrawl(site: CrawlSite, pages: ShownPage[]): Violation[] {
  const found = site
    .forbiddenVisits()
    .map((path) => broken("robots.txt is respected", path, "A forbidden page was requested."));
  const originals = pages.filter(({ status, meta }) => status === "completed" && meta?.duplicate_of === undefined);
  const byPath = Map.groupBy(originals, ({ url }) => toPath(site, url));
  for (const { path } of site.pages) {
    const count = byPath.get(path)?.length ?? 0;
    if (count !== 1) found.push(broken("each page is scraped once", path, `${count} completed pages`));
  }
  for (const [trap, most] of Object.entries(MAX_TRAP_PAGES)) {
    const count = pages.filter(({ url }) => new URL(url).pathname.startsWith(`/${trap}`)).length;
    if (count > most) found.push(broken("a trap has a limit", trap, `${count} pages, but at most ${most} expected`));
  }
  if (site.log.maxInFlight > PER_HOST) {
    found.push(
      broken("the crawl limits concurrent requests", "the site", `${site.log.maxInFlight} concurrent requests`),
    );
  }
  return found;
}

/**
 * Returns the path of the real page with this URL. A copy of a page at a URL with a session id counts as another page.
 */
function toPath(site: CrawlSite, url: string): string | null {
  return new URL(url).pathname.startsWith("/session/") ? null : site.toRealPath(url);
}

/**
 * Checks that a page is requested again only if a kill interrupted its run, or if the site was busy. A URL can be requested
 * by several pages, because pages redirect to others.
 */
export function checkRequests(site: CrawlSite, pages: ShownPage[], jobs: JobRow[]): Violation[] {
  const runs = new Map<string, number>();
  const runsOf = new Map(jobs.map(({ id, run }) => [id, run]));
  for (const { url, meta, job_id } of pages) {
    const isRedirected = REDIRECTS.test(new URL(url).pathname);
    for (const each of new Set([url, (isRedirected ? meta?.duplicate_of : undefined) ?? url])) {
      const { pathname, search } = new URL(each);
      const path = `${pathname}${search}`;
      runs.set(path, (runs.get(path) ?? 0) + (runsOf.get(job_id ?? "") ?? 0));
    }
  }
  return [...answered(site)].flatMap(([path, count]) => {
    const most = runs.get(path);
    return most === undefined || count <= most
      ? []
      : [broken("only interrupted pages are requested again", path, `${count} requests in ${most} runs`)];
  });
}

/** Returns the number of requests that got a response other than "busy", by path. */
function answered({ log }: CrawlSite): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of log.all.filter(isAnswered)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function isAnswered({ status, endedAt }: SiteVisit): boolean {
  return endedAt !== null && !BUSY.includes(status);
}

/** Returns how often real pages were requested again after a response other than "busy". */
export function countRepeated(site: CrawlSite): number {
  const real = new Set(site.pages.map(({ path }) => path));
  return [...answered(site)].reduce((sum, [path, count]) => sum + (real.has(path) ? count - 1 : 0), 0);
}
