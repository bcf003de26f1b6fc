import { normalizeEncoding } from "../site/percent-encoding";

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
 * percent-encoded. The time is at most proportional to the length of the pattern multiplied by the length of the path.
 */
export function matchesAny(patterns: readonly PathPattern[], url: URL): boolean {
  return patterns.some(({ parts, hasQuery }) => matches(parts, hasQuery ? url.pathname + url.search : url.pathname));
}

/** Returns the pattern in the form of canonical URLs. */
function encode(pattern: string): string {
  return normalizeEncoding(pattern.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent));
}

/**
 * Searches the parts between the stars from left to right. The first occurrence of each part is sufficient, because it
 * leaves the most text for the following parts.
 */
function matches(parts: readonly string[], path: string): boolean {
  const [first = "", last] = [parts[0], parts.at(-1) ?? ""];
  if (parts.length < 2) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
