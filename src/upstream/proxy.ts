import { connect } from "cloudflare:sockets";
import { AppError } from "../errors";
import type { Semaphore } from "../lib/semaphore";
import { ACCEPT_ENCODING, canDecode, decode } from "./content-encoding";
import { Http1Error, listOf, type Message, readHead, readMessage, Wire } from "./http1";
import { toNetworkError } from "./network-error";
import type { ProxyAddress } from "./proxies";

export interface ProxiedRequest {
  url: URL;
  method: string;
  headers: Headers;
  body?: Uint8Array;
}

export interface ProxiedOptions {
  /** Ends the request at any moment, its body included. */
  signal: AbortSignal;
  /** One for all requests of an invocation or a Durable Object, whose connections the platform counts together. */
  connections: Semaphore;
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** These are ours to say, besides. */
const OURS: ReadonlySet<string> = new Set(["accept-encoding", "content-length", "expect", "host"]);

/**
 * One exchange through a proxy; redirects are the caller's. The response comes with its headers, its body decoded and
 * streaming; until that is read or cancelled, or the signal aborted, it keeps one of the `connections`. Throws AppError,
 * and so does the body; once the signal is aborted, its reason.
 *
 * The platform connects to no address of Cloudflare's own: a proxy there is as good as dead.
 */
export async function proxiedFetch(
  proxy: ProxyAddress,
  request: ProxiedRequest,
  { signal, connections }: ProxiedOptions,
): Promise<Response> {
  const leave = await connections.take(signal);
  const exchange = new Exchange(proxy, request, signal, leave);
  return await exchange.run();
}

class Exchange {
  readonly #proxy: ProxyAddress;
  readonly #request: ProxiedRequest;
  readonly #signal: AbortSignal;
  readonly #leave: () => void;
  readonly #aborted = Promise.withResolvers<never>();
  #socket: Socket | null = null;

  constructor(proxy: ProxyAddress, request: ProxiedRequest, signal: AbortSignal, leave: () => void) {
    this.#proxy = proxy;
    this.#request = request;
    this.#signal = signal;
    this.#leave = leave;
    // Often there is nobody any more who waits for it.
    this.#aborted.promise.catch(() => {});
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  async run(): Promise<Response> {
    try {
      return await Promise.race([this.#respond(), this.#aborted.promise]);
    } catch (error) {
      this.#close();
      throw this.#toError(error);
    }
  }

  async #respond(): Promise<Response> {
    const { url, method, body } = this.#request;
    const socket =
      url.protocol === "https:" ? await this.#tunnel() : await this.#connect(this.#proxy.secure ? "on" : "off");
    send(socket, this.#toHead(), body);
    const message = await readMessage(new Wire(socket.readable), method);
    if (url.protocol === "http:" && message.status === 407) throw toRefusal(message.status);
    return this.#toResponse(message);
  }

  async #connect(secureTransport: "on" | "off" | "starttls"): Promise<Socket> {
    const { hostname, port } = this.#proxy;
    try {
      const socket = this.#use(connect({ hostname, port }, { secureTransport, allowHalfOpen: false }));
      await socket.opened;
      return socket;
    } catch (cause) {
      throw new AppError("proxy_unavailable", "The proxy could not be reached.", { cause });
    }
  }

  /** A connection to the target itself, made by the proxy, with our TLS in it. */
  async #tunnel(): Promise<Socket> {
    const { url } = this.#request;
    if (this.#proxy.secure) {
      throw new AppError(
        "proxy_unavailable",
        "The proxy for this request is an https:// one, and this runtime's sockets have no TLS inside of TLS: it " +
          "serves http:// targets alone. Give it in PROXIES as http://, for the target's TLS goes through it whole.",
        { retryable: false },
      );
    }
    const socket = await this.#connect("starttls");
    const authority = `${url.hostname}:${url.port || 443}`;
    send(socket, toText(`CONNECT ${authority} HTTP/1.1`, [["Host", authority], ...this.#authorization()]));
    const wire = new Wire(socket.readable);
    try {
      const { status } = await readHead(wire);
      if (status >= 300) throw toRefusal(status);
      wire.release();
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError("proxy_unavailable", "The proxy did not answer as a proxy does.", { cause });
    }
    const secured = this.#use(socket.startTls({ expectedServerHostname: url.hostname }));
    try {
      await secured.opened;
    } catch (cause) {
      throw toTlsError(cause, url.host);
    }
    return secured;
  }

  #use(socket: Socket): Socket {
    this.#socket = socket;
    // Its failures come out where it is read.
    socket.closed.catch(() => {});
    if (this.#signal.aborted) this.#close();
    return socket;
  }

  #toHead(): string {
    const { url, method, headers, body } = this.#request;
    const isPlain = url.protocol === "http:";
    const path = url.pathname + url.search;
    const named = new Set((headers.get("connection") ?? "").toLowerCase().split(/[\s,]+/));
    const forwarded = [...headers].filter(([name]) => !HOP_BY_HOP.has(name) && !OURS.has(name) && !named.has(name));
    const length = body?.byteLength ?? (/^(POST|PUT|PATCH)$/.test(method) ? 0 : null);
    return toText(`${method} ${isPlain ? url.origin : ""}${path} HTTP/1.1`, [
      ["Host", url.host],
      ...forwarded,
      ["Accept-Encoding", ACCEPT_ENCODING],
      ...(length === null ? [] : [["Content-Length", String(length)] satisfies [string, string]]),
      ["Connection", "close"],
      ...(isPlain ? this.#authorization() : []),
    ]);
  }

  #authorization(): [string, string][] {
    return this.#proxy.authorization === null ? [] : [["Proxy-Authorization", this.#proxy.authorization]];
  }

  #toResponse(message: Message): Response {
    const { status, statusText, body } = message;
    if (status > 599) {
      // Beyond what a Response can say.
      throw new AppError("target_http_error", `${this.#request.url.host} answered with status ${status}.`, {
        retryable: true,
      });
    }
    const encodings = listOf(message, "content-encoding").filter((encoding) => encoding !== "identity");
    const isDecoded = body !== null && canDecode(encodings);
    const headers = new Headers();
    for (const [name, value] of message.headers) {
      const key = name.toLowerCase();
      if (HOP_BY_HOP.has(key)) continue;
      if (isDecoded && encodings.length > 0 && (key === "content-encoding" || key === "content-length")) continue;
      headers.append(name, value);
    }
    if (body === null) this.#close();
    return new Response(body === null ? null : this.#toStream(isDecoded ? decode(body, encodings) : body), {
      status,
      statusText,
      headers,
      encodeBody: "manual",
    });
  }

  #toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
    const parts = body[Symbol.asyncIterator]();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await Promise.race([parts.next(), this.#aborted.promise]);
            if (!done) return controller.enqueue(value);
            this.#close();
            controller.close();
          } catch (error) {
            this.#close();
            controller.error(this.#toError(error));
          }
        },
        cancel: () => {
          this.#close();
          // What it still waits for ends with the socket.
          void parts.return?.().catch(() => {});
        },
      },
      { highWaterMark: 0 },
    );
  }

  readonly #onAbort = () => {
    this.#aborted.reject(this.#signal.reason);
    this.#close();
  };

  #close(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#socket?.close().catch(() => {});
    this.#leave();
  }

  #toError(error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof AppError) return error;
    const { host } = this.#request.url;
    if (error instanceof Http1Error) {
      return new AppError("connection_failed", `${host} sent ${error.message}.`, { cause: error });
    }
    return toNetworkError(error, host);
  }
}

/** Doesn't wait: a server may answer before it has read everything, and a connection that broke is seen on reading. */
function send(socket: Socket, head: string, body?: Uint8Array): void {
  const writer = socket.writable.getWriter();
  writer.write(new TextEncoder().encode(head)).catch(() => {});
  if (body !== undefined) writer.write(body).catch(() => {});
  writer.releaseLock();
}

function toText(firstLine: string, headers: [string, string][]): string {
  return `${[firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`;
}

function toRefusal(status: number): AppError {
  return new AppError(
    "proxy_unavailable",
    status === 407 ? "The proxy refused our credentials (407)." : `The proxy answered with status ${status}.`,
  );
}

function toTlsError(cause: unknown, host: string): AppError {
  return new AppError("tls_failure", `No trusted TLS connection to ${host} could be made.`, { cause });
}
