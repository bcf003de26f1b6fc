import { connect } from "cloudflare:sockets";
import { AppError } from "../model/errors";
import { canDecode, decode, EncodingError } from "./content-encoding";
import {
  Http1Error,
  type Http1Request,
  type Http1Response,
  listOf,
  readResponse,
  toResponseHeaders,
  Wire,
} from "./http1";
import { toNetworkError } from "./response";

/** Registers an opened socket, so that it is closed when the exchange ends. Returns the socket. */
export type Use = (socket: Socket) => Socket;

/** Opens the connections of one request and sends it. */
export interface Sender {
  /** Connects and sends the request. Returns the socket with the response. Every opened socket is passed to `use`. */
  send(use: Use): Promise<Socket>;
  /** Throws AppError if the response isn't the target's. */
  check?(status: number): void;
}

interface ExchangeOptions {
  request: Http1Request;
  sender: Sender;
  signal: AbortSignal;
  /** Releases the slot of the connection. */
  release: () => void;
  /** The maximum size of an encoded body, and of each layer between two encodings. */
  maxBytes: number;
}

/** One HTTP/1.1 request over a socket, and its response. The response body is decoded while it streams. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #aborted = Promise.withResolvers<never>();
  #socket: Socket | null = null;

  constructor(options: ExchangeOptions) {
    const { signal } = options;
    this.#options = options;
    // Prevents an unhandled rejection if the promise rejects while no code awaits it.
    this.#aborted.promise.catch(() => {});
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Sends the request and returns the response. Throws AppError, or the signal's reason after it is aborted. */
  async run(): Promise<Response> {
    try {
      return await Promise.race([this.#respond(), this.#aborted.promise]);
    } catch (error) {
      this.#close();
      throw this.#toError(error);
    }
  }

  async #respond(): Promise<Response> {
    const { sender, request } = this.#options;
    const socket = await sender.send((opened) => this.#use(opened));
    const response = await readResponse(new Wire(socket.readable), request.method);
    sender.check?.(response.status);
    return this.#toResponse(response);
  }

  #use(socket: Socket): Socket {
    this.#socket = socket;
    // Errors of the socket are ignored here, because its readable stream reports them too.
    socket.closed.catch(() => {});
    if (this.#options.signal.aborted) this.#close();
    return socket;
  }

  #toResponse(response: Http1Response): Response {
    const { status, statusText, body } = response;
    if (status > 599) {
      // The constructor of Response rejects a status above 599.
      throw new AppError("target_http_error", `${this.#options.request.url.host} responded with status ${status}.`, {
        retryable: true,
      });
    }
    const encodings = listOf(response, "content-encoding").filter((encoding) => encoding !== "identity");
    const isDecoded = body !== null && encodings.length > 0 && canDecode(encodings);
    const headers = toResponseHeaders(response.headers, { isDecoded });
    if (body === null) this.#close();
    const stream =
      body === null ? null : this.#toStream(isDecoded ? decode(body, encodings, this.#options.maxBytes) : body);
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
    this.#aborted.reject(this.#options.signal.reason);
    this.#close();
  };

  #close(): void {
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    // During a TLS handshake, `close` has no effect: the connection stays open until the other side closes it.
    this.#socket?.close().catch(() => {});
    this.#options.release();
  }

  #toError(error: unknown): unknown {
    if (this.#options.signal.aborted) return this.#options.signal.reason;
    if (error instanceof AppError) return error;
    const { host } = this.#options.request.url;
    if (error instanceof Http1Error || error instanceof EncodingError) {
      return new AppError("connection_failed", `${host} sent ${error.message}.`, { cause: error });
    }
    return toNetworkError(error, host);
  }
}

/** Opens a connection. With `starttls`, `startTls` can later start TLS in it. */
export async function openSocket(
  address: SocketAddress,
  secureTransport: "on" | "off" | "starttls",
  use: Use,
): Promise<Socket> {
  const socket = use(connect(address, { secureTransport, allowHalfOpen: false }));
  await socket.opened;
  return socket;
}

/** Starts TLS in a connection. The certificate must be valid for the host of a URL. */
export async function startTls(socket: Socket, hostname: string, use: Use): Promise<Socket> {
  const secured = use(socket.startTls({ expectedServerHostname: hostname.replace(/^\[|\]$/g, "") }));
  await secured.opened;
  return secured;
}

/** Sends data without waiting, because a server may respond before it has read all. Reading reports failures. */
export function send(socket: Socket, head: string, body?: Uint8Array): void {
  const writer = socket.writable.getWriter();
  writer.write(new TextEncoder().encode(head)).catch(() => {});
  if (body !== undefined) writer.write(body).catch(() => {});
  writer.releaseLock();
}
