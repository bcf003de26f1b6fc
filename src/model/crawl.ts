// The messages between a crawl and the runs of its pages.
import type { AccountRef } from "./account";
import type { JobKey } from "./job";

/** Identifies a crawl. */
export interface CrawlRef extends JobKey {
  account: AccountRef;
}

export const SITEMAP_MODES = ["include", "skip", "only"] as const;
export const ROBOTS_MODES = ["respect", "ignore"] as const;

/** The events that the request of a crawl can choose. `crawl.completed` is always sent. */
export const CRAWL_EVENTS = ["crawl.completed", "crawl.page"] as const;

/** The options that decide which pages a crawl visits, and when. */
export interface CrawlOptions {
  /** The canonical URL of the first page. */
  url: string;
  limit: number;
  /** The highest number of links from the first page to a page. Null if there is no limit. */
  maxDepth: number | null;
  includePaths: readonly string[];
  excludePaths: readonly string[];
  allowSubdomains: boolean;
  sitemap: (typeof SITEMAP_MODES)[number];
  /** The time between the starts of two pages of a host. Null for the delay of robots.txt, or none. */
  delayMs: number | null;
  robots: (typeof ROBOTS_MODES)[number];
}

/** The reasons why a crawl doesn't visit a URL of its site. */
export const SKIP_REASONS = ["excluded", "robots", "depth", "file", "trap", "redirect", "limit"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type SkippedCounts = Partial<Record<SkipReason, number>>;

/** The URLs of a crawl, counted. */
export interface CrawlProgress {
  /** The number of different URLs of the site that the crawl has found. */
  discovered: number;
  skipped: SkippedCounts;
  /** Explains an unexpected end, such as a robots.txt that allows nothing. Null if there is nothing to explain. */
  note: string | null;
}

/** The content of a page that its crawl needs. */
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
  /** True if the page's robots directives say `nofollow`. */
  nofollow: boolean;
}

/** The report of a run about its page. It is sent before the job ends. */
export type PageReport = { page: number; run: number } & (
  | ({ kind: "found" } & FoundPage)
  | { kind: "failed" }
  /** The target responded with 429 or 503. */
  | { kind: "busy"; retryAfterMs: number | null }
);

export interface ReportReply {
  /** The number of links from the first page to this page. */
  depth: number;
  /** The URL of an earlier page of the crawl with the same content, or null. */
  duplicateOf: string | null;
  /** The delay before the next run of a page whose target is busy. Null if the page fails. */
  retryAfterMs: number | null;
}
