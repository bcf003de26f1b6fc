import { connect } from "cloudflare:sockets";
import type { Semaphore } from "../lib/async";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { MAX_PAGE_BYTES_DEFAULT, PROXY_CONNECT_TIMEOUT_MS } from "../model/page-limits";
import { type HeaderList, type Http1Request, readHead, toHeadText, toRequestText, Wire } from "./http1";
import { Exchange, type Sender, send, type Use } from "./http1-exchange";
import type { ProxyAddress } from "./proxy-config";

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
 * body throw AppError, or the signal's reason after it is aborted.
 *
 * Workers can't connect to Cloudflare's own addresses, so a proxy at such an address can't be reached.
 */
export async function proxiedFetch(
  proxy: ProxyAddress,
  request: Http1Request,
  { signal, connections, maxBytes = MAX_PAGE_BYTES_DEFAULT }: ProxiedOptions,
): Promise<Response> {
  const release = await connections.acquire(signal);
  const sender = new ProxySender(proxy, request);
  return await new Exchange({ request, sender, signal, release, maxBytes }).run();
}

/** Sends a request through a proxy: an http request in absolute form, an https request through a tunnel. */
class ProxySender implements Sender {
  readonly #proxy: ProxyAddress;
  readonly #request: Http1Request;

  constructor(proxy: ProxyAddress, request: Http1Request) {
    this.#proxy = proxy;
    this.#request = request;
  }

  send(use: Use): Promise<Socket> {
    return this.#request.url.protocol === "http:" ? this.#requestViaProxy(use) : this.#requestViaTunnel(use);
  }

  check(status: number): void {
    if (this.#request.url.protocol === "http:" && status === 407) throw toRefusal(status);
  }

  async #requestViaProxy(use: Use): Promise<Socket> {
    const { url, body } = this.#request;
    const socket = await this.#withProxyTimeout(this.#connect(this.#proxy.secure ? "on" : "off", use));
    const target = url.origin + url.pathname + url.search;
    send(socket, toRequestText(this.#request, target, this.#authorization()), body);
    return socket;
  }

  async #requestViaTunnel(use: Use): Promise<Socket> {
    const { url, body } = this.#request;
    const socket = await this.#tunnel(use);
    send(socket, toRequestText(this.#request, url.pathname + url.search, []), body);
    return socket;
  }

  async #connect(secureTransport: "on" | "off" | "starttls", use: Use): Promise<Socket> {
    const { hostname, port } = this.#proxy;
    try {
      const socket = use(connect({ hostname, port }, { secureTransport, allowHalfOpen: false }));
      await socket.opened;
      return socket;
    } catch (cause) {
      throw new AppError("proxy_unavailable", "The proxy could not be reached.", { cause });
    }
  }

  /** Opens a CONNECT tunnel to the target through the proxy, and starts TLS inside the tunnel. */
  async #tunnel(use: Use): Promise<Socket> {
    const { url } = this.#request;
    if (this.#proxy.secure) {
      throw new AppError(
        "proxy_unavailable",
        "The proxy has an https:// URL, which only works for http:// targets, because this runtime doesn't support TLS " +
          "inside TLS. Use the proxy's http:// URL in PROXIES. Connections to https:// targets stay encrypted end to end.",
        { retryable: false },
      );
    }
    const socket = await this.#withProxyTimeout(this.#openTunnel(use));
    const name = url.hostname.replace(/^\[|\]$/g, "");
    const secured = use(socket.startTls({ expectedServerHostname: name }));
    try {
      await secured.opened;
    } catch (cause) {
      throw toTlsError(cause, url.host);
    }
    return secured;
  }

  async #openTunnel(use: Use): Promise<Socket> {
    const { url } = this.#request;
    const socket = await this.#connect("starttls", use);
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

  #authorization(): HeaderList {
    return this.#proxy.authorization === null ? [] : [["Proxy-Authorization", this.#proxy.authorization]];
  }
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
