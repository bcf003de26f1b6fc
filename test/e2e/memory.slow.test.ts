// Runs all kinds of work at the same time with `npm start`, whose isolates have a heap of at most 128 MB. On Cloudflare,
// an isolate has 128 MB. workerd ends if an isolate needs more, so the requests then fail.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makePage } from "../../lab/memory/pages.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { makeXlsx } from "../support/documents.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { makePdf } from "../support/pdf.ts";
import { type Product, startProduct } from "../support/product.ts";

const HEAP = { MINIFLARE_WORKERD_V8_FLAGS: "--max-heap-size=128 --max-semi-space-size=4" };
const LARGE_BYTES = 4_900_000;
const PDF_PAGES = 200;
const ROWS = 10_000;

const temporary = mkdtempSync(join(tmpdir(), "extraction-memory-"));
let site: Loopback;
let product: Product;

/** A page whose screenshot has 21 MB, because PNG can't compress noise. */
const TALL = `<!doctype html><title>Tall</title><body style="margin:0"><canvas width="1200" height="4500"></canvas><script>
const context = document.querySelector("canvas").getContext("2d");
const image = context.createImageData(1200, 4500);
for (let i = 0; i < image.data.length; i += 65536) crypto.getRandomValues(image.data.subarray(i, i + 65536));
context.putImageData(image, 0, 0);
</script><p>The end of a tall page</p>`;

function makeFiles(): Record<string, { type: string; body: Uint8Array | string }> {
  const line = "Harbor masters count the boats that enter in the morning and leave in the evening";
  const lines = Array.from({ length: 50 }, (_, i) => ({ text: `${line} ${i}`, y: 780 - 15 * i }));
  const rows = Array.from({ length: ROWS }, (_, i) => `<row><c><v>${i}</v></c><c><v>${i * 7}</v></c></row>`);
  const urls = Array.from({ length: 50_000 }, (_, i) => `<url><loc>${site.origin}/listed/${i}</loc></url>`);
  const links = Array.from({ length: 20 }, (_, i) => `<li><a href="/small/${i}">Boat ${i}</a>`);
  const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  return {
    "/article": { type: "text/html", body: makePage("article", LARGE_BYTES) },
    "/table": { type: "text/html", body: makePage("data table", 1_000_000) },
    "/tall": { type: "text/html", body: TALL },
    "/printed": { type: "text/html", body: makePage("article", 500_000) },
    "/harbor.pdf": { type: "application/pdf", body: makePdf(Array.from({ length: PDF_PAGES }, () => lines)) },
    "/rows.xlsx": { type: sheet, body: makeXlsx({ Rows: `<sheetData>${rows.join("")}</sheetData>` }) },
    "/sitemap.xml": { type: "application/xml", body: `<urlset>${urls.join("")}</urlset>` },
    "/robots.txt": { type: "text/plain", body: `Sitemap: ${site.origin}/sitemap.xml` },
    "/list": { type: "text/html", body: `<title>List</title><main><h1>Boats</h1><ul>${links.join("")}</ul></main>` },
  };
}

beforeAll(async () => {
  let files: ReturnType<typeof makeFiles> = {};
  const small = { type: "text/html", body: makePage("article", 20_000) };
  const server = createServer(({ url = "" }, response) => {
    const { type, body } = files[url] ?? small;
    response.writeHead(200, { "content-type": type }).end(body);
  });
  site = await listen(server);
  files = makeFiles();
  const allowedHosts = new URL(site.origin).host;
  product = await startProduct({ state: join(temporary, "state"), temporary, allowedHosts, env: HEAP });
});
afterAll(async () => {
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  site?.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

interface Answer {
  job_id: string;
  url?: string;
  status: string;
  error: { code: string; message: string } | undefined;
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${product.live}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${product.base}${path}`, { method, headers, ...init });
  return (await response.json()) as Answer;
}

/** Creates a job and waits for its end. */
async function run(endpoint: string, body: { url: string; [name: string]: unknown }): Promise<Answer> {
  const created = await call("POST", `/v1/${endpoint}`, body);
  if (created.error !== undefined) return created;
  for (;;) {
    const { status, error } = await call("GET", `/v1/jobs/${created.job_id}?wait=20`);
    if (status !== "queued" && status !== "processing") return { job_id: created.job_id, url: body.url, status, error };
  }
}

it("completes all kinds of work at the same time with a heap of 128 MB", async () => {
  const url = (path: string) => `${site.origin}${path}`;
  const times = <Result>(count: number, start: (i: number) => Promise<Result>) =>
    Array.from({ length: count }, (_, i) => start(i));
  const formats = ["html", "markdown", "text", "metadata", "links"];
  const answers = await Promise.all([
    ...times(4, () => run("scrape", { url: url("/article"), formats })),
    ...times(2, () => run("scrape", { url: url("/table"), formats })),
    ...times(3, () => run("scrape", { url: url("/tall"), formats: ["screenshot", "text"], timeout_ms: 120_000 })),
    ...times(2, () => run("scrape", { url: url("/printed"), formats: ["pdf"], render: "always" })),
    ...times(2, () => run("scrape", { url: url("/harbor.pdf"), formats: ["markdown"] })),
    ...times(2, () => run("scrape", { url: url("/rows.xlsx"), formats: ["markdown"] })),
    ...times(20, (i) => run("scrape", { url: url(`/small/${i}`), formats })),
    run("map", { url: url("/list"), limit: 5_000 }),
  ]);
  expect(answers.filter(({ status }) => status !== "completed")).toEqual([]);
});
