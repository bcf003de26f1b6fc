// The sample page that `npm start` serves and scrapes.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LocalBrowser } from "./browser.ts";

/** Serves the sample page on a free port of loopback. Returns its host:port. */
export function serveSample(): Promise<string> {
  const page = readFileSync(join(import.meta.dirname, "sample", "index.html"));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page);
  });
  return new Promise((ready) =>
    server.listen(0, "127.0.0.1", () => ready(`127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
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
