import { describe, expect, inject, it } from "vitest";
import type { EngineName } from "../../src/serp/engine";
import { findPlace } from "../../src/serp/places";
import { searchApis } from "../../src/upstream/search/apis";
import type { ApiPage, ApiQuery, Patience, SearchApi } from "../../src/upstream/search/search-api";
import { site } from "../support/client";
import type { Searched } from "../support/engines/exchange";

const { apis } = inject("engines");
const KEYS = {
  YANDEX_API_KEY: "a Yandex key of the tests",
  YANDEX_FOLDER_ID: "b1gfolder",
  YANDEX_API_ORIGIN: `${apis}/`,
  SERP_PROVIDER_KEY: "a provider's key of the tests",
  SERP_PROVIDER_ORIGIN: apis,
};
/** What fails is tried again at once; nothing here takes longer than the runner's own patience. */
const PATIENT: Patience = { answerMs: 15_000, pauseMs: 1, maxPauseMs: 10_000 };
const BRISK: Patience = { ...PATIENT, answerMs: 1_000 };

interface Way {
  source: SearchApi["source"];
  engine: EngineName;
  provider: string;
}

const YANDEX_API: Way = { source: "yandex_api", engine: "yandex", provider: "Yandex Search API" };
const SERPER: Way = { source: "serper", engine: "google", provider: "Serper" };
const WAYS: Way[] = [
  YANDEX_API,
  SERPER,
  { source: "serpapi", engine: "google", provider: "SerpApi" },
  { source: "serpapi", engine: "bing", provider: "SerpApi" },
  { source: "serpapi", engine: "yandex", provider: "SerpApi" },
];

interface Asking extends Partial<Omit<ApiQuery, "engine">> {
  location?: string;
  patience?: Patience;
  signal?: AbortSignal;
  variables?: Partial<typeof KEYS>;
}

function apiOf({ source, engine }: Way, { patience = PATIENT, variables = {} }: Asking): SearchApi {
  const provider = source === "yandex_api" ? "" : source;
  const [api] = searchApis({ ...KEYS, SERP_PROVIDER: provider, ...variables, ...onlyOf(source) }, engine, patience);
  if (api?.source !== source) throw new Error(`${source} isn't configured.`);
  return api;
}

function onlyOf(source: SearchApi["source"]): object {
  return source === "yandex_api" ? {} : { YANDEX_API_KEY: "" };
}

/** A search whose mark is its own, and what was asked of the API for it. */
function search(behaviour: string, way: Way, asking: Asking = {}) {
  const { location, patience: _, signal, variables: __, ...more } = asking;
  const id = crypto.randomUUID();
  const query: ApiQuery = {
    text: `harbour cranes [[${behaviour} ${id}]]`,
    engine: way.engine,
    page: 0,
    count: 10,
    place: location === undefined ? null : findPlace(location),
    language: null,
    device: "desktop",
    ...more,
  };
  return {
    page: apiOf(way, asking).search(query, signal ?? new AbortController().signal),
    searched: async (): Promise<Searched[]> => await (await fetch(`${site}/__searched?path=${id}`)).json(),
  };
}

async function failure(behaviour: string, way: Way, asking: Asking = {}) {
  const { page, searched } = search(behaviour, way, asking);
  const error: unknown = await page.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, searched: await searched() };
}

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

describe("Yandex Search API", () => {
  it("gives up to a hundred results at once, and 250 in all", async () => {
    const pages = [0, 1].map((page) => search("good", YANDEX_API, { page, count: 100 }).page);
    expect((await Promise.all(pages)).map(({ organic, hasNext }) => [organic.length, hasNext])).toEqual([
      [100, true],
      [0, false],
    ]);
    expect((await search("good", YANDEX_API, { page: 1, count: 50 }).page).organic[0]?.url).toContain("site-51.");
  });

  it("asks the country's own search, its region and its language where it takes them", async () => {
    const sent = async (asking: Asking) => {
      const { page, searched } = search("good", YANDEX_API, asking);
      await page;
      return (await searched())[0];
    };
    expect((await sent({ location: "Istanbul, Turkey" }))?.body).toMatchObject({
      query: { searchType: "SEARCH_TYPE_TR", page: "0" },
      region: "11508",
      l10n: "LOCALIZATION_TR",
      folderId: "b1gfolder",
    });
    const kazakh = await sent({ location: "KZ" });
    expect(kazakh?.body).toMatchObject({ query: { searchType: "SEARCH_TYPE_KK" } });
    expect(kazakh?.body).not.toHaveProperty("region");
    expect((await sent({ location: "DE", device: "mobile", page: 3 }))?.body).toMatchObject({
      query: { searchType: "SEARCH_TYPE_COM", page: "3" },
      l10n: "LOCALIZATION_EN",
      userAgent: expect.stringContaining("Mobile"),
    });
    expect((await sent({}))?.headers.authorization).toBe("Api-Key a Yandex key of the tests");
  });

  it("reads marked words, several passages, the annotation where there is none, and the better total", async () => {
    const { organic, total } = await search("good", YANDEX_API).page;
    expect(total).toBe(20_045);
    expect(organic[0]?.title).toMatch(/^harbour cranes/);
    expect(organic[0]?.snippet).toMatch(/long enough\. A second passage\.$/);
    expect(organic[9]).toMatchObject({ snippet: "About 10.", description: "About 10." });
  });

  it("knows an error that says nothing was found, one that passes, and the others", async () => {
    expect(await search("code-15", YANDEX_API).page).toEqual({ organic: [], total: 0, hasNext: false });
    expect((await search("code-55-once", YANDEX_API).page).organic).toHaveLength(10);
    for (const [code, retryable, times] of [
      [55, true, 2],
      [100, true, 1],
      [20, true, 1],
      [32, false, 1],
      [42, false, 1],
      [1, false, 1],
    ] as const) {
      const { error, searched } = await failure(`code-${code}`, YANDEX_API);
      const message = `Yandex Search API answered with error ${code}.`;
      expect(error).toMatchObject({ code: "serp_unavailable", retryable, message });
      expect(searched).toHaveLength(times);
    }
  });

  it.each(["bad-base64", "cut-xml", "other-xml"])("takes nothing from a broken answer: %s", async (behaviour) => {
    const { error } = await failure(behaviour, YANDEX_API);
    expect(error).toMatchObject({ code: "serp_unavailable", message: expect.stringContaining("isn't a list") });
  });
});

describe.each(WAYS.filter(({ engine }) => engine === "google"))("Google by $provider", (way) => {
  it("puts the date before the snippet, as it stands on the page, and leaves it out of the description", async () => {
    const [, , third] = (await search("good", way).page).organic;
    expect(third?.snippet).toMatch(/^Oct 31, 2025 — What page 3 has/);
    expect(third?.description).toMatch(/^What page 3 has/);
  });

  it("keeps what can be used, unwrapped, and marks what only Google can resolve", async () => {
    expect((await search("odd", way).page).organic).toEqual([
      { title: "Without a snippet", url: "https://bare.example.com/", snippet: "", description: "" },
      { title: "Wrapped", url: "https://wrapped.example.com/", snippet: "", description: "" },
      expect.objectContaining({ url: "https://www.google.com/goto?url=CAESabc", unresolved: true }),
    ]);
  });

  it("takes the country, the city and the language", async () => {
    const { page, searched } = search("good", way, { location: "Istanbul, Turkey", language: "tr", page: 1 });
    await page;
    const [asked] = await searched();
    const place = { gl: "tr", hl: "tr", location: "Istanbul,Istanbul,Turkiye" };
    expect(asked?.body).toMatchObject(way === SERPER ? { ...place, page: 2 } : { ...place, start: "10" });
  });
});

describe("SerpApi", () => {
  const bing = { source: "serpapi", engine: "bing", provider: "SerpApi" } as const;

  it.each([
    ["said-error", "answered with an error", true],
    ["said-quota", "answered with an error: what its plan holds is used up", false],
    ["no-list", "answered with something that isn't a list of results", true],
  ])("may fail with a success: %s", async (behaviour, words, retryable) => {
    const { error } = await failure(behaviour, bing);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable, message: `SerpApi ${words}.` });
  });

  it("tells the engine's total, and sends the device", async () => {
    const { page, searched } = search("good", bing, { device: "mobile", location: "TR", page: 2 });
    expect((await page).total).toBe(12_400);
    expect((await searched())[0]?.body).toMatchObject({
      mkt: "tr-TR",
      first: "21",
      device: "mobile",
      safeSearch: "Off",
    });
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

describe("the stand-in for the APIs", () => {
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
  ])("refuses what they would refuse: %s %j %j", async (path, headers, body) => {
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
  ])("refuses SerpApi's parameters: %s", async (parameters) => {
    const response = await fetch(`${apis}/search.json?api_key=x&${parameters}`);
    expect([response.status, await response.json()]).toMatchObject([400, { error: expect.any(String) }]);
  });
});
