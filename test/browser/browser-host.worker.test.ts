import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import puppeteer from "@cloudflare/puppeteer";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LARGE_OUTPUTS } from "../../src/browser/isolate-limits";
import { renderForAccount } from "../../src/browser/render-client";
import { BROWSER_IDLE_MS } from "../../src/model/page-limits";
import { countBrowsers, killBrowsers } from "../support/browsers";
import { newRenderRequest, page, querySite } from "../support/client";

afterEach(() => vi.useRealTimers());

describe("a browser host", () => {
  it("runs several renders in one browser, and reports that it is full when no slot is free", async () => {
    const host = env.BROWSER_HOST.getByName("crowded");
    const before = await countBrowsers();
    const held = page("held");
    const slow = Array.from({ length: 4 }, () => host.render(newRenderRequest(held), { wait: true }));
    await expect.poll(() => querySite("hits", held)).toBe(4);
    expect(await host.render(newRenderRequest(page("article")), { wait: false })).toMatchObject({ kind: "full" });
    const waiting = host.render(newRenderRequest(page("article")), { wait: true });
    await querySite("release", held);
    for (const reply of await Promise.all([...slow, waiting])) expect(reply.kind).toBe("page");
    expect(await countBrowsers()).toBe(before + 1);
  });

  it("frees the slot of a canceled render", async () => {
    const host = env.BROWSER_HOST.getByName("crowded");
    const held = page("held");
    const requests = Array.from({ length: 4 }, () => newRenderRequest(held));
    const unwanted = requests.map((request) => host.render(request, { wait: true }));
    await expect.poll(() => querySite("hits", held)).toBe(4);
    for (const { id } of requests) await host.cancel(id);
    await Promise.all(unwanted);
    expect(await host.render(newRenderRequest(page("article")), { wait: false })).toMatchObject({ kind: "page" });
    await querySite("release", held);
  });

  it("gives half of the slots to another account immediately, and returns them later", async () => {
    const host = env.BROWSER_HOST.getByName("shared");
    const held = page("held");
    const greedy = Array.from({ length: 6 }, () =>
      host.render(newRenderRequest(held, { account: "greedy" }), { wait: true }),
    );
    await expect.poll(() => querySite("hits", held)).toBe(4);
    const modest = { account: "modest", maxRenders: 2 };
    const replies = await Promise.all(
      Array.from({ length: 3 }, () => host.render(newRenderRequest(page("article"), modest), { wait: true })),
    );
    expect(replies.map(({ kind }) => kind)).toEqual(["page", "page", "page"]);
    const releaseAndCount = async () => {
      await querySite("release", held);
      return await querySite("hits", held);
    };
    await expect.poll(releaseAndCount).toBe(8);
    await querySite("release", held);
    for (const reply of await Promise.all(greedy)) expect(reply.kind).toBe("page");
  });

  it("fails the renders of a crashed browser, so that each can be retried without other renders", async () => {
    const host = env.BROWSER_HOST.getByName("mortal");
    const held = page("held");
    const replies = Array.from({ length: 3 }, () => host.render(newRenderRequest(held), { wait: true }));
    await expect.poll(() => querySite("hits", held)).toBe(3);
    expect(await killBrowsers()).toBeGreaterThan(0);
    expect(await Promise.all(replies)).toEqual([{ kind: "lost" }, { kind: "lost" }, { kind: "lost" }]);
    await querySite("release", held);
  });

  it("runs renders with `alone` one at a time", async () => {
    const host = env.BROWSER_HOST.getByName("alone");
    const held = page("held");
    const replies = Array.from({ length: 3 }, () => host.render(newRenderRequest(held), { wait: true, alone: true }));
    for (let hits = 1; hits <= 3; hits++) {
      await expect.poll(() => querySite("hits", held)).toBe(hits);
      await querySite("release", held);
    }
    for (const reply of await Promise.all(replies)) expect(reply.kind).toBe("page");
  });

  it("fails a page that crashes the browser while it runs alone", async () => {
    const host = env.BROWSER_HOST.getByName("alone");
    const held = page("held");
    const reply = host.render(newRenderRequest(held), { wait: true, alone: true });
    await expect.poll(() => querySite("hits", held)).toBe(1);
    await killBrowsers();
    expect(await reply).toMatchObject({ kind: "failed", code: "render_failed", endedBrowser: true });
    await querySite("release", held);
  });

  it("only runs the renders of a blamed account alone", async () => {
    const host = env.BROWSER_HOST.getByName("blaming");
    await host.blame("guilty");
    const guilty = newRenderRequest(page("article"), { account: "guilty" });
    expect(await host.render(guilty, { wait: true })).toEqual({ kind: "lost" });
    expect(await host.render(guilty, { wait: true, alone: true })).toMatchObject({ kind: "page" });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
  });

  it("ends its renders after a deployment, while the new version renders in another browser", async () => {
    const held = page("held");
    const renderAs = (id: string, url: string) => {
      const bindings: Env = { ...env, VERSION: { id, tag: "", timestamp: "" } };
      const account = { id: "deployed", concurrentRenders: 1 };
      return renderForAccount(bindings, account, newRenderRequest(url), new AbortController().signal);
    };
    const old = renderAs("old", held);
    await expect.poll(() => querySite("hits", held)).toBe(1);
    expect(await renderAs("new", page("article"))).toMatchObject({ kind: "page" });
    await querySite("release", held);
    expect(await old).toMatchObject({ kind: "page" });
  });

  it("takes large screenshots and PDFs in turn with the other browsers of its isolate", async () => {
    const release = await LARGE_OUTPUTS.acquire(new AbortController().signal);
    const ended: string[] = [];
    const render = async (name: string, more: object) => {
      const request = { ...newRenderRequest(page("tall")), ...more };
      const reply = await env.BROWSER_HOST.getByName(`large-${name}`).render(request, { wait: true });
      ended.push(name);
      return reply.kind;
    };
    const pdf = { paper: "a4", landscape: false, background: false };
    const large = [render("screenshot", { screenshot: true }), render("pdf", { outputs: { pdf } })];
    for (const name of ["one", "two"]) await render(name, {});
    expect(ended).toEqual(["one", "two"]);
    release();
    expect(await Promise.all(large)).toEqual(["page", "page"]);
  });

  it.each([
    ["starts another browser if the first one crashed at its start", 1, { kind: "page" }],
    ["fails the render if no browser starts", Infinity, { kind: "failed", code: "render_failed" }],
  ])("%s", async (_, failures, reply) => {
    const host = env.BROWSER_HOST.getByName(`unlucky-${failures}`);
    let failed = 0;
    const fetch: Fetcher["fetch"] = async (...request) =>
      String(request[0]).includes("/v1/devtools/browser?") && failed++ < failures
        ? new Response("Failed to launch local browser via miniflare loopback (/browser/launch)", { status: 500 })
        : await env.BROWSER.fetch(...request);
    await runInDurableObject(host, (instance) => {
      (instance as unknown as { env: Env }).env = { ...env, BROWSER: { fetch } as BrowserRun };
    });
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject(reply);
    expect(failed).toBeGreaterThan(0);
  });

  it("closes the browser of its previous instance after an eviction", async () => {
    await killBrowsers();
    await expect.poll(countBrowsers).toBe(0);
    const { sessionId } = await puppeteer.acquire(env.BROWSER);
    await expect.poll(countBrowsers).toBe(1);
    const woken = env.BROWSER_HOST.getByName("woken");
    await runInDurableObject(woken, (_, state) => state.storage.put("session", sessionId));
    await evictDurableObject(woken);
    await woken.cancel("nothing");
    await expect.poll(countBrowsers).toBe(0);
  });

  it("closes its browser after a minute without work", async () => {
    await killBrowsers();
    const idle = env.BROWSER_HOST.getByName("idle");
    expect((await idle.render(newRenderRequest(page("article")), { wait: true })).kind).toBe("page");
    await expect.poll(countBrowsers).toBe(1);
    await runDurableObjectAlarm(idle);
    expect(await countBrowsers()).toBe(1); // A minute hasn't passed yet.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + BROWSER_IDLE_MS });
    await runDurableObjectAlarm(idle);
    vi.useRealTimers();
    await expect.poll(countBrowsers).toBe(0);
    // After a deployment, no code uses the object again. The platform removes an object without tables.
    const query = "SELECT name FROM sqlite_schema";
    expect(await runInDurableObject(idle, (_, { storage }) => storage.sql.exec(query).toArray())).toEqual([]);
  });
});
