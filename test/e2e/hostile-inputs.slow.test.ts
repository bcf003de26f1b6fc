// Sends inputs that need too much work to a service that `npm start` runs, and checks that other callers don't wait.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { makeZip } from "../support/documents.ts";
import { LARGE_DOCUMENTS } from "../support/hostile/large-documents.ts";
import { LARGE_PAGES } from "../support/hostile/large-pages.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { type Product, startProduct } from "../support/product.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
/** Only work without a bound makes another caller wait this long, even on a slow machine. */
const HEALTH_TIMEOUT_MS = 8_000;
let site: Loopback;
let product: Product;

const numbered = (count: number, toText: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => toText(n)).join("");
const longUrl = (n: number) => `/${"a".repeat(340)}${n}`;
const FILES: Readonly<Record<string, () => string | Uint8Array>> = {
  "/robots.txt": () =>
    `User-agent: *\n${numbered(30, (n) => `Disallow: /${"*a".repeat(300)}*b${n}\n`)}${numbered(8, (n) => `Sitemap: ${site.origin}/sitemap${n}.xml\n`)}`,
  "/links": () => `<p>Links</p>${numbered(6_000, (n) => `<a href="${longUrl(n)}">${n}</a> `)}`,
  "/formats.xlsx": () => toWorkbook(`<numFmt numFmtId="200" formatCode="${"[".repeat(800_000)}"/>`),
  "/paragraphs.docx": () => LARGE_DOCUMENTS["900,000 paragraphs"]?.() ?? "",
};

function toWorkbook(format: string): Uint8Array {
  return makeZip({
    "xl/workbook.xml": '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>',
    "xl/styles.xml": `<styleSheet><numFmts>${format}</numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
    "xl/worksheets/s.xml": '<worksheet><sheetData><row><c s="0"><v>45000</v></c></row></sheetData></worksheet>',
  });
}

function serve({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, "http://site");
  const page = LARGE_PAGES[decodeURIComponent(pathname.slice(1))];
  if (page) response.setHeader("content-type", "text/html").end(page());
  else if (/^\/sitemap\d\.xml$/.test(pathname)) {
    const urls = numbered(48_000, (n) => `<url><loc>${site.origin}${longUrl(n)}</loc></url>`);
    response.setHeader("content-type", "application/xml").end(`<urlset>${urls}</urlset>`);
  } else if (FILES[pathname]) response.end(FILES[pathname]());
  else response.setHeader("content-type", "text/html").end("<p>A short page with a few words of text.</p>");
}

beforeAll(async () => {
  site = await listen(createServer(serve));
  product = await startProduct({
    state: join(temporary, "state"),
    temporary,
    allowedHosts: new URL(site.origin).host,
  });
});
afterAll(async () => {
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  site.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response.
  body: any;
}

async function call(path: string, body?: object, key = product.live): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(`${product.base}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** Runs `work`, and requests `/health` again and again until it ends. Fails if a request isn't answered in time. */
async function expectAnswer(work: () => Promise<Answer>, expected: object): Promise<void> {
  let isRunning = true;
  const asking = (async () => {
    while (isRunning) {
      const response = await fetch(`${product.base}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
      expect(response.status).toBe(200);
    }
  })();
  const result = await work().finally(() => {
    isRunning = false;
  });
  await asking;
  expect(result).toMatchObject(expected);
}

async function end(path: string): Promise<Answer> {
  for (;;) {
    const answer = await call(path);
    if (!["queued", "processing"].includes(answer.body.status)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const scrape = (path: string) => call("/v1/scrape?wait=true", { url: `${site.origin}/${path}`, formats: ["markdown"] });
const batchOf = (defaults: object, toFields: (n: number) => object) =>
  call(
    "/v1/batch",
    {
      endpoint: "scrape",
      dry_run: true,
      defaults,
      requests: Array.from({ length: 1_000 }, (_, n) => ({ url: `https://example.com/${n}`, ...toFields(n) })),
    },
    product.test,
  );
const withSchema = (schema: object) => ({ formats: ["json"], json: { prompt: "x", schema } });

describe("an input that needs too much work", () => {
  it("is refused for a batch with long selectors in its defaults", async () => {
    const selectors = (name: string) => Array.from({ length: 50 }, (_, n) => `${".a > ".repeat(98)}.${name}${n}`);
    const defaults = { include_selectors: selectors("b"), exclude_selectors: selectors("c") };
    await expectAnswer(() => batchOf(defaults, () => ({})), { status: 200 });
    const own = (n: number) => ({ include_selectors: [`${".a".repeat(200)}${n}`] });
    await expectAnswer(() => batchOf({}, own), { status: 400, body: { error: { code: "invalid_request" } } });
  });

  it("is refused for a batch with slow patterns in its schemas", async () => {
    const toFields = (n: number) =>
      withSchema({
        type: "object",
        properties: { code: { type: "string", pattern: `^(?:[a-z]{1,12}[0-9]{1,12}){1,12}${n}$` } },
      });
    await expectAnswer(() => batchOf({}, toFields), { status: 400, body: { error: { code: "invalid_request" } } });
  });

  it("is refused for an array of MCP messages", async () => {
    const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" }));
    await expectAnswer(() => call("/mcp", messages, product.test), { status: 400 });
  });

  it("is refused for a schema that no value satisfies", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", minLength: 5, maxLength: 4 } },
      required: ["a"],
    };
    const parse = () => call("/v1/parse?wait=true", { url: `${site.origin}/page`, schema });
    await expectAnswer(parse, { status: 400, body: { error: { code: "invalid_request" } } });
  });

  it.each(["60,000 rules × 90,000 elements", "190,000 <dl>", "a row with 500,000 cells"])(
    "fails for a page with %s",
    async (name) => {
      const answer = { status: 422, body: { success: false, error: { code: "target_too_large" } } };
      await expectAnswer(() => scrape(encodeURIComponent(name)), answer);
    },
  );

  it.each(["formats.xlsx", "paragraphs.docx"])("ends for %s", async (name) => {
    await expectAnswer(() => scrape(name), { status: 200, body: { success: true } });
  });

  it("is cut for sitemaps with 384,000 long URLs", async () => {
    await expectAnswer(() => call("/v1/map?wait=true", { url: site.origin }), {
      status: 200,
      body: { success: true, data: { truncated: true } },
    });
  });

  it("ends for a crawl of a site with slow patterns in robots.txt and 6,000 long links", async () => {
    await expectAnswer(
      async () => {
        const { status, body } = await call("/v1/crawl", { url: `${site.origin}/links`, limit: 3, sitemap: "skip" });
        expect(status).toBe(202);
        return end(`/v1/crawl/${body.crawl_id}`);
      },
      { status: 200, body: { status: "completed" } },
    );
  });
});
