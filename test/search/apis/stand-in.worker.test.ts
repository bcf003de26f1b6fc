import { describe, expect, it } from "vitest";
import { apis } from "../../support/search-sources";

describe("the stand-in for the search APIs", () => {
  const json = { "content-type": "application/json" };
  const query = { searchType: "SEARCH_TYPE_COM", queryText: "x" };
  const yandex = (body: object) => ["/v2/web/search", { ...json, authorization: "Api-Key x" }, body] as const;
  const serper = (body: object) => ["/search", { ...json, "x-api-key": "x" }, body] as const;

  it.each([
    yandex({ query }),
    yandex({ folderId: "b", query: { searchType: "SEARCH_TYPE_COM" } }),
    yandex({ folderId: "b", query: { ...query, queryText: "x".repeat(401) } }),
    yandex({ folderId: "b", query: { ...query, familyMode: "off" } }),
    yandex({ folderId: "b", query, region: "983" }),
    yandex({ folderId: "b", query, l10n: "LOCALIZATION_TR" }),
    yandex({ folderId: "b", query, groupSpec: { groupsOnPage: "101" } }),
    yandex({ folderId: "b", query, page: "1" }),
    serper({ q: "" }),
    serper({ q: "x", page: 0 }),
    serper({ q: "x", gl: "TR" }),
    serper({ q: "x", device: "mobile" }),
  ])("rejects requests that the real APIs reject: %s %j %j", async (path, headers, body) => {
    const response = await fetch(`${apis}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect([response.status, await response.json()]).toMatchObject([400, { message: expect.any(String) }]);
  });

  it.each([
    "engine=google&text=x",
    "engine=google&q=x&num=ten&zork=1",
    "engine=google&q=x&gl=gb",
    "engine=bing&q=x&mkt=tr-TR&cc=TR",
    "engine=yandex&q=x",
    "engine=yandex&text=x&lr=983",
    "engine=zork&q=x",
  ])("rejects parameters that SerpApi rejects: %s", async (parameters) => {
    const response = await fetch(`${apis}/search.json?api_key=x&${parameters}`);
    expect([response.status, await response.json()]).toMatchObject([400, { error: expect.any(String) }]);
  });
});
