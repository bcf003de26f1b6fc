import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createClient, forbidden, newRenderRequest, page, querySite, read } from "../support/client";

/** The response of the forbidden host. */
const SECRET = "private";

afterEach(async () => {
  expect(await querySite("arrivals")).toEqual([]);
});

describe.concurrent("a page that makes the browser prefetch a private address", () => {
  it.for([
    "speculation-header",
    "speculation-data-header",
    "speculation-prerender",
    "speculation-link-header",
    "speculation-closed-shadow",
    "speculation-patched",
  ])("doesn't get the response: %s", async (behavior, { expect }) => {
    const { scrape } = await createClient();
    // The selector never matches, so the page has time to navigate.
    const response = await scrape({ url: page(behavior), wait_for: "#never", formats: ["html"] });
    const body = await read(response);
    expect([response.status, body.error.code]).toEqual([422, "invalid_target"]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });
});

describe("a certificate whose issuer URL is a private address", () => {
  it("doesn't make the browser contact that address", async () => {
    const { scrape } = await createClient();
    const response = await scrape({ url: `${inject("untrusted")}/`, js_render: true });
    expect([response.status, (await read(response)).error.code]).toEqual([502, "tls_failure"]);
  });
});

describe("a host that resolves to a private address when the browser connects", () => {
  it("is refused by the browser's proxy", async () => {
    const { scrape } = await createClient();
    const { port } = new URL(forbidden);
    const response = await scrape({ url: `http://rebinding.world.example:${port}/`, js_render: true });
    const body = await read(response);
    expect([response.status, body.error.code]).toEqual([502, "connection_failed"]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });
});

describe.concurrent("a browser without a filtering proxy, as on Cloudflare", () => {
  it.for([
    "speculation-header",
    "speculation-data-header",
    "speculation-prerender",
    "speculation-link-header",
    "speculation-patched",
  ])("doesn't contact the address: %s", async (behavior, { expect }) => {
    const reply = await (await hostWithoutProxy(behavior)).render(newRenderRequest(page(behavior), WITH_DELAY), {
      wait: true,
    });
    expect(reply).toMatchObject({ kind: "failed", code: "invalid_target" });
  });

  it("doesn't return a prefetched document", async ({ expect }) => {
    const target = `${inject("engines").bing}/ahead`;
    const url = `${page("speculation-closed-shadow")}?target=${encodeURIComponent(target)}`;
    const reply = await (await hostWithoutProxy("closed-shadow")).render(newRenderRequest(url, WITH_DELAY), {
      wait: true,
    });
    expect(reply).toMatchObject({ kind: "failed", code: "invalid_target" });
  });
});

/** The selector never matches, so the page has time to navigate. */
const WITH_DELAY = { waitFor: "#never" };

/** Returns a new BrowserHost without filtering proxies. */
async function hostWithoutProxy(name: string) {
  const host = env.BROWSER_HOST.getByName(`without-proxy-${name}`);
  await runInDurableObject(host, (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, BROWSER_PROXY: "", SEARCH_BROWSER_PROXY: "" };
  });
  return host;
}
