import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app";
import EXAMPLES from "../../src/website/examples.json";
import { createClient, ORIGIN, page, read, request, site } from "../support/client";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Requests a page as a browser does, from a service with these variables. */
async function open(path: string, variables: Partial<Env> = {}, headers: Record<string, string> = {}) {
  const init = { headers: { accept: BROWSER, ...headers } };
  return await app.fetch(new Request(ORIGIN + path, init), { ...env, ...variables }, createExecutionContext());
}

/** A binding of which every use fails. */
const BROKEN = new Proxy({}, { get: () => () => Promise.reject(new Error("This part is down.")) });

describe("the home page", () => {
  it.each(Object.entries(EXAMPLES))("shows what the service answers: %s", async (_, { path, body, answer }) => {
    const { call } = await createClient();
    const [, , name = ""] = /^(https:\/\/shop\.example\/)(.*)$/.exec(body.url) ?? [];
    const url = page(name);
    const response = await call("POST", path, { ...body, url });
    const result = await response.json<{ job_id: string }>();
    const full = response.ok ? result : await (await call("GET", `/v1/jobs/${result.job_id}`)).json();
    const text = JSON.stringify(full).replaceAll(url, body.url).replaceAll(new URL(site).host, "shop.example");
    expect(JSON.parse(text)).toMatchObject(answer);
  });

  it("shows the prices, plans and links of this service", async () => {
    const prices = { CREDITS_SERP: "37", PLAN_PRICES: '{"pro": "$29 per month"}', CREDITS_FREE: "1234" };
    const text = await (await open("/", { ...prices, TERMS_URL: "https://terms.example/" } as Partial<Env>)).text();
    for (const shown of [">37<", "$29 per month", "1,234", 'href="https://terms.example/"'])
      expect(text).toContain(shown);
    expect(text).toContain('href="/dashboard/sign-up"');
    expect(await (await open("/", { CREDITS_MAP: "0" } as Partial<Env>)).text()).toMatch(/>Map<[^>]*><[^>]*>0</);
    expect(await (await open("/", { SIGNUP: "closed" } as Partial<Env>)).text()).not.toContain("sign-up");
  });

  it("can be cached, and hasn't changed if its ETag is the same", async () => {
    const first = await open("/");
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    const again = await open("/", {}, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});

it.each(["/", "/docs/errors", "/robots.txt", "/sitemap.xml", "/llms.txt", "/openapi.json"])(
  "%s needs neither the database, nor the store, nor an object",
  async (path) => {
    const names = ["DB", "STORE", "ACCOUNT", "KEY_VERIFIER", "RATE_LIMITER", "CRAWL", "BROWSER_HOST"];
    const response = await open(path, Object.fromEntries(names.map((name) => [name, BROKEN])) as Partial<Env>);
    expect(response.status).toBe(200);
  },
);

describe("the operator's name, logo and color", () => {
  const brand = {
    OPERATOR_NAME: "Harbor & Data",
    OPERATOR_LOGO_URL: "https://logos.example/mark.svg?v=2",
    OPERATOR_COLOR: "#635BFF",
  } as Partial<Env>;

  it.each(["/", "/docs/errors", "/status", "/nowhere", "/dashboard/sign-in"])("are on %s", async (path) => {
    const response = await open(path, brand);
    const text = await response.text();
    expect(text).toContain("Harbor &amp; Data</title>");
    expect(text).not.toContain("Web data extraction");
    expect(text).toContain('src="https://logos.example/mark.svg?v=2"');
    expect(text).toContain('href="/colors.css?635bff"');
    // The policy allows pictures of exactly this origin.
    const [, sources = ""] = /img-src ([^;]*)/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
    expect(sources.split(" ").filter((source) => source.startsWith("http"))).toEqual(["https://logos.example"]);
  });

  it("are in the OpenAPI document and /llms.txt, and replace the picture with the default name", async () => {
    expect(await (await open("/openapi.json", brand)).json()).toMatchObject({ info: { title: "Harbor & Data" } });
    expect(await (await open("/llms.txt", brand)).text()).toMatch(/^# Harbor & Data\n/);
    expect(await (await open("/", brand)).text()).not.toContain("og:image");
  });

  it("have no effect if they are invalid, and /health/ready says so", async () => {
    const links = { SUPPORT_URL: "javascript:alert(1)", TERMS_URL: "javascript:alert(1)" };
    const logo = "http://logos.example/;script-src *";
    const invalid = { ...links, OPERATOR_LOGO_URL: logo, OPERATOR_COLOR: "red" } as Partial<Env>;
    const response = await open("/", invalid);
    expect(response.headers.get("content-security-policy")).not.toContain("logos.example");
    expect(await response.text()).not.toMatch(/colors\.css|javascript:/);
    expect(await (await open("/health/ready", invalid)).text()).toMatch(/OPERATOR_LOGO_URL.*OPERATOR_COLOR/s);
  });
});

describe("an unknown path", () => {
  it.each([
    ["/nowhere", null],
    ["/error", "/docs/errors"],
    ["/statsu", "/status"],
    ["/dashbord", "/dashboard"],
    ["/scrape", "/docs/api/scrape"],
    ["/search", "/docs/api/serp"],
    ["/login", "/dashboard/sign-in"],
    ["/sign-up", "/dashboard/sign-up"],
    ["/pricing", "/#prices"],
  ])("is a page for browsers, with the page that was probably meant: %s", async (path, meant) => {
    const response = await open(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
    const text = await response.text();
    expect(text).toContain("Page not found");
    expect(text).not.toContain("/v1/");
    expect(text).toContain('<meta name="robots" content="noindex"');
    if (meant === null) expect(text).not.toContain("Did you look for");
    else expect(text).toContain(`Did you look for <a href="${meant}">`);
  });

  it("is escaped", async () => {
    expect(await (await open("/%3Cscript%3Ealert(1)")).text()).not.toContain("<script");
  });

  it.each([
    "/v1/nowhere",
    "/firecrawl/v1/nowhere",
    "/tavily/nowhere",
    "/admin/v1/nowhere",
    "/health/nowhere",
    "/mcp/x",
  ])("of an API is JSON even for browsers: %s", async (path) => {
    const response = await open(path);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.status).toBeGreaterThanOrEqual(400);
  });

  it("is JSON for programs", async () => {
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }])
      expect((await read(await request("/nowhere", { headers }))).error.code).toBe("not_found");
    expect((await read(await request("/nowhere", { method: "POST", headers: { accept: BROWSER } }))).error.code).toBe(
      "not_found",
    );
  });
});

it("an expired link to a screenshot is a page for browsers", async () => {
  const response = await open("/screenshots/none");
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(response.status).toBeGreaterThanOrEqual(400);
});

describe("for search engines", () => {
  it("robots.txt keeps them out of the dashboard and names the sitemap", async () => {
    const lines = (await (await open("/robots.txt")).text()).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["Disallow: /dashboard", `Sitemap: ${ORIGIN}/sitemap.xml`]));
  });

  it("the sitemap lists public pages, which exist", async () => {
    const text = await (await open("/sitemap.xml")).text();
    const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url);
    expect(urls).toEqual(expect.arrayContaining([`${ORIGIN}/`, `${ORIGIN}/status`, `${ORIGIN}/docs/api/scrape`]));
    for (const url of urls) expect([url, (await open(new URL(url).pathname)).status]).toEqual([url, 200]);
  });
});
