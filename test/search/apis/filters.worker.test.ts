import { describe, expect, it } from "vitest";
import { type ApiSource, type CallOptions, callApi, SERPER, YANDEX_API } from "../../support/search-sources";

const serpapi = (engine: ApiSource["engine"]): ApiSource => ({ name: "serpapi", engine, provider: "SerpApi" });
const week = { unit: "week", from: "2026-11-22", to: "2026-11-29" } as const;
const dates = { unit: null, from: "2026-01-05", to: "2026-02-10" } as const;

describe("a search API", () => {
  it.each<[string, ApiSource, CallOptions, object]>([
    ["serper", SERPER, { timeRange: week }, { tbs: "qdr:w" }],
    [
      "serpapi",
      serpapi("google"),
      { timeRange: dates, safeSearch: "strict" },
      { tbs: "cdr:1,cd_min:1/5/2026,cd_max:2/10/2026", safe: "active" },
    ],
    [
      "serpapi",
      serpapi("bing"),
      { timeRange: week, safeSearch: "moderate" },
      { filters: 'ex1:"ez2"', safeSearch: "Moderate" },
    ],
    ["serpapi", serpapi("google"), { type: "images", page: 1 }, { tbm: "isch", ijn: "1" }],
    [
      "yandex",
      YANDEX_API,
      { timeRange: dates, safeSearch: "strict" },
      { query: { queryText: expect.stringMatching(/ date:20260105\.\.20260210$/), familyMode: "FAMILY_MODE_STRICT" } },
    ],
  ])("gets the parameters for the filters: %s %#", async (_, source, options, body) => {
    const { page, requests } = callApi("good", source, options);
    expect((await page).organic).toHaveLength(10);
    expect((await requests())[0]?.body).toMatchObject(body);
  });

  it.each([
    [SERPER, "news"],
    [SERPER, "images"],
    [SERPER, "videos"],
    [serpapi("google"), "news"],
    [serpapi("google"), "images"],
    [serpapi("google"), "videos"],
  ] as const)("returns other types of results: %j %s", async (source, type) => {
    const { organic } = await callApi("good", source, { type }).page;
    expect(organic).toHaveLength(10);
    expect(organic[2]).toMatchObject({
      date: "Oct 31, 2025",
      extra: { source: "The Port", duration: "3:21", thumbnail: "https://pictures.example.com/1.jpg" },
    });
  });
});
