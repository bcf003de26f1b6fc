import fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_SERP_PAGE_RESULTS, MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../../src/model/search-limits";
import { readBingFeed } from "../../../src/search/engines/bing-page";
import { ENGINES } from "../../../src/search/engines/engines";
import { PAGES } from "./pages";

const { bing, google, yandex } = ENGINES;

const READERS = [
  ["google", (html: string) => google.readPage(html, "https://www.google.com/search?q=x")],
  ["bing", (html: string) => bing.readPage(html, "https://www.bing.com/search?q=x")],
  ["yandex", (html: string) => yandex.readPage(html, "https://yandex.ru/search/?text=x")],
  ["feed", (html: string) => readBingFeed(html, "https://www.bing.com/search?q=x")],
] as const;

const RESULT =
  '<li class="b_algo serp-item"><h2><a class="organic__url" href="https://a.example/"><h3>T</h3></a></h2><div class="VwiC3b">s</div></li>';
const LIST = (inside: string) => `<ol id="b_results"><div id="rso">${inside}`;

const HOSTILE = [
  ["with a nesting depth of 100,000", LIST("<div>".repeat(100_000) + RESULT)],
  ["of nested links and headings", LIST('<a href="https://a.example/"><h3><h2>'.repeat(10_000))],
  ["of nested results", LIST('<li class="serp-item b_algo"><h2><a href="//a.example">x</a></h2>'.repeat(10_000))],
  ["of 10,000 results", LIST(RESULT.repeat(10_000))],
  ["with a title of a million characters", LIST(`<a href="https://a.example/"><h3>${"T ".repeat(500_000)}</h3></a>`)],
  ["of white space", LIST(`<a href="https://a.example/"><h3>${" ".repeat(1_000_000)}T</h3></a>`)],
  ["with a snippet in 30,000 elements", LIST(`<a href="//a.example"><h3>T</h3></a>${"<div>ab".repeat(30_000)}`)],
  [
    "with 200,000 folded ids",
    LIST(`<p role=button aria-expanded=false aria-controls="${"a ".repeat(200_000)}">${RESULT}`),
  ],
  ["of links to the next page", LIST('<a href="/search?q=x&start=9e9&first=-1&p=NaN">n</a>'.repeat(25_000))],
  [
    "with a link of a million characters",
    LIST(`<h2><a href="https://a.example/${"a".repeat(1_000_000)}"><h3>T</h3></a></h2>`),
  ],
  [
    "of questions",
    LIST('<div data-initq="x"><p data-q="Why?">Why?<a href="//a.example"><h3>T</h3></a>'.repeat(10_000)),
  ],
  ["of ads", LIST('<div data-text-ad="1"><p>Sponsored</p><a href="/aclk?x"><h3>T</h3></a>'.repeat(10_000))],
  [
    "of cards",
    LIST(
      '<h2>Videos</h2><div data-vid="1"><a href="//a.example"><p role=heading aria-level=3>T</p></a>'.repeat(10_000),
    ),
  ],
  ["of other searches", LIST('<a href="/search?q=other">other</a><a href="/search?q=Why%3F">x</a>'.repeat(10_000))],
  ["of facts", LIST(`<p data-attrid=title>T</p>${"<div data-attrid='kc:/a'>Name: value".repeat(10_000)}`)],
  ["of overviews", LIST('<div data-subtree="mfc"><ul><li><a href="//a.example" aria-label="x"></a>T'.repeat(10_000))],
  ["of inserted markup", LIST(`<div data-subtree="mfc"><p id=a></p><script>${'dh("a","\\x3cp id=a>'.repeat(50_000)}`)],
  ["of comments", LIST(`<div data-subtree="mfc">${"<!--Sv6Kpe[[".repeat(50_000)}`)],
  ["of nested notices", `${'<div id="topstuff"><span>'.repeat(30_000)}x`],
  ["of statistics", 'result-stats\\">'.repeat(100_000)],
  ["of items without end tags", "<item><title>".repeat(100_000)],
  ["of invalid characters", "\u0000\ufffd\ud800<a href='https://a.example/'><h3>\udc00</h3>".repeat(1_000)],
] as const;

/** The size of all blocks of a hostile page. */
const MAX_BLOCKS_CHARS = 2_000_000;

it.each(READERS.flatMap(([name, read]) => HOSTILE.map(([what, html]) => [name, what, html, read] as const)))(
  "%s: the result of a page %s stays within the limits",
  { timeout: 60_000 },
  (_, __, html, read) => {
    const { kind, organic, blocks } = read(html);
    expect(kind === "results").toBe(organic.length > 0);
    for (const block of Object.values(blocks ?? {}))
      if (Array.isArray(block)) expect(block.length).toBeLessThanOrEqual(MAX_SERP_PAGE_RESULTS);
    expect(JSON.stringify(blocks ?? {}).length).toBeLessThan(MAX_BLOCKS_CHARS);
    expect(organic.length).toBeLessThanOrEqual(MAX_SERP_PAGE_RESULTS);
    for (const { title, snippet, url } of organic) {
      expect(title.length).toBeLessThanOrEqual(MAX_SERP_TITLE_CHARS);
      expect(snippet.length).toBeLessThanOrEqual(MAX_SERP_SNIPPET_CHARS);
      expect(url).toMatch(/^https?:\/\//);
    }
  },
);

it.each(READERS)("%s: any part of any page is read without an error", (_, read) => {
  const pages = fc.constantFrom(...Object.values(PAGES));
  const pieces = fc
    .tuple(pages, fc.nat(4_000), fc.nat(4_000), fc.string())
    .map(([html, from, length, text]) => html.slice(from, from + length) + text);
  fc.assert(
    fc.property(pieces, (html) => {
      const { kind, organic } = read(html);
      expect(kind === "results").toBe(organic.length > 0);
    }),
  );
  expect(google.readPage(PAGES.googleDesktop, "no address").kind).not.toBe("no_results");
});
