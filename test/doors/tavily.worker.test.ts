import { describe, expect, it } from "vitest";
import { createClient } from "../support/client";

describe("Tavily's interface", () => {
  it("returns search results with falling scores, and the text of their pages", async () => {
    const client = await createClient({ mode: "test" });
    const options = { max_results: 2, search_depth: "advanced", include_raw_content: true, include_domains: [] };
    const response = await client.call("POST", "/tavily/search", { query: "tides", topic: "general", ...options });
    expect(response.status).toBe(200);
    const result = { title: expect.any(String), url: expect.any(String), content: expect.any(String) };
    expect(await response.json()).toMatchObject({
      ...{
        query: "tides",
        answer: null,
        images: [],
        response_time: expect.any(Number),
        request_id: expect.any(String),
      },
      results: [1, 0.96].map((score) => ({ ...result, score, raw_content: expect.any(String) })),
    });
  });

  it.each([
    [{ topic: "news", days: 3 }, 5],
    [{ time_range: "w", country: "germany", safe_search: true }, 5],
    [{ start_date: "2026-01-01", end_date: "2026-02-01", exclude_domains: ["example.org"], max_results: 1 }, 1],
  ])("translates the search %j", async (options, results) => {
    const client = await createClient({ mode: "test" });
    const response = await client.call("POST", "/tavily/search", { query: "tides", ...options });
    expect((await response.json<{ results: unknown[] }>()).results).toHaveLength(results);
  });

  it("returns the content of pages, and the URLs that failed", async () => {
    const client = await createClient({ mode: "test" });
    const urls = ["https://example.com/a", "https://dns.test/", "nonsense"];
    const response = await client.call("POST", "/tavily/extract", { urls, format: "text", extract_depth: "basic" });
    expect(await response.json()).toMatchObject({
      results: [{ url: urls[0], raw_content: expect.any(String), images: [] }],
      failed_results: [
        { url: urls[1], error: expect.any(String) },
        { url: urls[2], error: expect.any(String) },
      ],
    });
  });

  it.each([
    ["search", {}, 400, /'query'/],
    ["search", { query: "x", topic: "finance" }, 400, /'topic'/],
    ["search", { query: "x", include_answer: true }, 400, /'include_answer'/],
    ["search", { query: "x", max_results: 50 }, 400, /'max_results'/],
    ["search", { query: "x", start_date: "soon" }, 400, /'start_date'/],
    ["search", { query: "x", end_date: "2026-01-01" }, 400, /'start_date'/],
    ["search", { query: "x", include_raw_content: "yes" }, 400, /'include_raw_content' must be one of true/],
    ["search", { query: "x", safe_search: "yes" }, 400, /'safe_search'/],
    ["search", { query: "x", max_result: 5 }, 400, /'max_result'.*max_results/],
    ["search", { query: "out-of-credits.test" }, 432, /credits/],
    ["extract", {}, 400, /'urls'/],
    ["extract", { urls: null }, 400, /'urls'/],
    ["extract", { urls: ["https://example.com/"], timeout: "x" }, 400, /'timeout'/],
    ["extract", { urls: ["nonsense"] }, 400, /'urls.0'/],
    ["crawl", { url: "https://example.com/" }, 404, /./],
  ])("refuses the request %s %j", async (path, body, status, message) => {
    const client = await createClient({ mode: "test" });
    const response = await client.call("POST", `/tavily/${path}`, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: { error: expect.stringMatching(message) } });
  });
});
