import { describe, expect, it } from "vitest";
import type { CDPSession } from "../../src/browser/connection";
import { impersonate } from "../../src/browser/prepare-tab";
import { Tab } from "../../src/browser/tab";
import { MAX_DOCUMENT_REQUESTS, MAX_PAGE_REQUESTS, MAX_PAGE_WORKERS } from "../../src/model/page-limits";
import { parseEgressPolicy } from "../../src/net/egress";

const FRAME = "main";
const URL_OF_PAGE = "https://public.example.com/";

/** Returns a tab with a fake browser, and functions that send the browser's events. */
function setUp({ checksAddress = true, allowed = "" } = {}) {
  const listeners = new Map<string, (event: unknown) => void>();
  const session = { on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener) };
  const tab = new Tab(session as unknown as CDPSession, "context", FRAME, {
    isIsolated: false,
    skipsByUrl: false,
    checksAddress,
    quietName: "quiet",
  });
  tab.begin(parseEgressPolicy(allowed, []), {
    signal: AbortSignal.any([]),
    hasScreenshot: false,
    maxBytes: 1_000,
    proxy: null,
  });
  const request = (networkId: string, url = URL_OF_PAGE) =>
    tab.decide({
      requestId: `paused-${networkId}`,
      networkId,
      frameId: FRAME,
      resourceType: "Document",
      request: { url, method: "GET", headers: {}, initialPriority: "High", referrerPolicy: "no-referrer" },
    });
  const respond = (requestId: string, more: object = {}) =>
    listeners.get("Network.responseReceived")?.({
      requestId,
      loaderId: requestId,
      frameId: FRAME,
      type: "Document",
      response: { url: URL_OF_PAGE, status: 200, headers: {}, mimeType: "text/html", ...more },
    });
  /**
   * Returns a promise that rejects with the tab's error, which would end the render. The promise resolves if there is
   * no error.
   */
  const outcome = () => tab.until(() => true);
  const emit = (name: string, event: object) => listeners.get(name)?.(event);
  return { tab, request, respond, outcome, emit };
}

describe("a main document", () => {
  it("is accepted if the policy has checked its request", async () => {
    const { request, respond, outcome } = setUp();
    expect(request("1")).toEqual({ kind: "continue" });
    respond("1", { remoteIPAddress: "93.184.216.34" });
    await expect(outcome()).resolves.toBeUndefined();
  });

  it("is refused if its request wasn't checked", async () => {
    const { request, respond, outcome } = setUp();
    request("1");
    respond("2");
    await expect(outcome()).rejects.toMatchObject({ code: "invalid_target" });
  });

  it("is refused if it comes from the prefetch cache", async () => {
    const { request, respond, outcome } = setUp();
    request("1");
    respond("1", { fromPrefetchCache: true });
    await expect(outcome()).rejects.toMatchObject({ code: "invalid_target" });
  });

  it.each(["127.0.0.1", "10.0.0.1", "[::1]"])("is refused if its remote address is %s", async (remoteIPAddress) => {
    const { request, respond, outcome } = setUp();
    request("1");
    respond("1", { remoteIPAddress });
    await expect(outcome()).rejects.toMatchObject({
      code: "invalid_target",
      message: expect.stringContaining("resolves to a forbidden address"),
    });
  });

  it("may have any remote address behind a proxy or from an allowed host", async () => {
    const behind = setUp({ checksAddress: false });
    behind.request("1");
    behind.respond("1", { remoteIPAddress: "127.0.0.1" });
    await expect(behind.outcome()).resolves.toBeUndefined();
    const exempt = setUp({ allowed: "public.example.com:443" });
    exempt.request("1");
    exempt.respond("1", { remoteIPAddress: "127.0.0.1" });
    await expect(exempt.outcome()).resolves.toBeUndefined();
  });
});

describe("a render", () => {
  it("ends when its page crashes", async () => {
    const { emit, tab } = setUp();
    const end = tab.until(() => false);
    emit("Inspector.targetCrashed", {});
    await expect(end).rejects.toMatchObject({ code: "render_failed" });
  });

  it("ends when its page navigates too often", async () => {
    const { request, outcome } = setUp();
    for (let at = 0; at < MAX_DOCUMENT_REQUESTS; at++) request(`${at}`);
    await expect(outcome()).resolves.toBeUndefined();
    request("more");
    await expect(outcome()).rejects.toMatchObject({ code: "too_many_redirects" });
  });

  it("ends when its page makes too many requests", async () => {
    const { emit, tab, outcome } = setUp();
    const send = (requestId: number) => emit("Network.requestWillBeSent", { requestId: `${requestId}`, type: "Ping" });
    for (let at = 0; at < MAX_PAGE_REQUESTS; at++) send(at);
    await expect(outcome()).resolves.toBeUndefined();
    const end = tab.until(() => false);
    send(MAX_PAGE_REQUESTS);
    const message = "The page made more than 3000 requests.";
    await expect(end).rejects.toMatchObject({ code: "target_too_large", message });
  });

  it("ends when its page starts too many workers", async () => {
    const { tab, outcome } = setUp();
    const worker = { on: () => undefined, send: async () => undefined } as unknown as CDPSession;
    for (let at = 0; at < MAX_PAGE_WORKERS; at++) await tab.addWorker(worker, `${at}`);
    await expect(outcome()).resolves.toBeUndefined();
    const end = tab.until(() => false);
    await tab.addWorker(worker, "more");
    const message = "The page started more than 30 workers.";
    await expect(end).rejects.toMatchObject({ code: "target_too_large", message });
  });

  it("ends when its document is too large", async () => {
    const { request, respond, outcome, emit } = setUp();
    request("1");
    respond("1");
    emit("Network.dataReceived", { requestId: "2", dataLength: 5_000 });
    emit("Network.dataReceived", { requestId: "1", dataLength: 1_000 });
    await expect(outcome()).resolves.toBeUndefined();
    emit("Network.dataReceived", { requestId: "1", dataLength: 1 });
    await expect(outcome()).rejects.toMatchObject({ code: "target_too_large" });
  });

  it("ends when the signal is aborted", async () => {
    const { tab } = setUp();
    const controller = new AbortController();
    const end = tab.until(() => false, controller.signal);
    controller.abort(new Error("Canceled."));
    await expect(end).rejects.toThrow("Canceled.");
  });

  it("continues when its condition is met", async () => {
    const { tab, emit } = setUp();
    const end = tab.until(() => tab.main.isLoaded);
    emit("Page.frameNavigated", { frame: { id: FRAME, loaderId: "1" } });
    emit("Page.lifecycleEvent", { frameId: "other", loaderId: "1", name: "load" });
    expect(tab.main.isLoaded).toBe(false);
    emit("Page.lifecycleEvent", { frameId: FRAME, loaderId: "1", name: "load" });
    await expect(end).resolves.toBeUndefined();
  });

  it("clears a refusal when its page shows another document", () => {
    const { tab, emit, request } = setUp();
    request("1", "http://127.0.0.1/");
    expect(tab.refused).toContain("127.0.0.1");
    emit("Page.frameNavigated", { frame: { id: FRAME, loaderId: "1", unreachableUrl: "http://127.0.0.1/" } });
    expect(tab.refused).not.toBeNull();
    emit("Page.frameNavigated", { frame: { id: "other", loaderId: "2" } });
    expect(tab.refused).not.toBeNull();
    emit("Page.frameNavigated", { frame: { id: FRAME, loaderId: "3" } });
    expect(tab.refused).toBeNull();
  });
});

describe("the activity of a page", () => {
  it("includes its requests, navigations and frames", () => {
    const { tab, emit } = setUp();
    const send = (requestId: string, type: string) =>
      emit("Network.requestWillBeSent", { requestId, loaderId: "0", type, request: { url: URL_OF_PAGE } });
    send("1", "Script");
    emit("Page.frameStartedLoading", { frameId: "child" });
    emit("Page.frameStartedLoading", { frameId: FRAME });
    expect([tab.activity.count, tab.pending.size]).toEqual([2, 2]);
    emit("Page.frameStoppedLoading", { frameId: "child" });
    emit("Network.loadingFinished", { requestId: "1" });
    expect([tab.activity.count, tab.pending.size]).toEqual([2, 0]);
    emit("Page.frameStartedLoading", { frameId: "child" });
    emit("Page.frameDetached", { frameId: "child" });
    send("2", "Image");
    emit("Network.loadingFailed", { requestId: "2" });
    expect([tab.activity.count, tab.pending.size]).toEqual([4, 0]);
    emit("Page.frameStartedLoading", { frameId: "child" });
    emit("Page.frameNavigated", { frame: { id: FRAME, loaderId: "1" } });
    expect([tab.activity.count, tab.pending.size]).toEqual([6, 0]);
  });
});

describe("a tab", () => {
  it.each([
    ["alert", false],
    ["beforeunload", true],
  ])("closes a dialog of the type %s, accepting it: %s", async (type, accept) => {
    const listeners = new Map<string, (event: unknown) => void>();
    const sent: unknown[] = [];
    const session = {
      on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
      send: async (...command: unknown[]) => sent.push(command),
    };
    new Tab(session as unknown as CDPSession, "context", FRAME, {
      isIsolated: false,
      skipsByUrl: false,
      checksAddress: true,
      quietName: "quiet",
    });
    listeners.get("Page.javascriptDialogOpening")?.({ type });
    expect(sent).toEqual([["Page.handleJavaScriptDialog", { accept }]]);
  });

  it.each([
    [true, 1],
    [false, 0.05],
  ])("with a screenshot: %s, paints the page at the scale %d", async (hasScreenshot, scale) => {
    const sent: [string, object][] = [];
    const session = { on: () => undefined, send: async (...command: [string, object]) => sent.push(command) };
    const tab = new Tab(session as unknown as CDPSession, "c", FRAME, {
      isIsolated: false,
      skipsByUrl: false,
      checksAddress: true,
      quietName: "quiet",
    });
    tab.begin(parseEgressPolicy("", []), { signal: AbortSignal.any([]), hasScreenshot, maxBytes: 1, proxy: null });
    await tab.layOut({ width: 800, height: 600 });
    expect(sent).toEqual([
      [
        "Emulation.setDeviceMetricsOverride",
        expect.objectContaining({ width: 800, height: 600, mobile: false, scale }),
      ],
    ]);
  });

  it("has the user agent, language, viewport and cookies of its visit", async () => {
    const sent = new Map<string, object>();
    const session = { on: () => undefined, send: async (name: string, options: object) => sent.set(name, options) };
    const tab = new Tab(session as unknown as CDPSession, "c", FRAME, {
      isIsolated: false,
      skipsByUrl: false,
      checksAddress: true,
      quietName: "quiet",
    });
    const viewport = { width: 400, height: 800 };
    const visit = {
      userAgent: "agent",
      acceptLanguage: "de",
      viewport,
      isMobile: true,
      until: { selector: "p", forMs: 1 },
    };
    await impersonate(tab, { ...visit, cookies: [] }, URL_OF_PAGE);
    expect(sent.get("Network.setUserAgentOverride")).toEqual({ userAgent: "agent", acceptLanguage: "de" });
    expect(sent.get("Emulation.setDeviceMetricsOverride")).toMatchObject({ ...viewport, mobile: true });
    expect(sent.has("Network.setCookies")).toBe(false);
    await impersonate(tab, { ...visit, cookies: [{ name: "a", value: "b" }] }, URL_OF_PAGE);
    expect(sent.get("Network.setCookies")).toEqual({ cookies: [{ name: "a", value: "b", url: URL_OF_PAGE }] });
  });
});
