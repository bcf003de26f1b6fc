// Scrapes the shop (support/shop.ts) with `npm start`, and searches the service's files for the secrets of the
// requests.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { launchBrowser, Person } from "../support/person.ts";
import { type Product, startProduct } from "../support/product.ts";
import { type Shop, startShop } from "../support/shop.ts";
import { ShopVisit } from "../support/shop-visits.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
const state = join(temporary, "state");
let shop: Shop;
let product: Product;
let visit: ShopVisit;

beforeAll(async () => {
  shop = await startShop();
  visit = new ShopVisit(shop.origin);
  product = await startProduct({ state, temporary, allowedHosts: shop.hosts.join() });
});
afterAll(async () => {
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  shop.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

async function scrape(path: string, body: object) {
  const headers = { authorization: `Bearer ${product.live}`, "content-type": "application/json" };
  const response = await fetch(`${product.base}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as { data: { text: string } };
}

describe("npm start", () => {
  it("signs in to the shop with the playground's form", async () => {
    const browser = await launchBrowser(temporary);
    try {
      const person = await Person.at(browser);
      await person.page.goto(`${product.base}/dashboard/sign-up`);
      await person.type("Email", "shopper@example.com");
      await person.type("Password", "a test password");
      await person.pressButton("Sign up");
      await person.page.goto(`${product.base}/dashboard/playground?url=${encodeURIComponent(visit.url("login"))}`);
      await person.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
      // Types and clicks like a person. The click that follows the change of a field must not be lost.
      const click = async (selector: string) => {
        // Elements at the end of the window are behind the row of "Run request".
        await person.page.$eval(selector, (element) => element.scrollIntoView({ block: "center" }));
        await person.page.click(selector);
      };
      for (const [i, { type, ...members }] of visit.signIn.slice(0, 3).entries()) {
        await click("#action-builder > button");
        await person.page.select(`::-p-aria(Type of action ${i})`, type);
        for (const [name, value] of Object.entries(members)) {
          await click(`::-p-aria(${name} of action ${i})`);
          await person.page.keyboard.type(value);
        }
      }
      await person.pressButton("Run request");
      await person.waitForText("Welcome back, Ada Lovelace.");
    } finally {
      await browser.close();
    }
  });

  it("stores and logs no secret of a request in plain text", async () => {
    const body = { url: visit.url("login"), formats: ["text"], actions: visit.signIn, basic_auth: visit.basicAuth };
    for (const path of ["/v1/scrape?wait=true", "/v1/scrape"]) await scrape(path, { ...body, ...visit.partner });
    const { data } = await scrape("/v1/scrape?wait=true", { url: visit.url("partners"), ...visit.partner });
    expect(JSON.stringify(data)).toContain("ten tide clocks");
    const signedIn = () => shop.requests(visit.id).filter(({ method }) => method === "POST").length;
    await expect.poll(signedIn).toBe(3);
    await product.stop();
    const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
    expect(texts.filter((text) => text.includes(visit.id)).length).toBeGreaterThan(0);
    expect([...texts, product.output()].flatMap((text) => visit.secretsIn(text))).toEqual([]);
  });
});
