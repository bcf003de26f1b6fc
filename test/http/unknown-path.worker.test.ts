import { describe, expect, it } from "vitest";
import { toPathError } from "../../src/http/unknown-path";

const ROUTES = [
  { method: "ALL", path: "/v1/*" },
  { method: "POST", path: "/v1/scrape" },
  { method: "POST", path: "/v1/parse" },
  { method: "POST", path: "/v1/serp" },
  { method: "GET", path: "/v1/serp/health" },
  { method: "GET", path: "/v1/jobs/:id" },
  { method: "GET", path: "/v1/jobs" },
  { method: "DELETE", path: "/v1/jobs/:id" },
  { method: "POST", path: "/v1/batch" },
  { method: "GET", path: "/v1/batch/:id" },
  { method: "POST", path: "/mcp" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/" },
];

const errorOf = (method: string, path: string) => toPathError({ method, path, origin: "https://a.example" }, ROUTES);

describe("an unknown path", () => {
  it.each([
    ["POST", "/scrape", "POST /v1/scrape"],
    ["POST", "/v1/scrape/", "POST /v1/scrape"],
    ["POST", "/v2/scrape", "POST /v1/scrape"],
    ["POST", "/api/v1/scrape", "POST /v1/scrape"],
    ["POST", "/v1/Scrap", "POST /v1/scrape"],
    ["GET", "/v1/scrape/", "POST /v1/scrape"],
    ["POST", "/v1/search", "POST /v1/serp"],
    ["POST", "/v1/extract", "POST /v1/parse"],
    ["GET", "/v1/search", "POST /v1/serp"],
    ["GET", "/v1/job", "GET /v1/jobs"],
    ["GET", "/v1/jobs/", "GET /v1/jobs"],
    ["GET", "/v1/job/123", "GET /v1/jobs/:id"],
    ["DELETE", "/v1/job/123", "DELETE /v1/jobs/:id"],
    ["POST", "/v1/mcp", "POST /mcp"],
    ["GET", "/doc", "GET /docs"],
    ["GET", "/v1/scrape/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11", "GET /v1/jobs/:id"],
    ["GET", "/v1/jobs/0199b2c0-7a51-7c3e-9d0a-3f1e5b7c9d11/result", "GET /v1/jobs/:id"],
  ])("gets the most similar one: %s %s", (method, path, expected) => {
    const { code, message } = errorOf(method, path);
    expect([code, message]).toEqual(["not_found", `The path '${path}' doesn't exist. Did you mean ${expected}?`]);
  });

  it.each(["/v1", "/v1/", "/v1/crawl", "/v1/map", "/v1/zork/123", "/v1/jobs/1/2/3", "/a/b/c/d/e/f/g/h/i/j/k", "//"])(
    "without a similar one gets the list of operations: %s",
    (path) => {
      const { message, hint } = errorOf("GET", path);
      expect(message).toBe(`The path '${path}' doesn't exist.`);
      expect(hint).toMatch(/POST \/v1\/scrape.*https:\/\/a\.example\/docs/);
    },
  );

  it.each(["/docs/api/scrap.md", "/docs/serp", "/parse.md"])(
    "of the documentation gets the list of pages: %s",
    (path) => {
      const { message, hint } = errorOf("GET", path);
      expect(message).toBe(`The path '${path}' doesn't exist.`);
      expect(hint).toBe("All pages are listed at https://a.example/llms.txt.");
    },
  );

  it("isn't repeated completely if it is long", () => {
    expect(errorOf("GET", `/${"x".repeat(10_000)}`).message.length).toBeLessThan(300);
  });
});

it("lists the methods of a path that has routes for other methods", () => {
  const { status, message, headers } = errorOf("PUT", "/v1/jobs/123");
  expect([status, headers.Allow]).toEqual([405, "GET, HEAD, DELETE"]);
  expect(message).toBe("The method PUT is not allowed for this path. Use GET, HEAD or DELETE.");
});
