import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  appError,
  fetchThroughProxy,
  newProxyUser,
  OK,
  rawResponseUrl,
  waitForClosedConnections,
} from "../support/proxied";

const EARLY_HINTS = "HTTP/1.1 103 Early Hints\r\n\r\n";

describe.each([
  ["in one piece", undefined],
  ["byte by byte", 1],
])("a response that arrives %s", (_, piece) => {
  const answer = (bytes: string, method = "GET") =>
    fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(bytes, { ...(piece && { piece }) }), { method });

  it.each<[string, string, string]>([
    ["a length", `${OK}Content-Length: 5\r\n\r\nhello`, "hello"],
    ["a length of 0", `${OK}Content-Length: 0\r\n\r\n`, ""],
    ["the same length twice", `${OK}Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello`, "hello"],
    ["more than its length", `${OK}Content-Length: 5\r\n\r\nhello, you`, "hello"],
    ["no length: until the end", `${OK}\r\nhello`, "hello"],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nhello", "hello"],
    ["chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n`, "hello, world"],
    ["chunks with extensions", `${OK}Transfer-Encoding: Chunked\r\n\r\n005 ;a="b"\r\nhello\r\n0;x\r\n\r\n`, "hello"],
    [
      "a chunk size with zeros",
      `${OK}Transfer-Encoding: chunked\r\n\r\n${"0".repeat(20)}5\r\nhello\r\n00\r\n\r\n`,
      "hello",
    ],
    [
      "chunks with trailers",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n`,
      "hello",
    ],
    [
      "chunks and a length",
      `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
      "0123456789",
    ],
    [
      "chunks whose data looks like the end",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n`,
      "0\r\n\r\n",
    ],
    ["line feeds without carriage returns", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n", "hello"],
    ["no reason phrase", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"],
    [
      "after informational responses",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}\r\nhello`,
      "hello",
    ],
    ["after 100 informational responses", `${EARLY_HINTS.repeat(100)}${OK}\r\nhello`, "hello"],
    ["an empty body declared as gzip", `${OK}Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n`, ""],
    ["an unknown encoding, unchanged", `${OK}Content-Encoding: utf-8\r\n\r\nhello`, "hello"],
  ])("is read: %s", async (_name, bytes, body) => {
    const response = await answer(bytes);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(body);
  });

  it.each<[string, string, string]>([
    ["to HEAD", "HEAD", `${OK}Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\n`],
    ["204", "GET", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["204 followed by a body", "GET", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"],
    ["304", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"],
  ])("has no body: %s", async (_name, method, bytes) => {
    const response = await answer(bytes, method);
    expect(response.status).toBe(Number(bytes.slice(9, 12)));
    expect(response.body).toBeNull();
  });

  it("has folded, repeated and UTF-8 headers, but no malformed ones", async () => {
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
    ["no data", "", "incomplete headers or no data"],
    ["incomplete headers", `${OK}Content-Le`, "incomplete headers or no data"],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "invalid or too many headers"],
    [
      "too many informational responses",
      `${EARLY_HINTS.repeat(101)}${OK}\r\nhello`,
      "too many responses with status 1xx",
    ],
    ["a status below 100", `HTTP/1.1 099 Early\r\n\r\n${OK}\r\nhello`, "an invalid status"],
    ["a status with two digits", "HTTP/1.1 20 OK\r\n\r\n", "invalid or too many headers"],
    [
      "an unexpected change of protocol",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "an unexpected change of protocol",
    ],
    ["two lengths", `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`, "Content-Length|invalid"],
    ["two lengths in one header", `${OK}Content-Length: 5, 6\r\n\r\nhello!`, "Content-Length"],
    ["a negative length", `${OK}Content-Length: -5\r\n\r\nhello`, "a Content-Length that isn't a number"],
    ["a length in words", `${OK}Content-Length: five\r\n\r\nhello`, "a Content-Length that isn't a number"],
    ["an unknown coding", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, "an unknown Transfer-Encoding"],
  ])("is an error before the response: %s", async (_name, bytes, words) => {
    await expect(answer(bytes)).rejects.toThrow(appError("connection_failed", `^target\\.example sent .*(${words})`));
  });

  it.each<[string, string, string]>([
    ["shorter than its length", `${OK}Content-Length: 6\r\n\r\nhello`, "a body that ended too early"],
    ["without the last chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, "a body that ended too early"],
    ["cut inside a chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n6\r\nhello`, "a body that ended too early"],
    ["cut inside the trailers", `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n`, "a body that ended too early"],
    [
      "a chunk without a size",
      `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n\r\n`,
      "a chunk without its size",
    ],
    ["a negative chunk", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n-5\r\n\r\n`, "a chunk without its size"],
    [
      "a chunk longer than its size",
      `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n`,
      "a chunk longer than its size",
    ],
  ])("is an error in the body: %s", async (_name, bytes, words) => {
    const user = newProxyUser("wire");
    const response = await fetchThroughProxy(user, rawResponseUrl(bytes, { ...(piece && { piece }), hold: false }));
    await expect(response.text()).rejects.toThrow(appError("connection_failed", `^target\\.example sent ${words}`));
    await waitForClosedConnections(user);
  });
});

describe("limits", () => {
  it("accepts 90 KB of headers, but not 200 KB", async () => {
    const head = (kilobytes: number) => `${OK}${`X: ${"x".repeat(1_019)}\r\n`.repeat(kilobytes)}\r\n`;
    const response = await fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(head(90)));
    expect(response.headers.get("x")?.length).toBeGreaterThan(90_000);
    for (const hold of [false, true]) {
      await expect(
        fetchThroughProxy(newProxyUser("wire"), rawResponseUrl(`${head(200).slice(0, -2)}`, { hold })),
      ).rejects.toThrow(appError("connection_failed", "too many"));
    }
  });

  it.each([
    ["a chunk's size", "0".repeat(200_000), "a line that is too long"],
    ["trailers", `0\r\n${"A: b\r\n".repeat(40_000)}`, "too many trailers"],
  ])("rejects endless data for %s", async (_name, body, words) => {
    const response = await fetchThroughProxy(
      newProxyUser("wire"),
      rawResponseUrl(`${OK}Transfer-Encoding: chunked\r\n\r\n${body}`, { hold: true }),
    );
    await expect(response.text()).rejects.toThrow(appError("connection_failed", words));
  });

  it("reads a line of 90,000 blanks", async () => {
    const response = await fetchThroughProxy(
      newProxyUser("wire"),
      rawResponseUrl(`${OK}A: b\r\n${" ".repeat(90_000)}\r\n\r\nhello`),
    );
    expect(await response.text()).toBe("hello");
  });

  it("reports a status above 599 as target_http_error", async () => {
    await expect(
      fetchThroughProxy(newProxyUser("wire"), rawResponseUrl("HTTP/1.1 999 Request Denied\r\n\r\n")),
    ).rejects.toThrow(appError("target_http_error", "^target\\.example responded with status 999\\.$"));
  });
});

describe("random bytes", () => {
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

  it("result in a response or an AppError and leave no open connection", async () => {
    const user = newProxyUser("wire");
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom(undefined, 1, 7), async (bytes, piece) => {
        const options = { signal: AbortSignal.timeout(5_000) };
        try {
          await (
            await fetchThroughProxy(user, rawResponseUrl(bytes, { ...(piece && { piece }) }), {}, options)
          ).arrayBuffer();
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(
              /^(connection_failed|target_http_error|proxy_unavailable|unsupported_content)$/,
            ),
          });
        }
      }),
      { numRuns: 300 },
    );
    await waitForClosedConnections(user);
  });
});
