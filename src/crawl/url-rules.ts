import type { CrawlOptions, SkipReason } from "../model/crawl";
import { normalizeEncoding } from "../site/canonical-url";
import { matchesParts, toStepCounter } from "../site/robots";
import { isSameSite } from "../site/same-site";
import { isSignOutUrl } from "../site/sign-out";
import { isTrap } from "./url-shape";

/** Files without text, and files that pages embed. Their URLs would use up the limit of the crawl. */
const FILES =
  /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|mov|avi|mkv|webm|ogg|wav|flac|zip|gz|tgz|bz2|xz|7z|rar|tar|dmg|exe|msi|apk|iso|deb|rpm|jar|woff2?|ttf|otf|eot|css|m?js|wasm)$/i;

/**
 * Returns true if the URL belongs to the site of the crawl. `finalUrl` is the URL of the first page after redirects, or
 * null. A site can redirect its own host name to another one.
 */
export function isInScope(
  url: string,
  { url: start, allowSubdomains }: CrawlOptions,
  finalUrl: string | null,
): boolean {
  const options = { includeSubdomains: allowSubdomains };
  return isSameSite(url, start, options) || (finalUrl !== null && isSameSite(url, finalUrl, options));
}

/** The rules for single URLs that the options of a crawl contain, prepared for many URLs. */
interface UrlRules {
  includePaths: readonly PathPattern[];
  excludePaths: readonly PathPattern[];
  maxDepth: number | null;
  sendsCookies: boolean;
  /** Returns the steps of about 50 ns for comparing a URL of this length with the patterns. */
  countSteps: (urlChars: number) => number;
}

export function toUrlRules({ includePaths, excludePaths, maxDepth, sendsCookies = false }: CrawlOptions): UrlRules {
  const [included, excluded] = [toPathPatterns(includePaths), toPathPatterns(excludePaths)];
  const countSteps = toStepCounter([...included, ...excluded]);
  return { includePaths: included, excludePaths: excluded, maxDepth, sendsCookies, countSteps };
}

/** Returns the reason why a crawl doesn't visit a URL of its site, or null. Doesn't check the limits or robots.txt. */
export function findSkipReason(url: URL, depth: number, rules: UrlRules): SkipReason | null {
  if (FILES.test(url.pathname)) return "file";
  const { includePaths, excludePaths, maxDepth, sendsCookies } = rules;
  if (sendsCookies && isSignOutUrl(url)) return "sign_out";
  if (includePaths.length > 0 && !matchesAny(includePaths, url)) return "excluded";
  if (matchesAny(excludePaths, url)) return "excluded";
  if (isTrap(url)) return "trap";
  return maxDepth !== null && depth > maxDepth ? "depth" : null;
}

/** A pattern that is prepared for many comparisons. */
export interface PathPattern {
  /** The texts between the stars, in the form of canonical URLs. */
  parts: readonly string[];
  /** True if the pattern is compared with the path and the query. */
  hasQuery: boolean;
}

/** Prepares patterns. Keep the result for all URLs, because encoding a pattern takes longer than a comparison. */
export function toPathPatterns(patterns: readonly string[]): PathPattern[] {
  return patterns.map((pattern) => ({ parts: encode(pattern).split("*"), hasQuery: pattern.includes("?") }));
}

/**
 * Returns true if one of the patterns matches the whole path of the URL. In a pattern, `*` matches any characters. A
 * pattern with `?` is compared with the path and the query. Patterns such as `/café/*` don't have to be
 * percent-encoded.
 */
export function matchesAny(patterns: readonly PathPattern[], url: URL): boolean {
  return patterns.some(({ parts, hasQuery }) =>
    matchesParts(parts, hasQuery ? url.pathname + url.search : url.pathname, true),
  );
}

/** Returns the pattern in the form of canonical URLs. */
function encode(pattern: string): string {
  return normalizeEncoding(pattern.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent));
}
