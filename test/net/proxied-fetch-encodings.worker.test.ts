import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  appError,
  fetchThroughProxy,
  newProxyUser,
  OK,
  rawResponseUrl,
  waitForClosedConnections,
} from "../support/proxied";

describe("an encoded body", () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `Line ${i * 7_919} of a long page.\n`).join("");
  // The runtime's zstd compressor fails on longer texts.
  const short = text.slice(0, 100_000);
  const encoded: [encoding: string, body: Buffer, plain: string][] = [
    ["gzip", gzipSync(text), text],
    ["x-gzip", gzipSync(text), text],
    ["GZIP", Buffer.concat([gzipSync(text.slice(0, 1_000)), gzipSync(text.slice(1_000))]), text],
    ["deflate", deflateSync(text), text],
    ["deflate", deflateRawSync(text), text],
    ["br", brotliCompressSync(text), text],
    ["zstd", zstdCompressSync(short), short],
    ["gzip, br", brotliCompressSync(gzipSync(text)), text],
  ];

  it.each(encoded)("is decoded: %s", async (encoding, body, plain) => {
    const head = `${OK}Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const response = await fetchThroughProxy(
      newProxyUser("wire"),
      rawResponseUrl(Buffer.concat([Buffer.from(head), body]), { piece: 1_000 }),
    );
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(response.headers.has("content-length")).toBe(false);
    expect(await response.text()).toBe(plain);
  });

  it.each(encoded)("is an error when it is cut off: %s", async (encoding, body) => {
    const bytes = Buffer.concat([Buffer.from(`${OK}Content-Encoding: ${encoding}\r\n\r\n`), body.subarray(0, -20)]);
    const response = await fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(bytes));
    await expect(response.text()).rejects.toThrow(
      appError("connection_failed", "^target\\.example sent a body that isn't "),
    );
  });

  it("is connection_failed when the connection breaks", async () => {
    const body = gzipSync(text).toString("latin1");
    const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${body.length + 1}\r\n\r\n`;
    const response = await fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(head + body.slice(0, -20)));
    await expect(response.text()).rejects.toThrow(appError("connection_failed", "a body that ended too early"));
  });

  it.each(["gzip", "deflate", "br", "zstd"])("is an error when it isn't %s", async (encoding) => {
    const user = newProxyUser("wire");
    const response = await fetchThroughProxy(
      user,
      rawResponseUrl(`${OK}Content-Encoding: ${encoding}\r\n\r\n<p>Not at all</p>`),
    );
    await expect(response.text()).rejects.toThrow(
      appError("connection_failed", "^target\\.example sent a body that isn't "),
    );
    await waitForClosedConnections(user);
  });

  it("is streamed, so that a huge body can be canceled", async () => {
    const user = newProxyUser("wire");
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const bytes = Buffer.concat([Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`), bomb]);
    const response = await fetchThroughProxy(user, rawResponseUrl(bytes, { hold: true }));
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > 1_000_000) break;
    }
    expect(size).toBeLessThan(2_000_000);
    await waitForClosedConnections(user);
  });

  it("is readable before all of it has arrived", async () => {
    const user = newProxyUser("wire");
    const bytes = Buffer.concat([
      Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`),
      gzipSync(text).subarray(0, 20_000),
    ]);
    const response = await fetchThroughProxy(user, rawResponseUrl(bytes, { hold: true }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value?.slice(0, 24)).toBe(text.slice(0, 24));
    await reader?.cancel();
    await waitForClosedConnections(user);
  });
});
