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
  it("returns the results in their order, like the readers of the engine's own pages", async () => {
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

  it("gets requests in its documented form, for any place and language", async () => {
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
    // Serper doesn't mark the last page.
    const counts = pages.map(({ organic }) => organic.length);
    expect(counts).toEqual(source.name === "serper" ? [10, 10, 3, 0] : [10, 10, 3]);
  });

  it("returns no results without an error", async () => {
    expect(await callApi("none", source).page).toMatchObject({ organic: [], hasNext: false });
  });

  it.each(["busy-once", "error-500-once", "error-503-once", "reset-once"])("is retried: %s", async (behaviour) => {
    const { page, requests } = callApi(behaviour, source);
    expect((await page).organic).toHaveLength(10);
    expect(await requests()).toHaveLength(2);
  });

  it.each([
    ["error-500", "answered with status 500", true, 2],
    ["error-502", "answered with status 502", true, 2],
    ["reset", "could not be reached", true, 2],
    ["busy-long", "answered with status 429", true, 1],
    ["busy-date", "answered with status 429", true, 1],
    ["error-400", "answered with status 400", false, 1],
    ["error-401", "answered with status 401: it refuses the key", false, 1],
    ["error-403", "answered with status 403: it refuses the key", false, 1],
    ["error-404", "answered with status 404", false, 1],
    ["redirect", "answered with status 302", false, 1],
    ["page", "answered with something that isn't a list of results", true, 1],
    ["list", "answered with something that isn't a list of results", true, 1],
    ["empty", "answered with something that isn't a list of results", true, 1],
    ["large", "answered with more than 5242880 bytes", false, 1],
  ])("fails with a message of the service: %s", async (behaviour, words, retryable, times) => {
    const { error, requests } = await callFailingApi(behaviour, source);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable, message: `${source.provider} ${words}.` });
    expect(requests).toHaveLength(times);
  });

  it("reports that its plan is used up, and isn't retried", async () => {
    const { error, requests } = await callFailingApi("quota", source);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false });
    expect((error as Error).message).toMatch(/used up|answered with error 32/);
    expect(requests).toHaveLength(1);
  });

  it("never reveals the key, nor the message of a provider that refuses it", async () => {
    const variables = { YANDEX_API_KEY: "a wrong key", SERP_PROVIDER_KEY: "a wrong key" };
    const { error, requests } = await callFailingApi("good", source, { variables });
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false, cause: undefined });
    expect((error as Error).message).toMatch(/refuses the key\.$/);
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toMatch(/wrong key|manage-api-key/);
    expect(requests).toHaveLength(1);
  });

  it.each(["hang", "hang-middle"])("times out: %s", async (behaviour) => {
    const { error, requests } = await callFailingApi(behaviour, source, { timeouts: SHORT_TIMEOUTS });
    expect(error).toMatchObject({ message: `${source.provider} did not answer within 1 seconds.`, retryable: true });
    expect(requests).toHaveLength(1);
  });

  it("reports an error status whose body never ends", async () => {
    // The status must come in time also on a busy machine. Only the body is waited for in vain.
    const timeouts = { ...SHORT_TIMEOUTS, answerMs: 4 * SHORT_TIMEOUTS.answerMs };
    const { error } = await callFailingApi("hang-error", source, { timeouts });
    expect(error).toMatchObject({ message: `${source.provider} answered with status 500.` });
  });

  it("stops with the caller's reason before, during and between requests", async ({ expect }) => {
    const reason = new Error("The job is over.");
    const never = await callFailingApi("good", source, { signal: AbortSignal.abort(reason) });
    expect(never).toMatchObject({ error: reason, requests: [] });
    for (const behaviour of ["hang", "error-500"]) {
      const controller = new AbortController();
      const timeouts = { ...TIMEOUTS, retryDelayMs: 9_000 };
      const { page, requests } = callApi(behaviour, source, { signal: controller.signal, timeouts });
      const stopped = expect(page).rejects.toBe(reason);
      await expect.poll(requests).toHaveLength(1);
      controller.abort(reason);
      await stopped;
      expect(await requests()).toHaveLength(1);
    }
  });

  it("reports that no server listens", async () => {
    const variables = { YANDEX_API_ORIGIN: "http://127.0.0.1:1", SERP_PROVIDER_ORIGIN: "http://127.0.0.1:1" };
    const { error } = await callFailingApi("good", source, { variables });
    expect(error).toMatchObject({ message: `${source.provider} could not be reached.`, retryable: true });
  });
});

describe.each(API_SOURCES.filter(({ engine }) => engine === "google"))("Google with $provider", (source) => {
  it("puts the date before the snippet, as on the page, and leaves it out of the description", async () => {
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
    const [asked] = await requests();
    const place = { gl: "tr", hl: "tr", location: "Istanbul,Istanbul,Turkiye" };
    expect(asked?.body).toMatchObject(source === SERPER ? { ...place, page: 2 } : { ...place, start: "10" });
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
  ])("with %j", (env, google, bing, yandex) => {
    expect([names(env, "google"), names(env, "bing"), names(env, "yandex")]).toEqual([google, bing, yandex]);
  });

  it("reject an unknown provider", () => {
    expect(() => searchApis({ SERP_PROVIDER: "zork" }, "google")).toThrow(
      expect.objectContaining({ code: "unavailable", message: expect.stringContaining("SERP_PROVIDER") }),
    );
  });
});
