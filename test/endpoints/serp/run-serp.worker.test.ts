import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { listSources } from "../../../src/search/sources";
import { run, runFailing } from "../../support/run-endpoint";

const mark = (behavior: string) => `harbour cranes [[${behavior} ${crypto.randomUUID()}]]`;

describe("a search", () => {
  it("returns the fields of each result, and the source and the number of pages", async () => {
    const { data, extras } = await run("serp", { query: mark("good"), engine: "bing", num_results: 12, blocks: [] });
    expect(data).toEqual({
      organic: expect.any(Array),
      total_results: expect.any(Number),
      search_time_ms: expect.toSatisfy((ms: number) => ms >= 0 && ms < 60_000),
    });
    expect(extras).toEqual({ pages_fetched: 2, total_results_known: expect.any(Boolean), source: "plain" });
    const organic = data.organic as Record<string, unknown>[];
    expect(organic).toHaveLength(12);
    expect(organic[11]?.position).toBe(12);
    for (const result of organic) {
      const date = /^Oct 31, 2025/.test(String(result.snippet)) ? ["date"] : [];
      expect(Object.keys(result)).toEqual(["position", "title", "url", "description", "snippet", ...date]);
      expect(result.title).toContain(`result ${result.position}`);
      expect(result.url).toContain(`https://site-${result.position}.example.com/`);
    }
    expect(organic[2]?.snippet).toMatch(/^Oct 31, 2025/);
    expect(organic[2]?.description).not.toMatch(/^Oct 31, 2025/);
  });

  it("returns the blocks that the request names", async () => {
    const query = mark("good");
    const related_searches = [
      { position: 1, query: "another search", url: "https://www.google.com/search?q=another+search" },
    ];
    const all = await run("serp", { query, num_results: 12 });
    expect(all.data).toMatchObject({ related_searches, block_positions: { related_searches: 10 } });
    const none = await run("serp", { query, blocks: [] });
    expect(Object.keys(none.data)).toEqual(["organic", "total_results", "search_time_ms"]);
  });

  it("says that it is partial if a later page failed", async () => {
    const { data, extras } = await run("serp", { query: mark("blocked-on-3"), engine: "bing", num_results: 50 });
    expect(data.organic).toHaveLength(20);
    expect(extras).toMatchObject({ partial: true, pages_fetched: 2 });
  });

  it("has no results and an unknown or empty total if nothing was found", async () => {
    const { data, extras } = await run("serp", { query: mark("none"), engine: "bing" });
    expect(data).toMatchObject({ organic: [], total_results: 0 });
    expect(extras).toMatchObject({ pages_fetched: 1 });
  });

  it("counts the results whose redirect wasn't resolved", async () => {
    expect((await run("serp", { query: mark("dead-goto") })).extras).toMatchObject({
      unresolved: 2,
      source: "browser",
    });
  });

  it("uses the location, the language and the device of the request", async () => {
    const request = { query: mark("good"), engine: "yandex", location: "Turkey", language: "tr", device: "mobile" };
    expect((await run("serp", request)).extras).toMatchObject({ source: "browser" });
    expect((await run("serp", { query: mark("good"), engine: "yandex" })).extras).toMatchObject({ source: "light" });
  });

  it("fails if the location of a stored job is no longer known", async () => {
    const error = await runFailing("serp", { query: mark("good"), engine: "bing", location: "Atlantis" });
    expect(error).toMatchObject({ code: "invalid_target", message: expect.stringContaining("'Atlantis'") });
  });

  it("fails with the reason if no source has results", async () => {
    expect(await runFailing("serp", { query: mark("blocked"), engine: "bing" })).toMatchObject({
      code: "blocked_by_target",
      retryable: true,
    });
  });
});

it("uses only the sources that support all features of the search", () => {
  expect(listSources(env, "google", [])).toEqual(["browser"]);
  expect(listSources(env, "bing", [])).toEqual(["plain", "browser", "rss"]);
  expect(listSources(env, "bing", ["place", "time_range"])).toEqual(["plain", "browser"]);
  expect(listSources(env, "yandex", ["safe_search"])).toEqual(["light", "browser"]);
  expect(listSources(env, "yandex", ["place"])).toEqual(["browser"]);
  const configured = { ...env, SERP_PROVIDER: "serper", SERP_PROVIDER_KEY: "a key" } as Env;
  expect(listSources(configured, "google", ["time_range"])).toEqual(["serper", "browser"]);
  expect(listSources(configured, "google", ["safe_search"])).toEqual(["browser"]);
});
