import { describe, expect, it } from "vitest";
import { TOOLS } from "../../src/mcp/tools";
import { ERROR_HINTS } from "../../src/model/error-hints";
import { ERRORS } from "../../src/model/errors";
import { createClient, ORIGIN, read, readContract, request } from "../support/client";
import { bodyOf, postsTo, receiver } from "../support/webhooks";

const browser = { headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } };
const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";

describe("the front page", () => {
  it("is a page for browsers and has no scripts", async () => {
    const response = await request("/", browser);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(policyOf(response)).toContain("default-src 'none'");
    expect(policyOf(response)).not.toContain("script-src");
    const page = await response.text();
    for (const path of ["/dashboard", "/docs", "/status", "/openapi.json", "/llms.txt"])
      expect(page).toContain(`href="${path}"`);
  });

  it.each([{}, { headers: { accept: "*/*" } }, { headers: { accept: "application/json" } }])(
    "returns the links as JSON to programs: %j",
    async (init) => {
      const response = await request("/", init);
      expect(response.headers.get("vary")).toContain("Accept");
      const { data } = await response.json<{ data: { links: Record<string, string> } }>();
      expect(data.links).toMatchObject({ docs: `${ORIGIN}/docs`, openapi: `${ORIGIN}/openapi.json` });
    },
  );
});

describe("the reference page", () => {
  it("loads only files of this service and sends requests only to it", async () => {
    const response = await request("/docs/reference", browser);
    expect(response.status).toBe(200);
    expect(policyOf(response)).toMatch(/script-src 'self';.*connect-src 'self'/);
    const page = await response.text();
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script src="/docs/scalar.js" defer="">',
      '<script src="/website/reference.js" defer="">',
    ]);
    expect(page).not.toMatch(/<(?:script|link rel="(?:stylesheet|icon)")[^>]* (src|href)="(https?:)?\/\//);
  });
});

describe("the error reference", () => {
  it("has a section for every code, to which `doc_url` of an error points", async () => {
    const { error } = await read(await (await createClient({ mode: "test" })).call("GET", "/v1/jobs/123"));
    const url = new URL(error.doc_url ?? "");
    expect([url.origin, url.pathname, url.hash]).toEqual([ORIGIN, "/docs/errors", "#not_found"]);
    const response = await request(url.pathname, browser);
    expect(response.status).toBe(200);
    const page = await response.text();
    for (const code of Object.keys(ERRORS)) expect(page).toContain(`<section id="${code}">`);
    expect(page).toContain(ERROR_HINTS.rate_limited);
    // The navigation and the search of the documentation are around it.
    expect(page).toContain('<a href="/docs/errors" aria-current="page">');
  });
});

it("redirects the icon that browsers request by default", async () => {
  const response = await request("/favicon.ico", { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([301, "/favicon.svg"]);
});

describe("/llms.txt", () => {
  it("has the structure of llmstxt.org: title, quote, text, and links under a heading", async () => {
    const response = await request("/llms.txt");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toMatch(/^# \S.*\n\n> \S.*\n\n/);
    const [words = "", ...lists] = text.split(/^## .*$/m);
    const links = lists.map((list) => list.trim()).join("\n");
    expect(words.match(/^#+ /gm)).toHaveLength(1);
    for (const line of links.split("\n")) expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): \S/);
    expect(links).toContain(`(${ORIGIN}/openapi.json)`);
    expect(links).toContain(`(${ORIGIN}/docs/reference)`);
    expect(text).toMatch(new RegExp(`^- \\[Scrape\\]\\(${ORIGIN}/docs/api/scrape\\.md\\): \\S`, "m"));
  });

  it("lists every error code and every operation that requires a key", async () => {
    const text = await (await request("/llms.txt")).text();
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`\`${code}\``);
    const { document } = await readContract();
    for (const { summary, security } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      if (security.length > 0) expect(text).toContain(`- ${summary} (`);
    }
  });

  it("describes the MCP endpoint with all its tools", async () => {
    const [section = ""] = /^\*\*Agents\.\*\* .*$/m.exec(await (await request("/llms.txt")).text()) ?? [];
    for (const name of ["/mcp", ...Object.keys(TOOLS)]) expect(section).toContain(`\`${name}\``);
  });

  it("has working curl examples", async () => {
    const text = await (await request("/llms.txt")).text();
    const client = await createClient({ mode: "test" });
    const lines = [...text.matchAll(/curl (?:-X (\w+) )?'([^']+)' -H "[^"]+"(?: -H '[^']+' -d '([^']+)')?/g)];
    expect(lines.length).toBeGreaterThan(10);
    const hook = receiver("ok");
    for (const [, method, url = "", body] of lines) {
      const { pathname, search } = new URL(url);
      const verb = method ?? (body === undefined ? "GET" : "POST");
      const response = await client.call(verb, pathname + search, body === undefined ? undefined : JSON.parse(body));
      // Replaces the webhook URL of the example, because its host isn't part of the test.
      if (verb === "PUT") await client.call("PUT", pathname, { url: hook });
      // The ids in the examples don't exist.
      expect(response.status, `${verb} ${pathname}`).toBeOneOf(/[0-9a-f]{8}-/.test(pathname) ? [404] : [200, 201, 202]);
    }
    // The examples of a batch and a crawl may end after the URL was set. They then send events, too.
    const readEvents = async () => (await postsTo(hook)).map((post) => JSON.parse(bodyOf(post)).event);
    await expect.poll(readEvents).toContain("webhook.test");
  });
});
