import { describe, expect, it } from "vitest";
import type { CDPSession } from "../../src/browser/connection";
import { Tab } from "../../src/browser/tab";
import { parseEgressPolicy } from "../../src/net/egress";

const FRAME = "main";
const URL_OF_PAGE = "https://public.example.com/";

/** A tab whose browser says what the test says. */
function setUp({ checksAddress = true, allowed = "" } = {}) {
  const listeners = new Map<string, (event: unknown) => void>();
  const session = { on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener) };
  const tab = new Tab(session as unknown as CDPSession, "context", FRAME, { isIsolated: false, checksAddress });
  tab.begin(parseEgressPolicy(allowed, []), { isSeen: false, maxBytes: 1_000, proxy: null });
  const request = (networkId: string, url = URL_OF_PAGE) =>
    tab.judge({
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
  /** Rejects with what the render would fail with; resolves when nothing is wrong. */
  const verdict = () => tab.until(() => true, new AbortController().signal);
  return { request, respond, verdict };
}

describe("a main document", () => {
  it("is taken when its request went through the policy", async () => {
    const { request, respond, verdict } = setUp();
    expect(request("1")).toEqual({ kind: "continue" });
    respond("1", { remoteIPAddress: "93.184.216.34" });
    await expect(verdict()).resolves.toBeUndefined();
  });

  it("is refused when no request of it was seen", async () => {
    const { request, respond, verdict } = setUp();
    request("1");
    respond("2");
    await expect(verdict()).rejects.toMatchObject({ code: "invalid_target" });
  });

  it("is refused when it comes from the prefetch cache", async () => {
    const { request, respond, verdict } = setUp();
    request("1");
    respond("1", { fromPrefetchCache: true });
    await expect(verdict()).rejects.toMatchObject({ code: "invalid_target" });
  });

  it.each(["127.0.0.1", "10.0.0.1", "[::1]"])("is refused when it came from %s", async (remoteIPAddress) => {
    const { request, respond, verdict } = setUp();
    request("1");
    respond("1", { remoteIPAddress });
    await expect(verdict()).rejects.toMatchObject({
      code: "invalid_target",
      message: expect.stringContaining("resolves to a forbidden address"),
    });
  });

  it("may come from anywhere behind a proxy, whose address it has, and from an allowed host", async () => {
    const behind = setUp({ checksAddress: false });
    behind.request("1");
    behind.respond("1", { remoteIPAddress: "127.0.0.1" });
    await expect(behind.verdict()).resolves.toBeUndefined();
    const exempt = setUp({ allowed: "public.example.com:443" });
    exempt.request("1");
    exempt.respond("1", { remoteIPAddress: "127.0.0.1" });
    await expect(exempt.verdict()).resolves.toBeUndefined();
  });
});
