import { RegExpParser } from "@eslint-community/regexpp";
import { MAX_PATTERN_CHARS } from "../model/limits";
import { findAmbiguity } from "./ambiguity";
import { PatternMatcher, UnsupportedPatternError } from "./pattern-matcher";

/** The maximum number of Unicode properties such as `\p{L}` in a pattern. Each takes about 1 ms to compile. */
const MAX_PROPERTIES = 10;
const NEEDED_ESCAPE = /[\^$\\.*+?()[\]{}|/dDwWsSbBfnrtvcxukpP0-9]/;
const ESCAPE_OR_BRACKET = /\\(.)|[[\]]/gsu;

/**
 * Returns the pattern in a form that compiles with the flag `u`, which the validator uses. Many patterns contain
 * needless escapes such as `\-` and `\@`. The flag forbids them, so they are removed. Returns null if the pattern isn't
 * a regular expression.
 */
export function toUnicodePattern(pattern: string): string | null {
  return [pattern, removeNeedlessEscapes(pattern)].find(compiles) ?? null;
}

function removeNeedlessEscapes(pattern: string): string {
  let inClass = false;
  return pattern.replace(ESCAPE_OR_BRACKET, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = found === "[" || (found !== "]" && inClass);
      return found;
    }
    return NEEDED_ESCAPE.test(escaped) || (inClass && escaped === "-") ? found : escaped;
  });
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") !== null;
  } catch {
    return false;
  }
}

export type RefusedPattern = "nested" | "slow" | "unsupported";

/**
 * Returns a matcher for a pattern, or the reason to refuse the pattern. The pattern must compile with the flag `u`.
 */
export function compilePattern(pattern: string): PatternMatcher | RefusedPattern {
  if (pattern.length > MAX_PATTERN_CHARS || countProperties(pattern) > MAX_PROPERTIES) return "unsupported";
  try {
    const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    return findAmbiguity(tree) ?? new PatternMatcher(tree);
  } catch (error) {
    if (error instanceof UnsupportedPatternError || error instanceof SyntaxError) return "unsupported";
    throw error;
  }
}

function countProperties(pattern: string): number {
  return pattern.match(/\\p/gi)?.length ?? 0;
}
