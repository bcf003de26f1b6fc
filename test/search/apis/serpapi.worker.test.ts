import { describe, expect, it } from "vitest";
import { callApi, callFailingApi } from "../../support/search-sources";

describe("SerpApi", () => {
  const bing = { name: "serpapi", engine: "bing", provider: "SerpApi" } as const;

  it.each([
    ["error-in-200", "returned an error", true],
    ["quota-in-200", "returned an error: the plan's quota is used up", false],
    ["no-list", "returned something that isn't a list of results", true],
  ])("reports an error in a successful response: %s", async (behavior, words, retryable) => {
    const { error } = await callFailingApi(behavior, bing);
    expect(error).toMatchObject({ code: "serp_unavailable", retryable, message: `SerpApi ${words}.` });
  });

  it("returns the engine's total, and sends the device", async () => {
    const { page, requests } = callApi("good", bing, { device: "mobile", location: "TR", page: 2 });
    expect((await page).total).toBe(12_400);
    expect((await requests())[0]?.body).toMatchObject({
      mkt: "tr-TR",
      first: "21",
      device: "mobile",
      safeSearch: "Off",
    });
  });
});
