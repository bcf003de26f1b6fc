import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderPage } from "../../src/browser/render-client";
import { killBrowsers, stopBrowsers } from "../support/browsers";
import { createClient, newRenderRequest, page, querySite, read, request } from "../support/client";
import { interceptCommands } from "../support/commands";
import { recordLines } from "../support/lines";

afterEach(() => vi.restoreAllMocks());

describe("a browser that stops responding", () => {
  it("is reported by its host and by the readiness check", async () => {
    const host = env.BROWSER_HOST.getByName("browser-0");
    expect(await host.check()).toBe("idle");
    expect(await host.render(newRenderRequest(page("article")), { wait: true })).toMatchObject({ kind: "page" });
    expect(await host.check()).toBe("ok");
    await stopBrowsers();
    const ready = await (await request("/health/ready")).json<{ data: { browser: string } }>();
    expect(ready.data.browser).not.toBe("ok");
    const order = { ...newRenderRequest(page("article")), account: "next", concurrentRenders: 4 };
    expect(await renderPage(env, order, new AbortController().signal)).toMatchObject({ kind: "page" });
    await killBrowsers();
  });

  it("is replaced, and its renders are retried alone", async () => {
    const lines = recordLines();
    const held = page("held");
    const order = { ...newRenderRequest(held), account: "unlucky", concurrentRenders: 4 };
    const renders = ["one", "two"].map((id) => renderPage(env, { ...order, id }, new AbortController().signal));
    await expect.poll(() => querySite("hits", held), { timeout: 20_000 }).toBe(2);
    expect(await stopBrowsers()).toBeGreaterThan(0);
    for (let hits = 3; hits <= 4; hits++) {
      await expect.poll(() => querySite("hits", held), { timeout: 20_000 }).toBe(hits);
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

describe("a message of more than 32 MiB", () => {
  it("only fails the page that causes it", async () => {
    const lines = recordLines();
    const render = (url: string, account: string) =>
      renderPage(env, { ...newRenderRequest(url), account, concurrentRenders: 4 }, new AbortController().signal);
    const held = page("held");
    const other = render(held, "innocent");
    await expect.poll(() => querySite("hits", held), { timeout: 20_000 }).toBe(1);
    const large = expect(render(page("large-data-image"), "guilty")).rejects.toMatchObject({ code: "render_failed" });
    await expect.poll(() => querySite("hits", held), { timeout: 20_000 }).toBe(2);
    await querySite("release", held);
    expect(await other).toMatchObject({ kind: "page" });
    await large;
    expect(lines.of("browser_ended_by_page")).toMatchObject([{ account_id: "guilty" }]);
    // The guilty account's next render must not affect other accounts. It runs only while no other render is running.
    const again = env.BROWSER_HOST.getByName("browser-0").render(
      newRenderRequest(page("article"), { account: "guilty" }),
      {
        wait: true,
      },
    );
    expect(await again).toEqual({ kind: "lost" });
    const next = await Promise.all(Array.from({ length: 6 }, () => render(page("article"), "guilty")));
    expect(next.map(({ kind }) => kind)).toEqual(Array(6).fill("page"));
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

describe("a page that starts too many workers", () => {
  it("fails with an error that names the limit", async () => {
    const { scrape } = await createClient();
    const response = await scrape({ url: page("endless-workers"), wait_for: "#never" });
    const { error } = await read(response);
    expect([response.status, error.code, error.message]).toEqual([
      422,
      "target_too_large",
      "The page started more than 30 workers.",
    ]);
  });
});

describe("a page that makes too many requests", () => {
  it("fails with an error that names the limit", async () => {
    const { scrape } = await createClient();
    const response = await scrape({ url: page("endless-requests"), wait_for: "#never" });
    const { error } = await read(response);
    expect([response.status, error.code, error.message]).toEqual([
      422,
      "target_too_large",
      "The page made more than 3000 requests.",
    ]);
  });
});
