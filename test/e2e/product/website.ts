import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, Person } from "../../support/person.ts";
import type { ProductWorld } from "../../support/product-world.ts";

const MAX_BYTES = 100_000;

/** Tests the home page and the page for unknown paths in a browser. */
export function describeWebsite(world: ProductWorld): void {
  describe("the public pages", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchBrowser(world.temporary);
    });
    afterAll(() => browser?.close());

    it.each([
      ["/", 1440, false],
      ["/", 390, true],
      ["/nowhere", 1440, true],
      ["/nowhere", 390, false],
    ])("%s is small, accessible and complete without scripts at %i px", async (path, width, dark) => {
      const person = await Person.at(browser, { width, dark });
      const { page } = person;
      await page.setCacheEnabled(false);
      let bytes = 0;
      const types = new Set<string>();
      page.on("request", (request) => types.add(request.resourceType()));
      const session = await page.createCDPSession();
      await session.send("Network.enable");
      session.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await page.goto(`${world.product.base}${path}`, { waitUntil: "networkidle0" });
      // Scrolls to the picture, which is loaded when it comes near.
      const loaded = page.waitForNetworkIdle();
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      await loaded;
      expect(types).not.toContain("script");
      expect(bytes).toBeGreaterThan(5_000);
      expect(bytes).toBeLessThan(MAX_BYTES);
      const pictures = "[...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src)";
      expect(await page.evaluate(pictures)).toEqual([]);
      expect(await person.overflow()).toBeLessThanOrEqual(0);
      expect(await person.shifts()).toEqual([]);
      expect(await person.audit()).toEqual([]);
    });
  });
}
