import { AppError } from "../model/errors";
import { type Http1Request, toRequestText } from "./http1";
import { Exchange, openSocket, send, startTls, type Use } from "./http1-exchange";

interface SocketOptions {
  /** The IP address to connect to. Null if the URL's host is used. */
  address: string | null;
  /** Aborts the request, including the body of its response. */
  signal: AbortSignal;
  /** The maximum size of an encoded body, and of each layer between two encodings. */
  maxBytes: number;
}

/**
 * Sends one request over a TCP socket. Unlike `fetch`, Cloudflare adds no headers to it. Doesn't follow redirects. The
 * response body is decoded while it streams. The caller must check the URL and its addresses before. The function and
 * the body throw AppError, or the signal's reason after it is aborted.
 *
 * Workers can't connect to Cloudflare's own addresses, so sites that use Cloudflare can't be reached.
 */
export async function socketFetch(
  request: Http1Request,
  { address, signal, maxBytes }: SocketOptions,
): Promise<Response> {
  const send = (use: Use) => sendDirectly(request, address ?? request.url.hostname, use);
  return await new Exchange({ request, sender: { send }, signal, release: () => {}, maxBytes }).run();
}

/**
 * Connects to the target and sends the request, with TLS for an https URL. The certificate must be valid for the URL's
 * host, even if `host` is an address.
 */
async function sendDirectly(request: Http1Request, host: string, use: Use): Promise<Socket> {
  const { url, body } = request;
  const isSecure = url.protocol === "https:";
  const hostname = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const address = { hostname, port: Number(url.port) || (isSecure ? 443 : 80) };
  let socket = await openSocket(address, isSecure ? "starttls" : "off", use).catch((cause: unknown) => {
    throw new AppError("connection_failed", `The connection to ${url.host} failed.`, { cause });
  });
  if (isSecure) {
    socket = await startTls(socket, url.hostname, use).catch((cause: unknown) => {
      throw new AppError("tls_failure", `A trusted TLS connection to ${url.host} could not be established.`, { cause });
    });
  }
  send(socket, toRequestText(request, url.pathname + url.search, []), body);
  return socket;
}
