import { describe, expect, inject, it } from "vitest";
import type { MapData } from "../../../src/contract/map";
import { createClient, read } from "../../support/client";
import { run, runFailing } from "../../support/run-endpoint";

const sites = inject("mappedSites");

async function map(url: string, options: Record<string, unknown> = {}): Promise<MapData> {
  return (await run("map", { url, ...options })).data as MapData;
}

const toUrls = ({ urls }: MapData) => urls.map(({ url }) => url);

describe("a map", () => {
  it("has the URLs of the page, the feed and the sitemaps, each once, with what they say about them", async () => {
    const site = sites.whole;
    expect(await map(`${site}/?utm_source=x`)).toEqual({
      url: `${site}/?utm_source=x`,
      urls: [
        { url: `${site}/`, title: "The site", source: "page" },
        { url: `${site}/about`, title: "About us", last_modified: "2026-11-01", source: "page" },
        { url: `${site}/cranes`, title: "Harbor cranes", source: "page" },
        { url: `${site}/login`, title: "Sign in", source: "page" },
        { url: `${site}/posts/1`, title: "A post", last_modified: "2026-11-23T10:00:00.000Z", source: "feed" },
        { url: `${site}/news/1`, title: "The first news", source: "sitemap" },
        { url: `${site}/zipped?b=2&a=1`, source: "sitemap" },
      ],
      sources: {
        robots: { found: true },
        page: { urls: 3 },
        sitemaps: expect.arrayContaining([
          { url: `${site}/index.xml`, urls: 0, is_index: true },
          { url: `${site}/a.xml`, urls: 2, other_sites: 1 },
          { url: `${site}/b.xml.gz`, urls: 1 },
          { url: "https://files.example/map.xml", urls: 0, error: expect.objectContaining({ code: "dns_failure" }) },
          {
            url: `${site}/broken.xml`,
            urls: 0,
            error: { code: "target_http_error", message: expect.stringContaining("status 500") },
          },
          { url: `${site}/page.xml`, urls: 0, error: { code: "unsupported_content", message: expect.any(String) } },
        ]),
        feeds: [{ url: `${site}/feed.xml`, urls: 1 }],
      },
    });
  });

  it("omits sitemaps with 'skip', and everything else with 'only'", async () => {
    const skipped = await map(sites.whole, { sitemap: "skip" });
    expect(skipped.sources).toMatchObject({ robots: { found: false }, sitemaps: [], feeds: [{ urls: 1 }] });
    expect(toUrls(skipped)).not.toContain(`${sites.whole}/news/1`);
    const only = await map(sites.whole, { sitemap: "only" });
    expect(only.sources).not.toHaveProperty("page");
    expect(toUrls(only)).toEqual(["/about", "/news/1", "/zipped?b=2&a=1"].map((path) => sites.whole + path));
  });

  it("lets other runs use the memory of the page while it reads the sitemaps", async () => {
    const calls: unknown[] = [];
    const acquireLargeLock = async (bytes?: number) => void calls.push(bytes);
    const releaseLargeLock = () => void calls.push("released");
    const { data } = await run("map", { url: sites.heavy }, { acquireLargeLock, releaseLargeLock });
    expect(data.sources).toMatchObject({ sitemaps: [{ urls: 1 }] });
    expect(calls.at(-1)).toBe("released");
  });

  it("has only the URLs with a word of the search, the best first", async () => {
    expect(toUrls(await map(sites.whole, { search: "Néws FIRST" }))).toEqual([`${sites.whole}/news/1`]);
    expect(toUrls(await map(sites.whole, { search: "harbor posts" }))).toEqual([
      `${sites.whole}/cranes`,
      `${sites.whole}/posts/1`,
    ]);
    expect((await map(sites.whole, { search: "nothing" })).urls).toEqual([]);
  });

  it("says that it is truncated by its limit", async () => {
    const limited = await map(sites.large, { limit: 2 });
    expect(limited).toMatchObject({ truncated: true, urls: [{ url: `${sites.large}/` }, { source: "sitemap" }] });
    const most = await map(sites.large, { limit: 5_000 });
    expect(most.urls).toHaveLength(5_000);
    expect(new Set(toUrls(most)).size).toBe(5_000);
    expect((await map(sites.bare)).truncated).toBeUndefined();
  });

  it.each(["bare", "soft"] as const)("of a site without a sitemap has the page's links: %s", async (name) => {
    const { urls, sources } = await map(sites[name]);
    expect(urls.map(({ url }) => url)).toEqual(expect.arrayContaining([`${sites[name]}/`, `${sites[name]}/one`]));
    expect(sources.sitemaps).toEqual([]);
  });

  it.each(["indexed", "wordpress", "moved", "zipped"] as const)(
    "finds the usual sitemap of a site: %s",
    async (name) => {
      const found = await map(sites[name]);
      expect(toUrls(found)).toEqual([`${sites[name]}/`, `${sites[name]}/one`]);
      expect(found.sources.sitemaps.every(({ error }) => error === undefined)).toBe(true);
    },
  );

  it("renders a page without content with `render: auto`, within its price", async () => {
    const site = sites.scripted;
    const { data, lines, extras, outcome } = await run("map", { url: site, render: "auto" });
    expect([outcome, extras]).toEqual([undefined, { rendered: true }]);
    expect(lines).toEqual([expect.objectContaining({ item: "map" }), expect.objectContaining({ item: "rendering" })]);
    expect((data as MapData).urls).toEqual([
      { url: `${site}/`, title: "App", source: "page" },
      { url: `${site}/one`, title: "The first page", source: "page" },
      { url: `${site}/two`, source: "page" },
      { url: `${site}/three`, source: "page" },
      { url: `${site}/four`, source: "page" },
    ]);
    for (const options of [{}, { render: "auto", max_credits: 1 }])
      expect((await run("map", { url: site, ...options })).outcome).toBe("needs_rendering");
    expect((await run("map", { url: sites.bare, render: "auto" })).lines).toHaveLength(1);
  });

  it("says which sources failed", async () => {
    expect(await map(sites.failing)).toMatchObject({
      urls: [{ url: `${sites.failing}/` }, { url: `${sites.failing}/one` }],
      sources: {
        robots: { found: false, error: { code: "target_http_error" } },
        sitemaps: [{ url: `${sites.failing}/sitemap.xml`, error: { code: "target_http_error" } }],
      },
    });
  });

  it("reads a sitemap up to the maximum size", async () => {
    expect(await map(sites.bomb)).toMatchObject({
      truncated: true,
      urls: [{ url: `${sites.bomb}/` }, { url: `${sites.bomb}/one` }],
      sources: { sitemaps: [{ urls: 1, truncated: true }] },
    });
  });

  it("of a page that blocks the service fails, unless another source has URLs", async () => {
    expect(await runFailing("map", { url: sites.blocked })).toMatchObject({ code: "blocked_by_target" });
    expect(await map(sites["half-blocked"])).toMatchObject({
      urls: [{ url: `${sites["half-blocked"]}/one`, source: "sitemap" }],
      sources: { page: { urls: 0, error: { code: "blocked_by_target" } } },
    });
  });

  it("of a site without sitemaps fails with 'only'", async () => {
    expect(await runFailing("map", { url: sites.bare, sitemap: "only" })).toMatchObject({ code: "unusable_page" });
    expect(await runFailing("map", { url: sites.failing, sitemap: "only" })).toMatchObject({
      code: "target_http_error",
    });
  });
});

describe("POST /v1/map", () => {
  it("costs one credit, and nothing if it fails", async () => {
    const { call } = await createClient();
    const response = await read(await call("POST", "/v1/map?wait=true", { url: sites.bare }));
    expect(response).toMatchObject({
      success: true,
      data: { urls: { length: 3 } },
      meta: { credits_used: 1, receipt: { total: 1, lines: [{ item: "map", credits: 1 }] } },
    });
    const job = await read(await call("GET", `/v1/jobs/${response.job_id}`));
    expect(job).toMatchObject({
      endpoint: "map",
      request: { limit: 1_000, sitemap: "include" },
      result: response.data,
    });
    const failed = await call("POST", "/v1/map?wait=true", { url: sites.blocked });
    expect([failed.status, (await read(failed)).error.code]).toEqual([502, "blocked_by_target"]);
    expect(await read(await call("GET", "/v1/usage"))).toMatchObject({ data: { period: { used: 1 } } });
  });

  it("costs nothing if the page is an application shell, and says so", async () => {
    const { outcome, isFree } = await run("map", { url: sites.shell });
    expect({ outcome, isFree }).toEqual({ outcome: "needs_rendering", isFree: true });
  });

  it("needs the scope scrape", async () => {
    const { call } = await createClient({ scopes: ["parse", "serp", "jobs"] });
    expect((await call("POST", "/v1/map", { url: sites.bare })).status).toBe(403);
  });

  it.each([
    [{}, "url"],
    [{ url: "x" }, "url"],
    [{ url: "https://example.com/", limit: 5_001 }, "limit"],
    [{ url: "https://example.com/", limit: 0 }, "limit"],
    [{ url: "https://example.com/", sitemap: "all" }, "sitemap"],
    [{ url: "https://example.com/", search: " " }, "search"],
    [{ url: "https://example.com/", formats: ["markdown"] }, "formats"],
    [{ url: "https://example.com/", proxy_country: "XX" }, "proxy_country"],
    [{ url: "http://127.0.0.1:1/" }, "url"],
  ])("refuses %j", async (body, path) => {
    const { call } = await createClient();
    const response = await call("POST", "/v1/map", body);
    expect(response.status).toBe(400);
    expect(await read(response)).toMatchObject({ error: { details: [{ path }] } });
  });

  it("returns a mock map for a test key, and its price for a dry run", async () => {
    const { call } = await createClient({ mode: "test" });
    const request = { url: "https://example.com/shop", search: "blog", limit: 2 };
    const first = await read(await call("POST", "/v1/map?wait=true", request));
    expect(first).toMatchObject({ data: { urls: { length: 2 }, truncated: true }, meta: { credits_used: 0 } });
    expect((await read(await call("POST", "/v1/map?wait=true", request))).data).toEqual(first.data);
    const { call: live } = await createClient();
    const dry = await read(await live("POST", "/v1/map", { url: "https://example.com/", dry_run: true }));
    expect(dry.data).toMatchObject({ max_credits: 1, method: "plain" });
  });
});
