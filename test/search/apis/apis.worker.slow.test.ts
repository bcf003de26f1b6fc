import { describe, expect, it } from "vitest";
import type { EngineName } from "../../../src/model/engine";
import { searchApis } from "../../../src/search/apis/apis";
import type { ApiPage } from "../../../src/search/apis/search-api";
import {
  API_SOURCES,
  type CallOptions,
  callApi,
  callFailingApi,
  SERPER,
  SHORT_TIMEOUTS,
  TIMEOUTS,
} from "../../support/search-sources";

describe.concurrent.each(API_SOURCES)("$provider for $engine", (source) => {
  it("returns the results in order, in the same form as the engine's own pages", async () => {
    const { organic, hasNext } = await callApi("good", source).page;
    expect(organic.map(({ url }) => url)).toEqual(
      Array.from({ length: 10 }, (_, i) => `https://site-${i + 1}.example.com/page/${i + 1}?a=1&b=2`),
    );
    expect(hasNext).toBe(true);
    const [first] = organic;
    expect(first?.title).toMatch(/^harbour cranes .*: result 1$/);
    expect(first?.snippet).toMatch(/^What page 1 has to say on harbour cranes .* long enough\./);
    expect(organic.every(({ snippet, description }) => snippet !== "" && !description.startsWith("Oct"))).toBe(true);
  });

  it("receives only documented parameters, for any place and language", async () => {
    const variants: CallOptions[] = [
      {},
      { location: "Istanbul, Turkey", language: "tr" },
      { location: "GB", language: "en-GB", device: "mobile", page: 2 },
      { location: "RU", language: "uk" },
      { location: "Minsk", language: "be" },
      { location: "KZ" },
      { location: "TW", language: "zh-Hant-TW" },
      { location: "AQ" },
      { language: "pt-BR", page: 9 },
      { language: "he" },
    ];
    for (const options of variants) {
      const { page, requests } = callApi("good", source, options);
      await page;
      expect(await requests()).toMatchObject([{ server: source.name, broken: null }]);
    }
  });

  it("returns all pages, and marks the last one", async () => {
    const pages: ApiPage[] = [];
    const urls = new Set<string>();
    for (let page = 0; pages.at(-1)?.hasNext ?? true; page++) {
      const found = await callApi("few", source, { page }).page;
      for (const { url } of found.organic) urls.add(url);
      pages.push(found);
    }
    expect(urls.size).toBe(23);
    // Serper doesn't mark the last page, so the loop requests an empty fourth page.
    const counts = pages.map(({ organic }) => organic.length);
    expect(counts).toEqual(source.name === "serper" ? [10, 10, 3, 0] : [10, 10, 3]);
  });

  it("returns no results without an error", async () => {
    expect(await callApi("none", source).page).toMatchObject({ organic: [], hasNext: false });
  });

  it.each(["busy-once", "error-500-once", "error-503-once", "reset-once"])("is retried: %s", async (behavior) => {
    const { page, requests } = callApi(behavior, source);
    expect((await page).organic).toHaveLength(10);
    expect(await requests()).toHaveLength(2);
  });

  it.each([
    ["error-500", "responded with status 500", true, 2],
    ["error-502", "responded with status 502", true, 2],
    ["reset", "could not be reached", true, 2],
    ["busy-long", "responded with status 429", true, 1],
    ["busy-date", "responded with status 429", true, 1],
    ["error-400", "responded with status 400", false, 1],
    ["error-401", "responded with status 401: the API key was rejected", false, 1],
    ["error-403", "responded with status 403: the API key was rejected", false, 1],
    ["error-404", "responded with status 404", false, 1],
    ["redirect", "responded with status 302", false, 1],
    ["page", "returned something that isn't a list of results", true, 1],
    ["list", "returned something that isn't a list of results", true, 1],
    ["empty", "returned something that isn't a list of results", true, 1],
    ["large", "returned more than 5242880 bytes", false, 1],
  ])("reports the failure in our own words: %s", async (behavior, words, retryable, times) => {
    const { error, requests } = await callFailingApi(behavior, source);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable, message: `${source.provider} ${words}.` });
    expect(requests).toHaveLength(times);
  });

  it("reports that its plan is used up, without a retry", async () => {
    const { error, requests } = await callFailingApi("quota", source);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false });
    expect((error as Error).message).toMatch(/used up|returned error 32/);
    expect(requests).toHaveLength(1);
  });

  it("never reveals the key or the message of a provider that rejects it", async () => {
    const variables = { YANDEX_API_KEY: "a wrong key", SERP_PROVIDER_KEY: "a wrong key" };
    const { error, requests } = await callFailingApi("good", source, { variables });
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false, cause: undefined });
    expect((error as Error).message).toMatch(/the API key was rejected\.$/);
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toMatch(/wrong key|manage-api-key/);
    expect(requests).toHaveLength(1);
  });

  it.each(["hang", "hang-middle"])("times out: %s", async (behavior) => {
    const { error, requests } = await callFailingApi(behavior, source, { timeouts: SHORT_TIMEOUTS });
    expect(error).toMatchObject({ message: `${source.provider} did not respond within 1 second.`, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it("reports an error status whose body never ends", async () => {
    // The timeout is longer, because the status must arrive in time even on a busy machine. Only the body never
    // arrives.
    const timeouts = { ...SHORT_TIMEOUTS, responseMs: 4 * SHORT_TIMEOUTS.responseMs };
    const { error } = await callFailingApi("hang-error", source, { timeouts });
    expect(error).toMatchObject({ message: `${source.provider} responded with status 500.` });
  });

  it("stops with the signal's reason before, during and between requests", async ({ expect }) => {
    const reason = new Error("The job is over.");
    const never = await callFailingApi("good", source, { signal: AbortSignal.abort(reason) });
    expect(never).toMatchObject({ error: reason, requests: [] });
    for (const behavior of ["hang", "error-500"]) {
      const controller = new AbortController();
      const timeouts = { ...TIMEOUTS, retryDelayMs: 9_000 };
      const { page, requests } = callApi(behavior, source, { signal: controller.signal, timeouts });
      const stopped = expect(page).rejects.toBe(reason);
      await expect.poll(requests).toHaveLength(1);
      controller.abort(reason);
      await stopped;
      expect(await requests()).toHaveLength(1);
    }
  });

  it("reports that the provider can't be reached", async () => {
    const variables = { YANDEX_API_ORIGIN: "http://127.0.0.1:1", SERP_PROVIDER_ORIGIN: "http://127.0.0.1:1" };
    const { error } = await callFailingApi("good", source, { variables });
    expect(error).toMatchObject({ message: `${source.provider} could not be reached.`, retryable: true });
  });
});

describe.each(API_SOURCES.filter(({ engine }) => engine === "google"))("Google with $provider", (source) => {
  it("puts the date before the snippet, as on the page, and omits it from the description", async () => {
    const [, , third] = (await callApi("good", source).page).organic;
    expect(third?.snippet).toMatch(/^Oct 31, 2025 — What page 3 has/);
    expect(third?.description).toMatch(/^What page 3 has/);
  });

  it("keeps usable results, unwraps links, and marks links that only Google can resolve", async () => {
    expect((await callApi("odd", source).page).organic).toEqual([
      { title: "Without a snippet", url: "https://bare.example.com/", snippet: "", description: "" },
      { title: "Wrapped", url: "https://wrapped.example.com/", snippet: "", description: "" },
      expect.objectContaining({ url: "https://www.google.com/goto?url=CAESabc", unresolved: true }),
    ]);
  });

  it("sends the country, the city and the language", async () => {
    const { page, requests } = callApi("good", source, { location: "Istanbul, Turkey", language: "tr", page: 1 });
    await page;
    const [request] = await requests();
    const place = { gl: "tr", hl: "tr", location: "Istanbul,Istanbul,Turkiye" };
    expect(request?.body).toMatchObject(source === SERPER ? { ...place, page: 2 } : { ...place, start: "10" });
  });
});

describe("the search APIs of an engine", () => {
  const names = (env: object, engine: EngineName) => searchApis(env, engine).map(({ name }) => name);

  it.each([
    [{}, [], [], []],
    [{ YANDEX_API_KEY: "a", YANDEX_FOLDER_ID: "b" }, [], [], ["yandex_api"]],
    [{ YANDEX_API_KEY: "a", YANDEX_FOLDER_ID: " " }, [], [], []],
    [{ SERP_PROVIDER: "serper", SERP_PROVIDER_KEY: "a" }, ["serper"], [], []],
    [{ SERP_PROVIDER: "serpapi", SERP_PROVIDER_KEY: "a" }, ["serpapi"], ["serpapi"], ["serpapi"]],
    [{ SERP_PROVIDER: "serpapi", SERP_PROVIDER_KEY: "" }, [], [], []],
    [{ SERP_PROVIDER_KEY: "a" }, [], [], []],
    [
      { SERP_PROVIDER: "serpapi", SERP_PROVIDER_KEY: "a", YANDEX_API_KEY: "a", YANDEX_FOLDER_ID: "b" },
      ["serpapi"],
      ["serpapi"],
      ["yandex_api", "serpapi"],
    ],
  ])("are those that the operator configured: %j", (env, google, bing, yandex) => {
    expect([names(env, "google"), names(env, "bing"), names(env, "yandex")]).toEqual([google, bing, yandex]);
  });

  it("reject an unknown provider", () => {
    expect(() => searchApis({ SERP_PROVIDER: "zork" }, "google")).toThrow(
      expect.objectContaining({
        code: "not_configured",
        retryable: false,
        message: expect.stringContaining("SERP_PROVIDER"),
      }),
    );
  });
});
