import { expect, it } from "vitest";
import { ENGINES } from "../../../src/search/engines/engines";
import { rejectUntrusted } from "../../../src/search/engines/search-engine";
import type { ResultPage } from "../../../src/search/results/result-page";

const some: ResultPage = {
  kind: "results",
  organic: [{ title: "a", url: "https://a.example/", snippet: "", description: "" }],
  total: null,
  next: null,
};
const none: ResultPage = { kind: "no_results", organic: [], total: null, next: null };
const good = { url: "https://www.google.com/search?q=x", status: 200, html: "" };

it.each([
  ["a page of results", "google", some, good, "results"],
  ["a notice that nothing was found", "google", none, good, "no_results"],
  ["a consent page with status 503", "google", { ...none, kind: "consent" }, { ...good, status: 503 }, "consent"],
  ["results with status 403", "google", some, { ...good, status: 403 }, "blocked"],
  ["results with status 400", "google", some, { ...good, status: 400 }, "unknown"],
  ["an invalid URL", "google", some, { ...good, url: "x" }, "blocked"],
  ["a block page with links", "google", some, { ...good, url: "https://www.google.com/sorry/index?q=x" }, "blocked"],
  ["a page of another host", "yandex", some, { ...good, url: "https://dzen.ru/?yredirect=true" }, "blocked"],
  ["a captcha", "yandex", some, { ...good, url: "https://yandex.ru/showcaptcha?x" }, "blocked"],
  ["the home page", "bing", some, { ...good, url: "https://www.bing.com/" }, "blocked"],
  ["results with status 429", "google", some, { ...good, status: 429 }, "blocked"],
  [
    "results with status 503",
    "bing",
    some,
    { ...good, url: "https://www.bing.com/search?q=x", status: 503 },
    "unknown",
  ],
  ["no results with status 500", "google", none, { ...good, status: 500 }, "unknown"],
  ["a notice that nothing was found, next to a count", "google", { ...none, total: 1200 }, good, "unknown"],
  [
    "a page that is still verifying the request",
    "google",
    none,
    { ...good, html: "<p>Verifying your request for x" },
    "unknown",
  ],
] as const)("classifies %s", (_, engine, page, response, kind) => {
  const result = rejectUntrusted(ENGINES[engine], page as ResultPage, response);
  expect(result.kind).toBe(kind);
  if (kind !== "results") expect(result.organic).toEqual([]);
});
