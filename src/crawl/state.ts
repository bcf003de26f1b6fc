import type { PageLine } from "../account/batches/batch-list";
import type { NewPage } from "../account/batches/batch-types";
import { toRetentionMs } from "../account/retention/retention";
import type { CrawlRequest } from "../contract/crawls";
import type { ScrapeRequest } from "../contract/scrape";
import { ENDPOINTS } from "../endpoints/endpoints";
import { choosePlan } from "../endpoints/shared/price";
import type { Batch } from "../model/batch";
import type { CrawlOptions, CrawlProgress, CrawlRef, SkippedCounts } from "../model/crawl";
import { SECOND_MS, TEMPORARY_RESULT_MS } from "../model/limits";
import { totalOf } from "../model/receipt";
import { toCanonicalUrl } from "../site/canonical-url";

const RESTORED =
  "The crawl lost its list of URLs because of an error of this service, and rebuilt the list from its pages. Some pages may be missing. No page was visited twice.";

/** The state of a crawl, except its URLs and hosts. */
export interface CrawlState extends CrawlRef {
  options: CrawlOptions;
  origin: string;
  price: Pick<NewPage, "rendered" | "credits" | "plan">;
  nextNumber: number;
  /** The highest page number that the account has accepted. */
  accepted: number;
  /** True if the sitemaps were read or aren't needed. */
  hasSitemaps: boolean;
  /** The URL of the first page after a redirect to another site, or null. */
  finalUrl: string | null;
  /** The number of URLs that were omitted because of a limit of the frontier. */
  omitted: number;
  /** The number of steps that comparing URLs with robots.txt has taken. */
  robotsSteps?: number;
  note: string | null;
  endedAt: number | null;
  /** True if the pages have `store: false`. */
  isTemporary?: boolean;
  /** True if the crawl has ended and can't be resumed. */
  isOver?: boolean;
}

/** Returns the time (Unix ms) at which the object deletes its data. `endedAt` is the end of the crawl. */
export function toErasedAt(env: Env, { isTemporary, isOver }: CrawlState, endedAt: number): number {
  return endedAt + (isTemporary === true && isOver === true ? TEMPORARY_RESULT_MS : toRetentionMs(env));
}

/** Returns the state of a new crawl. `started` are the pages that it had started before it lost its record. */
export function toState(env: Env, batch: Batch, started: readonly PageLine[]): CrawlState {
  const request: CrawlRequest = JSON.parse(batch.request ?? "{}");
  const { account, mode, id, origin } = batch;
  const lastNumber = started.at(-1)?.number ?? 0;
  const options = toOptions(request);
  return {
    account,
    mode,
    id,
    options,
    origin,
    price: toPagePrice(env, batch, request),
    nextNumber: lastNumber + 1,
    accepted: lastNumber,
    hasSitemaps: !needsSitemaps({ mode, options }),
    finalUrl: null,
    omitted: 0,
    note: started.length > 0 ? RESTORED : null,
    endedAt: null,
    isTemporary: request.scrape?.store === false,
  };
}

/** Returns true if the crawl reads sitemaps. A test key makes no requests, so it reads none. */
export function needsSitemaps({ mode, options }: Pick<CrawlState, "mode" | "options">): boolean {
  return mode === "live" && options.sitemap !== "skip";
}

function toOptions(request: CrawlRequest): CrawlOptions {
  return {
    url: toCanonicalUrl(request.url) ?? request.url,
    limit: request.limit,
    maxDepth: request.max_depth ?? null,
    includePaths: request.include_paths ?? [],
    excludePaths: request.exclude_paths ?? [],
    includePatterns: request.include_patterns ?? [],
    excludePatterns: request.exclude_patterns ?? [],
    patternTarget: request.pattern_target,
    ignoresQuery: request.ignore_query_parameters,
    allowSubdomains: request.allow_subdomains,
    sitemap: request.sitemap,
    delayMs: request.delay === undefined ? null : request.delay * SECOND_MS,
    robots: request.robots,
    contentUse: request.content_use,
    sendsCookies: Object.keys(request.scrape?.cookies ?? {}).length > 0,
  };
}

function toPagePrice(env: Env, { mode, origin, prices }: Batch, { url, scrape }: CrawlRequest): CrawlState["price"] {
  const request = { ...scrape, url } as ScrapeRequest;
  const context = { env, mode, origin, prices };
  const plan = choosePlan(ENDPOINTS.scrape.plans(request, context), request.max_credits);
  const rendered = ENDPOINTS.scrape.needsBrowser(request, context);
  return { rendered, credits: mode === "test" ? 0 : totalOf(plan.lines), plan };
}

/** Returns a page in the format that the account accepts. */
export function toNewPage({ number, url }: { number: number | null; url: string }, { price }: CrawlState): NewPage {
  return { number: number ?? 0, url, overrides: {}, secrets: null, ...price };
}

/** Returns the counts of a crawl's URLs. `summary` is the content of its frontier. */
export function toProgress(
  { note, omitted, endedAt, nextNumber, options }: CrawlState,
  { discovered, queued, skipped }: { discovered: number; queued: number; skipped: SkippedCounts },
): CrawlProgress {
  const left = omitted + (endedAt !== null && nextNumber > options.limit ? queued : 0);
  return { discovered: discovered + omitted, skipped: { ...skipped, ...(left > 0 && { limit: left }) }, note };
}
