// Tests one service that `npm start` runs, from the start to Ctrl-C.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProductWorld } from "../support/product-world.ts";
import { describeBatches } from "./product/batches.ts";
import { describeCommands } from "./product/commands.ts";
import { describeDashboard } from "./product/dashboard.ts";
import { describeDocs } from "./product/docs.ts";
import { describeExamples } from "./product/examples.ts";
import { describeListen } from "./product/listen.ts";
import { describePages } from "./product/pages.ts";
import { describeSecondStart } from "./product/second-start.ts";
import { describeVerify } from "./product/verify.ts";
import { describeWebsite } from "./product/website.ts";

const world = new ProductWorld();
beforeAll(() => world.start());
afterAll(() => world.end());

/**
 * Returns the command lines of running processes that use the temporary folder, which has the browser profiles and the
 * runtime's state.
 */
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
    .filter((commandLine) => commandLine.includes(world.temporary));
}

describe("npm start", () => {
  it("prints at most 15 lines: what it is doing, the URLs, the keys and a curl command", () => {
    // npm prints its own lines before.
    const [start = ""] = /^Starting [\s\S]*\nready: .*\n.*$/m.exec(world.product.output()) ?? [];
    const lines = start.split("\n");
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(start).toMatch(/^Starting web-data-extraction \d+\.\d+\.\d+ …$/m);
    expect(lines).toEqual(expect.arrayContaining(["Building the Worker …", "Rendering a sample page …"]));
    expect(lines.at(-1)).toMatch(/^Ready on http:\/\/127\.0\.0\.1:\d+ after [\d.]+ s\. /);
    expect(start).toMatch(/^Rendered a sample page with .+ in [\d.]+ seconds\.$/m);
    expect(lines).toContain(`docs: ${world.product.base}/docs`);
    expect(start).toMatch(
      /^curl -s 'http:\/\/127\.0\.0\.1:\d+\/v1\/scrape\?wait=true' -H 'Authorization: Bearer sk_live_/m,
    );
    expect(world.product.live).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
    expect(world.product.test).toMatch(/^sk_test_[0-9A-Za-z]{38}$/);
  });

  it("stores its secrets in a file that only their owner can read", () => {
    expect(statSync(join(world.state, "local-secrets.json")).mode & 0o777).toBe(0o600);
  });

  it("serves the reference page and all files that it loads", async () => {
    const page = await (await fetch(`${world.product.base}/docs/reference`)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(js|svg))"/g)];
    expect(files.map(([, path]) => path)).toContain("/docs/scalar.js");
    for (const [, path, kind] of files) {
      const file = await fetch(world.product.base + path);
      expect([path, file.status, file.headers.get("content-type")]).toEqual([
        path,
        200,
        expect.stringContaining(kind === "js" ? "javascript" : "svg"),
      ]);
      await file.body?.cancel();
    }
  });
});

describeSecondStart(world, () => {
  describeDashboard(world);
  describeDocs(world);
  describeBatches(world);
  describeCommands(world);
  describeListen(world);
  describeExamples(world);
  describePages(world);
  describeVerify(world);
  describeWebsite(world);
});

describe("Ctrl-C", () => {
  it("ends all processes that npm start has started", async () => {
    await world.product.stop();
    await expect.poll(processesLeft).toEqual([]);
  });
});
