import { describe, expect, it } from "vitest";
import { bing } from "../../../src/search/engines/bing";
import { readBingFeed } from "../../../src/search/engines/bing-page";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";
import { PAGES, withOtherClasses } from "./pages";

const feedUrl = bing.sources.find(({ name }) => name === "rss")?.pageUrl ?? bing.searchUrl;

const SEARCH = "https://www.bing.com/search?q=harbour+cranes";
const QUERY: SearchQuery = { text: "harbour cranes", place: null, language: null, device: "desktop" };

describe("the desktop page", () => {
  const page = bing.readPage(PAGES.bingDesktop, SEARCH);

  it("has the results of the list with their targets' URLs", () => {
    expect(page.kind).toBe("results");
    expect(page.organic).toEqual([
      {
        title: "Crane - Wikipedia",
        url: "https://en.wikipedia.org/wiki/Crane",
        snippet: "Jul 16, 2025 · A crane is a machine that lifts.",
        date: "Jul 16, 2025",
        description: "A crane is a machine that lifts.",
      },
      {
        title: "The cranes of the port",
        url: "https://www.portofexample.com/cranes",
        snippet: "Each of the cranes lifts forty tonnes.",
        description: "Each of the cranes lifts forty tonnes.",
        sitelinks: [{ title: "Map", url: "https://www.portofexample.com/map" }],
      },
      { title: "A page without words", url: "https://bare.example.org/", snippet: "", description: "" },
    ]);
  });

  it("has the total and the URL of the next page", () => {
    expect(page.total).toBe(55_900);
    expect(page.next).toBe("https://www.bing.com/search?q=harbour+cranes&first=8&FORM=PERE");
    expect(bing.readPage(PAGES.bingDesktop, `${SEARCH}&first=8`).next).toContain("first=18");
  });

  it("is marked when the engine searched for another spelling", () => {
    expect(page.isCorrected).toBeUndefined();
    const corrected = PAGES.bingDesktop.replace("<ol ", '<div id="sp_requery">Including results for cranes</div><ol ');
    expect(bing.readPage(corrected, SEARCH).isCorrected).toBe(true);
  });
});

it("reads the mobile page, whose titles are inside of links", () => {
  const { organic, next } = bing.readPage(PAGES.bingMobile, SEARCH);
  expect(organic.map(({ title, url, description }) => [title, url, description])).toEqual([
    ["港口的起重机", "https://zh.example.com/1", "三台起重机站在水边，每台能吊四十吨。"],
    ["起重机博物馆", "https://zh.example.com/2", "星期天开放。"],
  ]);
  expect(next).toBeNull();
});

it("reads the mobile page with other class names", () => {
  const { organic } = bing.readPage(withOtherClasses(PAGES.bingMobile), SEARCH);
  expect(organic.map(({ url }) => url)).toEqual(["https://zh.example.com/1", "https://zh.example.com/2"]);
});

it("finds sibling results in a list without an id", () => {
  const item = (n: number) =>
    `<div class="q"><h2><a href="https://r${n}.example.com/">Result ${n}</a></h2><p>What the result of that number says.</p></div>`;
  const html = `<main><h2><a href="https://elsewhere.example/">Else</a></h2><div>${[1, 2, 3].map(item).join("")}</div></main>`;
  const { organic } = bing.readPage(html, SEARCH);
  expect(organic.map(({ title }) => title)).toEqual(["Result 1", "Result 2", "Result 3"]);
  expect(organic[0]?.snippet).toBe("What the result of that number says.");
  expect(bing.readPage(item(1) + item(2), SEARCH).kind).toBe("unknown");
});

it.each([
  ["nothing was found", "no_results", PAGES.bingNone],
  ["nothing was found, with other class names", "no_results", withOtherClasses(PAGES.bingNone)],
  ["the page is a challenge", "blocked", PAGES.bingChallenge],
  ["the list is empty", "unknown", '<ol id="b_results"></ol>'],
  ["the page is empty", "unknown", ""],
] as const)("classifies the page when %s", (_, kind, html) => {
  expect(bing.readPage(html, SEARCH)).toMatchObject({ kind, organic: [], next: null });
});

it("treats status 429 as a block page", () => {
  expect(bing.readPage("", SEARCH, { status: 429 }).kind).toBe("blocked");
});

describe("the search URL", () => {
  const parametersOf = (query: Partial<SearchQuery>, page = 0) =>
    Object.fromEntries(new URL(bing.searchUrl({ ...QUERY, ...query }, page)).searchParams);

  it("has no market without a place and a language", () => {
    expect(parametersOf({})).toEqual({ q: "harbour cranes", adlt: "off" });
  });

  it("counts results from 1, and has the parameters of a later page", () => {
    expect(parametersOf({}, 1)).toMatchObject({ first: "11", FORM: "PERE", pq: "harbour cranes" });
    expect(parametersOf({}, 2)).toMatchObject({ first: "21", FORM: "PERE1" });
  });

  it("has the market, the country and the language", () => {
    const istanbul = findPlace("Istanbul, Turkey");
    expect(parametersOf({ place: istanbul, language: "tr" })).toMatchObject({ mkt: "tr-TR", cc: "TR", setlang: "tr" });
    expect(parametersOf({ place: istanbul, language: "de" })).toMatchObject({ mkt: "tr-TR", cc: "TR", setlang: "de" });
    expect(parametersOf({ language: "en-GB" })).toMatchObject({ mkt: "en-GB", cc: "GB", setlang: "en" });
    expect(parametersOf({ place: findPlace("Canada"), language: "fr" })).toMatchObject({ mkt: "fr-CA" });
  });
});

describe("the feed", () => {
  const feed = (items: string) => `<?xml version="1.0"?><rss><channel><title>harbour cranes - Bing</title>
    <link>https://www.bing.com/search?q=harbour+cranes</link>${items}</channel></rss>`;

  it("has links, titles and snippets", () => {
    const item = `<item><title>Cranes &amp; ports</title><link>https://port.example.com/?a=1&amp;b=2</link>
      <description>Each lifts <![CDATA[forty]]> tonnes.</description><pubDate>Fri, 31 Oct 2025</pubDate></item>`;
    expect(readBingFeed(feed(item + item), SEARCH)).toMatchObject({
      kind: "results",
      organic: [
        {
          title: "Cranes & ports",
          url: "https://port.example.com/?a=1&b=2",
          snippet: "Each lifts forty tonnes.",
          description: "Each lifts forty tonnes.",
        },
      ],
    });
  });

  it("has a next page if it has items", () => {
    const item = "<item><title>Cranes</title><link>https://port.example.com/</link></item>";
    expect(readBingFeed(feed(item), feedUrl(QUERY, 1, null)).next).toMatch(/[?&]first=21&/);
    expect(readBingFeed(feed(item), "https://www.bing.com/search?q=tides").next).toMatch(/[?&]first=11$/);
    expect(readBingFeed(feed(""), SEARCH).next).toBeNull();
  });

  it.each(["", "<html><body>no feed</body></html>", feed("")])("is unknown without items: %j", (xml) => {
    expect(readBingFeed(xml, SEARCH).kind).toBe("unknown");
  });

  it("has the parameters of the search URL", () => {
    expect(feedUrl(QUERY, 1, null)).toMatch(/[?&]first=11&.*format=rss/);
  });
});
