import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, inject, it, vi } from "vitest";
import { Semaphore } from "../../src/lib/semaphore";
import { PROXY_ANSWER_MS, PROXY_CONNECTIONS } from "../../src/limits";
import type { ForwardedRequest } from "../../src/upstream/forwarding";
import { type ProxyAddress, parseProxies, proxyFor } from "../../src/upstream/proxies";
import { proxiedFetch } from "../../src/upstream/proxy";
import { ask, page, site } from "../support/client";
import type { ProxyLog } from "../support/proxy";
import type { Post } from "../support/receiver";

const hook = inject("hook");
const WIRE_ORIGIN = "http://target.example";

interface Options {
  signal?: AbortSignal;
  connections?: Semaphore;
  secure?: boolean;
  password?: string;
  /** host:port of another proxy. */
  host?: string;
}

/** A user of the proxy that no other test uses: the behaviour says what the proxy does. */
function newUser(behaviour = "ok"): string {
  return `${behaviour}-${crypto.randomUUID()}`;
}

function addressFor(user: string, { secure = false, password = "secret", host }: Options = {}): ProxyAddress {
  const origin = secure ? `https://USER@${inject("secureProxy")}` : `http://USER@${host ?? inject("proxy")}`;
  const address = proxyFor(
    parseProxies(JSON.stringify({ "*": origin.replace("USER", `${user}:${password}`) })),
    "DE",
    "0",
  );
  if (address === null) throw new Error("No proxy.");
  return address;
}

function through(
  user: string,
  url: string,
  request: Partial<ForwardedRequest> = {},
  options: Options = {},
): Promise<Response> {
  return proxiedFetch(
    addressFor(user, options),
    { method: "GET", headers: new Headers(), ...request, url: new URL(url) },
    {
      signal: options.signal ?? new AbortController().signal,
      connections: options.connections ?? new Semaphore(PROXY_CONNECTIONS),
    },
  );
}

/** The address of a target that answers with exactly these bytes, one piece after the other, then `hold`s or ends. */
function wire(bytes: string | Buffer, { piece, hold = false }: { piece?: number; hold?: boolean } = {}): string {
  const path = (typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes).toString("base64url");
  const query = [...(piece === undefined ? [] : [`piece=${piece}`]), ...(hold ? ["hold"] : [])].join("&");
  return `${WIRE_ORIGIN}/${path}?${query}`;
}

async function proxyLog(user: string): Promise<ProxyLog> {
  return await (await fetch(`${site}/__proxied?path=${user}`)).json<ProxyLog>();
}

async function allClosed(user: string): Promise<void> {
  await expect.poll(async () => (await proxyLog(user)).open, { timeout: 5_000 }).toBe(0);
}

async function lastPost(url: string): Promise<Post | undefined> {
  const posts = await fetch(`${site}/__posts?path=${new URL(url).pathname}`);
  return (await posts.json<Post[]>()).at(-1);
}

function receiver(behaviour: string): string {
  return `${hook}/${crypto.randomUUID()}/${behaviour}`;
}

const failure = (code: string, message: string | RegExp, retryable = true) =>
  expect.objectContaining({ name: "AppError", code, message: expect.stringMatching(message), retryable });

describe("through the proxy", () => {
  it("asks an http target in absolute form", async () => {
    const user = newUser();
    const url = page("article");
    const response = await through(user, `${url}?a=b%20c#fragment`, { headers: new Headers({ "x-own": "1" }) });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe(await (await fetch(url)).text());
    const { requests } = await proxyLog(user);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.line).toBe(`GET ${url}?a=b%20c`);
    expect(requests[0]?.headers).toMatchObject({ host: new URL(url).host, connection: "close", "x-own": "1" });
    await allClosed(user);
  });

  it("asks an https target through a tunnel, and shows it nothing of the proxy", async () => {
    const user = newUser();
    const url = receiver("echo-head");
    const response = await through(user, `${url}?a=1`, { headers: new Headers({ "x-sent": "hello" }) });
    expect([response.status, response.statusText]).toEqual([201, "Made"]);
    expect(response.headers.get("x-seen")).toBe("hello");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe(`GET ${new URL(url).pathname}?a=1`);
    const { requests } = await proxyLog(user);
    expect(requests.map(({ line }) => line)).toEqual([`CONNECT ${new URL(url).host}`]);
    const headers = (await lastPost(url))?.headers ?? {};
    expect(headers).toMatchObject({ host: new URL(url).host, connection: "close" });
    expect(Object.keys(headers)).not.toContain("proxy-authorization");
    await allClosed(user);
  });

  it("asks an http target over TLS to the proxy", async () => {
    const url = page("article");
    const response = await through(newUser(), url, {}, { secure: true });
    expect(await response.text()).toBe(await (await fetch(url)).text());
  });

  it("says that an https proxy can't serve an https target", async () => {
    await expect(through(newUser(), receiver("ok"), {}, { secure: true })).rejects.toThrow(
      failure("proxy_unavailable", "no TLS inside of TLS", false),
    );
  });

  it("sends a binary body of 1 MB", async () => {
    const url = receiver("ok");
    const body = new Uint8Array(1_000_000).map((_, i) => (i * 31) ^ (i >> 8));
    const response = await through(newUser(), url, { method: "POST", body });
    expect([response.status, response.body]).toEqual([204, null]);
    const post = await lastPost(url);
    expect(post?.method).toBe("POST");
    expect(Buffer.compare(Buffer.from(post?.body ?? "", "base64"), body)).toBe(0);
  });

  it("receives a binary body of 1 MB", async () => {
    const user = newUser();
    const response = await through(user, `${receiver("large")}?bytes=1000000`);
    const expected = Buffer.alloc(1_000_000, "0123456789abcdef");
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), expected)).toBe(0);
    await allClosed(user);
  });

  it("drops the caller's hop-by-hop headers and says Host, length and encodings itself", async () => {
    const url = receiver("ok");
    const dropped = { "keep-alive": "5", te: "trailers", "proxy-authorization": "x", upgrade: "h2c", "x-hop": "1" };
    const headers = { ...dropped, connection: "x-hop, close", host: "evil.example", "accept-encoding": "compress" };
    await through(newUser(), url, {
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

  it("takes a proxy that sends its answer byte by byte", async () => {
    const response = await through(newUser("slow"), receiver("echo-head"));
    expect(response.status).toBe(201);
  });

  it("closes the connection when the body is cancelled", async () => {
    const user = newUser();
    const response = await through(user, receiver("endless"));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    await reader?.cancel();
    await allClosed(user);
  });
});

const OK = "HTTP/1.1 200 OK\r\n";

describe.each([
  ["whole", undefined],
  ["byte by byte", 1],
])("an answer that comes %s", (_, piece) => {
  const answer = (bytes: string, method = "GET") =>
    through(newUser("wire"), wire(bytes, { ...(piece && { piece }) }), { method });

  it.each<[string, string, string]>([
    ["a length", `${OK}Content-Length: 5\r\n\r\nhello`, "hello"],
    ["a length of 0", `${OK}Content-Length: 0\r\n\r\n`, ""],
    ["a length said twice", `${OK}Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello`, "hello"],
    ["more than its length", `${OK}Content-Length: 5\r\n\r\nhello, you`, "hello"],
    ["no length: until the end", `${OK}\r\nhello`, "hello"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", "hello"],
    ["chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n`, "hello, world"],
    ["chunks with extensions", `${OK}Transfer-Encoding: Chunked\r\n\r\n005 ;a="b"\r\nhello\r\n0;x\r\n\r\n`, "hello"],
    [
      "chunks with trailers",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n`,
      "hello",
    ],
    [
      "chunks in spite of a length",
      `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
      "0123456789",
    ],
    [
      "chunks whose data looks like the end",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n`,
      "0\r\n\r\n",
    ],
    ["line feeds alone", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n", "hello"],
    ["no reason phrase", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"],
    [
      "informational answers before",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}\r\nhello`,
      "hello",
    ],
    ["an empty body that says gzip", `${OK}Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n`, ""],
    ["an unknown encoding, as it is", `${OK}Content-Encoding: utf-8\r\n\r\nhello`, "hello"],
  ])("is read: %s", async (_name, bytes, body) => {
    const response = await answer(bytes);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(body);
  });

  it.each<[string, string, string]>([
    ["to HEAD", "HEAD", `${OK}Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\n`],
    ["204", "GET", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["204 with a body all the same", "GET", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"],
    ["304", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"],
  ])("has no body: %s", async (_name, method, bytes) => {
    const response = await answer(bytes, method);
    expect(response.status).toBe(Number(bytes.slice(9, 12)));
    expect(response.body).toBeNull();
  });

  it("has its headers: folded, repeated, in UTF-8; malformed lines are left out", async () => {
    const lines = [
      "Folded: one",
      "\ttwo",
      "  three",
      "  ",
      "Set-Cookie: a=1; Path=/",
      "X: 1",
      "set-cookie: b=2",
      "x: 2",
    ];
    const rest = [
      "nonsense",
      "Not a name: 1",
      "Not(this): 1",
      "Zero: \0",
      "Location: /caf\xc3\xa9",
      "Empty:",
      "Keep-Alive: timeout=5",
      "Content-Length: 0",
    ];
    const response = await answer(`HTTP/1.1 302 D\xe9plac\xe9\r\n${[...lines, ...rest].join("\r\n")}\r\n\r\n`);
    expect([response.status, response.statusText]).toEqual([302, "Déplacé"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
    const { "set-cookie": _cookies, ...headers } = Object.fromEntries(response.headers);
    expect(headers).toEqual({
      folded: "one two three",
      x: "1, 2",
      location: "/café",
      empty: "",
      "content-length": "0",
    });
  });

  it.each<[string, string, string]>([
    ["nothing", "", "nothing, or less than whole headers"],
    ["half a head", `${OK}Content-Le`, "nothing, or less than whole headers"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "headers that aren't HTTP"],
    ["a status that isn't one", "HTTP/1.1 20 OK\r\n\r\n", "headers that aren't HTTP"],
    [
      "another protocol that nobody asked for",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "a change of protocol",
    ],
    ["two lengths", `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, "Content-Length|aren't HTTP"],
    ["two lengths in one", `${OK}Content-Length: 5, 6\r\n\r\nhello!`, "Content-Length"],
    ["a negative length", `${OK}Content-Length: -5\r\n\r\nhello`, "a Content-Length that isn't a number"],
    ["a length in words", `${OK}Content-Length: five\r\n\r\nhello`, "a Content-Length that isn't a number"],
    ["an unknown coding", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, "an unknown Transfer-Encoding"],
  ])("is an error before the response: %s", async (_name, bytes, words) => {
    await expect(answer(bytes)).rejects.toThrow(failure("connection_failed", `^target\\.example sent .*(${words})`));
  });

  it.each<[string, string, string]>([
    ["shorter than its length", `${OK}Content-Length: 6\r\n\r\nhello`, "a body that ended too early"],
    ["without its last chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, "a body that ended too early"],
    ["inside of a chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n6\r\nhello`, "a body that ended too early"],
    ["inside of its trailers", `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n`, "a body that ended too early"],
    [
      "a chunk without a size",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n\r\n`,
      "a chunk without its size",
    ],
    ["a negative chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n-5\r\n\r\n`, "a chunk without its size"],
    [
      "a chunk that is longer",
      `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n`,
      "a chunk longer than its size",
    ],
  ])("is an error in the body: %s", async (_name, bytes, words) => {
    const user = newUser("wire");
    const response = await through(user, wire(bytes, { ...(piece && { piece }), hold: false }));
    await expect(response.text()).rejects.toThrow(failure("connection_failed", `^target\\.example sent ${words}`));
    await allClosed(user);
  });
});

describe("limits", () => {
  it("takes 90 KB of headers, and no more than 100 KB", async () => {
    const head = (kilobytes: number) => `${OK}${`X: ${"x".repeat(1_019)}\r\n`.repeat(kilobytes)}\r\n`;
    const response = await through(newUser("wire"), wire(head(90)));
    expect(response.headers.get("x")?.length).toBeGreaterThan(90_000);
    for (const hold of [false, true]) {
      await expect(through(newUser("wire"), wire(`${head(200).slice(0, -2)}`, { hold }))).rejects.toThrow(
        failure("connection_failed", "too many"),
      );
    }
  });

  it.each([
    ["a chunk's size", "0".repeat(200_000), "a line without end"],
    ["trailers", `0\r\n${"A: b\r\n".repeat(40_000)}`, "too many trailers"],
  ])("ends %s that never ends", async (_name, body, words) => {
    const response = await through(
      newUser("wire"),
      wire(`${OK}Transfer-Encoding: chunked\r\n\r\n${body}`, { hold: true }),
    );
    await expect(response.text()).rejects.toThrow(failure("connection_failed", words));
  });

  it("reads a line of 90,000 blanks in no time", { timeout: 3_000 }, async () => {
    const response = await through(newUser("wire"), wire(`${OK}A: b\r\n${" ".repeat(90_000)}\r\n\r\nhello`));
    expect(await response.text()).toBe("hello");
  });

  it("answers a status beyond 599 with the status's error", async () => {
    await expect(through(newUser("wire"), wire("HTTP/1.1 999 Request Denied\r\n\r\n"))).rejects.toThrow(
      failure("target_http_error", "^target\\.example answered with status 999\\.$"),
    );
  });
});

describe("any bytes", () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      OK,
      "HTTP/1.1 204 No Content\r\n",
      "HTTP/1.0 404\r\n",
      "HTTP/1.1 100\r\n\r\n",
      "HTTP/1.1 777 x\r\n",
    ),
    fc.constantFrom("Transfer-Encoding: chunked\r\n", "Content-Length: 3\r\n", "Content-Length: -3\r\n", "A: b\r\n"),
    fc.constantFrom("Content-Encoding: gzip\r\n", "Content-Encoding: br, zstd\r\n", "Content-Encoding: deflate\r\n"),
    fc.constantFrom(
      "\r\n",
      "\r\n\r\n",
      "\n",
      "0\r\n\r\n",
      "3\r\nabc\r\n",
      "-3\r\n",
      "fffffffffff\r\n",
      ": ",
      " ",
      "\t",
    ),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    fc.string({ unit: "binary-ascii", maxLength: 30 }),
  );
  const message = fc
    .tuple(fc.constantFrom(OK, ""), fc.array(fragment, { maxLength: 12 }))
    .map(([line, rest]) => line + rest.join(""));

  it("give a response or an AppError, and leave no connection", async () => {
    const user = newUser("wire");
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom(undefined, 1, 7), async (bytes, piece) => {
        const options = { signal: AbortSignal.timeout(5_000) };
        try {
          await (await through(user, wire(bytes, { ...(piece && { piece }) }), {}, options)).arrayBuffer();
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/^(connection_failed|target_http_error|proxy_unavailable)$/),
          });
        }
      }),
      { numRuns: 300 },
    );
    await allClosed(user);
  });
});

describe("an encoded body", () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `Line ${i * 7_919} of a long page.\n`).join("");
  // The runtime's own compressor of zstd fails on larger ones.
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
    const response = await through(newUser("wire"), wire(Buffer.concat([Buffer.from(head), body]), { piece: 1_000 }));
    expect(response.headers.has("content-encoding")).toBe(false);
    expect(response.headers.has("content-length")).toBe(false);
    expect(await response.text()).toBe(plain);
  });

  it.each(encoded)("is an error when it is cut: %s", async (encoding, body) => {
    const bytes = Buffer.concat([Buffer.from(`${OK}Content-Encoding: ${encoding}\r\n\r\n`), body.subarray(0, -20)]);
    const response = await through(newUser("wire"), wire(bytes));
    await expect(response.text()).rejects.toThrow(
      failure("connection_failed", "^target\\.example sent a body that isn't "),
    );
  });

  it("is an error of the connection when that breaks off", async () => {
    const body = gzipSync(text).toString("latin1");
    const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${body.length + 1}\r\n\r\n`;
    const response = await through(newUser("wire"), wire(head + body.slice(0, -20)));
    await expect(response.text()).rejects.toThrow(failure("connection_failed", "a body that ended too early"));
  });

  it.each(["gzip", "deflate", "br", "zstd"])("is an error when it isn't %s", async (encoding) => {
    const user = newUser("wire");
    const response = await through(user, wire(`${OK}Content-Encoding: ${encoding}\r\n\r\n<p>Not at all</p>`));
    await expect(response.text()).rejects.toThrow(
      failure("connection_failed", "^target\\.example sent a body that isn't "),
    );
    await allClosed(user);
  });

  it("streams: a body that grows without end can be left", async () => {
    const user = newUser("wire");
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const bytes = Buffer.concat([Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`), bomb]);
    const response = await through(user, wire(bytes, { hold: true }));
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > 1_000_000) break;
    }
    expect(size).toBeLessThan(2_000_000);
    await allClosed(user);
  });

  it("shows what has come before the rest is there", async () => {
    const user = newUser("wire");
    const bytes = Buffer.concat([
      Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`),
      gzipSync(text).subarray(0, 20_000),
    ]);
    const response = await through(user, wire(bytes, { hold: true }));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value?.slice(0, 24)).toBe(text.slice(0, 24));
    await reader?.cancel();
    await allClosed(user);
  });
});

describe("a proxy that fails", () => {
  it.each([
    ["refuses the credentials of a tunnel", receiver("ok")],
    ["refuses the credentials of a request", page("article")],
  ])("%s", async (_name, url) => {
    const refused = through(newUser(), url, {}, { password: "wrong-password" });
    await expect(refused).rejects.toThrow(
      failure("proxy_unavailable", "^The proxy refused our credentials \\(407\\)\\.$"),
    );
  });

  it.each([
    ["status502", "^The proxy answered with status 502\\.$"],
    ["status403", "^The proxy answered with status 403\\.$"],
    ["status302", "^The proxy answered with status 302\\.$"],
    ["garbage", "^The proxy did not answer as a proxy does\\.$"],
    ["mute", "^The proxy did not answer as a proxy does\\.$"],
    ["chatty", "^The proxy did not answer as a proxy does\\.$"],
  ])("is unavailable when it answers CONNECT with %s", async (behaviour, message) => {
    await expect(through(newUser(behaviour), receiver("ok"))).rejects.toThrow(failure("proxy_unavailable", message));
  });

  it.each([
    ["nobody listens", "127.0.0.1:1"],
    ["has a name that doesn't exist", "proxy.invalid:8080"],
  ])("is unavailable when it %s", async (_name, host) => {
    for (const url of [page("article"), receiver("ok")]) {
      await expect(through(newUser(), url, {}, { host })).rejects.toThrow(
        failure("proxy_unavailable", "^The proxy could not be reached\\.$"),
      );
    }
  });

  it("never says its credentials or its address", async () => {
    const errors = await Promise.all(
      ["status502", "garbage", "dies", "mute"].map((behaviour) =>
        through(newUser(behaviour), receiver("ok")).catch((error: Error) => `${error.message} ${error.cause}`),
      ),
    );
    for (const error of errors) expect(error).not.toMatch(/secret|Basic|status502-|garbage-|dies-|mute-/);
  });
});

describe("a target that fails behind the proxy", () => {
  it.each([
    ["has no TLS", `https://localhost:${new URL(site).port}/`],
    ["has another name in its certificate", `https://other.example:${new URL(hook).port}/`],
    ["refuses the connection", "https://localhost:1/"],
  ])("%s", async (_name, url) => {
    await expect(through(newUser(), url)).rejects.toThrow(failure("tls_failure", "^No trusted TLS connection to "));
  });

  it("ends the tunnel", async () => {
    await expect(through(newUser("dies"), receiver("ok"))).rejects.toThrow(failure("tls_failure", "^No trusted TLS"));
  });

  it.each([
    ["an https one", receiver("hangup")],
    ["an http one", page("reset")],
  ])("hangs up: %s", async (_name, url) => {
    await expect(through(newUser(), url)).rejects.toThrow(failure("connection_failed", "sent nothing|failed"));
  });
});

describe("the signal", () => {
  const reason = new Error("Enough of this.");

  it.each([
    ["CONNECT's answer", "hang", receiver("ok")],
    ["the headers of an https target", "ok", receiver("never")],
    ["the headers of an http target", "ok", page("never")],
    ["the rest of the headers", "wire", wire(`${OK}Content-Ty`, { hold: true })],
  ])("ends the wait for %s, and closes the connection", async (_name, behaviour, url) => {
    const user = newUser(behaviour);
    const controller = new AbortController();
    const outcome = through(user, url, {}, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(async () => (await proxyLog(user)).open, { timeout: 5_000 }).toBe(1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await allClosed(user);
  });

  it("that never makes its connection is given up before the target's time is over", async () => {
    const user = newUser("hang");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const outcome = through(user, receiver("ok")).catch((error: unknown) => error);
    await expect.poll(async () => (await proxyLog(user)).open, { timeout: 5_000 }).toBe(1);
    vi.advanceTimersByTime(PROXY_ANSWER_MS);
    vi.useRealTimers();
    expect(await outcome).toMatchObject({ code: "proxy_unavailable", retryable: true });
    await allClosed(user);
  });

  // The runtime doesn't close a connection whose handshake hangs.
  it("ends the wait for the TLS handshake", async () => {
    const user = newUser("stalls");
    const controller = new AbortController();
    const outcome = through(user, receiver("ok"), {}, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(async () => (await proxyLog(user)).open, { timeout: 5_000 }).toBe(1);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  });

  it.each([
    ["with a length", wire(`${OK}Content-Length: 10\r\n\r\nhello`, { hold: true })],
    ["in chunks", wire(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, { hold: true })],
    [
      "encoded",
      wire(
        Buffer.concat([
          Buffer.from(`${OK}Content-Encoding: gzip\r\n\r\n`),
          gzipSync("hello".repeat(9_999)).subarray(0, -8),
        ]),
        { hold: true },
      ),
    ],
  ])("ends a body %s, and closes the connection", async (_name, url) => {
    const user = newUser("wire");
    const controller = new AbortController();
    const response = await through(user, url, {}, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const next = reader?.read().then(async () => await reader.read());
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await allClosed(user);
  });

  it("that is aborted already ends it before a connection is made", async () => {
    const user = newUser();
    await expect(through(user, page("article"), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await proxyLog(user)).requests).toEqual([]);
  });
});

describe("many at once", () => {
  it("five have a connection, the others wait for it", async () => {
    const user = newUser();
    const url = page("held");
    const connections = new Semaphore(PROXY_CONNECTIONS);
    const all = Promise.all(
      Array.from({ length: 20 }, async () => await (await through(user, url, {}, { connections })).text()),
    );
    for (const hits of [5, 10, 15, 20]) {
      await vi.waitUntil(async () => (await ask<number>("hits", url)) >= hits, { timeout: 5_000 });
      expect(await ask<number>("hits", url)).toBe(hits);
      await ask("release", url);
    }
    expect(new Set(await all)).toEqual(new Set([await (await fetch(page("article"))).text()]));
    await allClosed(user);
  });

  it("a failure, an abort and a cancelled body give their place back", async () => {
    const connections = new Semaphore(1);
    await expect(through(newUser("garbage"), receiver("ok"), {}, { connections })).rejects.toThrow();
    await expect(
      through(newUser("wire"), wire(`${OK}\r\n`), { method: "HEAD" }, { connections }),
    ).resolves.toBeDefined();
    const holder = await through(newUser(), receiver("endless"), {}, { connections });
    const controller = new AbortController();
    const waiting = through(newUser(), receiver("ok"), {}, { connections, signal: controller.signal });
    controller.abort(new Error("No more patience."));
    await expect(waiting).rejects.toThrow("No more patience.");
    await holder.body?.cancel();
    expect((await through(newUser(), receiver("ok"), {}, { connections })).status).toBe(204);
  });
});
