// Tests of Quick Actions with responses that the stand-in of test/support/platform doesn't give.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RenderReply } from "../../src/browser/protocol";
import { renderQuickly } from "../../src/browser/quick-actions";

const URL_OF_PAGE = "https://a.example/b";
const HTML = "<html><head></head><body><p>Text</p></body></html>";
const MAX_BYTES = 1_000;

beforeEach(() => {
  for (const method of ["log", "warn"] as const) vi.spyOn(console, method).mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

/** Renders a page with a Quick Action that has this response. Returns null if a session must render the page. */
async function renderWith(
  toResponse: () => Response | Promise<Response>,
  waitFor: string | null = null,
): Promise<RenderReply | null> {
  const BROWSER = {
    quickAction: async (_: string, { addScriptTag: [script] }: { addScriptTag: [{ id: string; content: string }] }) =>
      withScript(await toResponse(), `<script id="${script.id}">${script.content}</script>`),
    fetch: async () => Response.json({}),
  } as unknown as BrowserRun;
  const env = { RENDER_METHOD: "quick-actions", USER_AGENT: "Test", BROWSER } as unknown as Env;
  const request = {
    ...{ id: "1", account: "a", url: URL_OF_PAGE, waitFor, maxHtmlBytes: MAX_BYTES, allowedPrivateHosts: "" },
    ...{ ownOrigins: [], screenshot: false, visibility: false, proxy: null, visit: null },
  };
  return await renderQuickly(env, request, new AbortController().signal);
}

/** Returns the response of a page whose policy forbids inline scripts: the script is in its markup. */
async function withScript(response: Response, script: string): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  return new Response(text.replace("</body>", JSON.stringify(`${script}</body>`).slice(1, -1)), { status, headers });
}

function toSuccess(result: unknown, meta: unknown): Response {
  return Response.json({ success: true, result, meta });
}

function toFailure(status: number, message: string, more: { code?: number; retryAfter?: string } = {}): Response {
  const headers = more.retryAfter === undefined ? {} : { "retry-after": more.retryAfter };
  return Response.json({ success: false, errors: [{ message, code: more.code }] }, { status, headers });
}

describe("a Quick Action", () => {
  it("that doesn't end leaves the page to a session", async () => {
    vi.useFakeTimers();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new Error("late")), ms);
      return late.signal;
    });
    const reply = renderWith(() => new Promise<never>(() => {}));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await reply).toBeNull();
    expect(timeout).toHaveBeenCalled();
    vi.useRealTimers();
  });

  it("whose headers have names in upper case is read like any other", async () => {
    const headers = { "Content-Type": "text/html; charset=utf-8", "X-Frame-Options": "DENY" };
    expect(await renderWith(() => toSuccess(HTML, { status: 200, finalUrl: URL_OF_PAGE, headers }))).toMatchObject({
      kind: "page",
      contentType: "text/html",
      headers: { "content-type": "text/html; charset=utf-8", "x-frame-options": "DENY" },
    });
  });

  it.for([1.5, 5])(
    "whose markup has $0 times the maximum size fails with the maximum in its message",
    async (times) => {
      const meta = { status: 200, finalUrl: URL_OF_PAGE };
      expect(await renderWith(() => toSuccess(`<body>${"x".repeat(times * MAX_BYTES)}</body>`, meta))).toMatchObject({
        code: "target_too_large",
        message: "The rendered page is larger than 1000 bytes.",
      });
    },
  );

  it.for([
    { code: "tls_failure", why: "422", toResponse: () => toFailure(422, "net::ERR_CERT_DATE_INVALID", { code: 5000 }) },
    { code: "render_failed", why: "422", toResponse: () => toFailure(422, "TargetCloseError", { code: 6001 }) },
    { code: "unavailable", why: "429", toResponse: () => toFailure(429, "Browser time limit exceeded for today") },
  ])("fails with $code after status $why", async ({ code, toResponse }) => {
    expect(await renderWith(toResponse)).toMatchObject({ kind: "failed", code });
  });

  it.for([
    { status: 429, retryAfter: "5", ms: 5_000 },
    { status: 429, retryAfter: "soon", ms: 15_000 },
    { status: 503, retryAfter: "99999999", ms: 3_600_000 },
  ])("is postponed after status $status with Retry-After: $retryAfter", async ({ status, retryAfter, ms }) => {
    const reply = await renderWith(() => toFailure(status, "Rate limit exceeded", { retryAfter }));
    expect(reply).toMatchObject({ kind: "full", retryAfterMs: ms });
  });

  it.for<[string, () => Response]>([
    ["an invalid request", () => toFailure(400, "Bad Request")],
    ["a timeout", () => toFailure(408, "Request timed out")],
    ["a failed authentication", () => toFailure(401, "Authentication failed", { code: 10_000 })],
    ["a request that is too large", () => toFailure(413, "Error: request entity too large")],
    ["an internal error", () => toFailure(500, "Internal Error", { code: 2000 })],
    ["an error page", () => new Response("error code: 520", { status: 520 })],
    ["an unknown error of the page", () => toFailure(422, "Something else")],
    ["an error without JSON", () => new Response("<html>", { status: 422 })],
    ["an error without a list", () => Response.json({ errors: null }, { status: 422 })],
    ["an empty list of errors", () => Response.json({ errors: [] }, { status: 422 })],
    ["no body", () => new Response(null)],
    ["null", () => new Response("null")],
    ["HTML", () => new Response(HTML)],
    ["no meta", () => Response.json({ success: true, result: HTML })],
    ["no markup", () => toSuccess(null, { status: 200, finalUrl: URL_OF_PAGE })],
    ["no status", () => toSuccess(HTML, { status: 0, finalUrl: URL_OF_PAGE })],
    ["a status as text", () => toSuccess(HTML, { status: "200", finalUrl: URL_OF_PAGE })],
    ["headers of null", () => toSuccess(HTML, { status: 200, finalUrl: URL_OF_PAGE, headers: null })],
    ["a local file", () => toSuccess(HTML, { status: 200, finalUrl: "file:///etc/passwd" })],
  ])("leaves the page to a session after %s", async ([, toResponse]) => {
    expect(await renderWith(toResponse)).toBeNull();
  });
});
