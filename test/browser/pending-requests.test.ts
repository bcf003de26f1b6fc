import { describe, expect, it, vi } from "vitest";
import { PendingRequests } from "../../src/browser/pending-requests";

type Begin = Parameters<PendingRequests["begin"]>[0];
type Type = NonNullable<Begin["type"]>;

/** Returns pending requests, and functions that report a request's events. */
function setUp() {
  const onEnd = vi.fn<() => void>();
  const pending = new PendingRequests(onEnd);
  const begin = (requestId: string, type?: Type) => pending.begin({ requestId, type } as Begin);
  const onHeaders = (requestId: string, type: Type) =>
    pending.onHeaders({ requestId, type } as Parameters<PendingRequests["onHeaders"]>[0]);
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

  it("is removed when the page navigates, but requests aren't", () => {
    const { pending, begin } = setUp();
    pending.beginFrame("a");
    begin("1", "Script");
    pending.clearFrames();
    expect(pending.size).toBe(1);
  });
});
