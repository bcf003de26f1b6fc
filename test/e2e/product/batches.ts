import { readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, Person } from "../../support/person.ts";
import type { ProductWorld } from "../../support/product-world.ts";

/** Returns the text of the first file in a zip file. Its size is only in the directory at the end of the zip file. */
function readFirstFile(zip: Buffer): { name: string; text: string } {
  const nameBytes = zip.readUInt16LE(26);
  const name = zip.toString("utf8", 30, 30 + nameBytes);
  const start = 30 + nameBytes + zip.readUInt16LE(28);
  const data = zip.subarray(start, start + zip.readUInt32LE(zip.indexOf("PK\x01\x02") + 20));
  return { name, text: inflateRawSync(data).toString("utf8") };
}

/** Tests the pages about batches in a browser, for a new user. */
export function describeBatches(world: ProductWorld): void {
  describe("the pages about batches", () => {
    let browser: Browser;
    let person: Person;

    beforeAll(async () => {
      browser = await launchBrowser(world.temporary);
      person = await Person.at(browser);
    });
    afterAll(() => browser?.close());

    /** Returns the problems of the current page in wide and narrow windows, light and dark. */
    async function audit(state: string): Promise<unknown[]> {
      const problems: unknown[] = [];
      for (const [width, dark] of [
        [1440, false],
        [390, true],
      ] as const) {
        await person.page.setViewport({ width, height: 900 });
        await person.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
        if ((await person.overflow()) > 0) problems.push(`${state} at ${width} px is too wide`);
        for (const finding of await person.audit()) problems.push({ state, width, ...finding });
        const { SCREENSHOTS } = process.env;
        if (SCREENSHOTS !== undefined)
          await person.page.screenshot({ path: `${SCREENSHOTS}/${state}-${width}.png`, fullPage: true });
      }
      await person.page.setViewport({ width: 1440, height: 900 });
      return problems;
    }

    it("start a batch in the playground, and show it until it has ended", async () => {
      await person.page.goto(`${world.product.base}/dashboard`);
      await person.followLink("Sign up");
      await person.type("Email", "batches@example.com");
      await person.type("Password", "a test password");
      await person.pressButton("Sign up");
      await person.followLink("Batches");
      await person.waitForText("No live batches or crawls yet");
      expect(await audit("list-empty")).toEqual([]);
      await person.followLink("Start a batch");
      await person.type("URLs", [`${world.siteUrl}?page=1`, `${world.siteUrl}?page=2`, world.silentUrl].join("\n"));
      await person.waitForText("3 pages cost at most 3 credits.");
      expect(await audit("form")).toEqual([]);
      await person.pressButton("Start batch");
      await person.waitForText("The batch is running.");
      // The page shows the ended pages without a reload.
      await person.waitForText("2 of 3 pages");
      expect(await audit("batch-running")).toEqual([]);
      const { page } = person;
      page.once("dialog", (dialog) => void dialog.accept());
      await person.pressButton("Cancel batch");
      await person.waitForText("cancelled");
      expect(await audit("batch-canceled")).toEqual([]);
      await person.followLink("Show all batches and crawls");
      await person.waitForText("and 2 other pages");
      expect(await audit("list-done")).toEqual([]);
      expect(person.errors).toEqual([]);
    });

    it("start a crawl in the playground, and show the URLs that it found", async () => {
      await person.followLink("Playground");
      await person.followLink("Crawl");
      expect(await audit("crawl-form")).toEqual([]);
      await person.type("URL", world.siteUrl);
      await person.type("Maximum number of pages", "2");
      await person.waitForText("2 pages cost at most 2 credits.");
      await person.pressButton("Start crawl");
      // The page shows the end of the crawl without a reload.
      await person.page.waitForSelector("#batch:not([data-busy])");
      await person.waitForText("Discovered");
      expect(await audit("crawl-done")).toEqual([]);
      await person.followLink("Show all batches and crawls");
      await person.waitForText("Crawl · scrape");
      expect(person.errors).toEqual([]);
    });

    it("download the results as a zip file", async () => {
      const folder = join(world.temporary, "downloads");
      await mkdir(folder, { recursive: true });
      const session = await browser.target().createCDPSession();
      await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
      await person.clickAndWait("main table tr:last-child a[href*='/dashboard/batches/']");
      await person.page.locator('::-p-aria([name="Download Markdown (zip)"][role="link"])').click();
      await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith(".zip"))).toHaveLength(1);
      const [file = ""] = readdirSync(folder);
      const { name, text } = readFirstFile(readFileSync(join(folder, file)));
      expect(name).toMatch(/^00001-127\.0\.0\.1-\d+-page-1\.md$/);
      expect(text).toContain("kept since 1899");
    });
  });
}
