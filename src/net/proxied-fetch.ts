import { type Semaphore, TimeoutError, withTimeout } from "../lib/async";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { MAX_PAGE_BYTES_DEFAULT, PROXY_CONNECT_TIMEOUT_MS } from "../model/page-limits";
import { type HeaderList, type Http1Request, readHead, toHeadText, toRequestText, Wire } from "./http1";
import { Exchange, openSocket, type Sender, send, startTls, type Use } from "./http1-exchange";
import type { ProxyAddress } from "./proxy-config";

interface ProxiedOptions {
  /** Aborts the request, including the body of its response. */
  signal: AbortSignal;
  /** The semaphore of all requests of an invocation or object, whose connections the platform limits. */
  connections: Pick<Semaphore, "acquire">;
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
  const isPlain = request.url.protocol === "http:";
  const sender: Sender = {
    send: (use) => (isPlain ? requestViaProxy(proxy, request, use) : requestViaTunnel(proxy, request, use)),
    check: (status) => {
      if (isPlain && status === 407) throw toRefusal(status);
    },
  };
  return await new Exchange({ request, sender, signal, release, maxBytes }).run();
}

/** Sends an http request in absolute form to the proxy. */
async function requestViaProxy(proxy: ProxyAddress, request: Http1Request, use: Use): Promise<Socket> {
  const { url, body } = request;
  const socket = await withProxyTimeout(connectTo(proxy, proxy.secure ? "on" : "off", use));
  send(socket, toRequestText(request, url.origin + url.pathname + url.search, authorizationOf(proxy)), body);
  return socket;
}

/** Sends an https request through a CONNECT tunnel of the proxy, with TLS inside the tunnel. */
async function requestViaTunnel(proxy: ProxyAddress, request: Http1Request, use: Use): Promise<Socket> {
  const { url, body } = request;
  if (proxy.secure) {
    throw new AppError(
      "proxy_unavailable",
      "The proxy has an https:// URL, which only works for http:// targets, because this runtime doesn't support TLS " +
        "inside TLS. Use the proxy's http:// URL in PROXIES. Connections to https:// targets stay encrypted end to end.",
      { retryable: false },
    );
  }
  const socket = await withProxyTimeout(openTunnel(proxy, url, use));
  const secured = await startTls(socket, url.hostname, use).catch((cause: unknown) => {
    throw toTlsError(cause, url.host);
  });
  send(secured, toRequestText(request, url.pathname + url.search, []), body);
  return secured;
}

async function openTunnel(proxy: ProxyAddress, url: URL, use: Use): Promise<Socket> {
  const socket = await connectTo(proxy, "starttls", use);
  const authority = `${url.hostname}:${url.port || 443}`;
  send(socket, toHeadText(`CONNECT ${authority}`, [["Host", authority], ...authorizationOf(proxy)]));
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

async function connectTo(
  { hostname, port }: ProxyAddress,
  secureTransport: "on" | "off" | "starttls",
  use: Use,
): Promise<Socket> {
  return await openSocket({ hostname, port }, secureTransport, use).catch((cause: unknown) => {
    throw new AppError("proxy_unavailable", "The proxy could not be reached.", { cause });
  });
}

/** Limits the time of connecting, below the target's timeout. A dead proxy then isn't taken for a slow target. */
async function withProxyTimeout(connecting: Promise<Socket>): Promise<Socket> {
  try {
    return await withTimeout(PROXY_CONNECT_TIMEOUT_MS, connecting);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const seconds = PROXY_CONNECT_TIMEOUT_MS / SECOND_MS;
    throw new AppError("proxy_unavailable", `The proxy did not connect within ${seconds} seconds.`);
  }
}

function authorizationOf({ authorization }: ProxyAddress): HeaderList {
  return authorization === null ? [] : [["Proxy-Authorization", authorization]];
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
