import { describe, expect, it } from "vitest";
import { type Asking, failure, SERPER, search, WAYS, YANDEX_API } from "../../support/search-ways";

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
