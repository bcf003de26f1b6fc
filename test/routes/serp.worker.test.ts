import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { ENGINE_NAMES } from "../../src/model/engine";
import { checkEngines } from "../../src/search/canary";
import { search } from "../../src/search/search";
import { createClient, site } from "../support/client";
import type { LoggedRequest } from "../support/engines/exchange";

interface SerpResponse {
  data: {
    organic: { position: number; title: string; url: string; description: string; snippet: string }[];
    total_results: number;
    search_time_ms: number;
  };
  meta: Record<string, unknown>;
  error: { code: string; message: string; details: { path: string }[] };
}

/** Returns a query that selects the behavior of the stand-in engines, and the id that they use to log its requests. */
function mark(behavior: string): { query: string; id: string } {
  const id = crypto.randomUUID();
  return { id, query: `harbour cranes [[${behavior} ${id}]]` };
}

async function searched(id: string): Promise<LoggedRequest[]> {
  return await (await fetch(`${site}/__searches?path=${encodeURIComponent(id)}`)).json();
}

async function serp(body: Record<string, unknown>) {
  const client = await createClient();
  const response = await client.call("POST", "/v1/serp?wait=true", body);
  const { data, meta, error } = await response.json<SerpResponse>();
  const balance = async () => {
    const usage = await client.call("GET", "/v1/usage");
    return (await usage.json<{ data: { balance: number } }>()).data.balance;
  };
  return { client, status: response.status, data, meta, error, balance };
}

describe.concurrent.each(ENGINE_NAMES)("a search with %s", (engine) => {
  it("fetches pages until it has num_results different results, and numbers them", async () => {
    const { query } = mark("good");
    const { status, data, meta, balance } = await serp({ query, engine, num_results: 25 });
    expect(status).toBe(200);
    expect(data.organic.map(({ position }) => position)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
    expect(new Set(data.organic.map(({ url }) => url)).size).toBe(25);
    expect(meta).toMatchObject({ credits_used: 2, pages_fetched: 3 });
    expect(meta).not.toHaveProperty("partial");
    expect(await balance()).toBe(100_000 - 2);
  });

  it("returns the results of earlier pages if a later page is a block page", async () => {
    const { query } = mark("blocked-on-3");
    const { data, meta } = await serp({ query, engine, num_results: 100 });
    expect([data.organic.length, meta.pages_fetched, meta.partial]).toEqual([20, 2, true]);
  });

  it("succeeds without results if nothing was found", async () => {
    const { status, data, meta } = await serp({ query: mark("none").query, engine });
    expect([status, data.organic, meta.credits_used]).toEqual([200, [], 2]);
  });

  it.each([
    ["block pages from all sources", "blocked", "blocked_by_target"],
    ["an unknown page", "unknown", "blocked_by_target"],
    ["a server that is down", "down", "serp_unavailable"],
    ["a reset connection", "reset", "serp_unavailable"],
  ])("never returns a failure as an empty success: %s", async (_, behavior, code) => {
    const { status, error, balance } = await serp({ query: mark(behavior).query, engine });
    expect([status, error.code]).toEqual([502, code]);
    expect(await balance()).toBe(100_000);
  });
});

describe.concurrent("Google", () => {
  it("is rendered with the location, the language and the consent cookie", async () => {
    const { query, id } = mark("good");
    const { meta } = await serp({ query, location: "Istanbul, Turkey", language: "tr", device: "mobile", blocks: [] });
    expect(meta.source).toBe("browser");
    const [asked] = await searched(id);
    const url = new URL(asked?.url ?? "", "https://www.google.com");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ gl: "tr", hl: "tr", udm: "14" });
    expect(url.searchParams.get("uule")).toMatch(/^w\+/);
    expect(asked?.headers.cookie).toContain("SOCS=");
    expect(asked?.headers["user-agent"]).toContain("Mobile");
    expect(asked?.headers["accept-language"]).toMatch(/^tr/);
  });

  it("resolves redirects, and keeps results whose redirect fails", async () => {
    const good = await serp({ query: mark("goto").query });
    expect(good.data.organic.filter(({ url }) => url.includes("/goto"))).toEqual([]);
    expect(good.meta).not.toHaveProperty("unresolved");
    const flaky = await serp({ query: mark("flaky-goto").query });
    expect(flaky.meta).not.toHaveProperty("unresolved");
    const dead = await serp({ query: mark("dead-goto").query });
    expect(dead.data.organic).toHaveLength(10);
    expect(dead.meta.unresolved).toBe(2);
    expect(dead.data.organic[2]?.url).toContain("https://www.google.com/goto?url=");
  });

  it.each(["consent", "interstitial", "js"])("gets past %s", async (behavior) => {
    const { status, data } = await serp({ query: mark(behavior).query });
    expect([status, data.organic.length]).toEqual([200, 10]);
  });

  it.each(["consent-always", "shell"])("is blocked by %s", async (behavior) => {
    expect((await serp({ query: mark(behavior).query })).error.code).toBe("blocked_by_target");
  });
});

describe.concurrent("Bing", () => {
  it.each([
    ["good", "plain"],
    ["plain-captcha", "browser"],
    ["plain-off-topic", "browser"],
    ["captcha", "rss"],
    ["off-topic", "rss"],
  ])("uses the next source if the first fails: %s", async (behavior, source) => {
    const { status, data, meta } = await serp({ query: mark(behavior).query, engine: "bing" });
    expect([status, meta.source, data.organic.length]).toEqual([200, source, 10]);
  });

  it("stops at a page that repeats the first", async () => {
    const { data, meta } = await serp({ query: mark("repeat").query, engine: "bing", num_results: 50 });
    expect([data.organic.length, meta.pages_fetched]).toEqual([10, 2]);
  });
});

describe.concurrent("Yandex", () => {
  it.each([
    ["good", {}, "light"],
    ["light-blocked", {}, "browser"],
    ["good", { location: "Turkey" }, "browser"],
  ])("uses the light source unless the search has a location: %s %o", async (behavior, more, source) => {
    const { status, meta } = await serp({ query: mark(behavior).query, engine: "yandex", ...more });
    expect([status, meta.source]).toEqual([200, source]);
  });
});

describe.concurrent("a search API", () => {
  const apis = { SERP_PROVIDER_KEY: "a key", SERP_PROVIDER_ORIGIN: inject("engines").apis };

  it.each([
    ["serper", "google"],
    ["serpapi", "google"],
    ["serpapi", "bing"],
  ] as const)("is the first source if there is a key: %s for %s", async (SERP_PROVIDER, engine) => {
    const context = {
      env: { ...env, ...apis, SERP_PROVIDER },
      id: crypto.randomUUID(),
      account: null,
      origin: "",
      signal: new AbortController().signal,
    };
    const query = { text: mark("good").query, place: null, language: null, device: "desktop" as const };
    const { organic, source, pages } = await search(context, { engine, query, maxResults: 20 });
    expect([organic.length, source, pages]).toEqual([20, SERP_PROVIDER, 2]);
  });

  it("falls back to the engine's own sources if it fails", async () => {
    const context = {
      env: { ...env, ...apis, SERP_PROVIDER: "serpapi" },
      id: crypto.randomUUID(),
      account: null,
      origin: "",
      signal: new AbortController().signal,
    };
    const query = { text: mark("error-401").query, place: null, language: null, device: "desktop" as const };
    expect((await search(context, { engine: "bing", query, maxResults: 10 })).source).toBe("plain");
  });
});

describe("the canary", () => {
  it("searches each engine once an hour if it is enabled, and keys with the scope serp can read the outcomes", async () => {
    // The checks concern the whole service, so earlier tests may have stored some.
    await env.DB.prepare("DELETE FROM serp_checks").run();
    const { call } = await createClient();
    const on = { ...env, SERP_CANARY: "on" };
    const at = Date.now();
    expect(await checkEngines(env, at)).toBe(0);
    expect(await checkEngines(on, at)).toBe(ENGINE_NAMES.length);
    expect(await checkEngines(on, at + 3_599_000)).toBe(0);
    await env.DB.prepare("UPDATE serp_checks SET disputed = 4 WHERE engine = 'bing'").run();
    const { data } = await (await call("GET", "/v1/serp/health")).json<{
      data: { checks: Record<string, unknown>[] };
    }>();
    expect(data.checks.map(({ engine }) => engine).sort()).toEqual(ENGINE_NAMES.toSorted());
    for (const check of data.checks)
      expect(check).toMatchObject({
        outcome: expect.any(String),
        disputed_results: check.engine === "bing" ? 4 : 0,
        duration_ms: expect.any(Number),
      });
    const other = await createClient({ scopes: ["scrape"] });
    expect((await other.call("GET", "/v1/serp/health")).status).toBe(403);
  });
});

describe("an invalid search", () => {
  it.each([
    ["an unknown location", { location: "Zzyzxqw" }, "location"],
    ["no query", { query: undefined }, "query"],
    ["101 results", { num_results: 101 }, "num_results"],
  ])("is refused: %s", async (_, body, path) => {
    const { status, error } = await serp({ query: "x", ...body });
    expect([status, error.details[0]?.path]).toEqual([400, path]);
  });
});
