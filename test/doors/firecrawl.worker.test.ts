import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import { type CallContext, submitResumable } from "../../src/jobs/submit";
import { toPrices } from "../../src/model/prices";
import { callerOf, openObject } from "../support/account";
import { type Client, createClient, ORIGIN, page, querySite } from "../support/client";
import { openFolder } from "../support/crawls";
import type { Post } from "../support/receiver";
import { bodyOf, receiver } from "../support/webhooks";

type Body = Record<string, unknown>;

/** Sends a request to the door, whose operations the OpenAPI document doesn't describe. */
async function send(client: Client, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${client.secret}`, "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await exports.default.fetch(new Request(`${ORIGIN}/firecrawl/${path}`, init));
  return { status: response.status, response, json: await response.clone().json<Body>() };
}

/** Reads the status of a crawl, batch or extract until it has ended. */
async function awaitEnd(client: Client, path: string): Promise<Body> {
  for (;;) {
    const { json } = await send(client, "GET", path);
    if (json.status !== "scraping" && json.status !== "processing") return json;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const DEFAULTS = { render: "auto", block_ads: true, formats: ["markdown", "metadata"] };
const SCHEMA = { type: "object", properties: { name: { type: "string" } } };

describe.concurrent("Firecrawl's scrape", () => {
  it.each([
    [{}, DEFAULTS],
    [{ formats: ["html", "rawHtml", "links"] }, { formats: ["clean_html", "raw_html", "html", "links", "metadata"] }],
    [
      { formats: [{ type: "screenshot", quality: 60, viewport: { width: 900, height: 600 } }] },
      { screenshot: { full_page: false, quality: 60, format: "jpeg" }, viewport: { width: 900, height: 600 } },
    ],
    [{ formats: ["screenshot@fullPage"] }, { screenshot: { full_page: true } }],
    [
      { formats: [{ type: "json", schema: SCHEMA }], maxAge: 1_000 },
      { formats: ["json", "metadata"], json: { schema: SCHEMA, strategy: "auto" } },
    ],
    [
      { onlyMainContent: false, includeTags: ["main"], excludeTags: [".ad"], mobile: true, timeout: 90_000 },
      {
        only_main_content: false,
        include_selectors: ["main"],
        exclude_selectors: [".ad"],
        device: "mobile",
        timeout_ms: 55_000,
      },
    ],
    [
      { headers: { "X-Test": "1", Cookie: "a=b; c=d=e", "User-Agent": "Keeper" }, maxAge: 1_000 },
      { user_agent: "Keeper", cookies: [{ name: "a" }, { name: "c" }] },
    ],
    [{ waitFor: 11_000 }, { wait_ms: 10_000, actions: [{ type: "wait", ms: 1_000 }] }],
    [{ maxAge: 1_500, storeInCache: true }, { max_age: 2 }],
    [
      { storeInCache: false, maxAge: 1_500, blockAds: false },
      { capture: false, block_ads: false },
    ],
    [{ location: { country: "de" } }, { locale: "de-DE", proxy_country: "DE" }],
    [
      {
        actions: [
          { type: "wait", milliseconds: 12_000 },
          { type: "click", selector: "#name" },
          { type: "write", text: "Ada" },
          { type: "press", key: "ENTER" },
          { type: "scroll", direction: "up" },
          { type: "scrape" },
        ],
      },
      {
        actions: [
          { type: "wait", ms: 10_000 },
          { type: "wait", ms: 2_000 },
          { type: "click", selector: "#name" },
          { type: "type", selector: "#name" },
          { type: "press", key: "Enter" },
          { type: "scroll", by: -800 },
          { type: "html" },
        ],
      },
    ],
    [
      {
        lockdown: false,
        parsers: ["pdf", { type: "image" }],
        proxy: "auto",
        fastMode: true,
        origin: "js-sdk",
        integration: "n8n",
      },
      DEFAULTS,
    ],
  ])("translates %j", async (options, ours) => {
    const client = await createClient({ mode: "test" });
    const { status, json } = await send(client, "POST", "v2/scrape", { url: "https://example.com/", ...options });
    expect([status, json]).toMatchObject([200, { success: true, data: { metadata: { scrapeId: json.job_id } } }]);
    const job = await client.call("GET", `/v1/jobs/${json.job_id}`);
    const { request } = await job.json<{ request: Body }>();
    expect(request).toMatchObject(ours);
    if ("headers" in options || "formats" in options) expect(request).not.toHaveProperty("max_age");
  });

  it.each([
    [{ onlyMainContnt: true }, ["'onlyMainContnt'", "Did you mean 'onlyMainContent'"]],
    [{ onlyMainContent: "yes" }, ["'onlyMainContent' must be a boolean"]],
    [{ includeTags: ["p:::x"] }, ["'includeTags.0'"]],
    [{ formats: ["branding"] }, ["'formats.0'", "'branding'"]],
    [{ formats: ["json"] }, ["'json' is required by the format 'json'", "describe the data in 'formats'"]],
    [
      { formats: ["screenshot"], zeroDataRetention: true },
      ["'formats.0' can't be 'screenshot' with 'zeroDataRetention'"],
    ],
    [{ actions: [{ type: "executeJavascript", script: "1" }] }, ["'actions.0.type'", "'executeJavascript'"]],
    [{ actions: [{ type: "write", text: "x" }] }, ["'actions.0'", "click"]],
    [{ agent: { model: "FIRE-1" } }, ["'agent' isn't supported", "actions"]],
    [{ mobile: 1 }, ["'mobile' must be one of true, false"]],
    [{ proxy: ["basic"] }, ["'proxy' must be one of basic"]],
    [{ formats: [1] }, ["'formats.0' must be an object"]],
    [{ formats: [{ type: "screenshot", fullPage: "yes" }] }, ["'formats.0.fullPage'"]],
    [{ formats: [{ type: "json", systemPrompt: "x" }] }, ["'formats.0.prompt' is required"]],
    [{ formats: ["json"], jsonOptions: { prompt: "x", systemPrompt: {} } }, ["'jsonOptions.systemPrompt'"]],
    [{ formats: ["screenshot"], maxAge: "x" }, ["'maxAge'"]],
    [{ maxAge: -1 }, ["'maxAge'"]],
    [{ actions: [{ type: "wait", milliseconds: -5 }] }, ["'actions.0.milliseconds'"]],
    [{ location: { country: "Germany" } }, ["'location' must be an ISO"]],
    [{ url: undefined }, ["'url' is required."]],
    [{ waitFor: -1 }, ["'waitFor'"]],
    [{ url: "ftp://example.com" }, ["'url'"]],
  ])("refuses %j by Firecrawl's names", async (options, words) => {
    const client = await createClient({ mode: "test" });
    const { status, json } = await send(client, "POST", "v2/scrape", { url: "https://example.com/", ...options });
    expect([status, json]).toMatchObject([400, { success: false, code: "BAD_REQUEST", error_code: "invalid_request" }]);
    for (const word of words) expect(json.error).toContain(word);
    expect(json.error).not.toMatch(/[a-z]_[a-z]/);
  });

  it.each([
    ["timeout", 408, "SCRAPE_TIMEOUT", "target_timeout"],
    ["blocked", 500, "SCRAPE_ALL_ENGINES_FAILED", "blocked_by_target"],
    ["http-503", 500, "SCRAPE_SITE_ERROR", "target_http_error"],
    ["dns", 500, "SCRAPE_DNS_RESOLUTION_ERROR", "dns_failure"],
    ["out-of-credits", 402, "INSUFFICIENT_CREDITS", "insufficient_credits"],
    ["rate-limited", 429, "RATE_LIMITED", "rate_limited"],
  ])("answers the outcome of %s.test with %i %s", async (host, status, code, ours) => {
    const client = await createClient({ mode: "test" });
    const { json, ...answer } = await send(client, "POST", "v2/scrape", { url: `https://${host}.test/` });
    expect([answer.status, json]).toMatchObject([status, { success: false, code, error_code: ours }]);
    expect(json.error).toMatch(/ .*\.$/);
    expect(answer.response.headers.get("x-request-id")).toBe(json.request_id);
  });

  it("refuses other callers, unknown operations and operations that the service doesn't have", async () => {
    const client = await createClient({ scopes: ["jobs"] });
    const stranger = { ...client, secret: "sk_live_nope" };
    expect((await send(stranger, "GET", "v2/team/credit-usage")).json).toMatchObject({
      error: expect.stringMatching(/^Unauthorized: /),
      code: "INVALID_API_KEY",
    });
    expect((await send(client, "POST", "v2/scrape", { url: page("article") })).status).toBe(403);
    expect((await send(client, "GET", "v2/crawl/nope")).json).toMatchObject({ code: "NOT_FOUND" });
    expect((await send(client, "GET", "v2/nope")).status).toBe(404);
    const { response: wrong } = await send(client, "PUT", "v2/crawl/nope");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE"]);
    const unsupported = await send(client, "POST", "v2/agent", {});
    expect(unsupported).toMatchObject({
      status: 501,
      json: { code: "NOT_IMPLEMENTED", hint: expect.stringContaining("Use scrape") },
    });
    expect(unsupported.json).not.toHaveProperty("error_code");
    const closed = { ...env, DOORS: "serpapi" };
    const response = await (await import("../../src/app")).app.request("/firecrawl/v2/scrape", {}, closed);
    expect(response.status).toBe(404);
  });

  it("returns the job of a long scrape to the client that sends the request again, once", async () => {
    const account = await openObject();
    const url = page("held");
    const call = (ms: number): CallContext => ({
      ...{ caller: callerOf(account), origin: ORIGIN, idempotencyKey: null, until: Date.now() + ms },
      ...{ disconnected: new AbortController().signal, waitUntil: () => {} },
    });
    const context = { env, mode: "live", origin: ORIGIN, prices: toPrices(env), accountId: account.id } as const;
    const request = validateBody("scrape", { url }, context);
    const first = await submitResumable(env, request, call(300));
    if (first.kind !== "accepted") throw new Error(first.kind);
    const second = submitResumable(env, request, call(20_000));
    await querySite("release", url);
    expect(await second).toMatchObject({ kind: "completed", jobId: first.job.id });
    const third = submitResumable(env, request, call(300));
    expect(await third).toMatchObject({ kind: "accepted", job: { id: expect.not.stringMatching(first.job.id) } });
    await querySite("release", url);
  });
});

describe.concurrent("Firecrawl's crawls, batches and extracts", () => {
  it("crawl the folder of the first page, and return documents in parts", async () => {
    const [client, folder] = [await createClient(), openFolder()];
    const body = {
      url: folder.page("tree/1"),
      limit: 5,
      sitemap: "skip",
      crawlEntireDomain: true,
      excludePaths: ["/tree/3$"],
    };
    const { json: started } = await send(client, "POST", "v2/crawl", body);
    expect(started).toMatchObject({ success: true, url: `${ORIGIN}/firecrawl/v2/crawl/${started.id}` });
    const { data, next, ...status } = await awaitEnd(client, `v2/crawl/${started.id}?limit=2`);
    expect([status, next]).toMatchObject([
      { success: true, status: "completed", total: 5, completed: 5, creditsUsed: 5 },
      `${ORIGIN}/firecrawl/v2/crawl/${started.id}?skip=2&limit=2`,
    ]);
    const { json: rest } = await send(client, "GET", `v1/crawl/${started.id}?skip=2`);
    expect(rest).not.toHaveProperty("next");
    const documents = [...(data as Body[]), ...(rest.data as Body[])] as { metadata: { sourceURL: string } }[];
    expect(documents).toHaveLength(5);
    expect(documents.map(({ metadata }) => metadata.sourceURL)).not.toContain(folder.page("tree/3"));
    const { json: outside } = await send(client, "POST", "v2/crawl", { ...body, crawlEntireDomain: false });
    const ended = await awaitEnd(client, `v2/crawl/${outside.id}`);
    expect((ended.data as typeof documents).every(({ metadata }) => /tree\/1/.test(metadata.sourceURL))).toBe(true);
    expect((await send(client, "DELETE", `v2/crawl/${started.id}`)).status).toBe(409);
    expect((await send(client, "GET", "v2/crawl/active")).json).toMatchObject({ success: true, crawls: [] });
    const long = { url: `${folder.page("tree/1")}/${"a/".repeat(200)}`, limit: 1, excludePaths: Array(50).fill("b") };
    expect((await send(client, "POST", "v2/crawl", long)).status).toBe(200);
    const refused = await send(client, "POST", "v2/crawl", { url: page("article"), includePaths: ["("] });
    expect([refused.status, refused.json.error]).toMatchObject([400, expect.stringContaining("'includePaths.0'")]);
  });

  it("list invalid URLs and failed pages, and send the events in Firecrawl's form", async () => {
    const client = await createClient();
    const [hook, urls] = [receiver("ok"), [page("article"), page("status?code=404"), "not a url"]];
    const webhook = { url: hook, headers: { "X-Mine": "yes" }, metadata: { order: 7 } };
    const { json } = await send(client, "POST", "v2/batch/scrape", { urls, webhook });
    expect(json.invalidURLs).toEqual(["not a url"]);
    const ended = await awaitEnd(client, `v1/crawl/${json.id}`);
    expect(ended).toMatchObject({ status: "completed", total: 2, data: [{ metadata: { sourceURL: urls[0] } }] });
    for (const method of ["GET", "DELETE"])
      expect((await send(client, method, `v1/batch/scrape/${json.id}/errors`)).json).toMatchObject({
        errors: [{ url: urls[1], code: "SCRAPE_SITE_ERROR", error: expect.stringContaining("404") }],
        robotsBlocked: [],
      });
    const path = `${new URL(page("article")).origin}/__posts?path=${encodeURIComponent(new URL(hook).pathname)}`;
    const readPosts = async () => await (await fetch(path)).json<Post[]>();
    let posts = await readPosts();
    while (posts.length < 4) posts = await readPosts();
    const events = posts.map((post) => JSON.parse(bodyOf(post)) as Body);
    const names = ["completed", "page", "page", "started"].map((name) => `batch_scrape.${name}`);
    expect(events.map(({ type }) => type).sort()).toEqual(names);
    expect(events.every(({ id, metadata }) => id === json.id && Object(metadata).order === 7)).toBe(true);
    expect(new Set(events.map(({ webhookId }) => webhookId)).size).toBe(4);
    for (const { headers } of posts)
      expect(headers).toMatchObject({ "x-mine": "yes", "x-firecrawl-signature": headers["x-webhook-signature"] });
    const list = await client.call("GET", "/v1/webhooks/deliveries");
    expect(await list.text()).not.toContain('"yes"');
    const refused = await send(client, "POST", "v1/batch/scrape", { urls });
    expect([refused.status, refused.json.error]).toMatchObject([400, expect.stringContaining("'urls.2'")]);
  });

  it("merge the data of several pages, and keep the sentence of a failure", async () => {
    const client = await createClient({ mode: "test" });
    const body = { urls: ["https://a.example/", "https://b.example/"], schema: SCHEMA };
    const { json } = await send(client, "POST", "v2/extract", body);
    const ended = await awaitEnd(client, `v2/extract/${json.id}`);
    expect(ended).toMatchObject({ success: true, data: { name: expect.any(String) }, sources: { name: body.urls } });
    const failing = await send(client, "POST", "v1/extract", { urls: ["https://dns.test/"], prompt: "The name" });
    const failed = await awaitEnd(client, `v1/extract/${failing.json.id}`);
    expect(failed).toMatchObject({ success: false, status: "failed", creditsUsed: 0, error: expect.any(String) });
    for (const urls of [["https://a.example/*"], [], undefined])
      expect((await send(client, "POST", "v2/extract", { urls, schema: SCHEMA })).status).toBe(400);
  });

  it("send documents to a WebSocket", async () => {
    const client = await createClient();
    const { json } = await send(client, "POST", "v2/batch/scrape", { urls: [page("article")] });
    const headers = { upgrade: "websocket", "sec-websocket-protocol": client.secret };
    const address = `${ORIGIN}/firecrawl/v2/batch/scrape/${json.id}`;
    const { status, webSocket } = await exports.default.fetch(new Request(address, { headers }));
    expect(status).toBe(101);
    const messages: { type: string; data: Body }[] = [];
    const closed = new Promise<CloseEvent>((resolve) => webSocket?.addEventListener("close", resolve));
    webSocket?.addEventListener("message", ({ data }) => messages.push(JSON.parse(String(data))));
    webSocket?.accept();
    expect(await closed).toMatchObject({ code: 1_000, reason: '{"type":"done"}' });
    expect(messages.map(({ type }) => type)).toEqual(["catchup", "document", "done"]);
    expect(messages[1]?.data.markdown).toContain("# Tide tables");
  });
});

describe.concurrent("Firecrawl's search, map and account", () => {
  it("return results by source, with their pages if the request has formats", async () => {
    const client = await createClient({ mode: "test" });
    const { json } = await send(client, "POST", "v2/search", {
      ...{ query: "tides", limit: 3, sources: ["web", { type: "news" }, "images", "alexandria"], tbs: "qdr:w" },
      ...{ location: "Istanbul,Istanbul,Turkey", categories: ["pdf"], scrapeOptions: { formats: ["markdown"] } },
    });
    const { web, news, images } = json.data as Record<string, Body[]>;
    expect(web).toHaveLength(3);
    expect(web?.[0]).toMatchObject({
      position: 1,
      url: expect.any(String),
      markdown: expect.any(String),
      metadata: {},
    });
    expect([news?.[0], images?.[0]]).toMatchObject([
      { position: 1, snippet: expect.any(String) },
      { position: 1, title: expect.any(String) },
    ]);
    const { request } = await (await client.call("GET", `/v1/jobs/${json.id}`)).json<{ request: Body }>();
    expect(request).toMatchObject({ query: "tides (filetype:pdf)", location: "Istanbul, Turkey", time_range: "week" });
    const old = await send(client, "POST", "v1/search", {
      query: "tides",
      lang: "en",
      country: "us",
      scrapeOptions: { formats: [] },
    });
    expect(old.json.data).toHaveLength(5);
    const hour = await send(client, "POST", "v1/search", { query: "tides", sources: ["news"], tbs: "sbd:1,qdr:h" });
    expect(hour.json.data).toContainEqual(expect.objectContaining({ position: 1, snippet: expect.any(String) }));
    expect(hour.json.warning).toMatch(/sorted.* last day/);
  });

  it.each([
    ["search", { query: "tides", limit: 101 }, "'limit'"],
    ["search", { query: "tides", tbs: "li:1" }, "'tbs'"],
    ["search", { query: "tides", sources: ["videos"] }, "'sources.0'"],
    ["search", { query: "tides", sources: [{ type: "web", tbs: "qdr:d" }] }, "'sources.0.tbs'"],
    ["search", { categories: ["pdf"] }, "'query' is required"],
    ["search", { query: "tides", country: "Nowhere" }, "'country'"],
    [
      "search",
      { query: "tides", scrapeOptions: { onlyMainContent: "no", formats: ["markdown"] } },
      "'scrapeOptions.onlyMainContent'",
    ],
    ["map", { url: "https://example.com/", limit: 0 }, "'limit'"],
    ["map", { url: "https://example.com/", limit: [2] }, "'limit'"],
    ["map", { url: "https://example.com/", sitemap: "all" }, "'sitemap'"],
    ["crawl", { url: "https://example.com/", prompt: "only the blog" }, "'prompt' isn't supported"],
    ["crawl", { url: "https://example.com/", scrapeOptions: { formats: ["menu"] } }, "'scrapeOptions.formats.0'"],
    ["crawl", { url: "https://example.com/", webhook: { url: "nope" } }, "'webhook'"],
    ["batch/scrape", { urls: ["https://example.com/"], appendToId: "1" }, "'appendToId' isn't supported"],
    ["batch/scrape", { urls: ["https://example.com/"], ignoreInvalidURLs: "yes" }, "'ignoreInvalidURLs'"],
    ["batch/scrape", { urls: ["https://example.com/"], formats: ["json"] }, "describe the data in 'formats'"],
    ["extract", { urls: ["https://example.com/"] }, "'prompt' is required"],
    ["extract", { urls: ["https://example.com/"], schema: { type: "array" } }, "'schema"],
  ])("refuse a wrong request for %s: %j", async (path, body, word) => {
    const client = await createClient({ mode: "test" });
    const { status, json } = await send(client, "POST", `v2/${path}`, body);
    expect([status, json.error]).toMatchObject([400, expect.stringContaining(word)]);
  });

  it("list the URLs of a site, and the credits and jobs of the account", async () => {
    const client = await createClient({ mode: "test" });
    const { json } = await send(client, "POST", "v2/map", { url: "example.com", limit: 2, search: "" });
    expect(json.links).toEqual(
      [{ url: expect.stringMatching(/^http[^?]+$/) }, { url: expect.any(String) }].map((link) =>
        expect.objectContaining(link),
      ),
    );
    const old = await send(client, "POST", "v1/map", { url: "https://example.com/", sitemapOnly: true });
    expect(old.json.links).toContainEqual(expect.stringMatching(/^https?:/));
    const credits = { remainingCredits: 100_000, planCredits: 100_000 };
    expect((await send(client, "GET", "v2/team/credit-usage")).json).toMatchObject({ success: true, data: credits });
    const { json: usage } = await send(client, "GET", "v2/team/credit-usage/historical");
    expect(usage.periods).toMatchObject([{ creditsUsed: 0, totalCredits: 0 }]);
    const queue = { jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0, data: { concurrency: 0 } };
    expect((await send(client, "GET", "v1/concurrency-check")).json).toMatchObject({ success: true, ...queue });
  });
});
