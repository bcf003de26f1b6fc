import type { Protocol } from "devtools-protocol";
import { describe, expect, it } from "vitest";
import type { CDPSession, Connection } from "../../src/browser/connection";
import { Interception } from "../../src/browser/interception";
import type { PageProxy } from "../../src/browser/page-proxy";
import { RenderError } from "../../src/browser/protocol";
import { SiteHeaders } from "../../src/browser/site-headers";
import { Tab } from "../../src/browser/tab";
import { parseEgressPolicy } from "../../src/net/egress";

type Paused = Protocol.Fetch.RequestPausedEvent;

const PAGE = "https://public.example/";

function openTab(frameId: string): Tab {
  const session = { on: () => undefined } as unknown as CDPSession;
  return new Tab(session, "context", frameId, {
    isIsolated: false,
    skipsByUrl: false,
    checksAddress: true,
    quietName: "quiet",
  });
}

function begin(tab: Tab, proxy: Partial<PageProxy> | null = null, hasScreenshot = false): void {
  tab.begin(parseEgressPolicy("", []), {
    signal: AbortSignal.any([]),
    hasScreenshot,
    maxBytes: 1_000,
    proxy: proxy as PageProxy | null,
  });
}

/** Sends a paused request to the interception, and returns the command that answers it. */
function intercept(interception: Interception, more: Partial<Paused> & { url?: string }) {
  const { url = PAGE, ...event } = more;
  return new Promise<{ method: string; options: Record<string, unknown> }>((resolve) => {
    const connection = {
      send: async (method: string, options: Record<string, unknown>) => resolve({ method, options }),
    } as unknown as Connection;
    const request = {
      url,
      method: "GET",
      headers: {},
      initialPriority: "High",
      referrerPolicy: "no-referrer",
    } as const;
    interception.onRequest({ requestId: "1", frameId: "a", resourceType: "Script", request, ...event }, connection);
  });
}

function setUp() {
  const interception = new Interception({ resolver: "", network: "checked" });
  const tab = openTab("a");
  interception.addTab(tab);
  return { interception, tab };
}

describe("a request", () => {
  it("is continued if the policy allows it", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    const { method, options } = await intercept(interception, {});
    expect([method, options]).toEqual(["Fetch.continueRequest", { requestId: "1", interceptResponse: false }]);
  });

  it("for a document is continued, and its response is intercepted", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    const { options } = await intercept(interception, { resourceType: "Document" });
    expect(options).toEqual({ requestId: "1", interceptResponse: true });
  });

  it.each(["http://127.0.0.1/", "http://[::1]/", "file:///etc/hosts"])("for %s fails", async (url) => {
    const { interception, tab } = setUp();
    begin(tab);
    const { method, options } = await intercept(interception, { url });
    expect([method, options]).toEqual(["Fetch.failRequest", { requestId: "1", errorReason: "BlockedByClient" }]);
  });

  it("fails before the tab's render begins", async () => {
    const { interception } = setUp();
    expect((await intercept(interception, {})).method).toBe("Fetch.failRequest");
  });

  it.each([
    ["Image", "Fetch.fulfillRequest"],
    ["Media", "Fetch.failRequest"],
    ["Font", "Fetch.failRequest"],
    ["Stylesheet", "Fetch.continueRequest"],
  ] as const)("of the type %s is answered by %s if there is no screenshot", async (resourceType, expected) => {
    const { interception, tab } = setUp();
    begin(tab);
    const { method, options } = await intercept(interception, { resourceType });
    expect(method).toBe(expected);
    if (resourceType === "Image") expect(options.responseCode).toBe(200);
  });

  it.each(["Image", "Media", "Font"] as const)("of the type %s is continued for a screenshot", async (resourceType) => {
    const { interception, tab } = setUp();
    begin(tab, null, true);
    expect((await intercept(interception, { resourceType })).method).toBe("Fetch.continueRequest");
  });
});

describe("the main document of a tab with a stored response", () => {
  const responseHeaders = [
    { name: "content-type", value: "text/html" },
    { name: "link", value: "<https://private.example/>; rel=prefetch" },
  ];

  it("is answered once with it, without headers that start background requests", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    tab.replay = { url: PAGE, responseCode: 200, responseHeaders, body: "PHA+" };
    const document = { resourceType: "Document" } as const;
    expect((await intercept(interception, {})).method).toBe("Fetch.continueRequest");
    expect(await intercept(interception, document)).toEqual({
      method: "Fetch.fulfillRequest",
      options: { requestId: "1", responseCode: 200, responseHeaders: responseHeaders.slice(0, 1), body: "PHA+" },
    });
    expect((await intercept(interception, document)).method).toBe("Fetch.continueRequest");
  });

  it("is continued if it is another document", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    tab.replay = { url: PAGE, responseCode: 200, responseHeaders, body: "PHA+" };
    const { method } = await intercept(interception, { resourceType: "Document", url: `${PAGE}other` });
    expect(method).toBe("Fetch.continueRequest");
  });

  it("is still refused if the policy doesn't allow its URL", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    tab.replay = { url: PAGE, responseCode: 200, responseHeaders, body: "PHA+" };
    const { method } = await intercept(interception, { resourceType: "Document", url: "http://127.0.0.1/" });
    expect(method).toBe("Fetch.failRequest");
  });
});

describe("a request of an unknown frame", () => {
  const frameId = "unknown";

  it("fails if no render is running", async () => {
    const { interception } = setUp();
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.failRequest");
  });

  it("is continued if every running render allows it", async () => {
    const { interception, tab } = setUp();
    interception.addTab(openTab("b"));
    begin(tab);
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.continueRequest");
  });

  it("fails if one running render doesn't allow it", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    const other = openTab("b");
    interception.addTab(other);
    other.begin(parseEgressPolicy("", ["https://public.example"]), {
      signal: AbortSignal.any([]),
      hasScreenshot: false,
      maxBytes: 1,
      proxy: null,
    });
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.failRequest");
  });

  it("fails if the running renders have different proxies", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    const other = openTab("b");
    interception.addTab(other);
    begin(other, { fetchSubresource: async () => ({ requestId: "1", responseCode: 200 }) });
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.failRequest");
  });

  it("belongs to the tab that the frame is assigned to", async () => {
    const { interception, tab } = setUp();
    begin(tab);
    const other = openTab("b");
    interception.addTab(other);
    interception.addFrame(frameId, other);
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.failRequest");
    interception.removeFrame(frameId);
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.continueRequest");
    interception.addFrame(frameId, other);
    interception.removeTab(other);
    expect((await intercept(interception, { frameId })).method).toBe("Fetch.continueRequest");
  });
});

describe("a request through a proxy", () => {
  const fulfilled = (body: string) => async () => ({ requestId: "1", responseCode: 200, body });

  it.each([
    ["Document", "document"],
    ["Script", "subresource"],
  ] as const)("for a %s is fulfilled with the %s", async (resourceType, body) => {
    const { interception, tab } = setUp();
    begin(tab, { fetchDocument: fulfilled("document"), fetchSubresource: fulfilled("subresource") });
    const { method, options } = await intercept(interception, { resourceType });
    expect([method, options.body]).toEqual(["Fetch.fulfillRequest", body]);
  });

  it("fails with the proxy's error", async () => {
    const { interception, tab } = setUp();
    const error = new RenderError("connection_failed", "The proxy failed.");
    begin(tab, { fetchDocument: () => Promise.reject(error) });
    const { method, options } = await intercept(interception, { resourceType: "Document" });
    expect([method, options.errorReason, tab.failure]).toEqual(["Fetch.failRequest", "Failed", error]);
  });
});

describe("the response of a document", () => {
  const answer = (responseHeaders: { name: string; value: string }[], more: Partial<Paused> = {}) =>
    intercept(setUp().interception, { responseStatusCode: 200, responseHeaders, ...more });
  const html = { name: "content-type", value: "text/html" };

  it.each([
    ["Speculation-Rules", '"/rules.json"'],
    ["nel", "{}"],
    ["Reporting-Endpoints", 'a="https://a.example"'],
    ["Report-To", "{}"],
    ["Link", "</a>; rel=prefetch"],
    ["link", "<https://b.example>; rel=preconnect"],
    ["link", "<//b.example>; rel=dns-prefetch"],
  ])("loses the header %s: %s", async (name, value) => {
    const { method, options } = await answer([html, { name, value }], { responseStatusText: "Fine" });
    expect(method).toBe("Fetch.continueResponse");
    expect(options).toEqual({ requestId: "1", responseCode: 200, responseHeaders: [html], responsePhrase: "Fine" });
  });

  it("stays unchanged without such headers", async () => {
    const headers = [html, { name: "link", value: "</a.css>; rel=preload" }];
    expect((await answer(headers)).options).toEqual({ requestId: "1" });
  });

  it("stays unchanged if it's an error", async () => {
    const event = { responseErrorReason: "Failed" } as const;
    const { method, options } = await intercept(setUp().interception, event);
    expect([method, options]).toEqual(["Fetch.continueResponse", { requestId: "1" }]);
  });
});

describe("a request of a tab with headers for its site", () => {
  const url = "https://api.public.example/data";
  const headers = { "X-Key": "secret" };

  /** Opens a tab with headers. `emit` reports an event of its page. */
  function openPage() {
    const { interception, tab } = setUp();
    begin(tab);
    const handlers: [string, (event: object) => void][] = [];
    const session = { on: (...handler: (typeof handlers)[number]) => handlers.push(handler) } as unknown as CDPSession;
    const target = new URL("https://www.public.example/");
    tab.siteHeaders = new SiteHeaders({ session, frameId: tab.frameId }, target, headers);
    const emit = (name: string, event: object) => {
      for (const [handled, handle] of handlers) if (handled === name) handle(event);
    };
    const attach = (frameId: string, parentFrameId: string) => {
      interception.addFrame(frameId, tab);
      emit("Page.frameAttached", { frameId, parentFrameId });
    };
    /** Requests a document. Its loader has the id of the request. */
    const load = (frameId: string, documentUrl: string, loaderId = "") =>
      emit("Network.requestWillBeSent", {
        ...{ type: "Document", frameId, requestId: loaderId, loaderId },
        request: { url: documentUrl },
      });
    const show = (frameUrl: string) => emit("Page.frameNavigated", { frame: { id: "a", url: frameUrl } });
    /** Reports the document that sends the request with this network id. */
    const report = (requestId: string, loaderId: string) =>
      emit("Network.requestWillBeSent", { type: "Script", frameId: "a", requestId, loaderId, request: { url } });
    const send = async (event: Partial<Paused> & { url?: string }): Promise<unknown> =>
      (await intercept(interception, event)).options.headers;
    const hasHeaders = async (frameId: string) =>
      (await send({ url, frameId, resourceType: "Stylesheet" })) !== undefined;
    return { emit, attach, load, show, report, send, hasHeaders };
  }

  const send = (event: Partial<Paused> & { url?: string }) => openPage().send(event);

  it("gets them if it goes to the site, and keeps its own headers", async () => {
    const request = { url, method: "GET", headers: { Accept: "*/*", "x-key": "page" } } as unknown as Paused["request"];
    expect(await send({ request, resourceType: "XHR" })).toEqual([
      { name: "Accept", value: "*/*" },
      { name: "X-Key", value: "secret" },
    ]);
  });

  it.each(["https://other.example/", "https://public.example.evil.example/", "http://www.public.example/"])(
    "doesn't get them if it goes to %s",
    async (away) => {
      expect(await send({ url: away })).toBeUndefined();
    },
  );

  it.each(["https://other.example", "null"])("doesn't get them if a script of %s sends it", async (origin) => {
    const request = { url, method: "GET", headers: { Origin: origin } } as unknown as Paused["request"];
    expect(await send({ request, resourceType: "Fetch" })).toBeUndefined();
  });

  it("doesn't get them if its frame is unknown", async () => {
    expect(await send({ url, frameId: "unknown" })).toBeUndefined();
  });

  const OWN = "https://app.public.example/";
  const OTHER = "https://other.example/";

  it.each<[string, [frameId: string, parent: string, url: string][], boolean]>([
    ["a frame of the site", [["b", "a", OWN]], true],
    ["a frame that the site writes", [["b", "a", "about:srcdoc"]], true],
    ["a frame of another site", [["b", "a", OTHER]], false],
    [
      "a frame that another site writes",
      [
        ["b", "a", OTHER],
        ["b", "a", "about:blank"],
      ],
      false,
    ],
    [
      "a frame of another site that returns to the site",
      [
        ["b", "a", OTHER],
        ["b", "a", OWN],
      ],
      false,
    ],
    [
      "a frame of the site in a frame of another site",
      [
        ["b", "a", OTHER],
        ["c", "b", OWN],
      ],
      false,
    ],
    [
      "a frame of the site in a frame of the site",
      [
        ["b", "a", OWN],
        ["c", "b", OWN],
      ],
      true,
    ],
    ["a frame whose parent isn't known", [["c", "b", OWN]], false],
  ])("gets them only in the site's own frames: %s", async (_, frames, expected) => {
    const { attach, load, hasHeaders } = openPage();
    for (const [frameId, parent, documentUrl] of frames) {
      attach(frameId, parent);
      load(frameId, documentUrl);
    }
    expect(await hasHeaders(frames.at(-1)?.[0] ?? "")).toBe(expected);
    expect(await hasHeaders("a")).toBe(true);
  });

  it("doesn't get them in a frame that moved to another process", async () => {
    const { emit, attach, hasHeaders } = openPage();
    attach("b", "a");
    emit("Page.frameDetached", { frameId: "b", reason: "swap" });
    expect(await hasHeaders("b")).toBe(false);
  });

  it("doesn't get them while the page shows another site, except for the way back", async () => {
    const { attach, load, show, report, send: sendTo, hasHeaders } = openPage();
    load("a", OTHER, "other");
    report("1", "other");
    expect(await sendTo({ url, networkId: "1" })).toBeUndefined();
    expect(await sendTo({ url, resourceType: "Document" })).toEqual([{ name: "X-Key", value: "secret" }]);
    // The other page still runs, and stays if the response is empty or a download.
    load("a", OWN, "own");
    attach("b", "a");
    report("2", "other");
    expect(await sendTo({ url, networkId: "2" })).toBeUndefined();
    expect(await hasHeaders("b")).toBe(false);
    show(OWN);
    expect(await hasHeaders("b")).toBe(false);
    attach("c", "a");
    expect(await hasHeaders("c")).toBe(true);
    report("3", "own");
    expect(await sendTo({ url, networkId: "3" })).toBeDefined();
    // The other page may send a request when it is left.
    expect(await sendTo({ url, networkId: "2" })).toBeUndefined();
  });

  it("gets them after a return to the site even if its document is reported later, but not if it never is", async () => {
    const { load, report, send: sendTo } = openPage();
    load("a", OTHER, "other");
    load("a", OWN, "own");
    const sent = sendTo({ url, networkId: "1" });
    report("1", "own");
    expect(await sent).toEqual([{ name: "X-Key", value: "secret" }]);
    expect(await sendTo({ url, networkId: "2" })).toBeUndefined();
    expect(await sendTo({ url })).toBeUndefined();
  });

  it("doesn't get them in a document that another site redirected from the site, or that the history shows", async () => {
    const { attach, load, show, report, send: sendTo, hasHeaders } = openPage();
    load("a", OTHER, "other");
    load("a", OWN, "redirected");
    load("a", OTHER, "redirected");
    report("1", "redirected");
    expect(await sendTo({ url, networkId: "1" })).toBeUndefined();
    load("a", OWN, "own");
    show(OWN);
    show(OTHER);
    attach("b", "a");
    expect(await hasHeaders("b")).toBe(false);
  });

  it("doesn't get them if another site redirected it, except for the main document", async () => {
    const { send: sendTo } = openPage();
    const redirected = { url, redirectedRequestId: "0" };
    expect(await sendTo({ ...redirected, resourceType: "Stylesheet" })).toBeUndefined();
    expect(await sendTo({ ...redirected, resourceType: "Document" })).toBeDefined();
    expect(await sendTo({ url, requestId: "2", resourceType: "Stylesheet" })).toBeDefined();
    expect(await sendTo({ ...redirected, redirectedRequestId: "2", resourceType: "Stylesheet" })).toBeDefined();
  });
});
