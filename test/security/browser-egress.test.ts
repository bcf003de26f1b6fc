import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createClient, forbidden, newRenderRequest, page, querySite, read } from "../support/client";

/** What the forbidden host says. */
const SECRET = "private";

afterEach(async () => {
  expect(await querySite("arrivals")).toEqual([]);
});

describe.concurrent("a page that makes the browser fetch a private address ahead", () => {
  it.for([
    "speculation-header",
    "speculation-data-header",
    "speculation-prerender",
    "speculation-link-header",
    "speculation-closed-shadow",
    "speculation-patched",
  ])("gets nothing from there: %s", async (behavior, { expect }) => {
    const { scrape } = await createClient();
    // The selector is never there, so that the page has the time to go on.
    const response = await scrape({ url: page(behavior), wait_for: "#never", formats: ["html"] });
    const answer = await read(response);
    expect([response.status, answer.error.code]).toEqual([422, "invalid_target"]);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });
});

describe("a certificate that names a private address as its issuer's", () => {
  it("makes the browser ask nobody", async () => {
    const { scrape } = await createClient();
    const response = await scrape({ url: `${inject("untrusted")}/`, js_render: true });
    expect([response.status, (await read(response)).error.code]).toEqual([502, "tls_failure"]);
  });
});

describe("a name that leads to a private address by the time of the connection", () => {
  it("is refused by the browser's proxy", async () => {
    const { scrape } = await createClient();
    const { port } = new URL(forbidden);
    const response = await scrape({ url: `http://rebinding.world.example:${port}/`, js_render: true });
    const answer = await read(response);
    expect([response.status, answer.error.code]).toEqual([502, "connection_failed"]);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });
});

describe.concurrent("without a proxy of our own, as on the platform", () => {
  it.for([
    "speculation-header",
    "speculation-data-header",
    "speculation-prerender",
    "speculation-link-header",
    "speculation-patched",
  ])("the browser asks nobody: %s", async (behavior, { expect }) => {
    const reply = await (await hostWithoutProxy(behavior)).render(newRenderRequest(page(behavior), GOES_ON), {
      wait: true,
    });
    expect(reply).toMatchObject({ kind: "failed", code: "invalid_target" });
  });

  it("a document that was loaded ahead isn't returned", async ({ expect }) => {
    const target = `${inject("engines").bing}/ahead`;
    const url = `${page("speculation-closed-shadow")}?target=${encodeURIComponent(target)}`;
    const reply = await (await hostWithoutProxy("closed-shadow")).render(newRenderRequest(url, GOES_ON), {
      wait: true,
    });
    expect(reply).toMatchObject({ kind: "failed", code: "invalid_target" });
  });
});

/** The selector is never there, so that the page has the time to go on. */
const GOES_ON = { waitFor: "#never" };

/** A browser host of its own, in an environment without filtering proxies. */
async function hostWithoutProxy(name: string) {
  const host = env.BROWSER_HOST.getByName(`without-proxy-${name}`);
  await runInDurableObject(host, (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, BROWSER_PROXY: "", SEARCH_BROWSER_PROXY: "" };
  });
  return host;
}
