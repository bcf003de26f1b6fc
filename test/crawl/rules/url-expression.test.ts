import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression, matches } from "../../../src/crawl/url-expression";

function search(pattern: string, text: string): { isMatch: boolean; visits: number } {
  const compiled = compileExpression(pattern);
  if (typeof compiled === "string") throw new Error(compiled);
  const count = { visits: 0 };
  return { isMatch: matches(compiled, text, { count }), ...count };
}

describe("a regular expression for URLs", () => {
  it.each([
    ["^/docs/(tides|piers)$", "/docs/tides", true],
    ["^/docs/(tides|piers)$", "/docs/tides/1", false],
    ["/blog/\\d{4}/\\d\\d?/", "/a/blog/2026/1/x", true],
    ["/blog/\\d{4}/\\d\\d?/", "/a/blog/202/1/x", false],
    ["(?:ab){2,3}$", "/abab", true],
    ["^/(?:ab){3,}$", "/abab", false],
    ["\\bnews\\b", "/old-news/", true],
    ["\\bnews\\b", "/newspaper/", false],
    ["[^/]+\\.html?$", "/a/b.htm", true],
    ["/café/", "/caf%C3%A9/", true],
    ["my\\-page", "/my-page", true],
    ["(a*)*b", "/aaab", true],
    ["x?", "", true],
    ["^(?!/docs/)", "/blog/", true],
    ["^(?!/docs/)", "/docs/a", false],
    ["^/(?!admin|api).*/a$", "/x/a", true],
    ["^/(?!admin|api).*/a$", "/admin/a", false],
    [".*/(.*)/(.*)/z", "/a/b/c/z", true],
    ["^(?:){999999999}(?:(?:){99999}){99999}/a$", "/a", true],
  ])("%s on %s: %s", (pattern, text, isMatch) => {
    expect(search(pattern, text).isMatch).toBe(isMatch);
  });

  it.each([
    ["(", /regular expression/],
    ["(?<!a)b", /look-behind/],
    ["(a)\\1", /back-references/],
    ["(?i:a)", /flags/],
    ["((a{50}){50}){50}", /simpler/],
  ])("refuses %s", (pattern, message) => {
    expect(compileExpression(pattern)).toMatch(message);
  });

  it("matches as the engine's own expressions do", () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "/",
      ".",
      "\\w",
      "[^a]",
      "a*",
      "b+",
      "a?",
      "(a|b/)*",
      "(?:ab|a){1,3}",
      "^",
      "$",
      "\\b",
      "a{2}",
      "(?=a|.b)",
      "(?!b)",
      "|",
    );
    const cases = fc.tuple(
      fc.array(part, { maxLength: 7 }),
      fc.array(fc.constantFrom("a", "b", "/", "c"), { maxLength: 12 }),
    );
    const property = fc.property(cases, ([parts, characters]) => {
      const pattern = parts.join("");
      fc.pre(typeof compileExpression(pattern) !== "string");
      const text = characters.join("");
      expect([pattern, text, search(pattern, text).isMatch]).toEqual([
        pattern,
        text,
        new RegExp(pattern, "u").test(text),
      ]);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("counts the steps of a large look-ahead at each place", () => {
    expect(search("(?=b.{4900})", "a".repeat(2_000)).visits).toBeGreaterThan(100_000);
  });

  it.each(["(a+)+$", "(a|a)*$", "(.*)(.*)(.*)(.*)x", "(a?){30}a{30}x"])(
    "visits steps in linear time: %s",
    (pattern) => {
      const visits = [500, 1_000, 2_000].map((length) => search(pattern, `${"a".repeat(length)}!`).visits);
      const [first = 0, second = 0, third = 0] = visits;
      expect(third - second).toBeLessThan(2.2 * (second - first));
    },
  );
});
