import { connect } from "cloudflare:sockets";
import type { Semaphore } from "../lib/async";
import { AppError } from "../model/errors";
import { MAX_PAGE_BYTES_DEFAULT, PROXY_CONNECT_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { canDecode, decode, EncodingError } from "./content-encoding";
import {
  type HeaderList,
  Http1Error,
  type Http1Response,
  listOf,
  type ProxiedRequest,
  readHead,
  readResponse,
  toHeadText,
  toRequestText,
  toResponseHeaders,
  Wire,
} from "./http1";
import type { ProxyAddress } from "./proxy-config";
import { toNetworkError } from "./response";

interface ProxiedOptions {
  /** Aborts the request, including the body of its response. */
  signal: AbortSignal;
  /**
   * The semaphore that all requests of an invocation or a Durable Object share. It's shared because the platform limits
   * their total number of connections.
   */
  connections: Semaphore;
  /** The maximum size of an encoded body, and of each layer between two encodings. */
  maxBytes?: number;
}

/**
 * Sends one request through a proxy. Doesn't follow redirects. The response body is decoded while it streams. The body
 * holds one of the `connections` until it is read or canceled, or until the signal is aborted. The function and the
 * body throw AppError, or the signal's reason once it is aborted.
 *
 * Workers can't connect to Cloudflare's own addresses, so a proxy at such an address can't be reached.
 */
export async function proxiedFetch(
  proxy: ProxyAddress,
  request: ProxiedRequest,
  { signal, connections, maxBytes = MAX_PAGE_BYTES_DEFAULT }: ProxiedOptions,
): Promise<Response> {
  const release = await connections.acquire(signal);
  const exchange = new Exchange({ proxy, request, signal, release, maxBytes });
  return await exchange.run();
}

interface ExchangeOptions {
  proxy: ProxyAddress;
  request: ProxiedRequest;
  signal: AbortSignal;
  /** Releases the slot in `connections`. */
  release: () => void;
  maxBytes: number;
}

class Exchange {
  readonly #proxy: ProxyAddress;
  readonly #request: ProxiedRequest;
  readonly #signal: AbortSignal;
  readonly #release: () => void;
  readonly #maxBytes: number;
  readonly #aborted = Promise.withResolvers<never>();
  #socket: Socket | null = null;

  constructor({ proxy, request, signal, release, maxBytes }: ExchangeOptions) {
    this.#proxy = proxy;
    this.#request = request;
    this.#signal = signal;
    this.#release = release;
    this.#maxBytes = maxBytes;
    // Prevents an unhandled rejection if the promise rejects while no code awaits it.
    this.#aborted.promise.catch(() => {});
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
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
    const isPlain = this.#request.url.protocol === "http:";
    const socket = isPlain ? await this.#requestViaProxy() : await this.#requestViaTunnel();
    const response = await readResponse(new Wire(socket.readable), this.#request.method);
    if (isPlain && response.status === 407) throw toRefusal(response.status);
    return this.#toResponse(response);
  }

  async #requestViaProxy(): Promise<Socket> {
    const { url, body } = this.#request;
    const socket = await this.#withProxyTimeout(this.#connect(this.#proxy.secure ? "on" : "off"));
    const target = url.origin + url.pathname + url.search;
    send(socket, toRequestText(this.#request, target, this.#authorization()), body);
    return socket;
  }

  async #requestViaTunnel(): Promise<Socket> {
    const { url, body } = this.#request;
    const socket = await this.#tunnel();
    send(socket, toRequestText(this.#request, url.pathname + url.search, []), body);
    return socket;
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

  /** Opens a CONNECT tunnel to the target through the proxy, and starts TLS inside the tunnel. */
  async #tunnel(): Promise<Socket> {
    const { url } = this.#request;
    if (this.#proxy.secure) {
      throw new AppError(
        "proxy_unavailable",
        "The proxy has an https:// URL, which only works for http:// targets, because this runtime doesn't support TLS " +
          "inside TLS. Use the proxy's http:// URL in PROXIES. Connections to https:// targets stay encrypted end to end.",
        { retryable: false },
      );
    }
    const socket = await this.#withProxyTimeout(this.#openTunnel());
    const name = url.hostname.replace(/^\[|\]$/g, "");
    const secured = this.#use(socket.startTls({ expectedServerHostname: name }));
    try {
      await secured.opened;
    } catch (cause) {
      throw toTlsError(cause, url.host);
    }
    return secured;
  }

  async #openTunnel(): Promise<Socket> {
    const { url } = this.#request;
    const socket = await this.#connect("starttls");
    const authority = `${url.hostname}:${url.port || 443}`;
    send(socket, toHeadText(`CONNECT ${authority}`, [["Host", authority], ...this.#authorization()]));
    const wire = new Wire(socket.readable);
    try {
      const { status } = await readHead(wire);
      if (status >= 300) throw toRefusal(status);
      wire.release();
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError("proxy_unavailable", "The proxy did not send a valid HTTP response.", { cause });
    }
    return socket;
  }

  /**
   * Limits the time for a connection to the proxy. The limit is shorter than the target's timeout, so that a dead proxy
   * isn't reported as a slow target.
   */
  async #withProxyTimeout(connecting: Promise<Socket>): Promise<Socket> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const seconds = PROXY_CONNECT_TIMEOUT_MS / SECOND_MS;
    const error = new AppError("proxy_unavailable", `The proxy did not connect within ${seconds} seconds.`);
    const timer = setTimeout(() => reject(error), PROXY_CONNECT_TIMEOUT_MS);
    try {
      return await Promise.race([connecting, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #use(socket: Socket): Socket {
    this.#socket = socket;
    // Errors of the socket are ignored here, because its readable stream reports them too.
    socket.closed.catch(() => {});
    if (this.#signal.aborted) this.#close();
    return socket;
  }

  #authorization(): HeaderList {
    return this.#proxy.authorization === null ? [] : [["Proxy-Authorization", this.#proxy.authorization]];
  }

  #toResponse(response: Http1Response): Response {
    const { status, statusText, body } = response;
    if (status > 599) {
      // The constructor of Response rejects a status above 599.
      throw new AppError("target_http_error", `${this.#request.url.host} responded with status ${status}.`, {
        retryable: true,
      });
    }
    const encodings = listOf(response, "content-encoding").filter((encoding) => encoding !== "identity");
    const isDecoded = body !== null && encodings.length > 0 && canDecode(encodings);
    const headers = toResponseHeaders(response.headers, { isDecoded });
    if (body === null) this.#close();
    const stream = body === null ? null : this.#toStream(isDecoded ? decode(body, encodings, this.#maxBytes) : body);
    return new Response(stream, { status, statusText, headers, encodeBody: "manual" });
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
          // Not awaited, because `parts.return` waits for a pending read, which ends only when the socket is closed.
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
    // During a TLS handshake, `close` has no effect: the connection stays open until the other side closes it.
    this.#socket?.close().catch(() => {});
    this.#release();
  }

  #toError(error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof AppError) return error;
    const { host } = this.#request.url;
    if (error instanceof Http1Error || error instanceof EncodingError) {
      return new AppError("connection_failed", `${host} sent ${error.message}.`, { cause: error });
    }
    return toNetworkError(error, host);
  }
}

/**
 * Sends data without waiting, because a server may respond before it has read the whole request. Reading reports a
 * broken connection.
 */
function send(socket: Socket, head: string, body?: Uint8Array): void {
  const writer = socket.writable.getWriter();
  writer.write(new TextEncoder().encode(head)).catch(() => {});
  if (body !== undefined) writer.write(body).catch(() => {});
  writer.releaseLock();
}

function toRefusal(status: number): AppError {
  return new AppError(
    "proxy_unavailable",
    status === 407 ? "The proxy rejected our credentials (407)." : `The proxy responded with status ${status}.`,
  );
}

/**
 * Returns the error for a failed TLS handshake. The runtime reports a bad certificate and a broken connection with the
 * same "internal error". The error is retryable, because the connection may have broken.
 */
function toTlsError(cause: unknown, host: string): AppError {
  return new AppError(
    "tls_failure",
    `A trusted TLS connection to ${host} could not be established through the proxy.`,
    {
      retryable: true,
      cause,
    },
  );
}
