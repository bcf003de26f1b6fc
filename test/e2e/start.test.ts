import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pages } from "../support/pages.ts";
import { type Product, startProduct } from "../support/product.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
const state = join(temporary, "state");
let site: Server;
let siteHost: string;
let started: Product;
const start = () => startProduct({ state, temporary, allowedHosts: siteHost });

beforeAll(async () => {
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages.article);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  started = await start();
});

afterAll(async () => {
  await started.stop();
  site.close();
  rmSync(temporary, { recursive: true, force: true });
});

/** Whatever still runs out of the temporary folder: browsers have their profiles there, the runtime its state. */
function processesLeft(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .filter((commandLine) => commandLine.includes(temporary));
}

async function scrape(body: Record<string, unknown>) {
  const response = await fetch(`${started.base}/v1/scrape?wait=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${started.live}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data: Record<string, string>; job_id: string };
}

describe("npm start", () => {
  it("shows its own sample page, which takes a browser to read, and a line to repeat it", () => {
    expect(started.output()).toContain("# Lighthouse keeper's log");
    expect(started.output()).toContain("```sh\nlamp --on --colour white\n```");
    expect(started.output()).toMatch(
      /^curl -s 'http:\/\/127\.0\.0\.1:\d+\/v1\/scrape\?wait=true' -H 'Authorization: Bearer sk_live_/m,
    );
    expect(started.live).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
    expect(started.test).toMatch(/^sk_test_[0-9A-Za-z]{38}$/);
  });

  it("keeps its secrets to its owner", () => {
    for (const file of ["local-secrets.json", "local-secrets.env"])
      expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
  });

  it("serves the reference page, and every file that it loads", async () => {
    const page = await (await fetch(`${started.base}/docs`)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(js|svg))"/g)];
    expect(files.map(([, path]) => path)).toContain("/docs/scalar.js");
    for (const [, path, kind] of files) {
      const file = await fetch(started.base + path);
      expect([path, file.status, file.headers.get("content-type")]).toEqual([
        path,
        200,
        expect.stringContaining(kind === "js" ? "javascript" : "svg"),
      ]);
      await file.body?.cancel();
    }
  });

  it("serves scrapes with every part, and still knows them and its keys after a second start", async () => {
    const plain = await scrape({ url: `http://${siteHost}/`, formats: ["text"] });
    expect(plain.data.text).toContain("kept since 1899");
    const { data } = await scrape({ url: `http://${siteHost}/`, formats: ["screenshot"] });
    const png = await fetch(data.screenshot_url ?? "");
    expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);

    const { live, test } = started;
    await started.stop();
    await expect.poll(processesLeft, { timeout: 15_000 }).toEqual([]);

    started = await start();
    expect([started.live, started.test]).toEqual([live, test]);
    const job = await fetch(`${started.base}/v1/jobs/${plain.job_id}`, {
      headers: { authorization: `Bearer ${live}` },
    });
    expect(await job.json()).toMatchObject({ status: "completed", result: plain.data });
  });
});
