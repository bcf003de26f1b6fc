import { describe, expect, it } from "vitest";
import { BrowserRefusedError, isLaunchFailure } from "../../src/browser/acquire";
import { toSnapshot } from "../../src/browser/evaluate";
import { BrowserLostError, CancelledError, LaunchError, toReply, toTimeoutError } from "../../src/browser/host-errors";
import { MainDocument } from "../../src/browser/main-document";
import {
  checkReached,
  checkResponse,
  explainRenderError,
  toNavigationError,
} from "../../src/browser/navigation-errors";
import { RenderError, type RenderRequest } from "../../src/browser/protocol";
import { NoSlotError } from "../../src/browser/render-slots";
import type { Tab } from "../../src/browser/tab";

const URL_OF_PAGE = "https://a.example/b";

interface PageResponse {
  status?: number;
  mimeType?: string;
}

/** Returns the state of a tab after a response. */
function tabWith(response: PageResponse | null, more: Partial<Pick<Tab, "refused" | "failure">> = {}): Tab {
  const main = new MainDocument();
  if (response !== null) {
    const { status = 200, mimeType = "text/html" } = response;
    const event = { requestId: "1", loaderId: "1", response: { status, mimeType, url: URL_OF_PAGE, headers: {} } };
    main.onResponse(event as unknown as Parameters<MainDocument["onResponse"]>[0]);
    main.onNavigated({ loaderId: "1" } as Parameters<MainDocument["onNavigated"]>[0]);
  }
  return { main, refused: null, failure: null, proxy: null, ...more } as unknown as Tab;
}

describe("a failed navigation", () => {
  it.each([
    ["net::ERR_NAME_NOT_RESOLVED", "dns_failure"],
    ["net::ERR_DNS_TIMED_OUT", "dns_failure"],
    ["net::ERR_CERT_DATE_INVALID", "tls_failure"],
    ["net::ERR_SSL_PROTOCOL_ERROR", "tls_failure"],
    ["net::ERR_UNSAFE_REDIRECT", "invalid_target"],
    ["net::ERR_TOO_MANY_REDIRECTS", "too_many_redirects"],
    ["net::ERR_TIMED_OUT", "target_timeout"],
    ["net::ERR_CONNECTION_TIMED_OUT", "target_timeout"],
    ["net::ERR_ABORTED", "unsupported_content"],
    ["net::ERR_CONNECTION_REFUSED", "connection_failed"],
    ["net::ERR_SOCKS_CONNECTION_FAILED", "connection_failed"],
    ["net::ERR_HTTP_RESPONSE_CODE_FAILURE", "connection_failed"],
  ])("with %s is %s", (text, code) => {
    const error = toNavigationError(text, tabWith(null), URL_OF_PAGE);
    expect(error.code).toBe(code);
    expect(error.message).toContain("a.example");
  });

  it("doesn't name the filtering proxy", () => {
    const { message } = toNavigationError("net::ERR_SOCKS_CONNECTION_HOST_UNREACHABLE", tabWith(null), URL_OF_PAGE);
    expect(message).toBe("The connection to a.example failed.");
  });

  it.each([
    [404, false],
    [429, true],
    [500, true],
    [503, true],
  ])("with status %i and no body is target_http_error, retryable: %s", (status, retryable) => {
    const error = toNavigationError("net::ERR_HTTP_RESPONSE_CODE_FAILURE", tabWith({ status }), URL_OF_PAGE);
    expect(error).toMatchObject({ code: "target_http_error", retryable });
    expect(error.message).toContain(`status ${status}`);
  });

  it("isn't explained by a DNS query if its cause is known", async () => {
    const error = toNavigationError("net::ERR_CONNECTION_REFUSED", tabWith(null), URL_OF_PAGE);
    expect(await explainRenderError(error, "http://127.0.0.1:1/")).toBe(error);
  });

  it("has the reason of the policy before other errors", () => {
    const failure = new RenderError("dns_failure", "No name.");
    const tab = tabWith(null, { refused: "Not allowed.", failure });
    expect(toNavigationError("net::ERR_ABORTED", tab, URL_OF_PAGE)).toMatchObject({
      code: "invalid_target",
      message: "Not allowed.",
    });
    expect(toNavigationError("net::ERR_ABORTED", tabWith(null, { failure }), URL_OF_PAGE)).toBe(failure);
  });
});

describe("a page", () => {
  it.each([
    [399, null],
    [400, "target_http_error"],
    [404, "target_http_error"],
  ])("with status %i is the error %s", (status, code) => {
    const check = () => checkResponse(tabWith({ status }));
    if (code === null) expect(check).not.toThrow();
    else expect(check).toThrow(`a.example responded with status ${status}.`);
  });

  it.each([
    "text/plain",
    "image/svg+xml",
    "application/json",
    "application/xhtml+xml",
    "application/ld+json",
    "application/xml",
    "",
  ])("of the type %j is accepted", (mimeType) => {
    expect(() => checkResponse(tabWith({ mimeType }))).not.toThrow();
  });

  it.each(["image/png", "application/pdf", "video/mp4"])("of the type %s is refused", (mimeType) => {
    expect(() => checkResponse(tabWith({ mimeType }))).toThrow(`The page's media type is ${mimeType}`);
  });

  it("that navigated to an unreachable page is refused", () => {
    const tab = tabWith({});
    tab.main.onNavigated({ loaderId: "2", unreachableUrl: "https://b.example/c" } as never);
    expect(() => checkReached(tab)).toThrow("The page navigated to b.example, which could not be reached.");
    expect(() => checkReached({ ...tab, main: tab.main, refused: "Not allowed." } as Tab)).toThrow("Not allowed.");
    tab.main.onNavigated({ loaderId: "3" } as never);
    expect(() => checkReached(tab)).not.toThrow();
  });

  it("whose name can't be resolved is refused", () => {
    expect(() => checkReached(tabWith(null, { failure: new RenderError("dns_failure", "No name.") }))).toThrow(
      "No name.",
    );
  });
});

describe("the reply to a failed render", () => {
  const request = { id: "1" } as RenderRequest;

  it.each([
    [new RenderError("target_timeout", "Late."), { kind: "failed", code: "target_timeout", message: "Late." }],
    [
      new RenderError("target_http_error", "Busy.", { retryable: false }),
      { kind: "failed", code: "target_http_error", message: "Busy.", retryable: false },
    ],
    [
      new RenderError("target_http_error", "Busy.", { retryable: true, targetBusy: { retryAfterMs: 5_000 } }),
      {
        kind: "failed",
        code: "target_http_error",
        message: "Busy.",
        retryable: true,
        targetBusy: { retryAfterMs: 5_000 },
      },
    ],
    [new BrowserLostError("Gone."), { kind: "lost" }],
    [new CancelledError("Gone."), { kind: "full", message: "Gone." }],
    [new NoSlotError("Full."), { kind: "full", message: "Full." }],
    [new LaunchError("Limit."), { kind: "full", message: "Limit." }],
    [new Error("secret"), { kind: "failed", code: "render_failed", message: "The page could not be rendered." }],
  ])("%s", (error, expected) => {
    expect(toReply(error, request)).toEqual(expected);
  });

  it("passes on when the browser service may start a browser again", () => {
    const cause = new BrowserRefusedError("429", { retryAfterMs: 20_000, isDailyLimit: false });
    const reply = toReply(new LaunchError("Limit.", { cause }), request);
    expect(reply).toEqual({ kind: "full", message: "Limit.", retryAfterMs: 20_000 });
  });

  it("says that the browser time of the day is used up", () => {
    const cause = new BrowserRefusedError("429", { retryAfterMs: 20_000, isDailyLimit: true });
    expect(toReply(new LaunchError("Limit.", { cause }), request)).toMatchObject({
      kind: "failed",
      code: "unavailable",
      message: expect.stringContaining("00:00 UTC"),
    });
  });

  it("explains how to install a browser", () => {
    const cause = new Error("Failed to launch local browser: not found");
    expect(toReply(new LaunchError("x", { cause }), request)).toMatchObject({
      kind: "failed",
      code: "render_failed",
      message: expect.stringContaining("CHROME_PATH"),
    });
    expect([isLaunchFailure(cause), isLaunchFailure(new Error("limit")), isLaunchFailure("x")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    [true, "target_timeout"],
    [false, "render_failed"],
  ])("blames the target only if the render had a tab: %s", (hasTab, code) => {
    expect(toTimeoutError({ hasTab }).code).toBe(code);
  });
});

describe("a snapshot", () => {
  const refresh = { content: "0;url=/c", base: URL_OF_PAGE, url: URL_OF_PAGE };

  it.each([
    [`${JSON.stringify(refresh)}\n<p>a\nb`, { html: "<p>a\nb", refresh, hasLate: false, hasClosedFrames: false }],
    [`+${JSON.stringify(refresh)}\n<p>a`, { html: "<p>a", refresh, hasLate: true, hasClosedFrames: false }],
    ["+#\n<p>a", { html: "<p>a", refresh: null, hasLate: true, hasClosedFrames: true }],
    ["+\n<p>a", { html: "<p>a", refresh: null, hasLate: true, hasClosedFrames: false }],
    ["null\n<p>a", { html: "<p>a", refresh: null, hasLate: false, hasClosedFrames: false }],
    [
      `${JSON.stringify({ ...refresh, base: 5 })}\n<p>a`,
      { html: "<p>a", refresh: null, hasLate: false, hasClosedFrames: false },
    ],
    ["{broken\n", { html: "", refresh: null, hasLate: false, hasClosedFrames: false }],
    ["<p>a", null],
    [5, null],
    [undefined, null],
  ])("of %j is read", (text, expected) => {
    expect(toSnapshot(text)).toEqual(expected);
  });
});
