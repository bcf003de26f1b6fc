import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/lib/async";
import { PROXY_CONNECTIONS } from "../../src/model/page-limits";
import { page, querySite } from "../support/client";
import {
  appError,
  fetchThroughProxy,
  lastPost,
  newProxyUser,
  OK,
  proxyLog,
  rawResponseUrl,
  waitForClosedConnections,
} from "../support/proxied";
import { receiver } from "../support/webhooks";

describe("through the proxy", () => {
  it("sends the request for an http target in absolute form", async () => {
    const user = newProxyUser();
    const url = page("article");
    const response = await fetchThroughProxy(user, `${url}?a=b%20c#fragment`, {
      headers: new Headers({ "x-own": "1" }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe(await (await fetch(url)).text());
    const { requests } = await proxyLog(user);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.line).toBe(`GET ${url}?a=b%20c`);
    expect(requests[0]?.headers).toMatchObject({ host: new URL(url).host, connection: "close", "x-own": "1" });
    await waitForClosedConnections(user);
  });

  it("requests an https target through a tunnel, without a trace of the proxy", async () => {
    const user = newProxyUser();
    const url = receiver("echo-head");
    const response = await fetchThroughProxy(user, `${url}?a=1`, { headers: new Headers({ "x-sent": "hello" }) });
    expect([response.status, response.statusText]).toEqual([201, "Made"]);
    expect(response.headers.get("x-seen")).toBe("hello");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe(`GET ${new URL(url).pathname}?a=1`);
    const { requests } = await proxyLog(user);
    expect(requests.map(({ line }) => line)).toEqual([`CONNECT ${new URL(url).host}`]);
    const headers = (await lastPost(url))?.headers ?? {};
    expect(headers).toMatchObject({ host: new URL(url).host, connection: "close" });
    expect(Object.keys(headers)).not.toContain("proxy-authorization");
    await waitForClosedConnections(user);
  });

  it("requests an http target over a TLS connection to the proxy", async () => {
    const url = page("article");
    const response = await fetchThroughProxy(newProxyUser(), url, {}, { secure: true });
    expect(await response.text()).toBe(await (await fetch(url)).text());
  });

  it("reports that an https proxy can't be used for an https target", async () => {
    await expect(fetchThroughProxy(newProxyUser(), receiver("ok"), {}, { secure: true })).rejects.toThrow(
      appError("proxy_unavailable", "TLS inside TLS", false),
    );
  });

  it("sends a binary body of 1 MB", async () => {
    const url = receiver("ok");
    const body = new Uint8Array(1_000_000).map((_, i) => (i * 31) ^ (i >> 8));
    const response = await fetchThroughProxy(newProxyUser(), url, { method: "POST", body });
    expect([response.status, response.body]).toEqual([204, null]);
    const post = await lastPost(url);
    expect(post?.method).toBe("POST");
    expect(Buffer.compare(Buffer.from(post?.body ?? "", "base64"), body)).toBe(0);
  });

  it("receives a binary body of 1 MB", async () => {
    const user = newProxyUser();
    const response = await fetchThroughProxy(user, `${receiver("large")}?bytes=1000000`);
    const expected = Buffer.alloc(1_000_000, "0123456789abcdef");
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), expected)).toBe(0);
    await waitForClosedConnections(user);
  });

  it("drops the caller's hop-by-hop headers and sets Host, Content-Length and Accept-Encoding", async () => {
    const url = receiver("ok");
    const dropped = { "keep-alive": "5", te: "trailers", "proxy-authorization": "x", upgrade: "h2c", "x-hop": "1" };
    const headers = { ...dropped, connection: "x-hop, close", host: "evil.example", "accept-encoding": "compress" };
    await fetchThroughProxy(newProxyUser(), url, {
      method: "PUT",
      headers: new Headers({ ...headers, "content-length": "3", "transfer-encoding": "chunked", "x-end": "2" }),
      body: new TextEncoder().encode("abcdef"),
    });
    const post = await lastPost(url);
    expect(Buffer.from(post?.body ?? "", "base64").toString()).toBe("abcdef");
    expect(post?.headers).toEqual({
      host: new URL(url).host,
      "x-end": "2",
      "accept-encoding": "gzip, deflate, br, zstd",
      "content-length": "6",
      connection: "close",
    });
  });

  it("accepts a response that arrives byte by byte", async () => {
    const response = await fetchThroughProxy(newProxyUser("slow"), receiver("echo-head"));
    expect(response.status).toBe(201);
  });

  it("closes the connection when the body is canceled", async () => {
    const user = newProxyUser();
    const response = await fetchThroughProxy(user, receiver("endless"));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    await reader?.cancel();
    await waitForClosedConnections(user);
  });
});

describe("requests in parallel", () => {
  it("have four connections; the other requests wait", async () => {
    const user = newProxyUser();
    const url = page("held");
    const connections = new Semaphore(PROXY_CONNECTIONS);
    const all = Promise.all(
      Array.from({ length: 20 }, async () => await (await fetchThroughProxy(user, url, {}, { connections })).text()),
    );
    for (const hits of [4, 8, 12, 16, 20]) {
      await expect.poll(() => querySite<number>("hits", url)).toBeGreaterThanOrEqual(hits);
      expect(await querySite<number>("hits", url)).toBe(hits);
      await querySite("release", url);
    }
    expect(new Set(await all)).toEqual(new Set([await (await fetch(page("article"))).text()]));
    await waitForClosedConnections(user);
  });

  it("release their connection after a failure, an abort or a canceled body", async () => {
    const connections = new Semaphore(1);
    await expect(fetchThroughProxy(newProxyUser("garbage"), receiver("ok"), {}, { connections })).rejects.toThrow();
    await expect(
      fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(`${OK}\r\n`), { method: "HEAD" }, { connections }),
    ).resolves.toBeDefined();
    const holder = await fetchThroughProxy(newProxyUser(), receiver("endless"), {}, { connections });
    const controller = new AbortController();
    const waiting = fetchThroughProxy(newProxyUser(), receiver("ok"), {}, { connections, signal: controller.signal });
    controller.abort(new Error("Aborted by the test."));
    await expect(waiting).rejects.toThrow("Aborted by the test.");
    await holder.body?.cancel();
    expect((await fetchThroughProxy(newProxyUser(), receiver("ok"), {}, { connections })).status).toBe(204);
  });
});
