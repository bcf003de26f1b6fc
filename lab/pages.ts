// `npm run lab -- pages`: measures how long each dashboard page takes to load and paint in a real browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { setUpBrowser } from "../scripts/browser.ts";
import { parseOptions } from "../scripts/options.ts";
import { startProduct } from "../test/support/product.ts";
import { median } from "./figures.ts";

parseOptions(
  `npm run lab -- pages

Measures how long each page of the dashboard takes to load.`,
  {},
);

const ROUNDS = 7;
const PATHS = ["", "/playground", "/jobs", "/keys", "/webhooks", "/plan", "/settings", "/admin"];

interface Visit {
  /** The time (ms) from the request to the first byte of the response. */
  firstByte: number;
  /** The time (ms) from the start of the navigation to the first contentful paint. */
  firstPaint: number;
  /** The transferred bytes of the HTML document. */
  pageBytes: number;
  /** The transferred bytes of all other resources. Resources from the browser's cache count as 0. */
  otherBytes: number;
}

const folder = mkdtempSync(join(tmpdir(), "extraction-pages-"));
const service = await startProduct({ state: join(folder, "state"), temporary: folder, allowedHosts: "" });
try {
  const link = /^sign-in link \(works once\): (\S+)$/m.exec(service.output())?.[1];
  if (link === undefined) throw new Error("npm start printed no sign-in link.");
  const { script } = await setUpBrowser();
  if (script === null) throw new Error("No browser found. Install Chrome or Chromium, or set CHROME_PATH.");
  const browser = await puppeteer.launch({
    executablePath: script,
    userDataDir: join(folder, "profile"),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  await page.goto(link);
  await Promise.all([page.waitForNavigation(), page.click("button[type=submit]")]);
  const rows: Record<string, Record<string, string>> = {};
  for (const path of PATHS) rows[`/dashboard${path}`] = await measure(page, `${service.base}/dashboard${path}`);
  await browser.close();
  console.table(rows);
  console.log(
    `Times are medians of ${ROUNDS} visits after the first one. "First visit" is measured with an empty cache.`,
  );
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function measure(page: Page, url: string): Promise<Record<string, string>> {
  await page.setCacheEnabled(false);
  const cold = await visit(page, url);
  await page.setCacheEnabled(true);
  await visit(page, url);
  const warm: Visit[] = [];
  for (let i = 0; i < ROUNDS; i++) warm.push(await visit(page, url));
  const ms = (pick: (visit: Visit) => number) => `${Math.round(median(warm.map(pick)))} ms`;
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  return {
    "first byte": ms(({ firstByte }) => firstByte),
    "first paint": ms(({ firstPaint }) => firstPaint),
    page: kb(cold.pageBytes),
    "styles and scripts, first visit": kb(cold.otherBytes),
    "styles and scripts, later visits": kb(median(warm.map(({ otherBytes }) => otherBytes))),
  };
}

async function visit(page: Page, url: string): Promise<Visit> {
  await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
  const measured = await page.evaluate(`(() => {
    const [page] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const others = performance.getEntriesByType("resource").reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      firstByte: page.responseStart - page.requestStart,
      firstPaint: paint.startTime,
      pageBytes: page.transferSize,
      otherBytes: others,
    };
  })()`);
  return measured as Visit;
}
