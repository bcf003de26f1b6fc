import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesAny, toPathPatterns } from "../../../src/crawl/url-rules";

const urlOf = (path: string) => new URL(path, "https://example.com");

describe("matchesAny", () => {
  it.each<[pattern: string, path: string, expected: boolean]>([
    ["/blog", "/blog", true],
    ["/blog", "/blog/", false],
    ["/blog", "/blog/a", false],
    ["/blog/*", "/blog/", true],
    ["/blog/*", "/blog/a/b", true],
    ["/blog/*", "/blog", false],
    ["/blog*", "/blogs/a", true],
    ["*/tags/*", "/a/b/tags/c", true],
    ["*/tags/*", "/tags", false],
    ["/a/*/c", "/a/b/c", true],
    ["/a/*/c", "/a/c", false],
    ["/a*a", "/a", false],
    ["/a*a", "/aa", true],
    ["*ab*ab", "/ab", false],
    ["*ab*ab", "/abab", true],
    ["*.pdf", "/files/report.pdf", true],
    ["*.pdf", "/files/report.pdf/page", false],
    ["/search", "/search?q=1", true],
    ["/search?q=*", "/search?q=1", true],
    ["/search?q=*", "/search", false],
    ["/search?*", "/search?", false],
    ["/*?page=*", "/a?page=2", true],
    ["*", "/", true],
    ["/.+", "/.+", true],
    ["/.+", "/abc", false],
    ["/(a|b)", "/a", false],
    ["/Blog", "/blog", false],
    ["/caf%C3%A9", "/café", true],
    ["/caf%c3%a9/%7Ea", "/café/~a", true],
    ["/café/*", "/café/ü", true],
    ["/a b", "/a%20b", true],
    ["/*\ud800", "/a%EF%BF%BD", true],
  ])("compares %s with %s", (pattern, path, expected) => {
    expect(matchesAny(toPathPatterns([pattern]), urlOf(path))).toBe(expected);
  });

  it("compares many URLs with many long patterns", () => {
    // If the patterns were encoded again for each URL, this would take minutes.
    const patterns = toPathPatterns(Array.from({ length: 50 }, (_, i) => `/${i}${"é".repeat(190)}*`));
    const urls = Array.from({ length: 50_000 }, (_, i) => urlOf(`/items/${i}`));
    expect(urls.filter((url) => matchesAny(patterns, url))).toEqual([]);
  });

  it("matches if one of the patterns matches, and none without patterns", () => {
    expect(matchesAny(toPathPatterns(["/a", "/b/*"]), urlOf("/b/c"))).toBe(true);
    expect(matchesAny([], urlOf("/"))).toBe(false);
  });

  it("is the same as a regular expression", () => {
    const chars = fc.constantFrom("a", "b", "/", "*", "?");
    const text = fc.string({ unit: chars, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (pattern, path) => {
        const url = new URL(`https://example.com/${path}`);
        const source = pattern
          .split("*")
          .map((part) => part.replaceAll("?", "\\?"))
          .join(".*");
        const subject = pattern.includes("?") ? url.pathname + url.search : url.pathname;
        expect(matchesAny(toPathPatterns([pattern]), url)).toBe(new RegExp(`^${source}$`, "s").test(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays fast with a pattern that lets a regular expression backtrack", () => {
    const url = urlOf(`/${"a".repeat(20_000)}`);
    expect(matchesAny(toPathPatterns([`${"*a".repeat(200)}b`]), url)).toBe(false);
  });
});
