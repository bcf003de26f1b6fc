import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, Person } from "../../support/person.ts";
import type { ProductWorld } from "../../support/product-world.ts";

/**
 * Returns the violations that axe-core finds on these pages, the pages and tables that are too wide, and the parts of
 * pages that move. Checks a wide light window and a narrow dark one.
 */
async function auditDashboardPages(base: string, person: Person, paths: string[]): Promise<unknown[]> {
  const problems: unknown[] = [];
  for (const [width, dark] of [
    [1440, false],
    [360, true],
  ] as const) {
    await person.page.setViewport({ width, height: 900 });
    await person.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    for (const path of paths) {
      await person.page.goto(`${base}${path}`, { waitUntil: "load" });
      const overflow = await person.overflow();
      if (overflow > 0) problems.push(`${path} at ${width} px is ${overflow} px too wide`);
      // Wide tables are allowed on a phone, because they can be scrolled.
      if (width > 1000) problems.push(...(await person.wideTables()).map((table) => `${path}: ${table} is too wide`));
      problems.push(...(await person.shifts()));
      for (const finding of await person.audit()) problems.push({ path, width, ...finding });
      // The narrowest window that shows the navigation next to the content.
      await person.page.setViewport({ width: 1000, height: 900 });
      if ((await person.overflow()) > 0) problems.push(`${path} at 1000 px is too wide`);
      await person.page.setViewport({ width, height: 900 });
    }
  }
  await person.page.setViewport({ width: 1440, height: 900 });
  return problems;
}

/** Tests the dashboard in a browser, for a new user and for an admin. */
export function describeDashboard(world: ProductWorld): void {
  describe("the dashboard", () => {
    let browser: Browser;
    let person: Person;
    let key: string;

    beforeAll(async () => {
      browser = await launchBrowser(world.temporary);
      person = await Person.at(browser);
    });
    afterAll(() => browser?.close());

    const call = (method: string, path: string, body?: unknown) => world.call(method, path, body, key);
    const auditPages = (person: Person, paths: string[]) =>
      auditDashboardPages(`${world.product.base}/dashboard`, person, paths);

    // The tests depend on each other: each one continues where the previous one ended.
    describe("a new user", () => {
      it("signs up and scrapes a page in the playground", async () => {
        await person.page.goto(`${world.product.base}/dashboard`);
        await person.followLink("Sign up");
        await person.type("Email", "newcomer@example.com");
        await person.type("Password", "a test password");
        await person.pressButton("Sign up");
        await person.waitForText("500");
        await person.followLink("Playground");
        await person.type("URL", world.siteUrl);
        await person.pressButton("Run request");
        await person.waitForText("kept since 1899");
      });

      it("cancels a request, and finds it in the history", async () => {
        await person.page.goto(`${world.product.base}/dashboard/playground?url=${encodeURIComponent(world.silentUrl)}`);
        await person.page.locator('::-p-aria([name="Run request"][role="button"])').click();
        // While the request is being sent, another button has the same name.
        await person.page.locator("#cancel").click();
        await person.waitForText("The job was canceled.");
        // The scrape before cost 1 credit, and a canceled request is free.
        await expect.poll(() => person.readText("#balance")).toBe("You have 499 credits.");
        expect(await person.readText("#history")).toContain("cancelled");
        expect(person.page.url()).toContain("job=");
      });

      it("edits a schema, and shows where its error is", async () => {
        await person.page.goto(`${world.product.base}/dashboard/playground?endpoint=parse`);
        const schema = async () => JSON.parse(await person.page.$eval("#field-schema", (field) => field.value));
        await person.type("Schema", '{"type": "object", "properties": {"isbn": {"type": "string"}}}');
        await expect.poll(() => person.readText("#samples")).toContain("isbn");
        await person.page.focus("#field-schema");
        await person.page.keyboard.type("{");
        await person.waitForText("Line 1, column");
        await person.page.select("#ready-schema", "recipe");
        await expect.poll(async () => (await schema()).required).toEqual(["title", "ingredients", "steps"]);
        await expect.poll(() => person.page.$eval("#field-prompt", (field) => field.value)).toContain("The recipe");
        expect(await person.audit()).toEqual([]);
        // The service responds with 400 to a form without valid JSON, which the browser reports in its console.
        person.errors.length = 0;
      });

      it("creates a key and calls the API with it", async () => {
        await person.followLink("API keys");
        await person.followLink("Create key");
        await person.type("Name", "nightly prices");
        await person.pressButton("Create key");
        key = await person.readText("#new-key");
        expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
        const response = await call("POST", "/v1/scrape?wait=true", {
          url: world.siteUrl,
          formats: ["markdown", "screenshot"],
        });
        expect(response.status).toBe(200);
        await person.followLink("API keys");
        expect(await person.page.content()).not.toContain(key);
      });

      it("sees the job with its result and its screenshot", async () => {
        await person.followLink("Jobs");
        await person.clickAndWait("main table a[href*='/dashboard/jobs/']");
        await person.waitForText("completed");
        await person.waitForText("kept since 1899");
        await person.selectTab("Screenshot");
        const loaded = () => person.page.evaluate("document.querySelector(\"img[src*='/screenshots/']\").naturalWidth");
        await expect.poll(loaded).toBe(1280);
      });

      it("sees a new job appear without a reload, and keeps the keyboard focus", async () => {
        await person.followLink("Jobs");
        const focused = () => person.page.evaluate("document.activeElement.getAttribute('href')");
        await person.page.focus("main table a[href*='/dashboard/jobs/']");
        const before = await focused();
        await call("POST", "/v1/scrape", { url: `${world.siteUrl}?asked=meanwhile` });
        await person.waitForText("asked=meanwhile");
        expect(await focused()).toBe(before);
      });

      it("reaches the link that skips the navigation with the first Tab", async () => {
        for (const path of ["/jobs", "/settings"]) {
          await person.page.goto(`${world.product.base}/dashboard${path}`);
          await person.page.keyboard.press("Tab");
          expect(await person.page.evaluate("document.activeElement.hash")).toBe("#main");
        }
      });

      it("sets a webhook, tests it, and sees the deliveries of a job", async () => {
        await person.followLink("Webhooks");
        await person.followLink("Not set");
        await person.type("Webhook URL", `${world.receiver.origin}/dashboard/ok`);
        await person.pressButton("Save");
        await person.pressButton("Send test event");
        await person.waitForText("succeeded");
        const { job_id } = (await (await call("POST", "/v1/scrape", { url: world.siteUrl })).json()) as {
          job_id: string;
        };
        await expect.poll(() => world.receiver.posts("/dashboard/ok").length).toBe(2);
        await person.page.goto(`${world.product.base}/dashboard/webhooks`);
        await person.waitForText("job.completed");
        await person.page.goto(`${world.product.base}/dashboard/webhooks/deliveries/${job_id}`);
        await person.waitForText("204");
      });

      it("revokes the key, and the API refuses it", async () => {
        await person.followLink("API keys");
        await person.followLink("Revoke nightly prices");
        await person.pressButton("Revoke key");
        await person.waitForText("revoked");
        const refused = await call("GET", "/v1/jobs");
        expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: "revoked_api_key" } }]);
      });

      it("finds all pages accessible, narrow enough for a phone, and without errors in the console", async () => {
        const paths = [
          "",
          "/playground",
          "/playground?endpoint=parse",
          "/playground?endpoint=serp",
          "/jobs",
          "/keys",
          "/keys/new",
        ];
        paths.push(
          "/usage",
          "/webhooks",
          "/webhooks/endpoints/new",
          "/plan",
          "/settings",
          "/settings/email",
          "/settings/two-factor",
          "/account",
          "/account/delete",
        );
        await person.page.goto(`${world.product.base}/dashboard/jobs`);
        const first = "document.querySelector(\"main a[href*='/dashboard/jobs/']\").pathname";
        const job = (await person.page.evaluate(first)) as string;
        paths.push(job.replace("/dashboard", ""));
        const id = job.split("/").at(-1);
        paths.push(`/jobs/compare?a=${id}`, `/jobs/compare?a=${id}&b=${id}`);
        const problems = await auditDashboardPages(world.product.base, person, [
          ...["/", "/docs/errors", "/status", "/docs", "/docs/api/scrape", "/docs/architecture", "/changelog"],
        ]);
        problems.push(...(await auditPages(person, paths)));
        expect(problems).toEqual([]);
        expect(person.errors).toEqual([]);
      });

      it("finds the API reference accessible", async () => {
        const { page } = person;
        for (const value of ["light", "dark"]) {
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
          // The page renders an operation when it comes into view.
          await page.goto(`${world.product.base}/docs/reference`);
          await page.locator('a[href="#tag/extraction/POST/v1/scrape"]').click();
          await page.waitForSelector(".scalar-code-copy[aria-label]");
          expect(await person.audit()).toEqual([]);
        }
        await page.goto(`${world.product.base}/dashboard`);
      });

      it("signs out and is redirected to the sign-in page", async () => {
        await person.pressButton("Sign out");
        await person.page.goto(`${world.product.base}/dashboard/keys`);
        expect(person.page.url()).toContain("/dashboard/sign-in?to=%2Fdashboard%2Fkeys");
        expect(
          await auditPages(person, ["/sign-in", "/sign-up", "/forgot", "/link?token=x", "/reset?token=x"]),
        ).toEqual([]);
      });
    });

    describe("the link that npm start prints", () => {
      it("signs the local user in as an admin, and works only once", async () => {
        const link = /^sign-in link \(works once\): (\S+)$/m.exec(world.product.output())?.[1] ?? "";
        const local = await Person.at(browser);
        await local.page.goto(link);
        await local.pressButton("Sign in");
        await local.followLink("Admin");
        await local.waitForText("newcomer");
        expect(await auditPages(local, ["/admin", "/admin/audit", "/admin/accounts/local"])).toEqual([]);
        await local.pressButton("Sign out");
        await local.page.goto(link);
        await local.pressButton("Sign in");
        await local.waitForText("was already used");
      });
    });
  });
}
