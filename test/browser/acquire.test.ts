import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BrowserRefusedError, BrowserSource } from "../../src/browser/acquire";

const NOW = Date.parse("2026-11-23T12:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Refusal {
  status?: number;
  message?: string;
  retryAfter?: string;
  /** The body of the response for the limits, or null if the limits can't be read. */
  limits?: string | null;
}

/** Returns a storage that keeps values in memory. */
function newStorage() {
  const values = new Map<string, unknown>();
  return {
    get: async (key: string) => values.get(key),
    put: async (key: string, value: unknown) => void values.set(key, value),
    delete: async (key: string) => values.delete(key),
  } as unknown as ConstructorParameters<typeof BrowserSource>[0];
}

/** Returns a source whose browser service refuses each session, and the function that counts the requests for one. */
function setUp({ status = 429, message = "Rate limit exceeded", retryAfter, limits = null }: Refusal) {
  let sessions = 0;
  const fetch = async (url: string) => {
    if (url.endsWith("/v1/limits")) {
      if (limits === null) throw new Error("The limits can't be read.");
      return new Response(limits);
    }
    sessions++;
    return new Response(message, { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } });
  };
  const source = new BrowserSource(newStorage());
  const acquire = async () => {
    const error = await source.acquire({ fetch } as unknown as BrowserRun, "").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BrowserRefusedError);
    return error as BrowserRefusedError;
  };
  return { acquire, countSessions: () => sessions };
}

describe("a refusal of the browser service", () => {
  beforeEach(() => vi.spyOn(console, "warn").mockImplementation(() => {}));

  it.for([
    { why: "seconds", retryAfter: "7", ms: 7_000 },
    { why: "a date", retryAfter: "Mon, 23 Nov 2026 12:00:30 GMT", ms: 30_000 },
    { why: "more than an hour", retryAfter: "99999999999", ms: 3_600_000 },
    { why: "a date in years", retryAfter: "Sun, 23 Nov 2036 12:00:00 GMT", ms: 3_600_000 },
    { why: "words", retryAfter: "soon", ms: 15_000 },
    { why: "an exponent", retryAfter: "1e999", ms: 15_000 },
    { why: "a negative number", retryAfter: "-5", ms: 15_000 },
    { why: "a date in the past", retryAfter: "Mon, 23 Nov 2026 11:59:00 GMT", ms: 15_000 },
  ])("with $why in Retry-After delays the next browser by $ms ms", async ({ retryAfter, ms }) => {
    expect(await setUp({ retryAfter }).acquire()).toMatchObject({ retryAfterMs: ms, isDailyLimit: false });
  });

  it.for([
    { why: "a time", limits: '{"timeUntilNextAllowedBrowserAcquisition":7000}', ms: 7_000 },
    { why: "a time of months", limits: '{"timeUntilNextAllowedBrowserAcquisition":1e10}', ms: 3_600_000 },
    { why: "text", limits: '{"timeUntilNextAllowedBrowserAcquisition":"7000"}', ms: 15_000 },
    { why: "a negative time", limits: '{"timeUntilNextAllowedBrowserAcquisition":-1}', ms: 15_000 },
    { why: "no time", limits: "{}", ms: 15_000 },
    { why: "null", limits: "null", ms: 15_000 },
    { why: "no JSON", limits: "<html>", ms: 15_000 },
    { why: "an error", limits: null, ms: 15_000 },
  ])("with $why in the limits delays the next browser by $ms ms", async ({ limits, ms }) => {
    expect(await setUp({ status: 503, limits }).acquire()).toMatchObject({ retryAfterMs: ms });
  });

  it("delays later renders only by the rest of the time", async () => {
    const { acquire, countSessions } = setUp({ retryAfter: "20" });
    await acquire();
    vi.setSystemTime(NOW + 15_000);
    expect(await acquire()).toMatchObject({ retryAfterMs: 5_000 });
    expect(countSessions()).toBe(1);
    vi.setSystemTime(NOW + 20_000);
    expect(await acquire()).toMatchObject({ retryAfterMs: 20_000 });
    expect(countSessions()).toBe(2);
  });

  it("because of the daily limit is checked again after five minutes, because the plan may have changed", async () => {
    const { acquire, countSessions } = setUp({ message: "Browser time limit exceeded for today" });
    expect(await acquire()).toMatchObject({ isDailyLimit: true });
    vi.setSystemTime(NOW + 299_999);
    expect(await acquire()).toMatchObject({ isDailyLimit: true });
    expect(countSessions()).toBe(1);
    vi.setSystemTime(NOW + 300_000);
    await acquire();
    expect(countSessions()).toBe(2);
  });

  it("because of the daily limit ends at midnight (UTC)", async () => {
    vi.setSystemTime(Date.parse("2026-11-23T23:59:00Z"));
    const { acquire } = setUp({ message: "Browser time limit exceeded for today" });
    expect(await acquire()).toMatchObject({ retryAfterMs: 60_000 });
  });
});

describe("a country", () => {
  const acquireIn = async (status: number) => {
    const locations: (string | null)[] = [];
    const fetch = async (url: string) => {
      const location = new URL(url).searchParams.get("location");
      locations.push(location);
      return location === null ? Response.json({ sessionId: "1" }) : new Response("Invalid", { status });
    };
    const acquired = new BrowserSource(newStorage()).acquire({ fetch } as unknown as BrowserRun, "XX");
    return { session: await acquired.catch(() => null), locations };
  };

  it("that the browser service doesn't accept is left out, with a warning", async () => {
    const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(await acquireIn(400)).toEqual({ session: "1", locations: ["XX", null] });
    expect(warnings).toHaveBeenCalledWith(expect.stringContaining("browser_location_refused"));
  });

  it("isn't the cause of an outage", async () => {
    expect(await acquireIn(500)).toEqual({ session: null, locations: ["XX"] });
  });
});

describe("a failed start", () => {
  beforeEach(() => vi.spyOn(console, "warn").mockImplementation(() => {}));

  it.for([
    { why: "an error", status: 500, message: "Internal error", isReported: true },
    { why: "the daily limit", status: 429, message: "Browser time limit exceeded for today", isReported: true },
    { why: "a lack of capacity", status: 429, message: "Rate limit exceeded", isReported: false },
  ])("because of $why is reported for five minutes: $isReported", async ({ status, message, isReported }) => {
    const source = new BrowserSource(newStorage());
    const fetch = async () => new Response(message, { status });
    await source.acquire({ fetch } as unknown as BrowserRun, "").catch(() => {});
    expect(await source.hasJustFailed()).toBe(isReported);
    vi.setSystemTime(NOW + 300_000);
    expect(await source.hasJustFailed()).toBe(false);
  });

  it("is reported by the next instance, because the storage outlives an instance", async () => {
    const storage = newStorage();
    const fetch = async () => new Response("Internal error", { status: 500 });
    await new BrowserSource(storage).acquire({ fetch } as unknown as BrowserRun, "").catch(() => {});
    expect(await new BrowserSource(storage).hasJustFailed()).toBe(true);
  });

  it("isn't reported after a browser has started", async () => {
    const source = new BrowserSource(newStorage());
    const refuse = async () => new Response("Internal error", { status: 500 });
    await source.acquire({ fetch: refuse } as unknown as BrowserRun, "").catch(() => {});
    await source.acquire({ fetch: async () => Response.json({ sessionId: "s" }) } as unknown as BrowserRun, "");
    expect(await source.hasJustFailed()).toBe(false);
  });
});
