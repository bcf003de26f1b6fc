import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, Person } from "../../support/person.ts";
import type { ProductWorld } from "../../support/product-world.ts";

/** Tests the documentation in a browser, for a reader who signs up. */
export function describeDocs(world: ProductWorld): void {
  describe("the documentation", () => {
    let browser: Browser;
    let person: Person;

    beforeAll(async () => {
      browser = await launchBrowser(world.temporary);
      person = await Person.at(browser);
    });
    afterAll(() => browser?.close());

    const open = (path: string) => person.page.goto(`${world.product.base}${path}`);
    const read = (expression: string) => person.page.evaluate(expression);
    const visibleCode = `document.querySelector(".code pre:not([hidden])").textContent`;

    it("finds a sentence with the keyboard, in spite of a typing error, and opens its section", async () => {
      await open("/docs/api/webhooks");
      const text = (await read(
        `[...document.querySelectorAll("article h2 ~ p")].map((p) => p.textContent).find((p) => /^[\\w ]{40,}/.test(p))`,
      )) as string;
      const [words = ""] = /^[\w ]{40,}/.exec(text) ?? [];
      await open("/docs");
      await person.page.keyboard.press("/");
      await person.page.waitForSelector("#docs-search-dialog[open]");
      await person.page.keyboard.type(`${words} webhoooks`);
      await person.page.waitForFunction(
        `document.querySelector("#docs-search-dialog li p")?.textContent.includes(${JSON.stringify(words.trim().slice(0, 30))})`,
      );
      expect(await person.audit()).toEqual([]);
      await person.page.keyboard.press("ArrowDown");
      const target = await read("document.activeElement.href");
      expect(target).toContain("/docs/api/webhooks");
      const loaded = person.page.waitForNavigation();
      await person.page.keyboard.press("Enter");
      await loaded;
      expect(person.page.url()).toBe(target);
      expect(await read("document.querySelector('#docs-search-dialog').open")).toBe(false);
    });

    it("shows the language that the reader chose on the next page, too", async () => {
      await open("/docs/api/scrape");
      expect(await read(visibleCode)).toMatch(/^curl -s "http:\/\/127\.0\.0\.1:/);
      await person.page.locator('button[data-language="Python"]').click();
      expect(await read(visibleCode)).toContain("requests.post(");
      await open("/docs/api/parse");
      await person.page.waitForFunction(`${visibleCode}.includes("requests.post(")`);
      await person.page.locator('button[data-language="curl"]').click();
    });

    it("opens the collapsed details that a link leads to", async () => {
      await open("/docs/api/parse");
      const id = (await read("document.querySelector('article details :is(h3, h2)[id]')?.id ?? null")) as string | null;
      if (id === null) return;
      expect(await read("document.querySelector('article details').open")).toBe(false);
      await open(`/docs/api#`);
      await open(`/docs/api/parse#${id}`);
      await person.page.waitForFunction("document.querySelector('article details').open");
    });

    it("shows a new test key in the examples of the same tab, until the user signs out", async () => {
      await open("/dashboard/sign-up");
      await person.type("Email", `reader-${crypto.randomUUID()}@example.com`);
      await person.type("Password", "a test password");
      await person.pressButton("Sign up");
      await open("/docs/api/scrape");
      await person.clickAndWait('.key-note a[href="/dashboard/keys/new?mode=test"]');
      await person.pressButton("Create key");
      const key = await person.readText("#new-key");
      expect(key).toMatch(/^sk_test_/);
      await open("/docs/api/scrape");
      await person.page.waitForFunction(`${visibleCode}.includes("Bearer ${key}")`);
      const codes = (await read(
        `[...document.querySelectorAll("pre[data-language]")].slice(0, 3).map((code) => code.textContent)`,
      )) as string[];
      expect(codes[1]).toContain(`Bearer ${key}`);
      expect(codes[2]).toContain(`f"Bearer ${key}"`);
      await open("/dashboard");
      await person.pressButton("Sign out");
      await open("/docs/api/scrape");
      expect(await read(visibleCode)).toContain("Bearer $KEY");
    });

    it("sends links to the earlier reference to the present one", async () => {
      await open("/docs#tag/jobs/GET/v1/jobs");
      await person.page.waitForFunction("location.pathname === '/docs/reference'");
      expect(person.page.url()).toContain("/docs/reference#tag/jobs/GET/v1/jobs");
    });

    it("opens the navigation on a phone without the page's script", async () => {
      const phone = await Person.at(browser, { width: 390 });
      await phone.page.setRequestInterception(true);
      phone.page.on(
        "request",
        (request) => void (request.resourceType() === "script" ? request.abort() : request.continue()),
      );
      await phone.page.goto(`${world.product.base}/docs/api/scrape`);
      await phone.page.locator(".docs-menu").click();
      await phone.followLink("Parse");
      expect(phone.page.url()).toContain("/docs/api/parse");
    });

    it("has no errors in the console", () => expect(person.errors).toEqual([]));
  });
}
