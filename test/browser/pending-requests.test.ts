import { describe, expect, it, vi } from "vitest";
import { PendingRequests } from "../../src/browser/pending-requests";

type Begin = Parameters<PendingRequests["begin"]>[0];
type Type = NonNullable<Begin["type"]>;

/** A request to another site, of the current document. */
const REQUEST = {
  frameId: "main",
  loaderId: "current",
  request: { url: "https://other.example/a?b=1", isSameSite: false },
};
const OWN = { request: { url: "https://own.example/a", isSameSite: true } };

/** Returns pending requests, and functions that report a request's events. */
function setUp() {
  const onEnd = vi.fn<() => void>();
  const pending = new PendingRequests(onEnd);
  const begin = (requestId: string, type?: Type, more: object = {}) =>
    pending.begin({ requestId, type, ...REQUEST, ...more } as Begin);
  const onHeaders = (requestId: string, type: Type) =>
    pending.onHeaders({ requestId, type, response: { url: "https://other.example/b" } } as Parameters<
      PendingRequests["onHeaders"]
    >[0]);
  return { pending, onEnd, begin, onHeaders };
}

/** Runs `test` with a fake clock. */
function withClock(test: () => void): void {
  vi.useFakeTimers();
  try {
    test();
  } finally {
    vi.useRealTimers();
  }
}

describe("a request", () => {
  it.each(["EventSource", "Ping", "Prefetch", "Media", "WebSocket", "Manifest", "CSPViolationReport"] as const)(
    "of the type %s isn't pending",
    (type) => {
      const { pending, begin } = setUp();
      begin("1", type);
      expect(pending.size).toBe(0);
    },
  );

  it.each(["Document", "Script", "Stylesheet", "Image", "Fetch", "XHR", undefined] as const)(
    "of the type %s is pending",
    (type) => {
      const { pending, begin } = setUp();
      begin("1", type);
      expect(pending.size).toBe(1);
    },
  );

  it.each([
    ["Fetch", false, true],
    ["XHR", false, true],
    ["Script", true, true],
    ["Script", false, false],
    ["Image", true, false],
    ["Document", true, false],
  ] as const)(
    "of the type %s, after the load: %s, is pending until the page can react: %s",
    (type, isLoaded, waits) => {
      withClock(() => {
        const { pending, onEnd, begin } = setUp();
        begin("1", type);
        pending.end("1", { isLoaded });
        expect([pending.size, onEnd.mock.calls.length]).toEqual(waits ? [1, 0] : [0, 1]);
        vi.advanceTimersByTime(99);
        expect(pending.size).toBe(waits ? 1 : 0);
        vi.advanceTimersByTime(1);
        expect([pending.size, onEnd.mock.calls.length]).toEqual([0, 1]);
      });
    },
  );

  it("whose body the page doesn't read ends half a second after its last data", () => {
    withClock(() => {
      const { pending, begin, onHeaders } = setUp();
      begin("1", "Fetch");
      onHeaders("1", "Fetch");
      vi.advanceTimersByTime(499);
      pending.onData("1");
      vi.advanceTimersByTime(499);
      expect(pending.size).toBe(1);
      vi.advanceTimersByTime(1);
      expect(pending.size).toBe(0);
    });
  });

  it("of another type is pending until its body ends", () => {
    withClock(() => {
      const { pending, begin, onHeaders } = setUp();
      begin("1", "XHR");
      onHeaders("1", "XHR");
      pending.onData("1");
      vi.advanceTimersByTime(10_000);
      expect(pending.size).toBe(1);
    });
  });

  it("for a worker's script ends a quarter of a second after the worker has started", () => {
    withClock(() => {
      const { pending, begin } = setUp();
      begin("worker");
      pending.startWorker("worker");
      vi.advanceTimersByTime(249);
      expect(pending.size).toBe(1);
      vi.advanceTimersByTime(1);
      expect(pending.size).toBe(0);
    });
  });

  it("that isn't pending never calls back later", () => {
    withClock(() => {
      const { pending, onEnd } = setUp();
      pending.startWorker("worker");
      vi.advanceTimersByTime(10_000);
      expect(onEnd).not.toHaveBeenCalled();
    });
  });
});

describe("a frame", () => {
  it("is pending until it has loaded", () => {
    const { pending, onEnd } = setUp();
    pending.beginFrame("a");
    pending.beginFrame("b");
    pending.beginFrame("b");
    expect(pending.size).toBe(2);
    pending.endFrame("a");
    expect([pending.size, onEnd.mock.calls.length]).toEqual([1, 1]);
  });

  it("is removed when the page navigates", () => {
    const { pending } = setUp();
    pending.beginFrame("a");
    pending.onNavigated("next");
    expect(pending.size).toBe(0);
  });
});

describe("a navigation", () => {
  it("removes the requests of the previous document, but not the request of the new one", () => {
    const { pending, begin } = setUp();
    begin("1", "Script");
    begin("next", "Document", { loaderId: "next" });
    pending.onNavigated("next");
    expect([pending.find("1"), pending.find("next")?.type]).toEqual([null, "Document"]);
  });
});

describe("the silence of a request", () => {
  it("is the time without an event of the request", () => {
    const { pending, begin, onHeaders } = setUp();
    begin("1", "Script");
    begin("2", "Script");
    pending.addSilence(300);
    onHeaders("1", "Script");
    pending.addSilence(200);
    expect(pending.list().map(({ silentMs }) => silentMs)).toEqual([200, 500]);
    pending.onData("2");
    expect(pending.list().map(({ silentMs }) => silentMs)).toEqual([200, 0]);
  });
});

describe("the progress of the page's own site", () => {
  it("counts each event of a request that delays the load", () => {
    const { pending, begin, onHeaders } = setUp();
    begin("1", "Image", OWN);
    expect([pending.ownProgress, pending.delaysOwnLoad]).toEqual([1, true]);
    onHeaders("1", "Image");
    pending.onData("1");
    pending.end("1", { isLoaded: false });
    expect([pending.ownProgress, pending.delaysOwnLoad]).toEqual([4, false]);
  });

  it.each<[string, Type, object]>([
    ["another site", "Image", {}],
    ["its own site, made with fetch", "Fetch", OWN],
    ["its own site, made with XMLHttpRequest", "XHR", OWN],
  ])("doesn't include a request to %s", (_, type, more) => {
    const { pending, begin } = setUp();
    begin("1", type, more);
    pending.onData("1");
    expect([pending.ownProgress, pending.delaysOwnLoad]).toEqual([0, false]);
  });
});

describe("a wait for other sites only", () => {
  it.each([
    ["an inactive request to another site", {}, 2_000, true],
    ["an active request to another site", {}, 1_999, false],
    ["a request to its own site", OWN, 60_000, false],
  ])("is over with %s: %4$s", (_, more, silentMs, isOver) => {
    const { pending, begin } = setUp();
    begin("1", "Script", more);
    pending.addSilence(silentMs);
    expect(pending.areInactive).toBe(isOver);
  });

  it.each([
    ["http://127.0.0.1:81/a", "http://127.0.0.1:80/", false],
    ["http://127.0.0.1:80/a", "http://127.0.0.1:80/", true],
    ["https://cdn.own.example:81/a", "https://own.example/", true],
  ])("takes %s for the site of %s: %s", (url, pageUrl, isOwn) => {
    const { pending } = setUp();
    pending.begin({ requestId: "1", ...REQUEST, request: { url, isSameSite: true } } as Begin, pageUrl);
    expect(pending.list()[0]?.isOwn).toBe(isOwn);
  });
});

describe("a host", () => {
  it("has responded after the headers of a response", () => {
    const { pending, begin, onHeaders } = setUp();
    begin("1", "Script");
    expect(pending.hasResponded("other.example")).toBe(false);
    onHeaders("1", "Script");
    expect([pending.hasResponded("other.example"), pending.hasResponded("own.example")]).toEqual([true, false]);
  });
});

describe("a pending resource", () => {
  it.each<[Type, string | undefined, boolean, boolean]>([
    ["Script", "InBodyParserBlocking", true, true],
    ["Script", "Blocking", true, true],
    ["Script", "NonBlocking", true, false],
    ["Script", "PotentiallyBlocking", false, false],
    ["Script", "NonBlockingDynamic", false, false],
    ["Script", undefined, true, false],
    ["Stylesheet", "Blocking", true, true],
    ["Stylesheet", "NonBlockingDynamic", false, false],
    ["Stylesheet", undefined, true, true],
    ["Image", "NonBlocking", false, false],
    ["Image", undefined, false, false],
  ])(
    "of the type %s (%s) may block the parser: %s, the first paint: %s",
    (type, behavior, blocksParser, blocksPaint) => {
      const { pending, begin } = setUp();
      begin("1", type, { renderBlockingBehavior: behavior });
      expect(pending.list()).toMatchObject([{ blocksParser, blocksPaint }]);
    },
  );
});

describe("giving up", () => {
  it("removes frames and requests, except for calls that are active", () => {
    const { pending, onEnd, begin } = setUp();
    pending.beginFrame("a");
    begin("old script", "Script");
    begin("old call", "Fetch");
    pending.addSilence(2_000);
    begin("new script", "Script");
    begin("new call", "XHR");
    pending.addSilence(1_900);
    pending.giveUp();
    expect(pending.size).toBe(1);
    expect(pending.find("new call")).not.toBeNull();
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});
