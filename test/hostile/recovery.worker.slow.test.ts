import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { RenderReply } from "../../src/browser/protocol";
import { LOAD_MAX_MS, RENDER_TIMEOUT_MS } from "../../src/model/page-limits";
import { countBrowsers } from "../support/browsers";
import { newRenderRequest, page, querySite } from "../support/client";
import { WORDS } from "../support/hostile/article";
import { type Case, hostileUrl, PAGE, scrapeCase, toExpected } from "./check";

afterEach(() => vi.restoreAllMocks());

const renderIn = async (name: string, url: string): Promise<RenderReply> =>
  await env.BROWSER_HOST.getByName(name).render(newRenderRequest(url), { wait: true });

it("renders a normal page after ten hostile pages, in the same browser", async () => {
  const codes: (string | undefined)[] = [];
  const hostilePages = [
    "crash",
    "away-for-ever",
    "alert-often",
    "windows",
    "download-by-blob",
    "history-for-ever",
    "throws",
    "before-unload-blocks",
    "sabotage",
    "endless",
  ];
  const before = await countBrowsers();
  for (const behavior of hostilePages) {
    const reply = await renderIn("sequential", hostileUrl(behavior));
    codes.push(reply.kind === "failed" ? reply.code : reply.kind);
  }
  expect(codes).toEqual([
    "render_failed",
    "too_many_redirects",
    "page",
    "page",
    "page",
    "page",
    "page",
    "page",
    "page",
    "target_too_large",
  ]);
  expect(await renderIn("sequential", hostileUrl("article"))).toMatchObject({
    kind: "page",
    html: expect.stringContaining(WORDS),
  });
  expect(await countBrowsers()).toBe(before + 1);
});

it("completes the other renders of the browser when a page crashes its renderer", async () => {
  const held = [page("held"), page("held")];
  const otherRenders = held.map((url) => renderIn("shared", url));
  for (const url of held) await expect.poll(() => querySite("hits", url)).toBe(1);
  const before = await countBrowsers();
  expect(await renderIn("shared", hostileUrl("crash-later"))).toMatchObject({ kind: "failed", code: "render_failed" });
  for (const url of held) await querySite("release", url);
  for (const reply of await Promise.all(otherRenders)) expect(reply.kind).toBe("page");
  // The browser survived, so neither page was requested again.
  for (const url of held) expect(await querySite("hits", url)).toBe(1);
  expect(await countBrowsers()).toBe(before);
});

describe("a page that uses a whole core", () => {
  it.each<{ limit: number; shortLimit: number; row: Case }>([
    {
      limit: RENDER_TIMEOUT_MS,
      shortLimit: 20_000,
      row: ["an endless script", "endless-script", "target_timeout", { js_render: true }],
    },
    {
      limit: LOAD_MAX_MS,
      shortLimit: 2_000,
      row: ["endlessly nested frames with the same page", "frames-of-itself", PAGE, { js_render: true }],
    },
  ])("is read or ended at a time limit: $row.0", async ({ limit, shortLimit, row }) => {
    const createTimeout = AbortSignal.timeout.bind(AbortSignal);
    // Shortens only the limit that the page reaches. The mock also affects the BrowserHost, because the Durable Object
    // runs in the same global scope as the test.
    if (!inject("fullLimits"))
      vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => createTimeout(ms === limit ? shortLimit : ms));
    expect(await scrapeCase("Browser: slow pages", row)).toEqual(toExpected(row));
  });
});
