import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { makeCertificate } from "../support/certificate.ts";
import { pages } from "../support/pages.ts";
import { launchBrowser, Person } from "../support/person.ts";
import { type Product, startProduct } from "../support/product.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
let site: Server;
let siteUrl: string;
let receiver: Receiver;
let product: Product;
let browser: Browser;
let person: Person;
let key: string;

beforeAll(async () => {
  const certificate = await makeCertificate(temporary);
  receiver = await startReceiver(certificate);
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages.article);
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  product = await startProduct({
    state: join(temporary, "state"),
    temporary,
    allowedHosts: `${new URL(siteUrl).host},${receiver.host}`,
    env: { NODE_EXTRA_CA_CERTS: certificate.file },
  });
  browser = await launchBrowser(temporary);
  person = await Person.at(browser);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  site?.close();
  receiver?.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  return await fetch(`${product.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** What axe says of these pages, and by how much they are too wide, in a wide light window and in a dark one on a phone. */
async function findFaults(visitor: Person, paths: string[]): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const [width, dark] of [
    [1440, false],
    [360, true],
  ] as const) {
    await visitor.page.setViewport({ width, height: 900 });
    await visitor.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    for (const path of paths) {
      await visitor.page.goto(`${product.base}/dashboard${path}`, { waitUntil: "load" });
      const overflow = await visitor.overflow();
      if (overflow > 0) faults.push(`${path} at ${width} px is ${overflow} px too wide`);
      for (const finding of await visitor.audit()) faults.push({ path, width, ...finding });
    }
  }
  await visitor.page.setViewport({ width: 1440, height: 900 });
  return faults;
}

// One way through all of it, each step on what the one before left.
describe("somebody who has never seen the service", () => {
  it("signs up, and scrapes a page in the playground: a form, a link, an address, a button", async () => {
    await person.page.goto(`${product.base}/dashboard`);
    await person.follow("Sign up");
    await person.type("E-mail", "newcomer@example.com");
    await person.type("Password", "a password for the test");
    await person.press("Sign up");
    await person.sees("500");
    await person.follow("Playground");
    await person.type("URL", siteUrl);
    await person.press("Run");
    await person.sees("kept since 1899");
  });

  it("makes a key, and calls the API with it", async () => {
    await person.follow("API keys");
    await person.follow("Create a key");
    await person.type("Name", "nightly prices");
    await person.press("Create the key");
    key = await person.read("#new-key");
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
    const response = await call("POST", "/v1/scrape?wait=true", { url: siteUrl, formats: ["markdown", "screenshot"] });
    expect(response.status).toBe(200);
    await person.follow("API keys");
    expect(await person.page.content()).not.toContain(key);
  });

  it("sees the job with its result, rendered and as a picture", async () => {
    await person.follow("Jobs");
    await person.go("main table a[href*='/dashboard/jobs/']");
    await person.sees("completed");
    await person.sees("kept since 1899");
    await person.follow("Screenshot");
    const loaded = () => person.page.evaluate("document.querySelector(\"img[src*='/screenshots/']\").naturalWidth");
    await expect.poll(loaded, { timeout: 10_000 }).toBe(1280);
  });

  it("sees a job that is asked for meanwhile come by itself, and stays where the keyboard was", async () => {
    await person.follow("Jobs");
    const focused = () => person.page.evaluate("document.activeElement.getAttribute('href')");
    await person.page.focus("main table a[href*='/dashboard/jobs/']");
    const before = await focused();
    await call("POST", "/v1/scrape", { url: `${siteUrl}?asked=meanwhile` });
    await person.sees("asked=meanwhile");
    expect(await focused()).toBe(before);
  });

  it("sets a webhook, tries it, and sees what was delivered for a job", async () => {
    await person.follow("Webhooks");
    await person.type("URL", `${receiver.origin}/dashboard/ok`);
    await person.press("Save");
    await person.press("Send a test");
    await person.sees("succeeded");
    const { job_id } = (await (await call("POST", "/v1/scrape", { url: siteUrl })).json()) as { job_id: string };
    await expect.poll(() => receiver.posts("/dashboard/ok").length, { timeout: 20_000 }).toBe(2);
    await person.page.goto(`${product.base}/dashboard/webhooks`);
    await person.sees("job.completed");
    await person.page.goto(`${product.base}/dashboard/webhooks/deliveries/${job_id}`);
    await person.sees("204");
  });

  it("revokes the key, and the API refuses it", async () => {
    await person.follow("API keys");
    await person.follow("Revoke nightly prices");
    await person.press("Revoke the key");
    await person.sees("revoked");
    const refused = await call("GET", "/v1/jobs");
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: "revoked_api_key" } }]);
  });

  it("meets no page that axe finds fault with, that is wider than a phone, or whose scripts or policy complain", async () => {
    const paths = [
      "",
      "/playground",
      "/playground?endpoint=parse",
      "/playground?endpoint=serp",
      "/jobs",
      "/keys",
      "/keys/new",
    ];
    paths.push("/webhooks", "/plan", "/settings");
    await person.page.goto(`${product.base}/dashboard/jobs`);
    const first = "document.querySelector(\"main a[href*='/dashboard/jobs/']\").pathname";
    const job = (await person.page.evaluate(first)) as string;
    paths.push(job.replace("/dashboard", ""));
    const faults = await findFaults(person, paths);
    expect(faults).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  it("signs out, and is shown the sign-in again", async () => {
    await person.press("Sign out");
    await person.page.goto(`${product.base}/dashboard/keys`);
    expect(person.page.url()).toContain("/dashboard/sign-in?to=%2Fdashboard%2Fkeys");
    expect(await findFaults(person, ["/sign-in", "/sign-up", "/forgot", "/link?token=x", "/reset?token=x"])).toEqual(
      [],
    );
  });
});

describe("the link that npm start prints", () => {
  it("signs the local user in, once, as an admin", async () => {
    const link = /^sign in, once: (\S+)$/m.exec(product.output())?.[1] ?? "";
    const local = await Person.at(browser);
    await local.page.goto(link);
    await local.press("Sign in");
    await local.follow("Admin");
    await local.sees("newcomer");
    expect(await findFaults(local, ["/admin", "/admin/audit", "/admin/accounts/local"])).toEqual([]);
    await local.press("Sign out");
    await local.page.goto(link);
    await local.press("Sign in");
    await local.sees("was used already");
  });
});
