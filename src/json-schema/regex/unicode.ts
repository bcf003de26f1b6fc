import { compiles } from "./compiles";

const NEEDED_ESCAPE = /[\^$\\.*+?()[\]{}|/dDwWsSbBfnrtvcxukpP0-9]/;
const PAIR_OR_BRACKET = /\\(.)|[[\]]/gsu;

/**
 * The same pattern as the validator compiles it, with the flag `u`; null for one that isn't a regular expression. Many
 * patterns are written without a thought of that flag, and escape what need not be (`\-`, `\@`): those escapes go.
 */
export function toUnicodePattern(pattern: string): string | null {
  return [pattern, withoutNeedlessEscapes(pattern)].find((same) => compiles(same, "u")) ?? null;
}

function withoutNeedlessEscapes(pattern: string): string {
  let inClass = false;
  return pattern.replace(PAIR_OR_BRACKET, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = found === "[" || (found !== "]" && inClass);
      return found;
    }
    return NEEDED_ESCAPE.test(escaped) || (inClass && escaped === "-") ? found : escaped;
  });
}
