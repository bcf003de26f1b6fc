import { describe, expect, it } from "vitest";
import type { CDPSession } from "../../src/browser/connection";
import { Tab } from "../../src/browser/tab";
import { parseEgressPolicy } from "../../src/net/egress";

const FRAME = "main";
const URL_OF_PAGE = "https://public.example.com/";

/** Returns a tab with a fake browser, and functions that send the browser's events. */
function setUp({ checksAddress = true, allowed = "" } = {}) {
  const listeners = new Map<string, (event: unknown) => void>();
  const session = { on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener) };
  const tab = new Tab(session as unknown as CDPSession, "context", FRAME, { isIsolated: false, checksAddress });
  tab.begin(parseEgressPolicy(allowed, []), { hasScreenshot: false, maxBytes: 1_000, proxy: null });
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
  const outcome = () => tab.until(() => true, new AbortController().signal);
  return { request, respond, outcome };
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
