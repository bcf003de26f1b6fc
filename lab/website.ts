// Makes the answers and pictures of the home page with the running service (`biome format --write` formats the JSON):
// the answers in src/website/examples.json,
// assets/website/dashboard-light.webp and dashboard-dark.webp, and the preview of links, assets/website/preview.png.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "puppeteer-core";
import { endBrowsers } from "../scripts/processes.ts";
import { launchBrowser } from "../test/support/person.ts";
import { type Product, startProduct } from "../test/support/product.ts";
import { BLOCK_PAGE } from "../test/support/site/behaviors.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const ASSETS = join(PROJECT, "assets", "website");
const EXAMPLES = join(PROJECT, "src", "website", "examples.json");
/** The host of the sample page in the examples. */
const SHOP = "shop.example";

/** Shows the logo, the name and the headline of the home page in large type. */
const PREVIEW_STYLE = `.top nav, .top .entry, .hero .row, .skip { display: none !important; }
  .top { border: 0; background: none; padding: 72px 84px 0; }
  .top .brand { font-size: 40px; }
  .public main { padding: 60px 84px; }
  .home .hero { padding: 0; }
  .home h1 { font-size: 68px; max-width: none; text-wrap: wrap; }
  .home .lead { font-size: 30px; max-width: none; }
  #example { visibility: hidden; }`;

interface Example {
  path: string;
  body: Record<string, unknown> & { url: string };
  /** The parts of the answer that the home page shows, as paths such as `meta.receipt`. */
  shown: string[];
  answer: unknown;
}

const sample = readFileSync(join(ASSETS, "sample.html"));
const site = createServer(({ url }, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(url === "/block-page" ? BLOCK_PAGE : sample);
});
await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
const temporary = mkdtempSync(join(tmpdir(), "website-"));
let product: Product | undefined;
let browser: Browser | undefined;
try {
  product = await startProduct({ state: join(temporary, "state"), temporary, allowedHosts: host });
  await writeAnswers(product);
  browser = await launchBrowser(temporary);
  await takePictures(browser, product);
} finally {
  await browser?.close();
  await product?.stop();
  endBrowsers((command) => command.includes(temporary));
  site.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}

async function writeAnswers(service: Product): Promise<void> {
  const examples: Record<string, Example> = JSON.parse(readFileSync(EXAMPLES, "utf8"));
  for (const example of Object.values(examples)) {
    const answer = await request(service, example);
    const text = JSON.stringify(pick(answer, example.shown)).replaceAll(`http://${host}`, `https://${SHOP}`);
    example.answer = JSON.parse(text.replaceAll(host, SHOP));
  }
  writeFileSync(EXAMPLES, `${JSON.stringify(examples, null, 2)}\n`);
}

/** Sends the example's request. Returns the job if the request failed, because only the job has a receipt. */
async function request({ base, live }: Product, { path, body }: Example): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${live}`, "content-type": "application/json" };
  const sent = { ...body, url: body.url.replace(`https://${SHOP}`, `http://${host}`) };
  const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(sent) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (answer.success === true) return answer;
  return (await (await fetch(`${base}/v1/jobs/${answer.job_id}`, { headers })).json()) as Record<string, unknown>;
}

/** Returns an object with only these parts. */
function pick(from: Record<string, unknown>, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const [name = "", ...inner] = path.split(".");
    const value = from[name];
    picked[name] =
      inner.length === 0
        ? value
        : { ...(picked[name] as object), ...pick(value as Record<string, unknown>, [inner.join(".")]) };
  }
  return picked;
}

async function takePictures(chromium: Browser, { base, output }: Product): Promise<void> {
  const page = await chromium.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(/^sign-in link \(works once\): (\S+)$/m.exec(output())?.[1] ?? "");
  const signedIn = page.waitForNavigation();
  await page.locator('::-p-aria([name="Sign in"][role="button"])').click();
  await signedIn;
  await page.goto(`${base}/dashboard/playground?url=${encodeURIComponent(`http://${host}/kettle`)}`);
  await page.locator('::-p-aria([name="Run request"])').click();
  await page.waitForFunction('document.querySelector("#answer")?.innerText.includes("Field kettle")');
  // The addresses of this machine mean nothing to a reader.
  const names = { [`http://${host}`]: `https://${SHOP}`, [base]: "https://api.example.com" };
  await page.evaluate(`for (const [from, to] of Object.entries(${JSON.stringify(names)})) {
    for (const field of document.querySelectorAll("input, textarea")) field.value = field.value.replaceAll(from, to);
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(from, to);
  }
  document.activeElement?.blur();
  scrollTo(0, document.querySelector("#request").offsetTop - 24);`);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.screenshot({ path: join(ASSETS, `dashboard-${scheme}.webp`), type: "webp", quality: 72 });
  }
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  await page.setViewport({ width: 1200, height: 630 });
  // The page's policy forbids styles in the page.
  await page.setBypassCSP(true);
  await page.goto(`${base}/`);
  // The preview is the beginning of the home page in large type.
  await page.addStyleTag({ content: PREVIEW_STYLE });
  await page.screenshot({ path: join(ASSETS, "preview.png") });
}
