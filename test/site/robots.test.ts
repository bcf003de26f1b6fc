import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALLOW_ALL, crawlDelayOf, DISALLOW_ALL, isAllowed, parseRobots } from "../../src/site/robots";

const parse = (text: string) => parseRobots(new TextEncoder().encode(text), "https://foo.bar/robots.txt");
const allows = (text: string, path: string, agent = "FooBot") =>
  isAllowed(parse(text), new URL(path, "https://foo.bar").href, agent);

describe("the content signals", () => {
  it.each<[name: string, file: string, signals: object]>([
    [
      "of all user agents",
      "User-agent: *\nContent-Signal: search=yes, AI-Train=no\n",
      { search: true, ai_train: false },
    ],
    [
      "of the service's own group",
      "User-agent: *\nContent-Signal: search=no\nUser-agent: WebDataExtraction\nContent-Signal: ai-input=no",
      { ai_input: false },
    ],
    ["of several lines", "User-agent: *\nContent-Signal: search=no\ncontent-signal: search=yes", { search: false }],
    ["without a user agent", "Content-Signal: search=no", {}],
    ["with other names and values", "User-agent: *\nContent-Signal: use=no, search=maybe, ai-input", {}],
    [
      "before another group",
      "User-agent: *\nContent-Signal: search=no\nUser-agent: other\nDisallow: /",
      { search: false },
    ],
  ])("are those %s", (_, file, signals) => {
    const parsed = parse(file);
    expect(parsed.signals).toEqual(signals);
    expect(allows(file, "/")).toBe(true);
  });
});

describe("the patterns of RFC 9309 and Google", () => {
  it.each<[rule: string, path: string, matches: boolean]>([
    ["/", "/anything", true],
    ["/*", "/", true],
    ["/fish", "/fish", true],
    ["/fish", "/fish.html", true],
    ["/fish", "/fish/salmon.html", true],
    ["/fish", "/fishheads/yummy.html", true],
    ["/fish", "/fish.php?id=anything", true],
    ["/fish", "/Fish.asp", false],
    ["/fish", "/catfish", false],
    ["/fish", "/desert/fish", false],
    ["/fish*", "/fish.php?id=anything", true],
    ["/fish/", "/fish", false],
    ["/fish/", "/fish/?id=anything", true],
    ["/fish/", "/fish.html", false],
    ["/*.php", "/folder/any.php.file.html", true],
    ["/*.php", "/", false],
    ["/*.php", "/windows.PHP", false],
    ["/*.php$", "/filename.php", true],
    ["/*.php$", "/filename.php?parameters", false],
    ["/*.php$", "/filename.php5", false],
    ["/*.php$", "/a.php/b.php", true],
    ["/fish*.php", "/fishheads/catfish.php?parameters", true],
    ["/fish*.php", "/Fish.PHP", false],
    ["/$", "/", true],
    ["/$", "/page", false],
    ["/a$b", "/a$b", true],
    ["/a**b", "/axxb", true],
    ["*", "/x", true],
    ["*$", "/x", true],
    ["/a*$", "/abc", true],
    ["/a*a$", "/a", false],
    ["/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar", true],
    // Compares encoded and unencoded rules with encoded and unencoded URLs.
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84", true],
    ["/foo/bar/%E3%83%84", "/foo/bar/ツ", true],
    ["/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", true],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", true],
    ["/foo/bar/baz", "/foo/bar/%62%61%7a", true],
    ["/path/file-with-a-%2A.html", "/path/file-with-a-*.html", true],
    ["/path/foo-%24", "/path/foo-$", true],
    ["/a%2Fb", "/a/b", false],
    ["fish", "/fish", false],
  ])("compares %s with %s", (rule, path, isMatch) => {
    expect(allows(`User-agent: *\nDisallow: ${rule}`, path)).toBe(!isMatch);
  });

  it.each<[allow: string, disallow: string, path: string, allowed: boolean]>([
    ["/p", "/", "/page", true],
    ["/folder", "/folder", "/folder/page", true],
    ["/page", "/*.htm", "/page.htm", false],
    ["/page", "/*.ph", "/page.php5", true],
    ["/$", "/", "/", true],
    ["/$", "/", "/page.htm", false],
  ])("prefers the longer of allow %s and disallow %s", (allow, disallow, path, allowed) => {
    expect(allows(`User-agent: FooBot\nDisallow: ${disallow}\nAllow: ${allow}`, path)).toBe(allowed);
    expect(allows(`User-agent: FooBot\nAllow: ${allow}\nDisallow: ${disallow}`, path)).toBe(allowed);
  });
});

describe("groups", () => {
  it.each<[name: string, text: string, allowed: boolean]>([
    ["an empty file", "", true],
    ["a rule before the first group", "Disallow: /\nUser-agent: FooBot\nDisallow: /b", true],
    ["an empty Disallow", "User-agent: *\nDisallow:", true],
    ["an empty Allow next to a Disallow", "User-agent: *\nAllow:\nDisallow: /", false],
    ["the group of its own name", "User-agent: *\nDisallow: /\nUser-agent: FooBot\nDisallow: /b", true],
    ["a group with another name", "User-agent: BarBot\nDisallow: /", true],
    ["a group with a longer name", "User-agent: FooBot-News\nDisallow: /", true],
    ["a name in another case, with a version", "user-AGENT: fOObOT/2.1\nDISALLOW: /", false],
    ["two groups of the same name", "User-agent: FooBot\nDisallow: /b\n\nUser-agent: FooBot\nDisallow: /a", false],
    ["several names of one group", "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /", false],
    ["names with another record between them", "User-agent: FooBot\nSitemap: /s\nUser-agent: B\nDisallow: /", false],
    ["a wildcard with a comment", "User-agent: * # all\nDisallow: / # everything", false],
    ["a wildcard with more text", "User-agent: *bot\nDisallow: /", true],
    ["a byte order mark", "\ufeffUser-agent: *\nDisallow: /", false],
    ["CRLF", "User-agent: *\r\nDisallow: /\r\n", false],
    ["CR", "User-agent: *\rDisallow: /\r", false],
    ["a missing colon", "User-agent *\nDisallow /", false],
    ["a misspelled key", "useragent: *\ndissallow: /", false],
    ["no space after the colon", "user-agent:*\ndisallow:/", false],
    ["spaces around the colon", " User-agent : *\n\tDisallow\t:\t/ ", false],
    ["an HTML page", "<!doctype html><title>User-agent: *</title>\n<p>Disallow: /</p>", true],
  ])("reads %s", (_, text, allowed) => {
    expect(allows(text, "/a")).toBe(allowed);
  });

  it("always allows the robots.txt itself", () => {
    expect(isAllowed(DISALLOW_ALL, "https://foo.bar/robots.txt")).toBe(true);
    expect(isAllowed(DISALLOW_ALL, "https://foo.bar/")).toBe(false);
    expect(isAllowed(ALLOW_ALL, "https://foo.bar/")).toBe(true);
  });
});

describe("other records", () => {
  it("reads the delay of the agent's groups, or of all agents", () => {
    const robots = parse(
      "User-agent: *\nCrawl-delay: 5\nDisallow: /x\n\nUser-agent: FooBot\nCrawl-Delay: 0.5\nAllow: /",
    );
    expect(crawlDelayOf(robots, "FooBot")).toBe(0.5);
    expect(crawlDelayOf(robots)).toBe(5);
    expect(crawlDelayOf(parse("User-agent: *\nCrawl-delay: soon"))).toBeNull();
    expect(crawlDelayOf(parse("User-agent: *\nCrawl-delay: 99999999"))).toBe(86_400);
  });

  it("returns the sitemaps of all groups as absolute URLs, each once", () => {
    const text =
      "Sitemap: https://cdn.example/s.xml\nUser-agent: A\nsitemap:/b.xml\nSITEMAP: /b.xml\nSitemap: ftp://x/\nSitemap:";
    expect(parse(text).sitemaps).toEqual(["https://cdn.example/s.xml", "https://foo.bar/b.xml"]);
  });
});

it("ignores the part after 500 KiB, and the line at the cut", () => {
  const start = "User-agent: *\n";
  const comment = `#${"x".repeat(500 * 1024 - start.length - "Disallow: /a".length - 2)}\n`;
  expect(allows(`${start}${comment}Disallow: /ab\nDisallow: /c\n`, "/ab")).toBe(true);
  expect(allows(`${start}${comment}Disallow: /ab\nDisallow: /c\n`, "/c")).toBe(true);
});

it("finds a long part of a pattern that repeats characters", () => {
  const parts = fc.stringMatching(/^[ab]{17,40}$/);
  fc.assert(
    fc.property(parts, fc.stringMatching(/^[ab]{0,80}$/), parts, (part, before, after) => {
      expect(allows(`User-agent: *\nDisallow: /*${part}`, `/${before}${part}${after}`)).toBe(false);
      expect(allows(`User-agent: *\nDisallow: /*${part}`, `/${before}`)).toBe(!before.includes(part));
    }),
  );
});

it("ignores lines that are longer than a URL", () => {
  const path = `/${"a".repeat(1_980)}`;
  expect(allows(`User-agent: *\nDisallow: ${path}`, path)).toBe(false);
  expect(allows(`User-agent: *\nDisallow: ${path}${"a".repeat(20)}`, `${path}${"a".repeat(20)}`)).toBe(true);
});

it("reads any bytes", () => {
  const key = fc.constantFrom("User-agent: ", "Allow:", "disallow: ", "Sitemap:", "crawl-delay ", "");
  const value = fc.string({ unit: fc.constantFrom("*", "$", "%", "/", "a", "4", "\ud83d", " ", "#", ":") });
  const line = fc.tuple(key, value).map((parts) => parts.join(""));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.array(line).map((lines) => new TextEncoder().encode(lines.join("\n"))),
  );
  fc.assert(
    fc.property(bytes, fc.webUrl({ withQueryParameters: true }), (file, url) => {
      expect(typeof isAllowed(parseRobots(file, "https://foo.bar/robots.txt"), url)).toBe("boolean");
    }),
  );
});

it.each([
  ["a long line of spaces", `User-agent: *\nDisallow: /${" ".repeat(400_000)}x`],
  ["a pattern of wildcards", `User-agent: *\nDisallow: ${"/*a".repeat(100_000)}`],
  ["many rules", `User-agent: *\n${"Disallow: /*b\n".repeat(30_000)}`],
])("reads %s without delay", (_, text) => {
  expect(allows(text, `/${"a".repeat(7_000)}`)).toBe(true);
});
