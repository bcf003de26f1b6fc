import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import type { ListedPage } from "../../src/website/docs";
import { toOpenApiDocument } from "../../src/website/openapi-document";
import { ORIGIN, readContract, request } from "../support/client";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const PAGES = await (await env.ASSETS.fetch("https://a.example/pages/index.json")).json<ListedPage[]>();

describe("the documentation", () => {
  it("serves every page while D1, R2 and the objects are down", async () => {
    const ctx = createExecutionContext();
    const down = { ...env, DB: undefined, STORE: undefined, ACCOUNT: undefined, KEY_VERIFIER: undefined };
    for (const path of [...PAGES.map((page) => page.path), "/docs/reference", "/changelog"]) {
      const response = await app.fetch(new Request(`${ORIGIN}${path}`, { headers: HTML }), down, ctx);
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/html; charset=UTF-8",
      ]);
      await response.text();
    }
    await waitOnExecutionContext(ctx);
    expect(PAGES.length).toBeGreaterThan(30);
  });

  it("serves each page as Markdown at its address with .md, and to callers that ask for Markdown", async () => {
    const asked = await request("/docs/api/scrape", { headers: { accept: "text/markdown" } });
    const direct = await request("/docs/api/scrape.md", { headers: HTML });
    for (const response of [asked, direct]) {
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
      const text = await response.text();
      expect(text).toMatch(/^# Scrape\n/);
      expect(text).toContain(`curl -s "${ORIGIN}/v1/scrape`);
      // Links lead to addresses of this service, or to other sites.
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g))
        expect(target).toMatch(/^(?:https?:|mailto:|\/|#)/);
    }
    expect(asked.headers.get("vary")).toContain("Accept");
    expect((await request("/docs.md")).status).toBe(200);
  });

  it("shows the service's own origin in examples, and allows only its own scripts", async () => {
    const response = await request("/docs/api/scrape", { headers: HTML });
    expect(response.headers.get("content-security-policy")).toMatch(/style-src 'self';.* script-src 'self'/);
    const page = await response.text();
    expect(page).toContain(`${ORIGIN}/v1/scrape?wait=true`);
    expect(page).not.toMatch(/origin\.invalid| style="|\$BASE/);
    const guide = await (await request("/docs/guides/prices", { headers: HTML })).text();
    expect(guide).toContain(`BASE=${ORIGIN}\n`);
  });

  it("answers a request for an unchanged page with 304", async () => {
    const first = await request("/docs/api/jobs", { headers: HTML });
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    const tag = first.headers.get("etag") ?? "";
    await first.text();
    const second = await request("/docs/api/jobs", { headers: { ...HTML, "if-none-match": tag } });
    expect([tag, second.status]).toEqual([expect.stringMatching(/^"/), 304]);
  });

  it("shows the navigation on a page that doesn't exist, and returns the error to programs", async () => {
    const page = await request("/docs/api/nothing", { headers: HTML });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const text = await page.text();
    expect(text).toContain('href="/docs/api/scrape"');
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toMatch(/rel="(?:canonical|alternate)"/);
    for (const path of ["/docs/api/nothing", "/docs/api/nothing.md", "/pages/docs/api/scrape.json"]) {
      const response = await request(path, { headers: { accept: "application/json" } });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
    }
  });

  it.each([
    "/docs/404",
    "/docs//api/scrape",
    "/docs/..%5c..%5cdocs/search",
    "/docs/%2e%2e%2f404",
    "/docs/api%2fscrape",
  ])("has no page at %s", async (path) => {
    const response = await request(path, { headers: HTML });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Page not found");
  });

  it.each(["/docs/api", "/changelog", "/status"])("redirects %s with a slash at its end", async (path) => {
    const response = await request(`${path}/`, { headers: HTML, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([301, path]);
  });
});

it("the OpenAPI document has the version of the product", async () => {
  const { version } = await import("../../package.json");
  expect((await readContract()).document).toMatchObject({ info: { version } });
});

it.each([
  ["https://support.example/", { url: "https://support.example/" }],
  ["mailto:help@support.example", { email: "help@support.example" }],
  ["", {}],
])("the OpenAPI document names the contact %j", (SUPPORT_URL, address) => {
  const { contact } = toOpenApiDocument({ ...env, OPERATOR_NAME: "Harbor data", SUPPORT_URL }).info;
  expect(contact).toEqual({ name: "Harbor data", ...address });
});

it("the OpenAPI document names the scopes of each operation with a key in its description", async () => {
  const { document } = await readContract();
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    if (operation.security.length > 0) expect(operation.description).toMatch(/Requires the scope `\w+`/);
});
