import { describe, expect, it } from "vitest";
import { type CallOptions, callApi, callFailingApi, YANDEX_API } from "../../support/search-sources";

describe("Yandex Search API", () => {
  it("returns up to 100 results per page, and 250 in total", async () => {
    const pages = [0, 1].map((page) => callApi("good", YANDEX_API, { page, count: 100 }).page);
    expect((await Promise.all(pages)).map(({ organic, hasNext }) => [organic.length, hasNext])).toEqual([
      [100, true],
      [0, false],
    ]);
    expect((await callApi("good", YANDEX_API, { page: 1, count: 50 }).page).organic[0]?.url).toContain("site-51.");
  });

  it.each([
    [1, 100, true],
    [2, 100, false],
    [3, 50, true],
    [4, 50, false],
  ])("has a page after page %i of %i results only up to 250 results: %s", async (page, count, hasNext) => {
    expect((await callApi("repeat", YANDEX_API, { page, count }).page).hasNext).toBe(hasNext);
  });

  it("uses the country's search type, with the region and language if the type supports them", async () => {
    const sent = async (options: CallOptions) => {
      const { page, requests } = callApi("good", YANDEX_API, options);
      await page;
      return (await requests())[0];
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
    expect((await sent({}))?.headers.authorization).toBe("Api-Key test Yandex key");
  });

  it("reads highlighted words, several passages and the more precise total, and falls back to the headline", async () => {
    const { organic, total } = await callApi("good", YANDEX_API).page;
    expect(total).toBe(20_045);
    expect(organic[0]?.title).toMatch(/^harbour cranes/);
    expect(organic[0]?.snippet).toMatch(/long enough\. A second passage\.$/);
    expect(organic[9]).toMatchObject({ snippet: "About 10.", description: "About 10." });
  });

  it("distinguishes an empty result, temporary errors and permanent errors", async () => {
    expect(await callApi("code-15", YANDEX_API).page).toEqual({ organic: [], total: 0, hasNext: false });
    expect((await callApi("code-55-once", YANDEX_API).page).organic).toHaveLength(10);
    for (const [code, retryable, times] of [
      [55, true, 2],
      [100, true, 1],
      [20, true, 1],
      [32, false, 1],
      [42, false, 1],
      [1, false, 1],
    ] as const) {
      const { error, requests } = await callFailingApi(`code-${code}`, YANDEX_API);
      const message = `Yandex Search API returned error ${code}.`;
      expect(error).toMatchObject({ code: "serp_unavailable", retryable, message });
      expect(requests).toHaveLength(times);
    }
  });

  it.each(["bad-base64", "cut-xml", "other-xml"])("rejects a malformed response: %s", async (behavior) => {
    const { error } = await callFailingApi(behavior, YANDEX_API);
    expect(error).toMatchObject({ code: "serp_unavailable", message: expect.stringContaining("isn't a list") });
  });
});
