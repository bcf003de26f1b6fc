import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../src/model/engine";
import { AppError } from "../../src/model/errors";
import { checkEngines } from "../../src/search/canary";
import { OriginOverrides, type SearchContext, toFetchOptions } from "../../src/search/fetch-options";
import { findPlace } from "../../src/search/places/places";
import type { SearchQuery } from "../../src/search/results/result-page";
import { search } from "../../src/search/search";
import { searchSources } from "../../src/search/sources";
import { listSerpChecks } from "../../src/store/serp-checks";
import { ORIGIN, site } from "../support/client";
import type { LoggedRequest } from "../support/engines/exchange";
import { recordLines } from "../support/lines";

const engines = inject("engines");
const APIS = { SERP_PROVIDER_KEY: "a key", SERP_PROVIDER_ORIGIN: engines.apis };

function contextOf(bindings: Partial<Record<keyof Env, unknown>> = {}, signal?: AbortSignal): SearchContext {
  return {
    env: { ...env, ...bindings } as Env,
    id: crypto.randomUUID(),
    account: null,
    origin: ORIGIN,
    signal: signal ?? new AbortController().signal,
  };
}

interface SearchOptions extends Partial<Omit<SearchQuery, "text">> {
  engine?: EngineName;
  maxResults?: number;
  bindings?: Partial<Record<keyof Env, unknown>>;
  signal?: AbortSignal;
  /** Operators before the text. */
  prefix?: string;
}

/** Searches with a mark that selects the behavior of the stand-ins. */
function searchFor(
  behavior: string,
  { engine = "bing", maxResults = 10, bindings, signal, prefix = "", ...more }: SearchOptions = {},
) {
  const id = crypto.randomUUID();
  const text = `${prefix}harbour cranes [[${behavior} ${id}]]`;
  const query: SearchQuery = { text, place: null, language: null, device: "desktop", ...more };
  const found = search(contextOf(bindings, signal), { engine, query, maxResults });
  const requests = async (): Promise<LoggedRequest[]> => {
    await found.catch(() => null);
    return await (await fetch(`${site}/__searches?path=${id}`)).json();
  };
  return { found, requests };
}

async function failureOf(...input: Parameters<typeof searchFor>): Promise<AppError> {
  const error: unknown = await searchFor(...input).found.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`The search didn't fail as expected: ${JSON.stringify(error)}`);
  return error;
}

describe("a search", () => {
  it.each([
    ["good", "bing", "plain"],
    ["plain-captcha", "bing", "browser"],
    ["plain-off-topic", "bing", "browser"],
    ["captcha", "bing", "rss"],
    ["challenge", "bing", "rss"],
    ["good", "google", "browser"],
    ["good", "yandex", "light"],
    ["light-blocked", "yandex", "browser"],
  ] as const)("uses the next source if one fails: %s with %s", async (behavior, engine, source) => {
    const { organic, ...found } = await searchFor(behavior, { engine }).found;
    expect(organic).toHaveLength(10);
    expect(found).toMatchObject({ source, pages: 1, isPartial: false, unresolved: 0 });
    expect(found.timeMs).toBeLessThan(60_000);
  });

  it.each([
    ["blocked", "google", "blocked_by_target", "Google returned a block page"],
    ["blocked", "bing", "blocked_by_target", "Bing returned a block page"],
    ["unknown", "yandex", "blocked_by_target", "Yandex returned a block page"],
    ["down", "bing", "serp_unavailable", "Bing search failed: Bing responded with status 503."],
    ["down", "google", "serp_unavailable", "Google responded with status 503."],
    ["reset", "yandex", "serp_unavailable", "Yandex search failed: "],
  ] as const)("fails if all sources fail: %s with %s", async (behavior, engine, code, words) => {
    expect(await failureOf(behavior, { engine })).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it("logs a page whose names changed for half of the results, without the query", async () => {
    const lines = recordLines();
    expect(await searchFor("half-renamed", { maxResults: 5 }).found).toMatchObject({ source: "plain", disputed: 5 });
    expect(lines.of("serp_page_disagreement")).toEqual([
      expect.objectContaining({
        level: "warn",
        engine: "Bing",
        source: "plain",
        both: 5,
        onlyNames: 0,
        onlyStructure: 5,
      }),
    ]);
    expect(JSON.stringify(lines.of("serp_page_disagreement"))).not.toContain("cranes");
  });

  it("skips sources that ignore the place", async () => {
    const place = findPlace("Turkey");
    const { found, requests } = searchFor("good", { engine: "yandex", place });
    expect((await found).source).toBe("browser");
    expect((await requests()).filter(({ url }) => url.startsWith("/search/site/"))).toEqual([]);
    const names = (engine: EngineName, at: SearchQuery["place"]) =>
      searchSources(contextOf(), {
        engine,
        query: { text: "x", place: at, language: null, device: "desktop" },
        maxResults: 1,
      }).map(({ name }) => name);
    expect([names("yandex", null), names("yandex", place)]).toEqual([["light", "browser"], ["browser"]]);
    expect([names("bing", place), names("google", place)]).toEqual([["plain", "browser", "rss"], ["browser"]]);
  });

  it("has no results, and requests no other source, if nothing was found", async () => {
    const { found, requests } = searchFor("none");
    expect(await found).toMatchObject({ organic: [], pages: 1, source: "plain", isPartial: false });
    expect(await requests()).toHaveLength(1);
  });

  it("requests a degraded page again, even if the engine has only one source", async () => {
    const better = searchFor("degraded-once", { engine: "google" });
    expect(await better.found).toMatchObject({ organic: { length: 10 }, searchedQuery: null });
    expect(await better.requests()).toHaveLength(2);
    const degraded = searchFor("degraded", { engine: "google" });
    await expect(degraded.found).rejects.toMatchObject({ code: "blocked_by_target" });
    expect(await degraded.requests()).toHaveLength(2);
  });

  it.each([
    ["good", "bing", 1, "plain"],
    ["dropped-once", "bing", 2, "browser"],
    ["dropped-once", "google", 2, "browser"],
    ["good", "google", 1, "browser"],
  ] as const)("keeps the operators of the query: %s with %s", async (behavior, engine, requests, source) => {
    const search = searchFor(behavior, { engine, prefix: "site:port.example " });
    const found = await search.found;
    expect(found).toMatchObject({ source, searchedQuery: null });
    expect(found.organic.every(({ url }) => url.startsWith("https://port.example/"))).toBe(true);
    expect(await search.requests()).toHaveLength(requests);
  });

  it.each(["bing", "google", "yandex"] as const)("says which query %s searched instead", async (engine) => {
    const search = searchFor("dropped", { engine, prefix: "site:port.example " });
    const { organic, searchedQuery } = await search.found;
    expect(organic).toHaveLength(10);
    expect(searchedQuery).toMatch(/^harbour cranes \[\[dropped /);
    expect(await search.requests()).toHaveLength(2);
  });

  it("waits for a free browser only if no other source is left", async () => {
    const render = async () => ({ kind: "full", message: "No browser is free." });
    const host = { render, hasFreeSlot: async () => true };
    const bindings = { BROWSER_HOST: { getByName: () => host } };
    expect((await searchFor("captcha", { bindings }).found).source).toBe("rss");
    const failed = searchFor("good", { engine: "google", bindings }).found;
    await expect(failed).rejects.toMatchObject({ name: "NoCapacityError", message: "No browser is free." });
  });

  it("stops when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("the run is over"));
    await expect(searchFor("good", { signal }).found).rejects.toThrow("the run is over");
  });
});

describe.concurrent("the pages of a search", () => {
  it.each([
    [10, 10, 1],
    [11, 11, 2],
    [25, 25, 3],
    [100, 100, 10],
  ])("are fetched until there are %i results", async (maxResults, results, pages) => {
    const { found, requests } = searchFor("good", { maxResults });
    const { organic, ...more } = await found;
    expect(organic.map(({ position }) => position)).toEqual(Array.from({ length: results }, (_, at) => at + 1));
    expect(more).toMatchObject({ pages, isPartial: false });
    expect(await requests()).toHaveLength(pages);
  });

  it("end with the engine's last page", async () => {
    const { organic, pages, isPartial } = await searchFor("few", { maxResults: 50 }).found;
    expect([organic.length, pages, isPartial]).toEqual([23, 3, false]);
  });

  it("end with a page that repeats the first", async () => {
    const { organic, pages, isPartial } = await searchFor("repeat", { maxResults: 50 }).found;
    expect([organic.length, pages, isPartial]).toEqual([10, 2, false]);
  });

  it.each(["blocked-on-3", "down-on-3", "reset-on-3", "unknown-on-3"])(
    "keep the results of earlier pages if a later one fails: %s",
    async (behavior) => {
      const { organic, pages, source, isPartial } = await searchFor(behavior, { maxResults: 50 }).found;
      expect([organic.length, pages, source, isPartial]).toEqual([20, 2, "plain", true]);
    },
  );

  it("don't have unresolved redirects if the redirects work", async () => {
    const { organic, blocks, unresolved } = await searchFor("goto", { engine: "google" }).found;
    expect(unresolved).toBe(0);
    expect(organic.filter(({ url }) => url.includes("/goto"))).toEqual([]);
    expect(blocks.people_also_ask).toEqual([
      expect.objectContaining({ question: "Why?", url: expect.stringMatching(/^https:\/\/site-98\./) }),
    ]);
  });

  it("retry a redirect once, and keep the redirect if it fails again", async () => {
    expect((await searchFor("flaky-goto", { engine: "google" }).found).unresolved).toBe(0);
    const { organic, unresolved } = await searchFor("dead-goto", { engine: "google" }).found;
    expect([organic.length, unresolved]).toEqual([10, 2]);
    expect(organic[2]).toMatchObject({ position: 3, url: expect.stringContaining("https://www.google.com/goto?url=") });
  });
});

describe("a request to an engine", () => {
  it("has the headers of the device and the language", async () => {
    const { requests } = searchFor("good", { device: "mobile", language: "tr", place: findPlace("Istanbul, Turkey") });
    const [request] = await requests();
    expect(request?.headers["user-agent"]).toContain("Mobile");
    expect(request?.headers["accept-language"]).toMatch(/^tr/);
  });

  it("from the browser has the engine's cookies, and the device and language too", async () => {
    const place = findPlace("Istanbul, Turkey");
    const { requests } = searchFor("good", { engine: "google", device: "mobile", language: "tr", place });
    const [request] = await requests();
    expect(request?.headers.cookie).toContain("SOCS=");
    expect(request?.headers["user-agent"]).toContain("Mobile");
    expect(request?.headers["accept-language"]).toMatch(/^tr/);
    expect(request?.url).toContain("gl=tr");
  });

  it("has the link to the next page from the previous page", async () => {
    const { requests } = searchFor("good", { maxResults: 20 });
    expect((await requests()).map(({ url }) => new URL(url, "https://www.bing.com").searchParams.get("first"))).toEqual(
      [null, "11"],
    );
  });
});

describe("the options for requests to an engine", () => {
  const query: SearchQuery = { text: "x", place: null, language: null, device: "desktop" };

  it("have the proxy of the query's country, with a session for each search", () => {
    const context = { ...contextOf(), id: "a-1.b" };
    const placeOf = (name: string) => ({ ...query, place: findPlace(name) });
    expect(toFetchOptions(context, query).proxy).toBeNull();
    expect(toFetchOptions(context, placeOf("Turkey")).proxy).toMatchObject({
      authorization: `Basic ${btoa("ok-tr-a1b:secret")}`,
    });
    expect(toFetchOptions(context, placeOf("Brazil")).proxy).toBeNull();
  });

  it("have the limit of bytes and the user agent of the device", () => {
    const options = toFetchOptions(contextOf({ MAX_PAGE_BYTES: "1234" }), { ...query, device: "mobile" });
    expect([options.maxBytes, options.anyStatus]).toEqual([1234, true]);
    expect(options.userAgent).toContain("Mobile");
    expect(toFetchOptions(contextOf(), query).userAgent).not.toContain("Mobile");
  });

  it("replace the origin of an engine with the configured one, and convert it back", () => {
    const overrides = new OriginOverrides({ ...env, SERP_BING_ORIGIN: "https://gate.example", SERP_GOOGLE_ORIGIN: "" });
    expect(overrides.toRequested("https://www.bing.com/search?q=a")).toBe("https://gate.example/search?q=a");
    expect(overrides.toRequested("https://www.google.com/search?q=a")).toBe("https://www.google.com/search?q=a");
    const canonical = "https://www.bing.com/search?q=a";
    expect(overrides.toCanonical("https://gate.example/search?q=b", canonical)).toBe("https://www.bing.com/search?q=b");
    expect(overrides.toCanonical("https://other.example/search?q=b", canonical)).toBe(
      "https://other.example/search?q=b",
    );
    expect(overrides.hosts).toContain("gate.example:443");
    const plain = new OriginOverrides({ ...env, SERP_BING_ORIGIN: "http://gate.example" });
    expect(plain.hosts).toContain("gate.example:80");
    const withPort = new OriginOverrides({ ...env, SERP_BING_ORIGIN: "http://gate.example:8080" });
    expect(withPort.hosts).toContain("gate.example:8080");
  });

  it.each(["gate.example", "ftp://gate.example", "https://gate.example/path"])("refuse the origin '%s'", (origin) => {
    expect(() => new OriginOverrides({ ...env, SERP_YANDEX_ORIGIN: origin })).toThrow("SERP_YANDEX_ORIGIN");
  });
});

describe("a search API", () => {
  it.each([
    ["serper", "google", 2],
    ["serpapi", "google", 2],
    ["serpapi", "bing", 2],
  ] as const)("is the first source: %s for %s", async (SERP_PROVIDER, engine, pages) => {
    const found = await searchFor("good", { engine, maxResults: 20, bindings: { ...APIS, SERP_PROVIDER } }).found;
    expect([found.organic.length, found.source, found.pages]).toEqual([20, SERP_PROVIDER, pages]);
  });

  it("gets one request for as many results as its page can have, but not more than needed", async () => {
    const bindings = { YANDEX_API_KEY: "k", YANDEX_FOLDER_ID: "b1gfolder", YANDEX_API_ORIGIN: engines.apis };
    const { found, requests } = searchFor("good", { engine: "yandex", maxResults: 30, bindings });
    expect(await found).toMatchObject({ source: "yandex_api", pages: 1 });
    expect((await requests()).map(({ body }) => body)).toMatchObject([{ groupSpec: { groupsOnPage: "30" } }]);
  });

  it.each(["error-401", "error-500", "page"])("is followed by the engine itself if it fails: %s", async (behavior) => {
    const bindings = { ...APIS, SERP_PROVIDER: "serpapi" };
    expect((await searchFor(behavior, { bindings }).found).source).toBe("plain");
  });
});

describe("the hourly check", () => {
  it("searches each engine once an hour if it is on, and stores the outcomes", async () => {
    // The checks concern the whole service, so earlier tests may have stored some.
    await env.DB.prepare("DELETE FROM serp_checks").run();
    const on = { ...env, SERP_CANARY: "on" };
    const at = Date.now();
    expect(await checkEngines(env, at)).toBe(0);
    expect(await checkEngines(on, at)).toBe(3);
    expect(await checkEngines(on, at + 3_599_000)).toBe(0);
    const checks = await listSerpChecks(env.DB, at - 1);
    expect(checks.map(({ engine, source }) => [engine, source]).sort()).toEqual([
      ["bing", "plain"],
      ["google", "browser"],
      ["yandex", "light"],
    ]);
    for (const check of checks) {
      expect(check).toMatchObject({ outcome: "results", results: 10, disputed: 0, checkedAt: at });
      expect(check.durationMs).toBeLessThan(60_000);
    }
    const later = at + 3_600_000;
    expect(await checkEngines({ ...on, SERP_PROVIDER: "unknown" } as Env, later)).toBe(3);
    const broken = { ...on, SERP_BING_ORIGIN: "no origin" };
    expect(await checkEngines(broken, later + 3_600_000)).toBe(3);
    const outcomesSince = async (since: number) =>
      (await listSerpChecks(env.DB, since)).map(({ outcome, source, results }) => [outcome, source, results]);
    expect(await outcomesSince(later - 1)).toEqual([
      ...ENGINE_NAMES.map(() => ["internal_error", null, 0]),
      ...ENGINE_NAMES.map(() => ["not_configured", null, 0]),
    ]);
  });
});
