import { describe, expect, it } from "vitest";
import { SerpRequest } from "../../src/contract/serp";
import type { EngineName } from "../../src/model/engine";
import { ENGINES } from "../../src/search/engines/engines";
import { checkOffer, isInDomains, toTimeRange, withDomains } from "../../src/search/filters";
import type { SearchQuery } from "../../src/search/results/result-page";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const QUERY: SearchQuery = { text: "cranes", place: null, language: null, device: "desktop" };

function queryOf(body: object): SearchQuery {
  const { engine, type, page, time_range, safe_search, ...request } = SerpRequest.parse({ query: "cranes", ...body });
  const text = withDomains({ engine, type, page, ...request }, ENGINES[engine]);
  return {
    ...QUERY,
    text,
    type,
    firstPage: page - 1,
    timeRange: toTimeRange(time_range, NOW),
    safeSearch: safe_search,
  };
}

describe("the URL of a search", () => {
  it.each<[EngineName, object, string, Record<string, string>]>([
    ["google", { time_range: "week" }, "/search", { tbs: "qdr:w" }],
    [
      "google",
      { time_range: { from: "2026-01-05", to: "2026-11-30" } },
      "/search",
      { tbs: "cdr:1,cd_min:1/5/2026,cd_max:11/30/2026" },
    ],
    ["google", { safe_search: "strict", page: 3 }, "/search", { safe: "active", start: "20" }],
    ["google", { safe_search: "off", type: "news" }, "/search", { safe: "off", tbm: "nws" }],
    ["google", { type: "images" }, "/search", { udm: "2" }],
    ["google", { type: "videos" }, "/search", { udm: "7" }],
    [
      "google",
      { include_domains: ["a.example", "B.example"], exclude_domains: ["c.example"] },
      "/search",
      { q: "cranes (site:a.example OR site:b.example) -site:c.example" },
    ],
    ["bing", { time_range: "month", page: 2 }, "/search", { filters: 'ex1:"ez3"', first: "11", FORM: "PERE" }],
    ["bing", { time_range: { from: "1066-10-14" } }, "/search", { filters: 'ex1:"ez5_0_20786"' }],
    // The next day has begun in the time zone of the caller.
    ["bing", { time_range: { from: "2026-11-30" } }, "/search", { filters: 'ex1:"ez5_20787_20787"' }],
    ["bing", { time_range: { from: "1970-01-11" } }, "/search", { filters: 'ex1:"ez5_10_20786"', adlt: "off" }],
    [
      "bing",
      { time_range: "year", safe_search: "strict" },
      "/search",
      { filters: 'ex1:"ez5_20421_20786"', adlt: "strict" },
    ],
    ["bing", { type: "news", time_range: "day" }, "/news/search", { qft: 'interval="7"' }],
    ["bing", { type: "images", time_range: "day" }, "/images/search", { qft: "+filterui:age-lt1440" }],
    ["bing", { type: "videos" }, "/videos/search", { q: "cranes" }],
    ["bing", { include_domains: ["a.example"] }, "/search", { q: "cranes site:a.example" }],
    ["yandex", { time_range: "day", safe_search: "off" }, "/search/", { within: "77", fyandex: "0" }],
    [
      "yandex",
      { time_range: "month", safe_search: "strict", page: 3 },
      "/search/",
      { within: "2", fyandex: "1", p: "2" },
    ],
    [
      "yandex",
      { time_range: "week" },
      "/search/",
      {
        ...{ within: "777", from_day: "22", from_month: "11", from_year: "2026" },
        ...{ to_day: "29", to_month: "11", to_year: "2026" },
      },
    ],
    ["yandex", { type: "images" }, "/images/search/", { text: "cranes" }],
    ["yandex", { type: "videos" }, "/video/search/", { text: "cranes" }],
    [
      "yandex",
      { include_domains: ["a.example", "b.example"] },
      "/search/",
      { text: "cranes (site:a.example | site:b.example)" },
    ],
  ])("of %s with %j", (engine, body, path, parameters) => {
    const query = queryOf({ engine, ...body });
    const url = new URL(ENGINES[engine].searchUrl(query, query.firstPage ?? 0));
    expect(url.pathname).toBe(path);
    expect(Object.fromEntries(url.searchParams)).toMatchObject(parameters);
  });
});

it.each([
  [{ engine: "yandex", type: "news" }, "type", "must be web, images, or videos for Yandex"],
  [
    { engine: "bing", type: "images", num_results: 100 },
    "num_results",
    "must be at most 35 for the type 'images' of Bing",
  ],
  [{ engine: "bing", type: "news", time_range: "year" }, "time_range", "must be day, week, or month"],
  [{ engine: "yandex", type: "images", time_range: "day" }, "time_range", "isn't offered"],
  [{ include_domains: ["a.example"], exclude_domains: ["A.example"] }, "exclude_domains", "can't contain 'a.example'"],
  [{ include_domains: ["b.é.example"], exclude_domains: ["é.example"] }, "exclude_domains", "contains 'b.é.example'"],
  [{ time_range: { from: "2026-12-01" } }, "time_range.from", "must not be in the future, not '2026-12-01'"],
])("refuses %j", (body, path, message) => {
  const check = () => checkOffer(SerpRequest.parse({ query: "cranes", ...body }), NOW);
  expect(check).toThrow(
    expect.objectContaining({
      code: "invalid_request",
      details: [{ path, message: expect.stringContaining(message) }],
    }),
  );
});

it.each([
  [{ page: 0 }],
  [{ time_range: "hour" }],
  [{ time_range: { from: "2026-02-30" } }],
  [{ time_range: { from: "2026-02-02", to: "2026-02-01" } }],
  [{ safe_search: "on" }],
  [{ include_domains: [] }],
  [{ include_domains: ["https://a.example/"] }],
  [{ type: "maps" }],
])("refuses %j by its schema", (body) => {
  expect(SerpRequest.safeParse({ query: "cranes", ...body }).success).toBe(false);
});

it("names the values of a time range", () => {
  const refused = SerpRequest.safeParse({ query: "cranes", time_range: "hour" });
  expect(refused.error?.issues[0]?.message).toContain("must be day, week, month, year, or a range of dates");
});

it("keeps only results from the included domains, and none from the excluded ones", () => {
  const query = { ...QUERY, includeDomains: ["a.example"], excludeDomains: ["x.a.example"] };
  const urls = ["https://a.example/", "https://www.a.example/b", "https://x.a.example/", "https://ba.example/"];
  expect(urls.filter((url) => isInDomains(url, query))).toEqual(["https://a.example/", "https://www.a.example/b"]);
});

it.each(["münchen.example", "उदाहरण.भारत", "my_site.example"])("knows the results of the domain %s", (domain) => {
  const { include_domains } = SerpRequest.parse({ query: "cranes", include_domains: [domain.toUpperCase()] });
  const query = { ...QUERY, includeDomains: include_domains };
  expect(isInDomains(new URL(`https://www.${domain}:8443/a`).href, query)).toBe(true);
});

it.each(["news", "images", "videos"] as const)(
  "doesn't request Google's tab for web results if the type is %s",
  (type) => {
    const search = ENGINES.google.searchUrl({ ...QUERY, type, blocks: [] }, 0);
    expect(new URL(search).searchParams.get("udm")).not.toBe("14");
  },
);
