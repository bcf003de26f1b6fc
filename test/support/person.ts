// A person at a real browser: the Chromium that the product renders with, driven from Node by what can be seen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { setUpBrowser } from "../../scripts/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Finding {
  id: string;
  impact: string | null;
  help: string;
  where: string[];
}

/** Starts the browser, with a profile under `temporary`. */
export async function launchBrowser(temporary: string): Promise<Browser> {
  // The script that the product starts its browser by knows where the browser's own libraries are.
  const { script } = await setUpBrowser();
  if (script === null) throw new Error("There is no browser to test with: set CHROME_PATH.");
  return await puppeteer.launch({
    executablePath: script,
    headless: true,
    userDataDir: join(temporary, "profile"),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** One tab. What goes wrong in it is written down: scripts that threw, what the page's policy refused, what wasn't there. */
export class Person {
  readonly page: Page;
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("requestfailed", (request) => this.complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  }

  static async at(browser: Browser, { width = 1440, dark = false } = {}): Promise<Person> {
    const page = await browser.newPage();
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    return new Person(page);
  }

  async type(label: string, text: string): Promise<void> {
    const field = this.page.locator(`::-p-aria(${label})`);
    await field.fill(text);
  }

  /** Presses a button, and waits for the page that it leads to. */
  async press(name: string): Promise<void> {
    await this.go(`::-p-aria([name="${name}"][role="button"])`);
  }

  async follow(name: string): Promise<void> {
    await this.go(`::-p-aria([name="${name}"][role="link"])`);
  }

  /** Selects a tab of the present page. */
  async selectTab(name: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${name}"][role="tab"])`).click();
  }

  /** Clicks what this selector finds first, and waits for the page that it leads to. */
  async go(selector: string): Promise<void> {
    const loaded = this.page.waitForNavigation({ waitUntil: "load" });
    await this.page.locator(selector).click();
    await loaded;
  }

  /** The text of what a selector finds, once it is there. */
  async read(selector: string): Promise<string> {
    const element = await this.page.waitForSelector(selector);
    return (await element?.evaluate((node) => node.textContent)) ?? "";
  }

  async sees(text: string, timeout = 20_000): Promise<void> {
    await this.page.waitForFunction(`document.body?.innerText.includes(${JSON.stringify(text)}) === true`, { timeout });
  }

  /** What axe-core finds against WCAG 2.2 AA and good practice on this page. */
  async audit(): Promise<Finding[]> {
    // The page's own policy forbids scripts that it doesn't know: this one is put beside it.
    await this.page.evaluate(`${AXE}; undefined`);
    const { violations } = (await this.page.evaluate("axe.run(document)")) as {
      violations: { id: string; impact: string | null; help: string; nodes: { target: string[] }[] }[];
    };
    return violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      where: nodes.map(({ target }) => target.join(" ")),
    }));
  }

  /** By how many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    return (await this.page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  }
}
