import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PROXY_CONNECT_TIMEOUT_MS } from "../../src/model/page-limits";
import { page, site } from "../support/client";
import {
  appError,
  fetchThroughProxy,
  newProxyUser,
  OK,
  proxyLog,
  rawResponseUrl,
  waitForClosedConnections,
} from "../support/proxied";
import { receiver, receiverOrigin } from "../support/webhooks";

afterEach(() => void vi.restoreAllMocks());

describe("a proxy that fails", () => {
  it.each([
    ["rejects the credentials of a tunnel", receiver("ok")],
    ["rejects the credentials of a request", page("article")],
  ])("%s", async (_name, url) => {
    const refused = fetchThroughProxy(newProxyUser(), url, {}, { password: "wrong-password" });
    await expect(refused).rejects.toThrow(
      appError("proxy_unavailable", "^The proxy rejected our credentials \\(407\\)\\.$"),
    );
  });

  it.each([
    ["status502", "^The proxy responded with status 502\\.$"],
    ["status403", "^The proxy responded with status 403\\.$"],
    ["status302", "^The proxy responded with status 302\\.$"],
    ["garbage", "^The proxy did not send a valid HTTP response\\.$"],
    ["mute", "^The proxy did not send a valid HTTP response\\.$"],
    ["chatty", "^The proxy did not send a valid HTTP response\\.$"],
  ])("is unavailable when it responds to CONNECT with %s", async (behavior, message) => {
    await expect(fetchThroughProxy(newProxyUser(behavior), receiver("ok"))).rejects.toThrow(
      appError("proxy_unavailable", message),
    );
  });

  it.each([
    ["refuses connections", "127.0.0.1:1"],
    ["has a name that doesn't exist", "proxy.invalid:8080"],
  ])("is unavailable when it %s", async (_name, host) => {
    for (const url of [page("article"), receiver("ok")]) {
      await expect(fetchThroughProxy(newProxyUser(), url, {}, { host })).rejects.toThrow(
        appError("proxy_unavailable", "^The proxy could not be reached\\.$"),
      );
    }
  });

  it("is unavailable when it doesn't connect in time", async () => {
    const user = newProxyUser("hang");
    const startTimer = globalThis.setTimeout;
    // Shortens only this timeout. Fake timers would also run the timers of other Durable Objects.
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms?: number) =>
      startTimer(run, ms === PROXY_CONNECT_TIMEOUT_MS ? 500 : ms)) as typeof setTimeout);
    const outcome = fetchThroughProxy(user, receiver("ok")).catch((error: unknown) => error);
    await expect.poll(async () => (await proxyLog(user)).mostOpen).toBe(1);
    expect(await outcome).toMatchObject({ code: "proxy_unavailable", retryable: true });
    await waitForClosedConnections(user);
  });

  it("is never reported with its credentials or address", async () => {
    const errors = await Promise.all(
      ["status502", "garbage", "dies", "mute"].map((behavior) =>
        fetchThroughProxy(newProxyUser(behavior), receiver("ok")).catch(
          (error: Error) => `${error.message} ${error.cause}`,
        ),
      ),
    );
    for (const error of errors) expect(error).not.toMatch(/secret|Basic|status502-|garbage-|dies-|mute-/);
  });
});

describe("a target that fails behind the proxy", () => {
  it.each([
    ["has no TLS", `https://localhost:${new URL(site).port}/`],
    ["has another name in its certificate", `https://other.example:${new URL(receiverOrigin).port}/`],
    ["refuses the connection", "https://localhost:1/"],
  ])("is tls_failure when it %s", async (_name, url) => {
    await expect(fetchThroughProxy(newProxyUser(), url)).rejects.toThrow(
      appError("tls_failure", "^A trusted TLS connection to "),
    );
  });

  it("is tls_failure when the tunnel ends", async () => {
    await expect(fetchThroughProxy(newProxyUser("dies"), receiver("ok"))).rejects.toThrow(
      appError("tls_failure", "^A trusted TLS connection"),
    );
  });

  it.each([
    ["https", receiver("hangup")],
    ["http", page("reset")],
  ])("closes the connection without a response: %s", async (_name, url) => {
    await expect(fetchThroughProxy(newProxyUser(), url)).rejects.toThrow(
      appError("connection_failed", "no data|failed"),
    );
  });
});

describe("an aborted signal", () => {
  const reason = new Error("Aborted by the test.");

  it.each([
    ["the response to CONNECT", "hang", receiver("ok")],
    ["the headers of an https target", "ok", receiver("never")],
    ["the headers of an http target", "ok", page("never")],
    ["the remaining headers", "wire", rawResponseUrl(`${OK}Content-Ty`, { hold: true })],
  ])("ends the wait for %s, and closes the connection", async (_name, behavior, url) => {
    const user = newProxyUser(behavior);
    const controller = new AbortController();
    const outcome = fetchThroughProxy(user, url, {}, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(async () => (await proxyLog(user)).open).toBe(1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await waitForClosedConnections(user);
  });

  // The test doesn't check that the connection is closed. The runtime can't close a connection during the TLS
  // handshake.
  it("ends the wait for the TLS handshake", async () => {
    const user = newProxyUser("stalls");
    const controller = new AbortController();
    const outcome = fetchThroughProxy(user, receiver("ok"), {}, { signal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await expect.poll(async () => (await proxyLog(user)).open).toBe(1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it.each([
    ["with a length", rawResponseUrl(`${OK}Content-Length: 10\r\n\r\nhello`, { hold: true })],
    ["in chunks", rawResponseUrl(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, { hold: true })],
    [
      "encoded",
      rawResponseUrl(
        Buffer.concat([
          Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`),
          gzipSync("hello".repeat(9_999)).subarray(0, -8),
        ]),
        { hold: true },
      ),
    ],
  ])("ends a body %s, and closes the connection", async (_name, url) => {
    const user = newProxyUser("wire");
    const controller = new AbortController();
    const response = await fetchThroughProxy(user, url, {}, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read().then(async () => await reader.read());
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await waitForClosedConnections(user);
  });

  it("ends the request before it connects", async () => {
    const user = newProxyUser();
    await expect(fetchThroughProxy(user, page("article"), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect((await proxyLog(user)).requests).toEqual([]);
  });
});
