import { expect } from "vitest";
import blockPagePhrases from "../../src/html/block-pages/phrases.json";
import vendors from "../../src/html/block-pages/vendors.json";
import outcomePhrases from "../../src/html/outcome/phrases.json";
import { toRegExp } from "../../src/lib/to-reg-exp";
import { forAll } from "../support/for-all";

const PATTERN_KEYS = new Set(["pattern", "patterns", "headerValue", "source", "script", "title", "text", "mentions"]);

/** Returns the patterns in a table, with the keys that lead to them. */
function patternsIn(value: unknown, path: string[] = []): [path: string, pattern: string][] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => patternsIn(inner, [...path, key]));
  const isPattern = path.some((key) => PATTERN_KEYS.has(key)) || path[0] === "demands";
  return isPattern ? [[path.join("."), String(value)]] : [];
}

forAll([...patternsIn(outcomePhrases), ...patternsIn(vendors), ...patternsIn(blockPagePhrases)])(
  "compiles the pattern %s of a table without changing it",
  (_, pattern) => {
    expect(String(toRegExp(pattern))).toBe(pattern);
  },
);
