// The sample site that `npm start` serves: a page that it scrapes to check the browser, and the pages of the guides.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import type { LocalBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";

const FOLDER = join(import.meta.dirname, "sample");
/** The guides use this port. If it is in use, the site gets another port. */
const PREFERRED_PORT = 8790;
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".pdf": "application/pdf" };
/** The page that stands for a bot challenge. */
const BLOCKED = "/shop/blocked";

/** Serves the sample site on loopback. Returns its host:port. */
export async function serveSample(): Promise<string> {
  const port = await freePort(PREFERRED_PORT);
  const server = createServer((request, response) => {
    // `URL` resolves "..", so the path can't leave the folder.
    const { pathname } = new URL(request.url ?? "/", "http://sample");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : extname(pathname) ? pathname : `${pathname}.html`;
    const file = join(FOLDER, name);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(pathname === BLOCKED ? 403 : 200, { "content-type": TYPES[extname(file)] });
    response.end(readFileSync(file));
  });
  return new Promise((ready) => server.listen(port, "127.0.0.1", () => ready(`127.0.0.1:${port}`)));
}

/** A request for the sample page. `base` is the URL of the service. */
interface SampleRequest {
  url: string;
  base: string;
  key: string;
}

const toBody = (url: string) => JSON.stringify({ url, render: "always" });

/**
 * Scrapes the sample page through the public API, and prints whether it was rendered. With `verbose`, also prints the
 * result.
 */
export async function scrapeSample(
  { url, base, key }: SampleRequest,
  { browser, verbose }: { browser: LocalBrowser; verbose: boolean },
): Promise<void> {
  const startedAt = Date.now();
  const response = await fetch(`${base}/v1/scrape?wait=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: toBody(url),
  });
  const result = (await response.json()) as { data?: { markdown: string }; error?: { message: string } };
  if (result.data !== undefined) {
    console.log(`Rendered a sample page with ${browser.source} in ${(Date.now() - startedAt) / 1_000} seconds.`);
    if (verbose) console.log(`\n${result.data.markdown}\n`);
    return;
  }
  console.log(`The sample page could not be rendered: ${result.error?.message ?? `status ${response.status}`}`);
  if (browser.executable === null)
    console.log("Everything except rendering works. To render pages, install Chrome or Chromium, or set CHROME_PATH.");
}

/** Returns the curl command that requests the sample page. */
export function toSampleCommand({ url, base, key }: SampleRequest): string {
  return `curl -s '${base}/v1/scrape?wait=true' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${toBody(url)}'`;
}
