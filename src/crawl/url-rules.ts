import type { CrawlOptions, SkipReason } from "../model/crawl";
import { normalizeEncoding } from "../site/canonical-url";
import { matchesParts, toStepCounter } from "../site/robots";
import { isSameSite } from "../site/same-site";
import { isSignOutUrl } from "../site/sign-out";
import { compileExpression, matches, type UrlExpression, type VisitCount } from "./url-expression";
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
  includePatterns: readonly UrlExpression[];
  excludePatterns: readonly UrlExpression[];
  patternTarget: CrawlOptions["patternTarget"];
  maxDepth: number | null;
  sendsCookies: boolean;
  /** Returns the steps of about 50 ns for comparing a URL of this length with the patterns of paths. */
  countSteps: (urlChars: number) => number;
  /** The steps of regular expressions that were visited. Each visit takes about 50 ns. */
  count: VisitCount;
}

/** The rules by options, because compiling expressions is slow. */
const KNOWN_RULES = new WeakMap<CrawlOptions, UrlRules>();

export function toUrlRules(options: CrawlOptions): UrlRules {
  const known = KNOWN_RULES.get(options);
  if (known !== undefined) return known;
  const { maxDepth, sendsCookies = false, patternTarget } = options;
  const [includePaths, excludePaths] = [toPathPatterns(options.includePaths), toPathPatterns(options.excludePaths)];
  const [includePatterns, excludePatterns] = [compile(options.includePatterns), compile(options.excludePatterns)];
  const rules: UrlRules = {
    ...{ includePaths, excludePaths, includePatterns, excludePatterns, patternTarget, maxDepth, sendsCookies },
    countSteps: toStepCounter([...includePaths, ...excludePaths]),
    count: { visits: 0 },
  };
  KNOWN_RULES.set(options, rules);
  return rules;
}

/** Compiles regular expressions. The request has been refused if one of them is invalid. */
function compile(patterns: readonly string[] = []): UrlExpression[] {
  return patterns.map((pattern) => compileExpression(pattern)).filter((compiled) => typeof compiled !== "string");
}

/** Returns the URL that a crawl visits instead of `url`. */
export function toVisited(url: string, { ignoresQuery }: CrawlOptions): string {
  const query = ignoresQuery === true ? url.indexOf("?") : -1;
  return query === -1 ? url : url.slice(0, query);
}

/** Returns the reason why a crawl doesn't visit a URL of its site, or null. Doesn't check the limits or robots.txt. */
export function findSkipReason(url: URL, depth: number, rules: UrlRules): SkipReason | null {
  if (FILES.test(url.pathname)) return "file";
  const { includePaths, excludePaths, includePatterns, excludePatterns, maxDepth, sendsCookies } = rules;
  if (sendsCookies && isSignOutUrl(url)) return "sign_out";
  const target = rules.patternTarget === "url" ? url.href : url.pathname;
  const isIncluded =
    matchesAny(includePaths, url) || includePatterns.some((pattern) => matches(pattern, target, rules));
  if (includePaths.length + includePatterns.length > 0 && !isIncluded) return "excluded";
  if (matchesAny(excludePaths, url) || excludePatterns.some((pattern) => matches(pattern, target, rules)))
    return "excluded";
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
