// The messages between a crawl and the runs of its pages.
import type { AccountRef } from "./account";
import type { JobKey } from "./job";

export interface CrawlRef extends JobKey {
  account: AccountRef;
}

export const SITEMAP_MODES = ["include", "skip", "only"] as const;
export const ROBOTS_MODES = ["respect", "ignore"] as const;
/** The parts of a URL that regular expressions can be compared with. */
export const PATTERN_TARGETS = ["path", "url"] as const;

/** The uses of a page that a site can allow or refuse (https://contentsignals.org). */
export const CONTENT_USES = ["search", "ai_input", "ai_train"] as const;
export type ContentUse = (typeof CONTENT_USES)[number];

/** The uses that a site allows or refuses, and its other reservations. */
export type ContentSignals = { [Use in ContentUse]?: boolean } & {
  noai?: true;
  noimageai?: true;
  tdm_reservation?: true;
};

/** The events that the request of a crawl can select. `crawl.completed` is always sent. */
export const CRAWL_EVENTS = ["crawl.completed", "crawl.page"] as const;

/** The options that decide which pages a crawl visits, and when. */
export interface CrawlOptions {
  /** The canonical URL of the first page. */
  url: string;
  limit: number;
  /** The maximum number of links from the first page to a page. Null if there is no limit. */
  maxDepth: number | null;
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** Regular expressions. Older crawls have none. */
  includePatterns?: readonly string[];
  excludePatterns?: readonly string[];
  patternTarget?: (typeof PATTERN_TARGETS)[number];
  /** True if the crawl visits URLs without their query. */
  ignoresQuery?: boolean;
  allowSubdomains: boolean;
  sitemap: (typeof SITEMAP_MODES)[number];
  /** The delay between the starts of two pages of a host. Null: the delay of robots.txt, or no delay. */
  delayMs: number | null;
  robots: (typeof ROBOTS_MODES)[number];
  /** The crawl returns no pages that refuse this use. If it is missing, their signals are only reported. */
  contentUse?: ContentUse | undefined;
  /** True if the pages are requested with the caller's cookies, whose session a link can end. */
  sendsCookies?: boolean;
}

/** The reasons why a crawl doesn't visit a URL of its site. */
export const SKIP_REASONS = [
  "excluded",
  "robots",
  "content_signals",
  "depth",
  "file",
  "trap",
  "sign_out",
  "redirect",
  "limit",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type SkippedCounts = Partial<Record<SkipReason, number>>;

export interface SkippedFilter {
  /** Null for all reasons. */
  reason: SkipReason | null;
  /** The id of the last URL of the previous part, or 0. */
  after: number;
  limit: number;
}

/** A URL that a crawl doesn't visit. `id` is its position in the list. */
export interface SkippedUrl {
  id: number;
  url: string;
  reason: SkipReason;
}

export interface CrawlProgress {
  /** The number of different URLs of the site that the crawl has found. */
  discovered: number;
  skipped: SkippedCounts;
  /** Explains an unexpected end, for example because robots.txt allows nothing. Null if there is no explanation. */
  note: string | null;
}

/** The properties of a page that its crawl needs. */
export interface FoundPage {
  /** The canonical form of the URL after redirects. Null if it has none. */
  url: string | null;
  /** The canonical form of the URL that the page declares as its own, or null. */
  canonical: string | null;
  /** The SHA-256 of the visible text. Null if the page has no text. */
  hash: string | null;
  /** The canonical forms of the URLs that the page links to, in document order. */
  links: string[];
  /** The canonical forms of the URLs that the page links to only with `rel=nofollow`. */
  nofollowLinks?: string[];
  /** The canonical forms of the URLs whose links say that they end the visitor's session. */
  signOutLinks?: string[];
  /** True if the page's robots directives include `nofollow`. */
  nofollow: boolean;
  /** The uses that the page allows and refuses. */
  signals?: ContentSignals;
  /** True if the page redirects to a page that has the content, and therefore wasn't loaded. */
  isRepeat?: boolean;
}

/** The report that a run sends about its page before the job ends. */
export type PageReport = { page: number; run: number } & (
  | ({ kind: "found" } & FoundPage)
  | { kind: "failed" }
  /** The target responded with status 429 or 503. */
  | { kind: "busy"; retryAfterMs: number | null }
);

export interface RedirectAnswer {
  /** The URL of another page of the crawl that has the content of the redirect's target. Null if there is none. */
  visited: string | null;
  /** The reason why the crawl doesn't allow the URL. Null if it allows the URL. */
  refusal: string | null;
}

export interface ReportReply {
  /** The number of links from the first page to this page. */
  depth: number;
  /** The URL of an earlier page that this page repeats, or null. */
  duplicateOf: string | null;
  /** True if the page redirects to the page `duplicateOf`. */
  isRedirect?: boolean;
  /** The uses that the page and robots.txt allow and refuse. */
  signals?: ContentSignals;
  /** True if the crawl doesn't return the page, because it refuses the use. */
  isRefused?: boolean;
  /** The delay before the next run of a page whose target is busy. Null if the page fails. */
  retryAfterMs: number | null;
}
