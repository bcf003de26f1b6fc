import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ParseRequest } from "../../src/contract/parse";
import { ScrapeRequest } from "../../src/contract/scrape";
import { SerpRequest } from "../../src/contract/serp";
import { fillForm, toBody, toFormValues } from "../../src/dashboard/pages/playground/form-values";
import { renderResult } from "../../src/dashboard/result-view/result-view";
import { getOwnJob } from "../../src/jobs/read-job";
import { sqlIn } from "../support/account";
import { createClient, page, read, refOf } from "../support/client";
import { accountIdOf, signUp, signUpWithTestKey, Visitor } from "../support/visitor";

const PLAYGROUND = "/dashboard/playground";
const scrape = { url: "https://shop.example/", formats: "markdown" };

/** Sends the form and returns the id of the created job. */
async function run(visitor: Visitor, endpoint: string, fields: Record<string, string | string[]>): Promise<string> {
  const response = await visitor.post(`${PLAYGROUND}?endpoint=${endpoint}`, fields);
  const [, id] = /[?&]job=([\w-]+)#answer$/.exec(response.headers.get("location") ?? "") ?? [];
  if (response.status !== 303 || id === undefined) throw new Error(`${response.status}: ${await response.text()}`);
  return id;
}

/** Waits until the job has ended. Returns the part of the page that the browser then refreshes. */
async function ended(visitor: Visitor, id: string): Promise<string> {
  const look = () => visitor.read(`${PLAYGROUND}/answer?job=${id}`);
  await expect.poll(look).not.toContain("data-busy");
  return await look();
}

/** Returns the text of the element with this id. The element must contain only text. */
function textOf(html: string, id: string): string {
  const [, text = ""] = new RegExp(`id="${id}"[^>]*>(?:<code>)?([^<]*)<`).exec(html) ?? [];
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

describe("the playground", () => {
  it("redirects visitors without a session to the sign-in page", async () => {
    expect((await new Visitor().get(PLAYGROUND)).headers.get("location")).toContain("/dashboard/sign-in");
  });

  it("shows a complete example request and its price", async () => {
    const { visitor } = await signUp();
    const html = await visitor.read(PLAYGROUND);
    expect(html).toContain('value="https://example.com/"');
    expect(textOf(html, "price")).toBe("This request costs at most 1 credit.");
    expect(textOf(html, "balance")).toBe("You have 500 credits.");
    expect(html).toMatch(/value="markdown" checked/);
    expect(html).not.toContain("slow-7.test");
    expect(await visitor.read(`${PLAYGROUND}?endpoint=parse`)).toContain("costs at most 5 credits");
    expect(await visitor.read(`${PLAYGROUND}?endpoint=serp`)).toContain("costs at most 2 credits");
  });

  it("runs a request with a file instead of the URL, which the form doesn't show again", async () => {
    const user = await signUp();
    const { visitor } = user;
    const html = await visitor.read(PLAYGROUND);
    expect(html).toMatch(/<form id="request"[^>]* enctype="multipart\/form-data"/);
    expect(html).toMatch(/<label for="field-file">[^<]*<\/label><input id="field-file"[^>]* type="file"/);
    expect(await visitor.read(`${PLAYGROUND}?endpoint=serp`)).not.toContain('type="file"');
    const form = new FormData();
    for (const [name, value] of Object.entries(scrape)) form.append(name, value);
    form.append("file", new File(["# Notes <b>of</b> the keeper"], "<i>notes</i>.md", { type: "text/markdown" }));
    const response = await visitor.post(`${PLAYGROUND}?endpoint=scrape`, form);
    const [, id = ""] = /[?&]job=([\w-]+)#answer$/.exec(response.headers.get("location") ?? "") ?? [];
    expect(textOf(await ended(visitor, id), "result-source")).toBe("# Notes <b>of</b> the keeper");
    const again = await visitor.read(`${PLAYGROUND}?endpoint=scrape&from=${id}`);
    expect(again).toMatch(/<textarea id="field-other"[^>]*><\/textarea>/);
    const job = await visitor.read(`/dashboard/jobs/${id}`);
    expect(job).toContain("i&gt;.md");
    expect(job).not.toContain("<i>");
    // Without a chosen file, browsers send an empty one.
    form.set("file", new File([], ""));
    form.set("url", page("article"));
    expect((await visitor.post(`${PLAYGROUND}?endpoint=scrape`, form)).status).toBe(303);
  });

  it("refuses a form with a file of more than 25 MB, and one without a session", async () => {
    const { visitor } = await signUp();
    const form = new FormData();
    form.append("file", new File([new Uint8Array(25 * 1024 * 1024)], "large.pdf"));
    expect((await visitor.post(`${PLAYGROUND}?endpoint=scrape`, form)).status).toBe(413);
    expect((await new Visitor().post(`${PLAYGROUND}?endpoint=scrape`, form)).status).toBe(401);
  });

  it("runs a live scrape as a job of the account and shows the API's response", async () => {
    const user = await signUp();
    const { visitor } = user;
    const url = page("article");
    const id = await run(visitor, "scrape", { url, formats: ["markdown", "links"] });
    const response = await ended(visitor, id);
    expect(textOf(response, "result-source")).toContain("# Tide tables of Łeba");
    expect(response).toContain("It used 1 credit.");
    expect(response).toMatch(/<h3 class="md-1">Tide tables of Łeba/);
    const client = await createClient({ accountId: await accountIdOf(user) });
    const meta = await client.call("GET", `/v1/jobs/${id}`);
    expect(JSON.parse(textOf(response, "result-json"))).toEqual(await meta.json());
    const html = await visitor.read(`${PLAYGROUND}?endpoint=scrape&job=${id}`);
    expect(html).toContain(`value="${url}"`);
    expect(html).toContain(`href="/dashboard/jobs/${id}"`);
    expect(textOf(html, "result-source")).toContain("# Tide tables of Łeba");
    expect(textOf(html, "balance")).toBe("You have 499 credits.");
  });

  it("shows the stored screenshot and links to the search results", async () => {
    const { visitor } = await signUpWithTestKey();
    const shot = await ended(visitor, await run(visitor, "scrape", { ...scrape, formats: ["screenshot"] }));
    const [, address = ""] = /<img src="([^"]*)"/.exec(shot) ?? [];
    const picture = await visitor.get(address.replaceAll("&amp;", "&"));
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    await picture.arrayBuffer();
    const found = await ended(
      visitor,
      await run(visitor, "serp", { query: "lamps", engine: "bing", num_results: "3" }),
    );
    expect(found.match(/rel="noopener noreferrer nofollow"/g)).toHaveLength(3);
  });

  it("shows a JPEG, the PDF and the images, and downloads the files with their types", async () => {
    const { visitor } = await signUpWithTestKey();
    const form = { ...scrape, formats: ["screenshot", "pdf", "images"], other: '{"screenshot": {"format": "jpeg"}}' };
    const html = await ended(visitor, await run(visitor, "scrape", form));
    expect(html).toContain("A basket of pears");
    expect(html).toMatch(/<a href="\/pdfs\/[^"]+">Open the PDF<\/a>/);
    for (const [kind, type, extension] of [
      ["screenshot", "image/jpeg", "jpg"],
      ["pdf", "application/pdf", "pdf"],
    ]) {
      const [, path = ""] = new RegExp(`href="([^"]*/result/${kind})"`).exec(html) ?? [];
      const { status, headers } = await visitor.get(path);
      expect([status, headers.get("content-type")]).toEqual([200, type]);
      expect(headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="scrape-.*\\.${extension}"$`),
      );
    }
  });

  it("simulates the listed outcomes in test mode for free", async () => {
    const { visitor } = await signUpWithTestKey();
    const html = await visitor.read(PLAYGROUND);
    expect(html).toContain("Test requests are free");
    const failed = await ended(visitor, await run(visitor, "scrape", { ...scrape, url: "https://http-404.test/" }));
    expect(failed).toContain("target_http_error");
    expect(failed).toContain("Failed jobs are free");
    const large = await ended(visitor, await run(visitor, "scrape", { ...scrape, url: "https://large.test/" }));
    expect(large).toContain("t be shown here");
    expect(large.length).toBeLessThan(20_000);
    const broke = await visitor.post(PLAYGROUND, { ...scrape, url: "https://out-of-credits.test/" });
    expect(broke.status).toBe(402);
    expect(await broke.text()).toContain('value="https://out-of-credits.test/"');
    for (const [, href = ""] of html.matchAll(/class="chip" href="([^"]*)"/g)) {
      const example = await visitor.read(href.replaceAll("&amp;", "&"));
      expect(example).toContain('aria-current="page"');
    }
    expect(await visitor.read(PLAYGROUND)).toContain("url=slow-7.test");
  });

  it("keeps the entered values of a refused form and shows the error at its field", async () => {
    const { visitor } = await signUpWithTestKey();
    const refused = await visitor.post(PLAYGROUND, {
      url: 'ftp://"><script>alert(1)</script>',
      wait_for: "#late",
      exclude_selectors: ".ad\r\n.more",
    });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain('value="ftp://&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(html).not.toContain("<script>alert");
    expect(html).toMatch(/id="problem-url">Must be an absolute URL/);
    expect(html).toContain("Must name at least one format, such as markdown.");
    expect(html).toContain('value="#late"');
    expect(textOf(html, "field-exclude_selectors")).toBe(".ad\n.more");

    const parse = { url: "https://a.example/", prompt: "the price", schema: '{"type": "obj' };
    const unread = await visitor.post(`${PLAYGROUND}?endpoint=parse`, parse);
    expect(unread.status).toBe(400);
    const unreadHtml = await unread.text();
    expect(unreadHtml).toMatch(/id="problem-schema">Must be valid JSON\. Line 1, column 10: /);
    expect(textOf(unreadHtml, "field-schema")).toBe(parse.schema);
    const count = await visitor.post(`${PLAYGROUND}?endpoint=serp`, { query: "lamps", num_results: "many" });
    expect(await count.text()).toMatch(/id="problem-num_results">Must be a whole number/);
  });

  it("limits the account to its plan's rate and keeps the form's values", async () => {
    const { visitor } = await signUpWithTestKey();
    for (let i = 0; i < 10; i++) expect((await visitor.post(PLAYGROUND, { url: "" })).status).toBe(400);
    const refused = await visitor.post(PLAYGROUND, { ...scrape, url: "https://kept.example/" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('value="https://kept.example/"');
  });

  it("runs nothing if the mode was switched after the form was shown, and keeps the form's values", async () => {
    const { visitor } = await signUpWithTestKey();
    expect(await visitor.read(PLAYGROUND)).toContain('name="mode" value="test"');
    await visitor.post("/dashboard/mode", { mode: "live" });
    const refused = await visitor.post(PLAYGROUND, { ...scrape, mode: "test" });
    const html = await refused.text();
    expect([refused.status, html]).toEqual([400, expect.stringContaining("switched to live data")]);
    expect(html).toContain(`value="${scrape.url}"`);
    expect(html).toContain('name="mode" value="live"');
    expect(await visitor.read("/dashboard/jobs")).toContain("No live jobs yet");
  });

  it("runs nothing for a suspended account", async () => {
    const user = await signUp();
    const { visitor } = user;
    await visitor.read(PLAYGROUND);
    const accountId = await accountIdOf(user);
    await env.DB.prepare("UPDATE accounts SET suspended_at = 1 WHERE id = ?1").bind(accountId).run();
    const refused = await visitor.post(PLAYGROUND, { ...scrape, url: page("article") });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/<button class="button primary" type="submit" disabled/);
    expect(await sqlIn(await refOf(accountId), "SELECT COUNT(*) AS jobs FROM jobs")).toEqual([{ jobs: 0 }]);
  });

  it("fills the form from an earlier job, but not from a job of another account or mode", async () => {
    const { visitor } = await signUpWithTestKey();
    const schema = '{"type":"object","properties":{"price":{"type":"number"}}}';
    const fields = { url: "https://shop.example/", prompt: `"the" <price>`, schema, evidence: "true" };
    const id = await run(visitor, "parse", fields);
    const html = await visitor.read(`${PLAYGROUND}?from=${id}`);
    expect(textOf(html, "field-prompt")).toBe(fields.prompt);
    expect(JSON.parse(textOf(html, "field-schema"))).toEqual(JSON.parse(schema));
    expect(html).toMatch(/name="evidence" value="true" checked/);
    expect(html).not.toContain("answer-live");

    const { visitor: stranger } = await signUpWithTestKey();
    await visitor.post("/dashboard/mode", { mode: "live" });
    for (const who of [stranger, visitor]) {
      for (const path of [`?job=${id}`, `?from=${id}`, `/answer?job=${id}`]) {
        expect((await who.get(`${PLAYGROUND}${path}`)).status).toBe(404);
      }
    }
    expect((await visitor.get(`${PLAYGROUND}?job=nothing`)).status).toBe(404);
  });

  it("keeps the endpoint after a switch of the mode and removes the job from the URL", async () => {
    const { visitor } = await signUpWithTestKey();
    const referer = `https://api.extraction.example${PLAYGROUND}?endpoint=serp&job=018f`;
    const switched = await visitor.post("/dashboard/mode", { mode: "live" }, { referer });
    expect(switched.headers.get("location")).toBe(`${PLAYGROUND}?endpoint=serp`);
  });

  it("accepts HTML of the largest allowed size and shortens it in the code samples", async () => {
    const { visitor } = await signUpWithTestKey();
    const html = `<p>${"long ".repeat(20_000)}</p>`;
    const id = await run(visitor, "parse", { html, prompt: "the words" });
    const filled = await visitor.read(`${PLAYGROUND}?from=${id}`);
    expect(textOf(filled, "field-html")).toBe(html);
    expect(filled).toContain("Long texts and lists are shortened.");
    expect(textOf(filled, "sample-curl").length).toBeLessThan(1_000);
  });

  it("updates the code samples while the form is edited, without running the request", async () => {
    const user = await signUp();
    const { visitor } = user;
    const preview = await visitor.post(`${PLAYGROUND}/preview?endpoint=scrape`, {
      url: "https://it's.example/",
      formats: ["markdown", "screenshot"],
      only_main_content: "true",
    });
    const html = await preview.text();
    const curl = textOf(html, "sample-curl");
    expect(curl).toContain(`"url": "https://it'\\''s.example/"`);
    expect(curl).not.toContain("only_main_content");
    expect(html).toContain("costs at most 2 credits");
    expect((await visitor.post(`${PLAYGROUND}/preview?endpoint=parse`, { schema: "{" })).status).toBe(400);
    const forged = await visitor.post(`${PLAYGROUND}?endpoint=scrape`, scrape, { origin: "https://evil.example" });
    expect(forged.status).toBe(403);
    const client = await createClient({ accountId: await accountIdOf(user) });
    expect((await read(await client.call("GET", "/v1/jobs"))).pagination).toMatchObject({ total: 0 });
  });

  it("runs a request that was edited as JSON, and shows it in the fields too", async () => {
    const { visitor } = await signUpWithTestKey();
    const body = '{"url": "https://shop.example/", "formats": ["text"], "wait_ms": 5}';
    const id = await run(visitor, "scrape", { view: "json", body });
    const html = await visitor.read(`${PLAYGROUND}?from=${id}`);
    expect(html).toMatch(/value="text" checked/);
    expect(JSON.parse(textOf(html, "field-other"))).toEqual({ wait_ms: 5 });
    const preview = await visitor.post(`${PLAYGROUND}/preview?endpoint=scrape`, { view: "json", body });
    expect(await preview.text()).toContain('value="https://shop.example/"');
    const wrong = await visitor.post(PLAYGROUND, { view: "json", body: '{"url": "ftp://x", "format": []}' });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('aria-label="Problems"');
    const unread = await visitor.post(PLAYGROUND, { view: "json", body: "{" });
    expect(await unread.text()).toMatch(/id="problem-body">Must be valid JSON\. Line 1/);
  });

  it("escapes results, and creates links only for http and https URLs", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
    const id = await run(visitor, "serp", { query: hostile });
    const found = await ended(visitor, id);
    expect(found).toContain("&lt;script&gt;");
    expect(found).not.toMatch(/<script|<img/);
    const job = await getOwnJob(env, await refOf(client.accountId), { mode: "test", id });
    if (job === null) throw new Error("The job was not found.");
    const organic = [{ position: 1, title: "t", url: "javascript:alert(1)", description: "", snippet: "<b>" }];
    const results = await renderResult(job, { organic, total_results: 1, search_time_ms: 1 });
    expect(String(results)).toContain("&lt;b&gt;");
    expect(String(results)).not.toContain('href="javascript');
    const elsewhere = { screenshot_url: "https://evil.example/x.png" };
    expect(String(await renderResult({ ...job, endpoint: "scrape" }, elsewhere))).not.toContain("<img");
  });
});

const SESSION = {
  headers: { "X-Api-Key": "a: b", DNT: "1" },
  cookies: [
    { name: "a", value: "b=c" },
    { name: "b", value: "", domain: "a.example", path: "/x", secure: false },
  ],
  user_agent: "Tester/1.0 (x)",
  basic_auth: { username: "a", password: "b:c" },
};

const DEVICE = {
  device: "mobile",
  viewport: { width: 320, height: 640 },
  locale: "de-CH",
  timezone: "Europe/Zurich",
  geolocation: { latitude: 47.37, longitude: 8.54 },
  proxy_country: "TR",
};

describe("a request in a form", () => {
  const contract = { scrape: ScrapeRequest, parse: ParseRequest, serp: SerpRequest };
  const least = {
    scrape: { url: "https://a.example/" },
    parse: { url: "https://a.example/", prompt: "p" },
    serp: { query: "q" },
  };
  const most = {
    scrape: {
      url: "https://a.example/?a=1&b=2",
      formats: ["text", "html"],
      render: "auto",
      wait_for: "#a",
      only_main_content: false,
      include_selectors: ["a", "b > c"],
      exclude_selectors: [".d"],
      hidden_text: "keep",
      ...{ pages: "1-5,9", page_markers: true, ocr: true },
      json: { prompt: "p", schema: { type: "object" } },
      max_credits: 7,
      screenshot: { selector: "#a", format: "jpeg" },
      pdf: { landscape: true },
      webhook_url: "https://b.example/",
      ...{ capture: true, max_age: 60, capture_id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", store: false },
      ...{ max_chars: 500, max_tokens: 100, offset: 7, outline: true, section: "Prices" },
      ...{ query: "price", max_passages: 3 },
      timeout_ms: 20_000,
      wait_until: "load",
      wait_ms: 500,
      ...SESSION,
      ...DEVICE,
      actions: [{ type: "click", selector: "#a" }],
      block_ads: true,
      prefer_markdown: true,
      metadata: { order: 7 },
      tags: ["a"],
    },
    parse: {
      html: "<p>\n a &amp; b </p>\n",
      prompt: "p\nq",
      schema: { type: "object", properties: { a: { enum: [1, null, "x"] } } },
      strategy: "auto",
      model: "gpt",
      evidence: true,
      hidden_text: "keep",
      ...{ pages: "1-5,9", page_markers: true, ocr: true },
      max_credits: 7,
      webhook_url: "https://b.example/",
      ...{ capture: true, max_age: 60, capture_id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", store: false },
      render: "always",
      wait_for: "#a",
      timeout_ms: 20_000,
      wait_until: "load",
      wait_ms: 500,
      ...SESSION,
      ...DEVICE,
      actions: [{ type: "click", selector: "#a" }],
      block_ads: true,
      metadata: { order: 7 },
      tags: ["a"],
    },
    serp: {
      query: "q",
      engine: "bing",
      location: "Turkey",
      language: "tr",
      num_results: 7,
      device: "mobile",
      blocks: ["ads", "local"],
      scrape: { formats: ["text"], limit: 2 },
      ...{ type: "news", page: 2, time_range: "week", safe_search: "strict" },
      ...{ include_domains: ["a.example", "b.example"], exclude_domains: ["c.example"] },
      metadata: { order: 7 },
      tags: ["a"],
      max_credits: 7,
      webhook_url: "https://b.example/",
    },
  };
  const endpoints = ["scrape", "parse", "serp"] as const;

  it.each(endpoints)("has a field for every parameter of %s and keeps all values", (endpoint) => {
    const given = Object.keys(most[endpoint]);
    // A request can't have both url and html, or both render and js_render. The playground runs each request, so it has
    // no dry runs. A file isn't a value of the form.
    const others = ["dry_run", "file", { scrape: "js_render", parse: "url", serp: "" }[endpoint]];
    const known = Object.keys(contract[endpoint].shape).filter((name) => !others.includes(name));
    expect(given.sort()).toEqual(known.sort());
    expect(toBody(endpoint, toFormValues(endpoint, most[endpoint]))).toEqual(most[endpoint]);
  });

  it("has one field for the parameters without their own field", () => {
    const values = (other: string) => new URLSearchParams({ url: "https://a.example/", formats: "markdown", other });
    expect(toBody("scrape", values('{"wait_ms": 5, "waitms": 6}'))).toEqual({
      url: "https://a.example/",
      wait_ms: 5,
      waitms: 6,
    });
    expect(() => toBody("scrape", values("[1]"))).toThrow("The parameter 'other' must be a JSON object.");
    expect(() => toBody("scrape", values("{"))).toThrow("The parameter 'other' must be valid JSON");
    // A link can fill the form, but must not set the receiver of the result.
    expect(() => toBody("scrape", values('{"webhook_url": "https://b.example/"}'))).toThrow(
      "must not contain 'webhook_url'",
    );
  });

  it.each(endpoints)("omits the API's default values from a %s request", (endpoint) => {
    const whole = contract[endpoint].parse(least[endpoint]);
    expect(toBody(endpoint, toFormValues(endpoint, whole))).toEqual(least[endpoint]);
    expect(toBody(endpoint, fillForm(endpoint, toFormValues(endpoint, least[endpoint])))).toEqual(least[endpoint]);
  });
});
