import * as fc from "fast-check";
import { expect, it } from "vitest";
import { SerpData, SerpRequest } from "../../../src/contract/serp";
import { mockSerp } from "../../../src/endpoints/serp/mock";

function search(request: object, large = false): SerpData {
  return mockSerp(SerpRequest.parse(request), { large });
}

it.each([1, 10, 37, 100])("returns exactly %i results, numbered from 1, each with its own URL", (count) => {
  const { organic } = SerpData.parse(search({ query: "coffee", num_results: count }));
  expect(organic.map(({ position }) => position)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(new Set(organic.map(({ url }) => url)).size).toBe(count);
});

it("mentions the query in every text", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 400, unit: "binary" }), (text) => {
      fc.pre(text.trim() !== "");
      const { organic } = search({ query: text, num_results: 8 });
      for (const { title, url, description, snippet } of organic) {
        for (const words of [title, description, snippet]) expect(words).toContain(text.trim());
        expect(URL.parse(url)?.href).toBe(url);
      }
    }),
    { numRuns: 50 },
  );
});

it("starts some snippets with a date, which their descriptions omit", () => {
  const { organic } = search({ query: "coffee" });
  const dated = organic.filter(({ snippet }) => /^\d{1,2} Mar 2026 — /.test(snippet));
  expect(dated.length).toBeGreaterThan(0);
  expect(dated.length).toBeLessThan(organic.length);
  for (const { snippet, description } of organic) {
    expect(snippet.replace(/^\d{1,2} Mar 2026 — /, "")).toBe(description);
  }
});

it("is the same for the same request, and different for another query or engine", () => {
  expect(search({ query: "coffee" })).toEqual(search({ query: "coffee" }));
  expect(search({ query: "coffee" })).not.toEqual(search({ query: "tea" }));
  expect(search({ query: "coffee" })).not.toEqual(search({ query: "coffee", engine: "bing" }));
});

it.each([1, 10, 100])("is larger than 1 MB with %i results if a large result is requested", (count) => {
  const data = search({ query: "large", num_results: count }, true);
  expect(JSON.stringify(data).length).toBeGreaterThan(1024 * 1024);
  expect(data.organic).toHaveLength(count);
});

it("has different titles in turn, a date in every third snippet, and the words of the query in the URL", () => {
  const { organic, total_results, search_time_ms } = search({ query: "Two words", num_results: 8 });
  expect(new Set(organic.map(({ title }) => title)).size).toBe(7);
  expect(organic[7]?.title).toBe(organic[0]?.title);
  expect(organic.filter(({ snippet }) => / Mar 2026 — /.test(snippet)).map(({ position }) => position)).toEqual([
    1, 4, 7,
  ]);
  expect(organic.slice(0, 4).map(({ url }) => url)).toEqual([
    "https://example.com/google/two-words/1",
    "https://example.org/google/two-words/2",
    "https://example.net/google/two-words/3",
    "https://example.com/google/two-words/4",
  ]);
  expect([total_results, search_time_ms]).toEqual([1_240_000, 420]);
  const [long] = search({ query: "abcdefghi ".repeat(10), num_results: 1 }).organic;
  expect(long?.url).toBe(`https://example.com/google/${"abcdefghi-".repeat(6)}/1`);
});
