import { describe, expect, it } from "vitest";
import type { EngineName } from "../../../src/contract/serp";
import { searchApis } from "../../../src/search/apis/apis";
import type { ApiPage } from "../../../src/search/apis/search-api";
import { type Asking, BRISK, failure, PATIENT, search, WAYS } from "../../support/search-ways";

describe.concurrent.each(WAYS)("$provider for $engine", (way) => {
  it("gives the results in their order, as the readers of the engine's own pages do", async () => {
    const { organic, hasNext } = await search("good", way).page;
    expect(organic.map(({ url }) => url)).toEqual(
      Array.from({ length: 10 }, (_, i) => `https://site-${i + 1}.example.com/page/${i + 1}?a=1&b=2`),
    );
    expect(hasNext).toBe(true);
    const [first] = organic;
    expect(first?.title).toMatch(/^harbour cranes .*: result 1$/);
    expect(first?.snippet).toMatch(/^What page 1 has to say on harbour cranes .* long enough\./);
    expect(organic.every(({ snippet, description }) => snippet !== "" && !description.startsWith("Oct"))).toBe(true);
  });

  it("is asked as its provider published it, wherever and in whatever language", async () => {
    const askings: Asking[] = [
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
    for (const asking of askings) {
      const { page, searched } = search("good", way, asking);
      await page;
      expect(await searched()).toMatchObject([{ who: way.source, broken: null }]);
    }
  });

  it("walks the pages to the last one, and says that it was", async () => {
    const pages: ApiPage[] = [];
    const urls = new Set<string>();
    for (let page = 0; pages.at(-1)?.hasNext ?? true; page++) {
      const found = await search("few", way, { page }).page;
      for (const { url } of found.organic) urls.add(url);
      pages.push(found);
    }
    expect(urls.size).toBe(23);
    // Serper doesn't say which page is the last.
    const counts = pages.map(({ organic }) => organic.length);
    expect(counts).toEqual(way.source === "serper" ? [10, 10, 3, 0] : [10, 10, 3]);
  });

  it("finds nothing without an error", async () => {
    expect(await search("none", way).page).toMatchObject({ organic: [], hasNext: false });
  });

  it.each(["busy-once", "error-500-once", "error-503-once", "reset-once"])("is asked again: %s", async (behaviour) => {
    const { page, searched } = search(behaviour, way);
    expect((await page).organic).toHaveLength(10);
    expect(await searched()).toHaveLength(2);
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
  ])("fails with words of our own: %s", async (behaviour, words, retryable, times) => {
    const { error, searched } = await failure(behaviour, way);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable, message: `${way.provider} ${words}.` });
    expect(searched).toHaveLength(times);
  });

  it("says that its plan is used up, and isn't asked again", async () => {
    const { error, searched } = await failure("quota", way);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false });
    expect((error as Error).message).toMatch(/used up|answered with error 32/);
    expect(searched).toHaveLength(1);
  });

  it("never tells the key, nor the words of a provider that refuses it", async () => {
    const variables = { YANDEX_API_KEY: "a wrong key", SERP_PROVIDER_KEY: "a wrong key" };
    const { error, searched } = await failure("good", way, { variables });
    expect(error).toMatchObject({ code: "serp_unavailable", retryable: false, cause: undefined });
    expect((error as Error).message).toMatch(/refuses the key\.$/);
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toMatch(/wrong key|manage-api-key/);
    expect(searched).toHaveLength(1);
  });

  it.each(["hang", "hang-middle"])("that doesn't answer is given up: %s", async (behaviour) => {
    const { error, searched } = await failure(behaviour, way, { patience: BRISK });
    expect(error).toMatchObject({ message: `${way.provider} did not answer within 1 seconds.`, retryable: true });
    expect(searched).toHaveLength(1);
  });

  it("isn't waited for when an error never ends", async () => {
    const { error } = await failure("hang-error", way, { patience: BRISK });
    expect(error).toMatchObject({ message: `${way.provider} answered with status 500.` });
  });

  it("stops with the caller's own reason: before, during and between tries", async ({ expect }) => {
    const reason = new Error("The job is over.");
    const never = await failure("good", way, { signal: AbortSignal.abort(reason) });
    expect(never).toMatchObject({ error: reason, searched: [] });
    for (const behaviour of ["hang", "error-500"]) {
      const controller = new AbortController();
      const patience = { ...PATIENT, pauseMs: 9_000 };
      const { page, searched } = search(behaviour, way, { signal: controller.signal, patience });
      const stopped = expect(page).rejects.toBe(reason);
      await expect.poll(searched).toHaveLength(1);
      controller.abort(reason);
      await stopped;
      expect(await searched()).toHaveLength(1);
    }
  });

  it("that nobody serves can't be reached", async () => {
    const variables = { YANDEX_API_ORIGIN: "http://127.0.0.1:1", SERP_PROVIDER_ORIGIN: "http://127.0.0.1:1" };
    const { error } = await failure("good", way, { variables });
    expect(error).toMatchObject({ message: `${way.provider} could not be reached.`, retryable: true });
  });
});

describe("the official ways to an engine", () => {
  const sources = (env: object, engine: EngineName) => searchApis(env, engine).map(({ source }) => source);

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
    expect([sources(env, "google"), sources(env, "bing"), sources(env, "yandex")]).toEqual([google, bing, yandex]);
  });

  it("are none that nobody knows", () => {
    expect(() => searchApis({ SERP_PROVIDER: "zork" }, "google")).toThrow(
      expect.objectContaining({ code: "unavailable", message: expect.stringContaining("SERP_PROVIDER") }),
    );
  });
});
