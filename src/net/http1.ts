import { HTTPParser } from "http-parser-js";
import { MAX_HEADER_BYTES } from "../model/page-limits";
import { ACCEPT_ENCODING } from "./content-encoding";

// Only headers are parsed with this library. Its body parser isn't safe in version 0.5.10: it takes an invalid chunk
// size for the end of the body, and accepts any Content-Length as a number. A negative chunk size causes an endless
// loop.
HTTPParser.encoding = "latin1";
HTTPParser.maxHeaderSize = MAX_HEADER_BYTES;

/** A request to send over a socket. */
export interface Http1Request {
  url: URL;
  method: string;
  headers: Headers;
  body?: Uint8Array;
}

export type HeaderList = [name: string, value: string][];

/** Thrown if a response violates HTTP or ends too early. The message completes the sentence "{host} sent …". */
export class Http1Error extends Error {
  override readonly name = "Http1Error";
}

/** Reads from a connection. Bytes can be pushed back, so that the next reader gets them. */
export class Wire {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #pushedBack: Uint8Array | null = null;

  constructor(readable: ReadableStream<Uint8Array>) {
    this.#reader = readable.getReader();
  }

  /** Returns the next bytes, or null at the end. */
  async read(): Promise<Uint8Array | null> {
    const pushedBack = this.#pushedBack;
    this.#pushedBack = null;
    if (pushedBack !== null) return pushedBack;
    const { done, value } = await this.#reader.read();
    return done ? null : value;
  }

  /** Makes the next `read` return the bytes again. */
  pushBack(bytes: Uint8Array): void {
    if (bytes.byteLength > 0) this.#pushedBack = bytes;
  }

  /** Releases the connection's stream for another reader. Throws Http1Error if there are unread bytes. */
  release(): void {
    if (this.#pushedBack !== null) throw new Http1Error("unexpected bytes after the headers");
    this.#reader.releaseLock();
  }
}

export interface Head {
  status: number;
  statusText: string;
  headers: HeaderList;
}

export interface Http1Response extends Head {
  /** Null if the response has no body. */
  body: AsyncGenerator<Uint8Array, void> | null;
}

/** Without a limit, a target could send such responses until the timeout, and reading them takes CPU time. */
const MAX_INFORMATIONAL_RESPONSES = 100;

/** Reads the status and headers of the final response. Skips responses with status 1xx. Throws Http1Error. */
export async function readHead(wire: Wire): Promise<Head> {
  for (let skipped = 0; skipped <= MAX_INFORMATIONAL_RESPONSES; skipped++) {
    const head = await readAnyHead(wire);
    if (head.status === 101) throw new Http1Error("an unexpected change of protocol");
    if (head.status < 100) throw new Http1Error("an invalid status");
    if (head.status >= 200) return head;
  }
  throw new Http1Error("too many responses with status 1xx");
}

async function readAnyHead(wire: Wire): Promise<Head> {
  const parser = new HTTPParser(HTTPParser.RESPONSE);
  const heads: Head[] = [];
  parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, statusMessage, headers }) => {
    heads.push({ status: statusCode, statusText: statusMessage, headers: toPairs(headers) });
    return 2; // Stops the parser at the start of the body.
  };
  const parseHeader = parser.parseHeader.bind(parser);
  // Skips header lines that contain only spaces and tabs. The parser's regular expression takes quadratic time on them.
  parser.parseHeader = (line, headers) => {
    if (/[^ \t]/.test(line)) parseHeader(line, headers);
  };
  for (;;) {
    const chunk = await wire.read();
    if (chunk === null) throw new Http1Error("incomplete headers or no data");
    const taken = parser.execute(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (typeof taken !== "number") throw new Http1Error("invalid or too many headers", { cause: taken });
    const [head] = heads;
    if (head === undefined) continue;
    wire.pushBack(chunk.subarray(taken));
    return head;
  }
}

/** Pairs names and values. Decodes values as UTF-8, like the runtime's own fetch. */
function toPairs(headers: string[]): HeaderList {
  const toValue = (latin1 = "") => Buffer.from(latin1, "latin1").toString();
  return headers.flatMap((name, i): HeaderList => (i % 2 === 0 ? [[name, toValue(headers[i + 1])]] : []));
}

/** Reads the response to this method. The function and the body's stream throw Http1Error. */
export async function readResponse(wire: Wire, method: string): Promise<Http1Response> {
  const head = await readHead(wire);
  if (method === "HEAD" || head.status === 204 || head.status === 205 || head.status === 304) {
    return { ...head, body: null };
  }
  return { ...head, body: bodyOf(wire, head) };
}

/** Returns the elements of all comma-separated headers with this name, in lower case. */
export function listOf(head: Head, name: string): string[] {
  return head.headers
    .filter(([other]) => other.toLowerCase() === name)
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((element) => element.trim())
    .filter(Boolean);
}

// Returns the body of a response. The rules for its length are in RFC 9112, section 6.3.
function bodyOf(wire: Wire, head: Head): AsyncGenerator<Uint8Array, void> {
  const codings = listOf(head, "transfer-encoding").filter((coding) => coding !== "identity");
  if (codings.length > 0) {
    if (codings.some((coding) => coding !== "chunked")) throw new Http1Error("an unknown Transfer-Encoding");
    return chunked(wire);
  }
  const lengths = new Set(listOf(head, "content-length"));
  if (lengths.size === 0) return untilEnd(wire);
  const [length = ""] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) throw new Http1Error("a Content-Length that isn't a number");
  return sized(wire, Number(length));
}

async function* untilEnd(wire: Wire): AsyncGenerator<Uint8Array, void> {
  for (let bytes = await wire.read(); bytes !== null; bytes = await wire.read()) yield bytes;
}

async function* sized(wire: Wire, length: number): AsyncGenerator<Uint8Array, void> {
  for (let remaining = length; remaining > 0; ) {
    const bytes = await readMore(wire);
    yield bytes.subarray(0, remaining);
    remaining -= bytes.byteLength;
  }
}

async function* chunked(wire: Wire): AsyncGenerator<Uint8Array, void> {
  const chunks = new ChunkReader();
  while (!chunks.ended) {
    const bytes = chunks.decode(await readMore(wire));
    if (bytes.byteLength > 0) yield bytes;
  }
}

async function readMore(wire: Wire): Promise<Uint8Array> {
  const bytes = await wire.read();
  if (bytes === null) throw new Http1Error("a body that ended too early");
  return bytes;
}

const LF = 0x0a;

/** A decoder for the chunked transfer coding (RFC 9112, section 7.1). */
class ChunkReader {
  ended = false;
  #expects: "size" | "end of chunk" | "trailer" = "size";
  /** The number of bytes of the current chunk that haven't been read yet. */
  #remaining = 0;
  #line = "";
  #trailerChars = 0;

  /** Decodes the bytes in place. Returns the bytes of the body. */
  decode(bytes: Uint8Array): Uint8Array {
    let size = 0;
    for (let at = 0; at < bytes.byteLength && !this.ended; ) {
      if (this.#remaining > 0) {
        const end = Math.min(at + this.#remaining, bytes.byteLength);
        bytes.copyWithin(size, at, end);
        size += end - at;
        this.#remaining -= end - at;
        at = end;
      } else {
        const lineEnd = bytes.indexOf(LF, at);
        const end = lineEnd < 0 ? bytes.byteLength : lineEnd;
        this.#line += Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString("latin1");
        if (this.#line.length > MAX_HEADER_BYTES) throw new Http1Error("a line that is too long");
        if (lineEnd >= 0) this.#endLine();
        at = end + 1;
      }
    }
    return bytes.subarray(0, size);
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, "");
    this.#line = "";
    if (this.#expects === "size") {
      const [, size] = /^0*([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(line) ?? [];
      if (size === undefined) throw new Http1Error("a chunk without its size");
      this.#remaining = Number.parseInt(size, 16);
      this.#expects = this.#remaining === 0 ? "trailer" : "end of chunk";
    } else if (this.#expects === "end of chunk") {
      if (line !== "") throw new Http1Error("a chunk longer than its size");
      this.#expects = "size";
    } else {
      this.ended = line === "";
      this.#trailerChars += line.length;
      if (this.#trailerChars > MAX_HEADER_BYTES) throw new Http1Error("too many trailers");
    }
  }
}

// Headers that belong to the connection, not to the message (RFC 9110, section 7.6.1).
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
/** Headers that `toRequestText` sets. The caller's values are dropped. */
const SENDER_HEADERS: ReadonlySet<string> = new Set(["accept-encoding", "content-length", "expect", "host"]);
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Serializes the request line and headers of a request. `target` is the second part of the request line. */
export function toRequestText(request: Http1Request, target: string, extra: HeaderList): string {
  const { url, method, headers, body } = request;
  const named = new Set((headers.get("connection") ?? "").toLowerCase().split(/[\s,]+/));
  const own = [...headers].filter(([name]) => !HOP_BY_HOP.has(name) && !SENDER_HEADERS.has(name) && !named.has(name));
  const length = body?.byteLength ?? (/^(?:POST|PUT|PATCH)$/.test(method) ? 0 : null);
  const lengths: HeaderList = length === null ? [] : [["Content-Length", String(length)]];
  const list: HeaderList = [["Host", url.host], ...own, ["Accept-Encoding", ACCEPT_ENCODING], ...lengths];
  return toHeadText(`${method} ${target}`, [...list, ["Connection", "close"], ...extra]);
}

/** Serializes a request line and headers. The result ends with the empty line. */
export function toHeadText(methodAndTarget: string, headers: HeaderList): string {
  return [`${methodAndTarget} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), "\r\n"].join("\r\n");
}

/**
 * Returns a response's headers without connection headers and invalid headers. `isDecoded`: true if the body has been
 * decoded.
 */
export function toResponseHeaders(list: HeaderList, { isDecoded }: { isDecoded: boolean }): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    const key = name.toLowerCase();
    if (HOP_BY_HOP.has(key) || !TOKEN.test(name) || value.includes("\0")) continue;
    if (isDecoded && (key === "content-encoding" || key === "content-length")) continue;
    headers.append(name, value);
  }
  return headers;
}
