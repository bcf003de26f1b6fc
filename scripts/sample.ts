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

/**
 * Scrapes the sample page through the public API, and prints the result and the curl command that repeats the request.
 * `base` is the URL of the service.
 */
export async function scrapeSample(
  url: string,
  { base, key, browser }: { base: string; key: string; browser: LocalBrowser },
): Promise<void> {
  const body = JSON.stringify({ url, js_render: true });
  const response = await fetch(`${base}/v1/scrape?wait=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const result = (await response.json()) as { data?: { markdown: string }; error?: { message: string } };
  if (result.data === undefined) {
    console.log(`\nThe sample page could not be rendered: ${result.error?.message ?? `status ${response.status}`}`);
    if (browser.executable === null)
      console.log(
        "Everything except rendering works. To render pages, install Chrome or Chromium, or set CHROME_PATH.",
      );
  } else {
    console.log(`\nThe sample page, rendered with ${browser.source}:\n\n${result.data.markdown}`);
  }
  console.log(`\nTo repeat this request:
curl -s '${base}/v1/scrape?wait=true' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'\n`);
}
