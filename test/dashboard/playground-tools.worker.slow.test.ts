import { describe, expect, it } from "vitest";
import { z } from "zod";
import { addScheme } from "../../src/dashboard/pages/playground/form-values";
import { toShareLink } from "../../src/dashboard/pages/playground/share-link";
import { HISTORY_LENGTH } from "../../src/dashboard/pages/playground/side-cards";
import { createClient, page, read } from "../support/client";
import { accountIdOf, signUp, signUpWithTestKey, type Visitor } from "../support/visitor";

const PLAYGROUND = "/dashboard/playground";
const FETCHED = { "x-requested-with": "fetch" };

/** Runs a request as the page's script does. Returns the id of the job and the page's HTML. */
async function run(visitor: Visitor, endpoint: string, fields: Record<string, string | string[]>) {
  const response = await visitor.post(`${PLAYGROUND}?endpoint=${endpoint}`, fields, FETCHED);
  const html = await response.text();
  const [, id = ""] = /[?&]job=([\w-]+)$/.exec(response.headers.get("content-location") ?? "") ?? [];
  expect([response.status, id]).toEqual([200, expect.stringMatching(/./)]);
  return { id, html };
}

/** Waits until the job has ended. Returns the parts of the page that the browser then refreshes. */
async function ended(visitor: Visitor, id: string): Promise<string> {
  const look = () => visitor.read(`${PLAYGROUND}/answer?job=${id}`);
  await expect.poll(look).not.toContain("data-busy");
  return await look();
}

describe("a URL without a scheme", () => {
  it.each([
    ["example.com", "https://example.com"],
    ["Example.com:8443/a?b=c:d#e", "https://Example.com:8443/a?b=c:d#e"],
    ["localhost:3000", "https://localhost:3000"],
    ["127.0.0.1/x", "https://127.0.0.1/x"],
    ["[::1]:80", "https://[::1]:80"],
    ["müller.example", "https://müller.example"],
  ])("%s becomes %s", (text, url) => {
    expect(addScheme(text)).toBe(url);
  });

  it.each([
    "https://example.com",
    "ftp://example.com",
    "mailto:me@example.com",
    "javascript:alert(1)",
    "me@example.com",
    "not a url.",
    "word",
    "//example.com",
    "/path.html",
    "",
  ])("%j is unchanged", (text) => {
    expect(addScheme(text)).toBe(text);
  });

  it("is accepted by the form, and the job has the whole URL", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const { id } = await run(visitor, "scrape", { url: " shop.example/lamps ", formats: "markdown" });
    await ended(visitor, id);
    expect(await visitor.read(`${PLAYGROUND}?job=${id}`)).toContain('value="https://shop.example/lamps"');
    expect((await client.call("GET", `/v1/jobs/${id}`)).status).toBe(200);
  });
});

describe("the balance and the history", () => {
  it("are right as soon as a job has failed", async () => {
    const { visitor } = await signUp();
    const { id, html } = await run(visitor, "scrape", { url: page("status?code=404"), formats: "markdown" });
    expect(html).toContain('id="balance">You have 499 credits.');
    const answer = await ended(visitor, id);
    expect(answer).toContain('id="balance">You have 500 credits.');
    expect(answer).toMatch(/id="history".*>target_http_error</s);
    expect(answer).toContain("What to do:");
  });

  it("lists only the playground's requests, newest first", async () => {
    const { visitor, client } = await signUpWithTestKey();
    expect(await visitor.read(PLAYGROUND)).toContain("The requests that you run here appear in this list.");
    await read(await client.call("POST", "/v1/scrape?wait=true", { url: "https://called-by-key.example/" }));
    const ids: string[] = [];
    for (const url of ["https://first.example/", "https://second.example/"]) {
      const { id } = await run(visitor, "scrape", { url, formats: "markdown" });
      await ended(visitor, id);
      ids.push(id);
    }
    const html = await visitor.read(PLAYGROUND);
    expect(html).not.toContain("called-by-key.example");
    const [, history = ""] = html.split('id="history"');
    const listed = [...history.matchAll(/\?job=([\w-]+)"/g)].map(([, id]) => id);
    expect(listed).toEqual(ids.reverse());
    expect(await visitor.read("/dashboard/jobs?key_id=dashboard")).toContain("second.example");
  });
});

describe("the cancel button", () => {
  it("ends the job immediately, without a charge", async () => {
    const user = await signUp();
    const { visitor } = user;
    const { id, html } = await run(visitor, "scrape", { url: page("never"), formats: "markdown" });
    expect(html).toContain(`action="/dashboard/playground/cancel?job=${id}"`);
    const canceled = await visitor.post(`${PLAYGROUND}/cancel?job=${id}`, {}, FETCHED);
    const parts = await canceled.text();
    expect(parts).toContain("The job was canceled.");
    expect(parts).not.toContain("data-busy");
    expect(parts).toContain("You have 500 credits.");
    const client = await createClient({ accountId: await accountIdOf(user) });
    expect(await read(await client.call("GET", `/v1/jobs/${id}`))).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
      meta: { credits_used: 0 },
    });
  });

  it("redirects a browser without JavaScript, and doesn't change a job that has ended", async () => {
    const { visitor } = await signUpWithTestKey();
    const { id } = await run(visitor, "scrape", { url: "https://done.example/", formats: "markdown" });
    await ended(visitor, id);
    const response = await visitor.post(`${PLAYGROUND}/cancel?job=${id}`);
    expect(response.headers.get("location")).toBe(`${PLAYGROUND}?endpoint=scrape&job=${id}#answer`);
    expect(await visitor.read(`${PLAYGROUND}?job=${id}`)).toContain("The job completed in");
  });

  it("doesn't work for a job of another account or from another site", async () => {
    const { visitor } = await signUpWithTestKey();
    const { visitor: stranger } = await signUpWithTestKey();
    const { id } = await run(visitor, "scrape", { url: "https://slow-7.test/", formats: "markdown" });
    const path = `${PLAYGROUND}/cancel?job=${id}`;
    expect((await stranger.post(path)).status).toBe(404);
    expect((await visitor.post(path, {}, { origin: "https://evil.example" })).status).toBe(403);
    expect(await visitor.read(`${PLAYGROUND}/answer?job=${id}`)).toContain("data-busy");
    await visitor.post(path);
  });
});

describe("the schema field", () => {
  it.each([
    ["", "Optional. Enter a JSON Schema whose root is an object."],
    ['{"type":"object","properties":{"a":{"type":"number"}}}', "The schema is valid."],
    ['{"type":"object","properties":{"a":{"type":"text"}}}', "schema.properties.a.type"],
    ["[]", "The schema must be a JSON object."],
    ['{\n  "type": object\n}', "Line 2, column 11"],
  ])("checks the schema %j while it is edited", async (schema, message) => {
    const { visitor } = await signUpWithTestKey();
    const preview = await visitor.post(`${PLAYGROUND}/preview?endpoint=parse`, { schema, prompt: "p" });
    const [, check] = /id="schema-check" role="status">([^<]*)</.exec(await preview.text()) ?? [];
    expect(check).toContain(message);
  });
});

describe("the pages of the playground", () => {
  it("have less than 20 KB, also with a long history", async () => {
    const { visitor } = await signUpWithTestKey();
    for (let i = 0; i < HISTORY_LENGTH + 1; i++) {
      const url = `https://http-404.test/${"a-long-path/".repeat(20)}${i}`;
      const { id } = await run(visitor, "scrape", { url, formats: "markdown" });
      await ended(visitor, id);
    }
    for (const endpoint of ["parse", "scrape", "serp"]) {
      const html = await visitor.read(`${PLAYGROUND}?endpoint=${endpoint}`);
      expect(html.match(/\?job=/g)).toHaveLength(HISTORY_LENGTH);
      expect(new TextEncoder().encode(html).length).toBeLessThan(20 * 1024);
    }
  });
});

describe("the ready-made schemas", () => {
  it("are in the menu, and the form gets the schema and the prompt of the API", async () => {
    const { visitor, client } = await signUpWithTestKey();
    const html = await visitor.read(`${PLAYGROUND}?endpoint=parse`);
    const list = await read(await client.call("GET", "/v1/schemas"));
    expect(list.data).not.toEqual([]);
    for (const { name } of z.array(z.object({ name: z.string() })).parse(list.data)) {
      expect(html).toContain(`value="${name}"`);
      const response = await visitor.get(`${PLAYGROUND}/schemas/${name}`);
      const { prompt, schema } = (await read(await client.call("GET", `/v1/schemas/${name}`))).data;
      expect(await response.json()).toEqual({ prompt, schema });
    }
    expect((await visitor.get(`${PLAYGROUND}/schemas/book`)).status).toBe(404);
  });
});

describe("a schema that is too large", () => {
  it.each([
    ["nested", `${'{"properties":{"a":'.repeat(3_000)}{}${"}}".repeat(3_000)}`, "64 levels deep"],
    ["a nested list", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "64 levels deep"],
    ["wide", JSON.stringify({ enum: Array.from({ length: 20_000 }, (_, i) => i) }), "10000 values"],
    ["long", JSON.stringify({ description: "x".repeat(70_000) }), "65536 characters"],
  ])("is refused at its field: %s", async (_, schema, message) => {
    const { visitor } = await signUp();
    for (const path of ["/preview", ""]) {
      const fields = { url: "https://example.com", prompt: "p", schema };
      const response = await visitor.post(`${PLAYGROUND}${path}?endpoint=parse`, fields);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 400]);
      expect(html).toContain(message);
      expect(html.length).toBeLessThan(500_000);
    }
  });
});

describe("the share link", () => {
  it("fills the form with the request, and runs nothing", async () => {
    const { visitor } = await signUpWithTestKey();
    const fields = { url: "https://shop.example/", prompt: "the price", schema: '{"type":"object"}', evidence: "true" };
    const preview = await visitor.post(`${PLAYGROUND}/preview?endpoint=parse`, fields);
    const [, href = ""] = /id="share-link" href="([^"]*)"/.exec(await preview.text()) ?? [];
    const { visitor: colleague } = await signUpWithTestKey();
    const html = await colleague.read(href.replaceAll("&amp;", "&"));
    expect(html).toContain('value="https://shop.example/"');
    expect(html).toContain(">the price</textarea>");
    expect(html).toMatch(/name="evidence" value="true" checked/);
    expect(html).toContain("Run the request to see its response here.");
    expect(html).toContain("The requests that you run here appear in this list.");
  });

  it.each([
    ["https://a.example/?q=1&page=2", "https://a.example/?q=1&page=2", 0],
    ["https://a.example/?q=1&api_key=s3cret&Token=x", "https://a.example/?q=1", 1],
    ["https://a.example/?access_token=s3cret&X-Amz-Signature=y", "https://a.example/", 1],
    ["https://user:s3cret@a.example/", "https://a.example/", 1],
    ["https://a.example/?monkey=1&keyword=2", "https://a.example/?monkey=1&keyword=2", 0],
    ["https://a.example/?author=1&design=2&tokens=3#top=1", "https://a.example/?author=1&design=2&tokens=3#top=1", 0],
    ["https://a.example/?accessToken=s3cret&clientSecret=s3cret&apiKey=s3cret&a=1", "https://a.example/?a=1", 1],
    ["https://a.example/?PHPSESSID=s3cret&auth[token]=s3cret&X-Amz-Credential=s", "https://a.example/", 1],
    ["https://a.example/#access_token=s3cret&state=1", "https://a.example/", 1],
    ["https://a.example/#/home?sessionToken=s3cret", "https://a.example/", 1],
    ["https://a.example/shop;jsessionid=s3cret/cart;v=1?a=1", "https://a.example/shop/cart;v=1?a=1", 1],
    ["user:s3cret@a.example/?a=1", "", 1],
    ["https://user:s3cret@", "", 1],
    ["not a url", "not a url", 0],
  ])("has no secrets of the URL %s", (url, shared, notes) => {
    const link = toShareLink("scrape", { url });
    expect(new URL(link.path ?? "", "https://x.example").searchParams.get("url")).toBe(shared);
    expect(link.path).not.toContain("s3cret");
    expect(link.notes.join()).not.toContain("s3cret");
    expect(link.notes).toHaveLength(notes);
  });

  it("has no values of headers, cookies and passwords", () => {
    const link = toShareLink("scrape", {
      url: "https://a.example/",
      headers: { "X-Api-Key": "s3cret" },
      cookies: [{ name: "session", value: "s3cret" }],
      basic_auth: { username: "s3cret", password: "s3cret" },
    });
    expect(decodeURIComponent(link.path ?? "")).toContain('"X-Api-Key":"[redacted]"');
    expect(link.path).not.toContain("s3cret");
    expect(link.notes).toEqual(["The link has “[redacted]” instead of headers, cookies, passwords and typed texts."]);
  });

  it("omits the webhook URL", () => {
    const link = toShareLink("serp", { query: "lamps", webhook_url: "https://hooks.example/s3cret" });
    expect(link.path).toBe(`${PLAYGROUND}?endpoint=serp&query=lamps`);
    expect(link.notes.join()).toContain("webhook URL");
  });

  it("can't choose the receiver of the results", async () => {
    const { visitor } = await signUp();
    const html = await visitor.read(
      `${PLAYGROUND}?url=https%3A%2F%2Fa.example%2F&webhook_url=https%3A%2F%2Fb.example%2F`,
    );
    expect(html).toContain('value="https://a.example/"');
    expect(html).not.toContain("b.example");
  });

  it("isn't offered for a request that is too long for a URL", () => {
    const link = toShareLink("parse", { html: "x".repeat(8_000), prompt: "p" });
    expect(link).toEqual({ path: null, notes: [expect.stringContaining("too long")] });
  });
});

describe("the downloads of a result", () => {
  const download = async (visitor: Visitor, path: string) => {
    const response = await visitor.get(path);
    return { response, name: response.headers.get("content-disposition"), text: await response.text() };
  };

  it("are Markdown, CSV and PNG for a scrape", async () => {
    const { visitor } = await signUpWithTestKey();
    const formats = ["markdown", "links", "screenshot"];
    const { id } = await run(visitor, "scrape", { url: "https://shop.example/", formats });
    const answer = await ended(visitor, id);
    const path = `/dashboard/jobs/${id}/result`;
    const links = [...answer.matchAll(/<a href="([^"]*)" download/g)].map(([, href]) => href);
    expect(links).toEqual(
      expect.arrayContaining([path, `${path}/markdown`, `${path}/screenshot`, `${path}/csv?table=0`]),
    );
    const result = await (await visitor.get(path)).json<{ markdown: string }>();
    const markdown = await download(visitor, `${path}/markdown`);
    expect(markdown.text).toBe(result.markdown);
    expect(markdown.name).toBe(`attachment; filename="scrape-${id}.md"`);
    const csv = await download(visitor, `${path}/csv?table=0`);
    expect(csv.response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.text).toMatch(/^\ufeff?url,text/);
    const all = await download(visitor, `${path}/csv?table=all`);
    expect(all.text).toContain(csv.text.replace("\ufeff", ""));
    const png = await visitor.get(`${path}/screenshot`);
    expect(png.headers.get("content-type")).toBe("image/png");
    expect(png.headers.get("content-disposition")).toBe(`attachment; filename="scrape-${id}.png"`);
    expect(new Uint8Array(await png.arrayBuffer()).slice(1, 4)).toEqual(new TextEncoder().encode("PNG"));
  });

  it("has a row for each search result", async () => {
    const { visitor } = await signUpWithTestKey();
    const { id } = await run(visitor, "serp", { query: "lamps", num_results: "3" });
    await ended(visitor, id);
    const { text } = await download(visitor, `/dashboard/jobs/${id}/result/csv`);
    expect(text.trim().split("\r\n")).toHaveLength(4);
  });

  it("are refused for formats that the result doesn't have, and to other accounts", async () => {
    const { visitor } = await signUpWithTestKey();
    const { visitor: stranger } = await signUpWithTestKey();
    const { id } = await run(visitor, "scrape", { url: "https://shop.example/", formats: "text" });
    await ended(visitor, id);
    const path = `/dashboard/jobs/${id}/result`;
    for (const format of ["markdown", "csv", "csv?table=x", "screenshot"])
      expect((await visitor.get(`${path}/${format}`)).status).toBe(404);
    for (const end of ["", "/markdown", "/csv", "/screenshot"])
      expect((await stranger.get(`${path}${end}`)).status).toBe(404);
  });

  it("has Markdown that is too large for the page", async () => {
    const { visitor } = await signUpWithTestKey();
    const { id } = await run(visitor, "scrape", { url: "https://large.test/", formats: "markdown" });
    const answer = await ended(visitor, id);
    for (const end of ["markdown", "csv?table=all"]) expect(answer).toContain(`/dashboard/jobs/${id}/result/${end}`);
    expect((await download(visitor, `/dashboard/jobs/${id}/result/markdown`)).text.length).toBeGreaterThan(1_000_000);
  });
});
