// Controls a browser from Node: the same Chromium that the service renders with. Finds elements by their accessible
// names.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { setUpBrowser } from "../../scripts/browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The time limit of a wait for the browser or a page. */
const TIMEOUT_MS = 90_000;

export interface AxeViolation {
  id: string;
  impact: string | null;
  help: string;
  where: string[];
}

/** Starts the browser with a profile under `temporary`. Throws if no browser is installed. */
export async function launchBrowser(temporary: string): Promise<Browser> {
  // The service starts Chromium with this script, because it sets the path of Chromium's own libraries.
  const { script } = await setUpBrowser();
  if (script === null) throw new Error("No browser is installed. Set CHROME_PATH to a Chromium binary.");
  return await puppeteer.launch({
    executablePath: script,
    headless: true,
    timeout: TIMEOUT_MS,
    userDataDir: join(temporary, "profile"),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** A browser tab. `errors` collects script errors, console errors and failed requests. */
export class Person {
  readonly page: Page;
  readonly errors: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText;
      // Leaving a page cancels the requests that it is waiting for.
      if (reason !== "net::ERR_ABORTED") this.errors.push(`${request.url()} ${reason}`);
    });
  }

  static async at(browser: Browser, { width = 1440, dark = false } = {}): Promise<Person> {
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.evaluateOnNewDocument(`addEventListener("DOMContentLoaded", () => {
      window.shifts = [];
      const observer = new PerformanceObserver((list) => {
        // Chrome rates sums of up to 0.1 as good. On a busy machine, the navigation moved by a few pixels once, with a
        // value of 0.002.
        for (const { hadRecentInput, value, sources } of list.getEntries())
          if (!hadRecentInput && value >= 0.01) shifts.push({ value, nodes: sources.map(({ node }) => node?.outerHTML?.slice(0, 200)) });
      });
      observer.observe({ type: "layout-shift", buffered: true });
    })`);
    return new Person(page);
  }

  async type(label: string, text: string): Promise<void> {
    const field = this.page.locator(`::-p-aria(${label})`);
    await field.fill(text);
  }

  /** Clicks a button and waits for the next page. */
  async pressButton(name: string): Promise<void> {
    await this.clickAndWait(`::-p-aria([name="${name}"][role="button"])`);
  }

  async followLink(name: string): Promise<void> {
    await this.clickAndWait(`::-p-aria([name="${name}"][role="link"])`);
  }

  /** Selects a tab of the current page. */
  async selectTab(name: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${name}"][role="tab"])`).click();
  }

  /** Clicks the first element that matches the selector, and waits for the next page. */
  async clickAndWait(selector: string): Promise<void> {
    const loaded = this.page.waitForNavigation({ waitUntil: "load" });
    await this.page.locator(selector).click();
    await loaded;
  }

  /** Waits for an element and returns its text. */
  async readText(selector: string): Promise<string> {
    const element = await this.page.waitForSelector(selector);
    return (await element?.evaluate((node) => node.textContent)) ?? "";
  }

  async waitForText(text: string): Promise<void> {
    await this.page.waitForFunction(`document.body?.innerText.includes(${JSON.stringify(text)}) === true`);
  }

  /** Returns the violations that axe-core finds on this page (WCAG 2.2 AA and best practices). */
  async audit(): Promise<AxeViolation[]> {
    // Evaluates the script through DevTools, because the page's content security policy blocks added script elements.
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

  /** Returns the parts of this page that moved without any input from the user. */
  async shifts(): Promise<unknown[]> {
    return (await this.page.evaluate("window.shifts")) as unknown[];
  }

  /** Returns the names of the tables that are wider than their space on the page. */
  async wideTables(): Promise<string[]> {
    return (await this.page.evaluate(`[...document.querySelectorAll(".table-scroll")]
      .filter((part) => part.scrollWidth > part.clientWidth)
      .map((part) => part.getAttribute("aria-label") ?? part.querySelector("caption")?.textContent)`)) as string[];
  }

  /** Returns how many pixels wider than the window the page is. */
  async overflow(): Promise<number> {
    return (await this.page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  }
}
