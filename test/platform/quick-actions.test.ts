// Tests of renders with Quick Actions, in a stand-in that is made from their documentation.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import type { RenderedPage, RenderRequest } from "../../src/browser/protocol";
import { renderQuickly } from "../../src/browser/quick-actions";
import { renderPage } from "../../src/browser/render-client";
import { openPage } from "../../src/html/visible-page";
import { NoCapacityError } from "../../src/model/run-context";
import { newRenderRequest, page, querySite } from "../support/client";
import { QUICK_ACTION_ERRORS, type Settings } from "../support/platform/browser-settings";
import { configureBrowsers } from "../support/platform/browsers";

const QUICK: Env = { ...env, RENDER_METHOD: "quick-actions" };
const never = new AbortController().signal;

afterEach(() => configureBrowsers({}));

/** Renders a page with a Quick Action. Returns null if a session must render the page. */
async function renderWith(url: string, more: Partial<RenderRequest> = {}, settings: Partial<Settings> = {}) {
  await configureBrowsers(settings);
  return await renderQuickly(QUICK, newRenderRequest(url, more), never);
}

/** Returns a URL of a page with this markup. */
function pageOf(markup: string): string {
  return `${page("type")}?type=text/html&body=${encodeURIComponent(markup)}`;
}

describe("a Quick Action", () => {
  it("renders a page with its scripts and returns the visibility of its elements", async () => {
    const url = page("script");
    const reply = await renderWith(url, { visibility: true });
    expect(reply).toMatchObject({ kind: "page", url, status: 200, contentType: "text/html", partialLoad: false });
    const { html, visibility } = reply as RenderedPage;
    expect(html).toContain("Only a browser can read this sentence");
    expect(html).not.toContain("<!--");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(visibility).toMatch(/^\d+ \d+/);
  });

  it("finds hidden text whose style isn't in the markup", async () => {
    const script = `const sheet = new CSSStyleSheet(); sheet.replaceSync("#secret { display: none }"); document.adoptedStyleSheets = [sheet];`;
    const url = pageOf(`<!doctype html><title>A</title><p>Shown<p id="secret">Secret</p><script>${script}</script>`);
    const { html, visibility } = (await renderWith(url, { visibility: true })) as RenderedPage;
    expect(openPage(html).hidden.size).toBe(0);
    expect([...openPage(html, visibility).hidden]).toEqual([expect.objectContaining({ name: "p" })]);
  });

  it("renders a page whose policy forbids inline scripts, without the visibility", async () => {
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`;
    const reply = await renderWith(pageOf(`<html><head>${policy}</head><body><p>Strict`), { visibility: true });
    expect(reply).toMatchObject({ kind: "page", visibility: null });
    expect((reply as RenderedPage).html).not.toContain("<script");
  });

  it("reads content that a timer adds without a request", async () => {
    expect(await renderWith(page("after-timer"))).toMatchObject({ html: expect.stringContaining("Only a browser") });
  });

  it("waits for an element", async () => {
    const reply = await renderWith(page("element-late"), { waitFor: "#late" });
    expect(reply).toMatchObject({ kind: "page", html: expect.stringContaining('id="late"') });
  });

  it("returns the URL after redirects", async () => {
    const to = page("article");
    const reply = await renderWith(`${page("redirect")}?to=${encodeURIComponent(to)}`);
    expect(reply).toMatchObject({ kind: "page", url: to, status: 200 });
  });

  it("returns the URL and media type that the page reports if the response has none", async () => {
    const to = page("article");
    const reply = await renderWith(`${page("redirect")}?to=${encodeURIComponent(to)}`, {}, { hasShortMeta: true });
    expect(reply).toMatchObject({ kind: "page", url: to, status: 200, contentType: "text/html" });
  });

  it("returns the URL of the document to which a script navigates while the page loads", async () => {
    const url = page("moves-on");
    expect(await renderWith(url)).toMatchObject({ kind: "page", url: url.replace("moves-on", "article") });
  });

  it("calls a busy target once more", async () => {
    const url = `${page("busy")}?after=0`;
    expect(await renderWith(url)).toMatchObject({ kind: "page", status: 200 });
    expect(await querySite("hits", url)).toBe(2);
  });

  it("doesn't share cookies with the next one", async () => {
    const url = page("visitor");
    await renderWith(url);
    expect(await renderWith(url)).toMatchObject({ html: expect.stringMatching(/none at all.*Storage: empty/s) });
  });

  it("identifies the service", async () => {
    const reply = await renderWith(page("agent"));
    expect(reply).toMatchObject({ html: expect.stringMatching(/Chrome\/[\d.]+ Safari\/[\d.]+ \(compatible; WebData/) });
  });

  it("logs the browser time", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    await renderWith(page("article"));
    const line = lines.mock.calls.map(([text]) => JSON.parse(text)).find(({ event }) => event === "quick_action");
    lines.mockRestore();
    expect(line).toMatchObject({ outcome: "page", browser_ms: expect.any(Number) });
    expect(line.browser_ms).toBeGreaterThan(0);
  });
});

describe("a Quick Action fails", () => {
  it.for([
    ["invalid_target", "for a forbidden target", () => inject("forbidden")],
    ["invalid_target", "for a redirect to a forbidden target", () => redirectTo(inject("forbidden"))],
    ["dns_failure", "for a name that doesn't exist", () => "http://nowhere.platform.example/"],
    ["connection_failed", "for a connection that ends", () => page("reset")],
    [
      "invalid_target",
      "for a redirect to a port of another protocol",
      () => redirectTo("http://127.0.0.1:1/"),
      "127.0.0.1:1",
    ],
    ["too_many_redirects", "for endless redirects", () => page("loop")],
    ["target_http_error", "for an error status", () => `${page("status")}?code=404`],
    ["blocked_by_target", "for a block page", () => `${page("block-page")}?code=403`],
    ["unsupported_content", "for an image", () => page("pixels")],
    ["target_too_large", "for a large page", () => `${page("large")}?words=300000`],
  ] as [string, string, () => string, string?][])("with %s %s", async ([code, , toUrl, allowed]) => {
    const { allowedPrivateHosts } = newRenderRequest("");
    const hosts = [allowedPrivateHosts, allowed].filter(Boolean).join();
    expect(await renderWith(toUrl(), { allowedPrivateHosts: hosts })).toMatchObject({ kind: "failed", code });
  });

  it("with selector_not_found if the browser service finds no element", async () => {
    const settings = { quickActionErrors: [QUICK_ACTION_ERRORS.selector] };
    expect(await renderWith(page("article"), { waitFor: "#none" }, settings)).toMatchObject({
      code: "selector_not_found",
    });
  });
});

describe("a session renders", () => {
  it.for([
    ["a screenshot", page("article"), { screenshot: true }],
    ["a page through a proxy", page("article"), { proxy: {} as RenderRequest["proxy"] }],
    ["a page that isn't markup", `${page("type")}?type=application/json&body={}`, {}],
    ["a page with a meta refresh", page("refresh"), {}],
    ["a response without a document", `${page("status")}?code=204`, {}],
    ["a page that has changed built-in functions", page("changes-built-ins"), {}],
    ["a page that starts a download", page("begins-a-download"), {}],
  ] as [string, string, Partial<RenderRequest>][])("%s", async ([, url, more]) => {
    expect(await renderWith(url, more)).toBeNull();
  });

  it("a page with a script that doesn't respond", async () => {
    const url = pageOf(`<p>Before<script src="${page("never")}"></script><p>After`);
    expect(await renderWith(url)).toBeNull();
  });

  it("a page if the browser service stops the action", async () => {
    expect(await renderWith(page("article"), {}, { quickActionErrors: [QUICK_ACTION_ERRORS.timeout] })).toBeNull();
  });

  it("a page if the Quick Action fails for another reason", async () => {
    const quickActionErrors = [QUICK_ACTION_ERRORS.internal];
    await configureBrowsers({ quickActionErrors });
    expect(
      await renderPage(QUICK, { ...newRenderRequest(page("article")), concurrentRenders: 1 }, never),
    ).toMatchObject({
      kind: "page",
      status: 200,
    });
  });

  it("each page if the binding has no Quick Actions, with one warning", async () => {
    const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { LOCAL_BROWSER } = env as unknown as { LOCAL_BROWSER: BrowserRun };
    for (const url of [page("article"), page("article")]) {
      expect(await renderQuickly({ ...QUICK, BROWSER: LOCAL_BROWSER }, newRenderRequest(url), never)).toBeNull();
    }
    const lines = warnings.mock.calls.filter(([text]) => text.includes("quick_action"));
    warnings.mockRestore();
    expect(lines).toHaveLength(1);
  });
});

describe("a browser service without capacity", () => {
  const render = async (error: Settings["quickActionErrors"][number]) => {
    await configureBrowsers({ quickActionErrors: [error] });
    return renderPage(QUICK, { ...newRenderRequest(page("article")), concurrentRenders: 1 }, never);
  };

  it("is called again when its Retry-After is over", async () => {
    const error = await render({ ...QUICK_ACTION_ERRORS.rateLimit, retryAfterS: 7 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NoCapacityError);
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  it("is called again later if it has no free browser", async () => {
    await expect(render(QUICK_ACTION_ERRORS.noBrowser)).rejects.toBeInstanceOf(NoCapacityError);
  });

  it("fails the render if the browser time of the day is used up", async () => {
    await expect(render(QUICK_ACTION_ERRORS.dailyLimit)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("00:00 UTC"),
    });
  });
});

function redirectTo(url: string): string {
  return `${page("redirect")}?to=${encodeURIComponent(url)}`;
}
