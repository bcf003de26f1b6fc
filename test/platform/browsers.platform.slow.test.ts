// Tests of renders with a browser service that behaves as Cloudflare's, or that lacks what Cloudflare doesn't document.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { RenderReply, RenderRequest } from "../../src/browser/protocol";
import { BROWSER_IDLE_MS } from "../../src/model/page-limits";
import { newRenderRequest, page, querySite } from "../support/client";
import { interceptCommands } from "../support/commands";
import { SESSION_ERRORS, type Settings } from "../support/platform/browser-settings";
import { configureBrowsers, evictBrowsers, requestedCountries } from "../support/platform/browsers";

afterEach(() => configureBrowsers({}));

let hosts = 0;

/** Renders a page in a new browser of a service with these settings. */
async function renderWith(settings: Partial<Settings>, url: string, more: Partial<RenderRequest> = {}) {
  await configureBrowsers(settings);
  const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
  return (await host.render({ ...newRenderRequest(url), ...more }, { wait: true })) as RenderReply;
}

/** Browser services that lack a capability that Cloudflare doesn't document. */
const LIMITED: { service: string; settings: Partial<Settings> }[] = [
  {
    service: "doesn't intercept requests of the whole browser",
    settings: { refusedMethods: [{ method: "Fetch.enable", isRoot: true }] },
  },
  { service: "doesn't pause new targets", settings: { holdsTargets: false } },
];

describe("a render", () => {
  it.for([{ service: "is 20 ms away", settings: { rttMs: 20 } }, ...LIMITED])(
    "succeeds if the browser service $service",
    async ({ settings }) => {
      expect(await renderWith(settings, page("article"))).toMatchObject({ kind: "page", status: 200 });
    },
  );

  it.for(LIMITED)("refuses a redirect to a forbidden host if the browser service $service", async ({ settings }) => {
    const url = `${page("redirect")}?to=${encodeURIComponent(inject("forbidden"))}`;
    expect(await renderWith(settings, url)).toMatchObject({ kind: "failed", code: "invalid_target" });
  });

  it("reports a name that doesn't exist, although the browser reports a failed connection", async () => {
    expect(await renderWith({}, "http://nowhere.platform.example/")).toMatchObject({
      kind: "failed",
      code: "dns_failure",
    });
  });
});

describe("a browser service without a free browser", () => {
  it("is called again when its Retry-After is over", async () => {
    const settings = { refusedSessions: [{ ...SESSION_ERRORS.rateLimit, retryAfterS: 20 }] };
    expect(await renderWith(settings, page("article"))).toMatchObject({ kind: "full", retryAfterMs: 20_000 });
  });

  it("is called again when its limits allow it", async () => {
    const { status, message } = SESSION_ERRORS.rateLimit;
    const limits = { timeUntilNextAllowedBrowserAcquisition: 7_000 };
    const reply = await renderWith({ refusedSessions: [{ status, message }], limits }, page("article"));
    expect(reply).toMatchObject({ kind: "full", retryAfterMs: 7_000 });
  });

  it("isn't called before", async () => {
    const settings = { refusedSessions: [{ ...SESSION_ERRORS.noBrowser, retryAfterS: 20 }] };
    await configureBrowsers(settings);
    const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
    const render = () => host.render(newRenderRequest(page("article")), { wait: true });
    await render();
    await configureBrowsers({});
    expect(await render()).toMatchObject({ kind: "full" });
  });

  it("fails the render if the browser time of the day is used up", async () => {
    expect(await renderWith({ refusedSessions: [SESSION_ERRORS.dailyLimit] }, page("article"))).toMatchObject({
      kind: "failed",
      code: "unavailable",
      message: expect.stringContaining("00:00 UTC"),
    });
    expect(await env.BROWSER_HOST.getByName(`platform-${hosts}`).check()).toBe("not_started");
  });
});

it("requests a browser in BROWSER_LOCATION", async () => {
  await renderWith({}, page("article"));
  expect((await requestedCountries()).at(-1)).toBeNull();
  const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
  await runInDurableObject(host, (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, BROWSER_LOCATION: "DE" };
  });
  await host.render(newRenderRequest(page("article")), { wait: true });
  expect((await requestedCountries()).at(-1)).toBe("DE");
});

describe("a connection that ends", () => {
  it.for(["error", "silence"] as const)(
    "with a large message (%s) loses its renders, and the next render succeeds",
    async (largeFrames) => {
      await configureBrowsers({ maxFrameChars: 200_000, largeFrames });
      const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
      const large = `${page("large")}?words=100000`;
      expect(await host.render(newRenderRequest(large), { wait: true })).toEqual({ kind: "lost" });
      expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    },
  );

  it("because Cloudflare recycles the session loses its renders, and the next render succeeds", async () => {
    await configureBrowsers({});
    const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
    const url = page("held");
    const running = host.render(newRenderRequest(url), { wait: true });
    await expect.poll(() => querySite("hits", url)).toBe(1);
    expect(await evictBrowsers()).toBeGreaterThan(0);
    expect(await running).toEqual({ kind: "lost" });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
  });

  it("because it was idle is replaced for the next render", async () => {
    await configureBrowsers({ keepAliveMs: 300 });
    const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
    await host.render(newRenderRequest(page("article")), { wait: true });
    // Each check is a command, so the checks are further apart than the idle time.
    await expect.poll(() => host.check(), { interval: 600 }).toBe("idle");
    await configureBrowsers({});
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
  });
});

describe("a browser that can't be used", () => {
  it.for([
    { method: "Browser.getVersion", fate: "refuse" },
    { method: "Target.setAutoAttach", fate: "refuse" },
    { method: "Browser.getVersion", fate: "lose" },
  ] as const)("is closed, because it costs money: $fate $method", async ({ method, fate }) => {
    const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
    const sessions = recordSessions();
    await runInDurableObject(host, (instance) => {
      const BROWSER = interceptCommands(sessions.binding, (command, connection) =>
        connection === 1 && command.method === method ? fate : "send",
      );
      (instance as unknown as { env: Env }).env = { ...env, BROWSER };
    });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "full" });
    await expect.poll(() => sessions.closed).toEqual(sessions.started);
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    expect(sessions.started).toHaveLength(2);
    expect(sessions.closed).toHaveLength(1);
  });

  it("is closed when it is idle, even if it refuses Browser.close", async () => {
    const host = env.BROWSER_HOST.getByName(`platform-${++hosts}`);
    const sessions = recordSessions();
    await runInDurableObject(host, (instance) => {
      const BROWSER = interceptCommands(sessions.binding, ({ method }) =>
        method === "Browser.close" ? "refuse" : "send",
      );
      (instance as unknown as { env: Env }).env = { ...env, BROWSER };
    });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + BROWSER_IDLE_MS });
    await runDurableObjectAlarm(host);
    vi.useRealTimers();
    expect(sessions.closed).toEqual(sessions.started);
  });
});

/** Returns a browser binding that records the ids of the sessions that were started and closed. */
function recordSessions() {
  const started: string[] = [];
  const closed: string[] = [];
  const fetch: Fetcher["fetch"] = async (input, init) => {
    const response = await env.BROWSER.fetch(input, init);
    if (init?.method === "POST") started.push((await response.clone().json<{ sessionId: string }>()).sessionId);
    if (init?.method === "DELETE") closed.push(new URL(String(input)).pathname.split("/").at(-1) ?? "");
    return response;
  };
  return { binding: { fetch } as BrowserRun, started, closed };
}
