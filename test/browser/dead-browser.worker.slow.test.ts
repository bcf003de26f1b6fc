import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ACTIVITY_LIMITS, type ActivityLimits } from "../../src/browser/page-activity";
import type { LoadOptions } from "../../src/browser/protocol";
import { inspectBrowsers, renderForAccount } from "../../src/browser/render-client";
import { ALONE_BROWSERS } from "../../src/model/page-limits";
import { browserHost } from "../../src/store/namespaces";
import { killBrowsers, stopBrowsers } from "../support/browsers";
import { createClient, newRenderRequest, page, querySite, read, request } from "../support/client";
import { interceptCommands } from "../support/commands";
import { recordLines } from "../support/lines";

afterEach(() => vi.restoreAllMocks());

function renderAs(id: string, request: ReturnType<typeof newRenderRequest>) {
  return renderForAccount(env, { id, concurrentRenders: 4 }, request, new AbortController().signal);
}

describe("a browser that stops responding", () => {
  it("is reported by its host and by the readiness check", async () => {
    const host = browserHost(env, "browser-0");
    // A test file that ran before in this runtime may have left a browser.
    await killBrowsers();
    await expect.poll(() => host.check()).toBe("idle");
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    expect(await host.check()).toBe("ok");
    await stopBrowsers();
    const ready = await (await request("/health/ready")).json<{ data: { browser: string } }>();
    expect(ready.data.browser).not.toBe("ok");
    expect(await renderAs("next", newRenderRequest(page("article")))).toMatchObject({ kind: "page" });
    await killBrowsers();
  });

  it("is replaced, and its renders are retried alone", async () => {
    const lines = recordLines();
    const held = page("held");
    const renders = ["one", "two"].map((id) => renderAs("unlucky", { ...newRenderRequest(held), id }));
    await expect.poll(() => querySite("hits", held)).toBe(2);
    expect(await stopBrowsers()).toBeGreaterThan(0);
    for (let hits = 3; hits <= 4; hits++) {
      await expect.poll(() => querySite("hits", held)).toBe(hits);
      await querySite("release", held);
    }
    for (const { kind } of await Promise.all(renders)) expect(kind).toBe("page");
    expect(lines.of("browser_replaced").map(({ reason }) => reason)).toContain("The browser stopped responding.");
    expect(lines.of("browser_ended_by_page")).toEqual([]);
  });

  it("is replaced if it can't open a tab", async () => {
    const lines = recordLines();
    const host = env.BROWSER_HOST.getByName("without-tabs");
    await runInDurableObject(host, (instance) => {
      const BROWSER = interceptCommands(env.BROWSER, ({ method }, connection) =>
        connection === 1 && method === "Target.createTarget" ? "lose" : "send",
      );
      (instance as unknown as { env: Env }).env = { ...env, BROWSER };
    });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toEqual({ kind: "lost" });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    const reasons = lines.of("browser_replaced").map(({ reason }) => reason);
    expect(reasons).toContain("The browser could not open a tab.");
  });
});

describe("a page that ends its browser", () => {
  it("doesn't fail other pages", async () => {
    await closeAloneBrowsers();
    const lines = recordLines();
    const render = (url: string, account: string) => renderAs(account, newRenderRequest(url));
    const [guilty, innocent] = [page("held"), page("held")];
    // The renders of these accounts are retried in different browsers.
    const failed = expect(render(guilty, "guilty")).rejects.toMatchObject({ code: "render_failed" });
    const other = render(innocent, "unlucky");
    await expect.poll(() => querySite("hits", guilty)).toBe(1);
    await expect.poll(() => querySite("hits", innocent)).toBe(1);
    expect(await killBrowsers()).toBeGreaterThan(0);
    await expect.poll(() => querySite("hits", innocent)).toBe(2);
    await querySite("release", innocent);
    expect(await other).toMatchObject({ kind: "page" });
    await expect.poll(() => querySite("hits", guilty)).toBe(2);
    await killBrowsers();
    await failed;
    expect(lines.of("browser_ended_by_page")).toMatchObject([{ account_id: "guilty" }]);
    // The guilty account's next render must not affect other accounts. It runs only while no other render is running.
    const again = newRenderRequest(page("article"), { account: "guilty" });
    expect(await browserHost(env, "browser-0").render(again, { wait: true })).toEqual({ kind: "lost" });
    // Starts the browser. The following renders then wait only for each other.
    expect(await render(page("article"), "guilty")).toMatchObject({ kind: "page" });
    const next = await Promise.all(Array.from({ length: 6 }, () => render(page("article"), "guilty")));
    expect(next.map(({ kind }) => kind)).toEqual(Array(6).fill("page"));
  });
});

describe("a message of more than 32 MiB", () => {
  it.each([
    [false, { kind: "lost" }],
    [true, { kind: "failed", code: "render_failed", endedBrowser: true }],
  ])("ends the connection to the browser (alone: %s)", async (alone, reply) => {
    const host = env.BROWSER_HOST.getByName(`large-message-${alone}`);
    const lines = recordLines();
    // On a slow machine, the browser takes a long time to write the message.
    const load: LoadOptions = { limit: { ms: 110_000, usedMs: 0 }, waitUntil: "load", waitMs: 0, blockAds: false };
    const request = newRenderRequest(page("large-data-image"), { waitFor: "#never", load });
    expect(await host.render(request, { wait: true, alone })).toMatchObject(reply);
    expect(lines.of("browser_replaced")).toHaveLength(1);
  });

  it("isn't sent for the body of a request", async () => {
    const lines = recordLines();
    const { scrape } = await createClient();
    const { data } = await read(await scrape({ url: page("large-post"), js_render: true, formats: ["text"] }));
    expect(data.text).toContain("It came through.");
    expect(lines.of("browser_replaced")).toEqual([]);
  });

  it("isn't sent for a screenshot that is too large", async () => {
    const lines = recordLines();
    const { scrape } = await createClient();
    const response = await scrape({ url: page("tall-noise"), formats: ["screenshot"] });
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([422, "target_too_large"]);
    expect(error.message).toBe("The screenshot is larger than 25165824 bytes.");
    expect(lines.of("browser_replaced")).toEqual([]);
  });
});

describe("a page that exceeds a limit", () => {
  it.each([
    ["endless-workers", { workers: 3 }, "The page started more than 3 workers."],
    ["endless-requests", { requests: 30 }, "The page made more than 30 requests."],
  ])("fails with an error that names the limit: %s", async (behavior, limits, message) => {
    await limitPages(limits);
    const { scrape } = await createClient();
    const response = await scrape({ url: page(behavior), wait_for: "#never" });
    const { error } = await read(response);
    expect([response.status, error.code, error.message]).toEqual([422, "target_too_large", message]);
  });
});

/** Closes the browsers for renders that run alone. Waits until their hosts have noticed it. */
async function closeAloneBrowsers(): Promise<void> {
  await killBrowsers();
  for (let i = 0; i < ALONE_BROWSERS; i++) {
    await expect.poll(() => browserHost(env, `alone-${i}`).check()).toBe("idle");
  }
}

/** Sets limits of the pages of all browsers for the rest of the test. */
async function limitPages(limits: Partial<ActivityLimits>): Promise<void> {
  const hosts = (await inspectBrowsers(env)).map(({ name }) => browserHost(env, name));
  const set = async (all: ActivityLimits) => {
    for (const host of hosts) {
      await runInDurableObject(host, (instance) => {
        instance.activityLimits = all;
      });
    }
  };
  await set({ ...ACTIVITY_LIMITS, ...limits });
  onTestFinished(() => set(ACTIVITY_LIMITS));
}
