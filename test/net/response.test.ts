import { describe, expect, it } from "vitest";
import { MAX_RETRY_AFTER_MS } from "../../src/model/page-limits";
import {
  describeMediaType,
  isMarkupType,
  peekBody,
  readBody,
  readBodyPrefix,
  retryDelay,
  toNetworkError,
} from "../../src/net/response";

const MIB = 1024 * 1024;

/** Returns a response with these chunks. `fails`: the connection breaks after them. `state` records a cancellation. */
function toResponse(chunks: Uint8Array[], { fails = false, headers = {} } = {}) {
  const state = { isCanceled: false };
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (fails) controller.error(new Error("The connection broke."));
        else controller.close();
      },
      cancel() {
        state.isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body, { headers }), state };
}

const bytes = (...values: number[]) => new Uint8Array(values);

describe("peekBody", () => {
  const limits = { maxBytes: 3, timeoutMs: 5_000 };
  const peek = async (chunks: Uint8Array[], options = {}, own = limits) => {
    const { response, state } = toResponse(chunks, options);
    return { ...(await peekBody(response, own)), state };
  };

  it.each([
    [[bytes(1, 2)], bytes(1, 2)],
    [[bytes(1, 2), bytes(3), bytes(4)], bytes(1, 2, 3)],
    [[bytes(1, 2), bytes(3, 4), bytes(5)], bytes(1, 2, 3, 4)],
    [[bytes(1, 2, 3, 4), bytes(5)], bytes(1, 2, 3, 4)],
  ])("reads chunks until it has enough bytes, and returns the whole body: %j", async (chunks, prefix) => {
    const peeked = await peek(chunks);
    expect(peeked.prefix).toEqual(prefix);
    expect(await new Response(peeked.body).bytes()).toEqual(bytes(...chunks.flatMap((chunk) => [...chunk])));
  });

  it("returns no bytes for a response without a body", async () => {
    expect(await peekBody(new Response(null), limits)).toEqual({ prefix: bytes(), body: null });
  });

  it("returns the bytes before an error, which the body throws", async () => {
    const { prefix, body } = await peek([bytes(1)], { fails: true });
    expect(prefix).toEqual(bytes(1));
    await expect(new Response(body).bytes()).rejects.toThrow("The connection broke.");
  });

  it("returns the bytes that arrive in time, and the body waits for the others", async () => {
    let send = (_: Uint8Array) => {};
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes(1));
        send = (chunk) => {
          controller.enqueue(chunk);
          controller.close();
        };
      },
    });
    const { prefix, body } = await peekBody(new Response(source), { maxBytes: 3, timeoutMs: 20 });
    expect(prefix).toEqual(bytes(1));
    send(bytes(2));
    expect(await new Response(body).bytes()).toEqual(bytes(1, 2));
  });

  it("cancels the connection with the body", async () => {
    const { body, state } = await peek([bytes(1, 2, 3), bytes(4)]);
    await body?.cancel();
    expect(state.isCanceled).toBe(true);
  });
});

describe("readBody", () => {
  it("joins the chunks", async () => {
    const { response } = toResponse([bytes(1, 2), bytes(3)]);
    expect(await readBody(response, 3)).toEqual(bytes(1, 2, 3));
  });

  it("returns no bytes for a response without a body", async () => {
    expect(await readBody(new Response(null), 3)).toEqual(bytes());
  });

  it("throws target_too_large for one byte too many, and cancels the body", async () => {
    const { response, state } = toResponse([bytes(1, 2), bytes(3, 4), bytes(5)]);
    await expect(readBody(response, 3)).rejects.toMatchObject({ code: "target_too_large" });
    expect(state.isCanceled).toBe(true);
  });

  it.each([
    ["3", null],
    ["4", "target_too_large"],
  ])("checks the declared length %s before it reads", async (length, code) => {
    const { response, state } = toResponse([bytes(1)], { headers: { "content-length": length } });
    if (code === null) expect(await readBody(response, 3)).toEqual(bytes(1));
    else await expect(readBody(response, 3)).rejects.toMatchObject({ code });
    expect(state.isCanceled).toBe(code !== null);
  });

  it.each([
    [MIB, 0],
    [MIB + 1, 1],
  ])("announces a body of %i bytes %i times", async (length, times) => {
    let announced = 0;
    const { response } = toResponse([new Uint8Array(length - 1), bytes(1)]);
    const body = await readBody(response, 2 * MIB, async () => {
      announced++;
    });
    expect([body.byteLength, announced]).toEqual([length, times]);
  });

  it("throws if the connection breaks", async () => {
    const { response } = toResponse([bytes(1)], { fails: true });
    await expect(readBody(response, 3)).rejects.toThrow("The connection broke.");
  });

  it.each([
    [{}, true],
    [{ "content-length": "0" }, true],
    [{ "content-length": "2" }, false],
  ])("with the headers %j, takes an encoded body without data for empty: %s", async (headers, isEmpty) => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new TypeError("Brotli compressed stream ended prematurely.")),
    });
    const read = readBody(new Response(body, { headers }), 3);
    if (isEmpty) expect(await read).toEqual(bytes());
    else await expect(read).rejects.toThrow("ended prematurely");
  });
});

describe("readBodyPrefix", () => {
  const limits = { maxBytes: 3, timeoutMs: 10_000 };

  it("returns at most maxBytes and cancels the remaining body", async () => {
    const { response, state } = toResponse([bytes(1, 2), bytes(3, 4), bytes(5)]);
    expect(await readBodyPrefix(response, limits)).toEqual(bytes(1, 2, 3));
    expect(state.isCanceled).toBe(true);
  });

  it("returns a short body", async () => {
    expect(await readBodyPrefix(toResponse([bytes(1), bytes(2)]).response, limits)).toEqual(bytes(1, 2));
    expect(await readBodyPrefix(new Response(null), limits)).toEqual(bytes());
  });

  it("returns the bytes before the connection broke", async () => {
    expect(await readBodyPrefix(toResponse([bytes(1)], { fails: true }).response, limits)).toEqual(bytes(1));
  });

  it("returns the bytes before the timeout", async () => {
    const endless = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes(1)) });
    expect(await readBodyPrefix(new Response(endless), { maxBytes: 3, timeoutMs: 1 })).toEqual(bytes(1));
  });
});

describe("retryDelay", () => {
  it.each([
    [429, null, 1_000],
    [503, undefined, 1_000],
    [503, "3", 3_000],
    [429, " 0 ", 0],
    [429, `${MAX_RETRY_AFTER_MS / 1_000}`, MAX_RETRY_AFTER_MS],
    [429, `${MAX_RETRY_AFTER_MS / 1_000 + 1}`, null],
    [429, "0.5", 500],
    [429, "9".repeat(30), null],
    [503, "Thu, 01 Jan 1970 00:00:00 GMT", 0],
    [503, "Fri, 01 Jan 2100 00:00:00 GMT", null],
    [500, "1", null],
    [502, null, null],
    [200, "1", null],
  ])("for status %i and Retry-After %j is %j", (status, retryAfter, expected) => {
    expect(retryDelay(status, retryAfter)).toBe(expected);
  });

  it.each(["", "soon", "-5", "5 s", "2100-01-01T00:00:00Z", "Monday", "Fri, 99 Jan 2100 00:00:00 GMT"])(
    "is the usual delay if Retry-After is invalid: %j",
    (retryAfter) => {
      expect(retryDelay(429, retryAfter)).toBe(1_000);
    },
  );
});

describe("toNetworkError", () => {
  it.each([
    ["DNS lookup failed", "dns_failure"],
    ["getaddrinfo ENOTFOUND a.example", "dns_failure"],
    ["No such host is known", "dns_failure"],
    ["TLS peer's certificate is not trusted", "tls_failure"],
    ["SSL alert", "tls_failure"],
    ["handshake failed", "tls_failure"],
    ["Network connection lost.", "connection_failed"],
  ])("reports %j as %s", (message, code) => {
    const cause = new Error(message);
    const error = toNetworkError(cause, "a.example");
    expect([error.code, error.cause]).toEqual([code, cause]);
    expect(error.message).toContain("a.example");
    expect(error.message).not.toContain(message);
  });

  it("accepts values that aren't errors", () => {
    expect(toNetworkError("dns", "a.example").code).toBe("dns_failure");
  });
});

describe("media types", () => {
  it.each([
    ["text/html", true],
    ["application/xhtml+xml", true],
    ["text/plain", false],
    ["application/xml", false],
    ["image/svg+xml", false],
  ])("%s is markup: %s", (type, expected) => {
    expect(isMarkupType(type)).toBe(expected);
  });

  it("are quoted only if they're valid", () => {
    expect(describeMediaType("image/png")).toBe("The page's media type is image/png, which has no text.");
    for (const type of ["<b>/x", "image", "image/png; a=b", `a/${"b".repeat(65)}`])
      expect(describeMediaType(type)).toBe("The page's media type is invalid, so the page can't be converted.");
  });
});
