import { describe, expect, it } from "vitest";
import { google } from "../../../src/search/engines/google";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";
import { PAGES, withOtherClasses } from "./pages";

const SEARCH = "https://www.google.com/search?q=harbour+cranes";
const QUERY: SearchQuery = { text: "harbour cranes", place: null, language: null, device: "desktop" };

const ADDRESSES = [
  "https://featured.example.org/crane",
  "https://www.portofexample.com/cranes?berth=4",
  "https://www.youtube.com/watch?v=2",
  "https://www.google.com/goto?url=CAESAabcDEF-_123",
  "https://www.google.com/maps",
];

describe("the desktop page", () => {
  const page = google.readPage(PAGES.googleDesktop, SEARCH);

  it("has each organic result once, without advertisements, questions, stories, videos and repeats", () => {
    expect(page.kind).toBe("results");
    expect(page.organic.map(({ url }) => url)).toEqual(ADDRESSES);
  });

  it("has titles without invisible characters", () => {
    expect(page.organic.map(({ title }) => title)).toEqual([
      "What a harbour crane is",
      "The cranes of the port",
      "Cranes, a film",
      "Cranes by the waterside",
      "Google Maps",
    ]);
  });

  it("has snippets with and without their date", () => {
    expect(page.organic[0]?.snippet).toBe("A harbour crane lifts loads from ships, and turns.");
    expect(page.organic[1]).toMatchObject({
      snippet: "Oct 31, 2025 — Each of the cranes lifts forty tonnes.",
      description: "Each of the cranes lifts forty tonnes.",
    });
    expect(page.organic[2]?.snippet).toBe("A film of forty minutes on those who work up there.");
  });

  it("marks the URLs that only Google can resolve", () => {
    expect(page.organic.map(({ unresolved }) => unresolved)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      undefined,
    ]);
  });

  it("reads the total from a script, and links the next page", () => {
    expect(page.total).toBe(1240);
    expect(page.next).toBe("https://www.google.com/search?q=harbour+cranes&start=10");
    expect(google.readPage(PAGES.googleDesktop, `${SEARCH}&start=10`).next).toContain("start=20");
    expect(google.readPage(PAGES.googleDesktop, `${SEARCH}&start=20`).next).toBeNull();
  });

  it("gives the same results with other class names", () => {
    const other = google.readPage(withOtherClasses(PAGES.googleDesktop), SEARCH);
    expect(other.organic.map(({ url }) => url)).toEqual(ADDRESSES);
    expect(other.organic[1]?.snippet).toBe("Oct 31, 2025 — Each of the cranes lifts forty tonnes.");
  });
});

it("reads the mobile page, whose titles are not heading elements", () => {
  const { kind, organic } = google.readPage(PAGES.googleMobile, SEARCH);
  expect(kind).toBe("results");
  expect(organic).toEqual([
    {
      title: "What a harbour crane is",
      url: "https://featured.example.org/crane",
      snippet: "A harbour crane lifts loads from ships, and turns.",
      description: "A harbour crane lifts loads from ships, and turns.",
    },
    {
      title: "The cranes of the port",
      url: "https://www.portofexample.com/cranes",
      snippet: "6 days ago — Each of the cranes lifts forty tonnes, and none is old.",
      date: "6 days ago",
      description: "Each of the cranes lifts forty tonnes, and none is old.",
    },
    {
      title: "The crane museum",
      url: "https://crane-museum.example.org/",
      snippet: "Open on Sundays, when the last steam crane is fired.",
      description: "Open on Sundays, when the last steam crane is fired.",
    },
  ]);
});

it("reads the page without scripts, and unwraps its links once", () => {
  const { organic, next } = google.readPage(PAGES.googleBasic, "https://www.google.com/search?q=daru");
  expect(organic.map(({ title, url }) => [title, url])).toEqual([
    ["Kikötő – Wikipédia", "https://hu.wikipedia.org/wiki/Kik%C3%B6t%C5%91"],
    ["Daru", "https://daru.example.hu/a?b=1&c=2"],
  ]);
  expect(organic[0]?.snippet).toBe("A kikötő vízi járművek fogadására alkalmas hely.");
  expect(organic[1]?.snippet).toBe("Négy torony és hat híddaru áll a rakparton, 1987 óta.");
  expect(next).toBe("https://www.google.com/search?q=daru&start=10");
});

const NONE = "https://www.google.com/search?q=qwzxv";
const COUNT = '<div id="result-stats">About 0 results<nobr> (0.2s)</nobr></div>';
it.each([
  ["nothing was found", "no_results", PAGES.googleNone, NONE],
  ["nothing was found, with other class names", "no_results", withOtherClasses(PAGES.googleNone), NONE],
  ["nothing was found, without scripts", "no_results", PAGES.googleNoneBasic, NONE],
  ["the count is zero", "no_results", `<a href="/search?q=qwzxv&udm=2">Images</a>${COUNT}`, NONE],
  [
    "the count is zero in the layout of 2023",
    "degraded",
    `<a href="/search?q=qwzxv&tbm=isch">Images</a>${COUNT}`,
    NONE,
  ],
  ["the page is a captcha", "blocked", PAGES.googleSorry, SEARCH],
  ["the URL is the captcha's", "blocked", "<p>...</p>", "https://www.google.com/sorry/index?continue=x"],
  ["the page requires scripts", "blocked", PAGES.googleShell, SEARCH],
  ["access is refused", "blocked", "<title>Error 403 (Forbidden)!!1</title>", SEARCH],
  ["the page is a consent form", "consent", PAGES.googleConsent, SEARCH],
  ["the URL is the consent form's", "consent", "<p>...</p>", "https://consent.google.com/m?continue=x"],
  ["the engine is broken", "unknown", "<title>Error 502 (Server Error)!!1</title><p>502.", SEARCH],
  ["the page is unknown", "unknown", '<form><input name="q" value="qwzxv"></form><p>Verifying your request</p>', NONE],
  ["the page is empty", "unknown", "", SEARCH],
] as const)("classifies the page when %s", (_, kind, html, url) => {
  expect(google.readPage(html, url)).toMatchObject({ kind, organic: [], next: null });
});

it.each([
  [1240, String.raw`"result-stats\">Environ 1\xa0240 r\xe9sultats\x3cnobr> (0,23\xa0s)"`],
  [1240, String.raw`"result-stats\x22\x3eEnviron 1\u202f240 r\u00e9sultats\x3cnobr\x3e (0,23 s)"`],
  [1240, `'result-stats">Environ 1&#160;240 résultats<nobr> (0,23&#160;s)'`],
  [1240, `'result-stats">Environ 1&#8239;240 résultats<nobr> (0,23 s)'`],
  [1240, `'result-stats">Environ 1&nbsp;240 résultats<nobr> (0,23&nbsp;s)'`],
  [null, "#result-stats{line-height:22px} #result-stats>p{margin:7px}"],
])("reads the total %s from a script: %s", (total, script) => {
  expect(google.readPage(`<script>${script}</script>${PAGES.googleMobile}`, SEARCH).total).toBe(total);
});

it("treats status 429 as a block page", () => {
  expect(google.readPage("<p>Too many</p>", SEARCH, { status: 429 }).kind).toBe("blocked");
});

const parametersOf = (query: Partial<SearchQuery>, page = 0) =>
  Object.fromEntries(new URL(google.searchUrl({ ...QUERY, ...query }, page)).searchParams);

describe("the search URL", () => {
  it("requests the tab with only web results", () => {
    expect(google.searchUrl(QUERY, 0)).toMatch(/^https:\/\/www\.google\.com\/search\?q=harbour\+cranes&/);
    expect(parametersOf({ blocks: [] })).toMatchObject({ q: "harbour cranes", udm: "14", hl: "en", pws: "0" });
    expect(parametersOf({})).not.toHaveProperty("udm");
    expect(parametersOf({})).not.toHaveProperty("start");
    expect(parametersOf({})).not.toHaveProperty("gl");
  });

  it("increases the offset by 10 per page", () => {
    expect(parametersOf({}, 3)).toMatchObject({ start: "30" });
  });

  it("has the country, the language and the place", () => {
    expect(parametersOf({ place: findPlace("Istanbul, Turkey"), language: "en-GB" })).toMatchObject({
      gl: "tr",
      hl: "en",
      uule: "w+CAIQICIZSXN0YW5idWwsSXN0YW5idWwsVHVya2l5ZQ",
    });
    expect(parametersOf({ place: findPlace("de") })).toMatchObject({ gl: "de", hl: "de" });
  });
});

describe("the uule parameter", () => {
  function toUule(name: string): string {
    const place = findPlace("istanbul");
    if (place?.city === undefined || place.city === null) throw new Error("The place is known.");
    return parametersOf({ place: { ...place, city: { ...place.city, google: name } } }).uule ?? "";
  }

  it("matches a known value", () => {
    expect(toUule("Istanbul,Istanbul,Turkiye")).toBe("w+CAIQICIZSXN0YW5idWwsSXN0YW5idWwsVHVya2l5ZQ");
  });

  it("encodes the length of the name in bytes, also above 127", () => {
    const bytes = Uint8Array.from(atob(toUule("ü".repeat(100)).slice(2)), (char) => char.charCodeAt(0));
    expect([...bytes.slice(0, 7)]).toEqual([8, 2, 16, 32, 34, 200, 1]);
    expect(new TextDecoder().decode(bytes.slice(7))).toBe("ü".repeat(100));
  });
});
