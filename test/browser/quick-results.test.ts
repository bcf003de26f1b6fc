import { describe, expect, it } from "vitest";
import { ReportScript } from "../../src/browser/quick-report";
import { type QuickContent, type QuickRequest, toQuickError, toQuickPage } from "../../src/browser/quick-results";
import { parseEgressPolicy } from "../../src/net/egress";

const URL_OF_PAGE = "https://a.example/b";
const REQUEST: QuickRequest = { url: URL_OF_PAGE, waitFor: null, visibility: true, maxHtmlBytes: 1_000 };
const META: QuickContent["meta"] = {
  status: 200,
  title: "",
  finalUrl: URL_OF_PAGE,
  headers: { "content-type": "text/html; charset=utf-8" },
};
const ZIP = { headers: { "content-type": "application/zip" } };
const REPORT = { url: URL_OF_PAGE, status: 200, contentType: "text/html", isLoaded: true, visibility: "3 1" };

interface Answer {
  html?: string;
  /** The page's report, or null if its script didn't run. */
  report?: unknown;
  meta?: Partial<QuickContent["meta"]>;
  /** True if the response has only the fields of `meta` that aren't optional. */
  hasShortMeta?: boolean;
  request?: Partial<QuickRequest>;
  isInTime?: boolean;
}

/** Returns the page of a successful Quick Action. */
function read({ html = "<p>Text</p>", report = REPORT, request = {}, isInTime = true, ...answer }: Answer) {
  const known = answer.hasShortMeta ? { status: 200, title: "" } : META;
  const script = new ReportScript(null);
  const addition =
    report === null
      ? `<script id="${script.id}">${script.content}</script>`
      : `<!--${script.id}:${encodeURIComponent(JSON.stringify(report))}-->`;
  const content: QuickContent = { success: true, result: `${html}${addition}`, meta: { ...known, ...answer.meta } };
  const policy = parseEgressPolicy("", ["https://own.example"]);
  return toQuickPage({ content, request: { ...REQUEST, ...request }, policy, script, isInTime });
}

describe("the page of a Quick Action", () => {
  it("has the report's visibility, but not the report", () => {
    expect(read({})).toMatchObject({ html: "<p>Text</p>", visibility: "3 1", url: URL_OF_PAGE, status: 200 });
  });

  it("has no visibility if the script of the report couldn't run", () => {
    expect(read({ report: null })).toMatchObject({ html: "<p>Text</p>", visibility: null });
  });

  it("is left to a session if the markup is neither reported nor complete", () => {
    expect(new ReportScript(null).take("<html></html>")).toBeNull();
  });

  it("doesn't include the script that couldn't run", () => {
    const script = new ReportScript(null);
    const markup = `<head><script src="a.js"></script><script id="${script.id}">${script.content}</script></head>`;
    expect(script.take(markup)).toEqual({ html: '<head><script src="a.js"></script></head>', report: null });
  });

  it.each<[string, Answer]>([
    ["didn't finish loading", { report: { ...REPORT, isLoaded: false } }],
    ["may not have finished loading", { report: null, isInTime: false }],
    ["has navigated since its response", { report: { ...REPORT, url: "https://a.example/c" } }],
    ["has another status than its response", { report: { ...REPORT, status: 404 } }],
    ["has no known URL", { hasShortMeta: true, report: null }],
    [
      "has a media type in its report that isn't markup",
      { hasShortMeta: true, report: { ...REPORT, contentType: "text/plain" } },
    ],
    ["has an invalid report", { report: "nonsense" }],
    ["shows another document than the download", { report: { ...REPORT, url: "https://a.example/c" }, meta: ZIP }],
    ["isn't markup", { meta: { headers: { "content-type": "application/json" } } }],
    ["leads to another page", { html: '<head><meta http-equiv="refresh" content="1; url=c"></head>' }],
    ["has no status", { meta: { status: 0 } }],
    ["isn't from the web", { meta: { finalUrl: "chrome-error://chromewebdata/" } }],
  ])("is left to a session if it %s", (_, answer) => {
    expect(read(answer)).toBeNull();
  });

  it("has the URL and media type of the report if the response has none", () => {
    expect(read({ hasShortMeta: true })).toMatchObject({ url: URL_OF_PAGE, contentType: "text/html", headers: {} });
  });

  it("may differ from the response's URL in its fragment", () => {
    expect(read({ report: { ...REPORT, url: `${URL_OF_PAGE}#part` } })).toMatchObject({ url: URL_OF_PAGE });
  });

  it.each<[string, Answer]>([
    ["invalid_target", { meta: { finalUrl: "https://own.example/" } }],
    ["invalid_target", { report: { ...REPORT, url: "http://127.0.0.1/" } }],
    ["invalid_target", { meta: { redirectChain: [{ url: "http://10.0.0.1/", status: 302, headers: {} }] } }],
    ["target_too_large", { html: "x".repeat(1_001) }],
    ["target_http_error", { meta: { status: 404 }, report: { ...REPORT, status: 404 } }],
    ["unsupported_content", { meta: { headers: { "content-type": "image/png" } } }],
  ])("fails with %s: %j", (code, answer) => {
    expect(() => read(answer)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the error of a Quick Action", () => {
  const fail = (status: number, message: string, { code = 0, waitFor = null as string | null } = {}) =>
    toQuickError(status, JSON.stringify({ success: false, errors: [{ message, code }] }), {
      url: URL_OF_PAGE,
      waitFor,
    });

  it.each([
    ["net::ERR_CERT_COMMON_NAME_INVALID at https://a.example/b", 5000, "tls_failure"],
    ["net::ERR_NAME_NOT_RESOLVED at https://a.example/b", 5005, "dns_failure"],
    ["net::ERR_TOO_MANY_REDIRECTS", 5003, "too_many_redirects"],
    ["net::ERR_CONNECTION_TIMED_OUT", 5002, "target_timeout"],
    ["net::ERR_CONNECTION_REFUSED", 5008, "connection_failed"],
    ["The connection was refused.", 5008, "connection_failed"],
    ["The certificate is invalid.", 5000, "tls_failure"],
    ["Page crashed!", 0, "render_failed"],
    ["TargetCloseError", 6001, "render_failed"],
    ["net::ERR_UNSAFE_PORT", 5009, "invalid_target"],
  ])("%s (%i) is %s", (message, code, expected) => {
    expect(fail(422, message, { code })).toMatchObject({ code: expected });
  });

  it("is selector_not_found if the wait for an element ended", () => {
    const message = "Waiting failed: 30000ms exceeded";
    expect(fail(422, message, { code: 6002, waitFor: "#price" })).toMatchObject({ code: "selector_not_found" });
  });

  it.each([
    "Navigation timeout of 15000 ms exceeded",
    "net::ERR_ABORTED",
    "Execution context was destroyed",
    "Runtime.callFunctionOn timed out",
    "Unknown",
  ])("is left to a session for: %s", (message) => {
    expect(fail(422, message)).toBe("session");
  });

  it.each([400, 429, 500, 503])("isn't the page's for status %i", (status) => {
    expect(fail(status, "net::ERR_FAILED")).toBeNull();
  });

  it("is left to a session for status 408 without JSON", () => {
    expect(toQuickError(408, "Request timed out", REQUEST)).toBe("session");
  });
});
