import { connect } from "cloudflare:sockets";
import { AppError } from "../model/errors";
import { type Http1Request, toRequestText } from "./http1";
import { Exchange, type Sender, send, type Use } from "./http1-exchange";

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
  const sender = new SocketSender(request, address ?? request.url.hostname);
  return await new Exchange({ request, sender, signal, release: () => {}, maxBytes }).run();
}

/** Connects to the target and sends the request, with TLS for an https URL. */
class SocketSender implements Sender {
  readonly #request: Http1Request;
  readonly #hostname: string;

  constructor(request: Http1Request, host: string) {
    this.#request = request;
    this.#hostname = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  }

  async send(use: Use): Promise<Socket> {
    const { url, body } = this.#request;
    const socket = url.protocol === "https:" ? await this.#openSecure(use) : await this.#open("off", use);
    send(socket, toRequestText(this.#request, url.pathname + url.search, []), body);
    return socket;
  }

  async #open(secureTransport: "off" | "starttls", use: Use): Promise<Socket> {
    const { host, port, protocol } = this.#request.url;
    const address = { hostname: this.#hostname, port: Number(port) || (protocol === "https:" ? 443 : 80) };
    try {
      const socket = use(connect(address, { secureTransport, allowHalfOpen: false }));
      await socket.opened;
      return socket;
    } catch (cause) {
      throw new AppError("connection_failed", `The connection to ${host} failed.`, { cause });
    }
  }

  /** Opens a connection with TLS. The certificate must be valid for the URL's host, even if an address is given. */
  async #openSecure(use: Use): Promise<Socket> {
    const { hostname, host } = this.#request.url;
    const socket = await this.#open("starttls", use);
    try {
      const secured = use(socket.startTls({ expectedServerHostname: hostname.replace(/^\[|\]$/g, "") }));
      await secured.opened;
      return secured;
    } catch (cause) {
      throw new AppError("tls_failure", `A trusted TLS connection to ${host} could not be established.`, { cause });
    }
  }
}
