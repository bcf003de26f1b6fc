import { pipeline, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { toByteStream } from "../lib/async";
import { sleep } from "../lib/clock";
import { AppError } from "../model/errors";
import { MAX_PAGE_BYTES_DEFAULT } from "../model/page-limits";

/** The encodings that `decode` supports with node:zlib. DecompressionStream lacks brotli and zstd. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

/**
 * The maximum number of encodings of one body. Some servers compress twice by mistake and declare two encodings, which
 * browsers decode. libhtp, the HTTP parser of Suricata, also decodes two. Of 1.3 billion responses in the HTTP Archive,
 * 408 declare `gzip, gzip` and 192 `br, gzip` (https://github.com/w3c/resource-timing/issues/381). Lists of three
 * encodings are not among the common values.
 */
const MAX_ENCODINGS = 2;
/** After this many decoded bytes, decoding pauses to let other requests run. So many bytes take about 10 ms. */
const BYTES_BETWEEN_PAUSES = 1024 * 1024;
/** RFC 9659 limits the window to 8 MB. Otherwise, a body could request 128 MB, all of an isolate's memory. */
const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };
/** `Content-Encoding` values that workerd's `fetch` decodes automatically. The response keeps the header. */
const DECODED_BY_RUNTIME: ReadonlySet<string> = new Set(["gzip", "br"]);

const decoders: ReadonlyMap<string, (firstByte: number) => Transform> = new Map<
  string,
  (firstByte: number) => Transform
>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // RFC 9110 defines "deflate" as the zlib format. The first byte of zlib data has 8 in its low 4 bits. Some servers
  // send raw deflate data instead.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress({ params: ZSTD_WINDOW })],
]);

/** Returns true if every encoding is supported. Doesn't check the number of encodings; `decode` does. */
export function canDecode(encodings: string[]): boolean {
  return encodings.every((encoding) => decoders.has(encoding));
}

/** Thrown if a body isn't in the declared encoding, or if it ends too early. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
}

/**
 * Decodes a body while it streams. The last encoding in the list is decoded first. Limits the encoded body and each
 * layer between two encodings to `maxBytes`. The reader must limit the decoded body. Throws EncodingError, AppError
 * `unsupported_content` for too many encodings, AppError `target_too_large` for a layer larger than `maxBytes`, and any
 * error of the body itself.
 */
export function decode(
  body: AsyncIterable<Uint8Array>,
  encodings: string[],
  maxBytes: number = MAX_PAGE_BYTES_DEFAULT,
): AsyncIterable<Uint8Array> {
  if (encodings.length > MAX_ENCODINGS) return refuse(body, encodings.length);
  return encodings.reduceRight((layer, encoding) => decodeOne(limit(layer, maxBytes), encoding), body);
}

/** Returns a body that throws on its first read. A caller that only needs the status doesn't notice. */
// biome-ignore lint/correctness/useYield: it has the type of a body.
async function* refuse(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array, void> {
  await body[Symbol.asyncIterator]().return?.();
  throw new AppError(
    "unsupported_content",
    `The page has ${count} content encodings. At most ${MAX_ENCODINGS} are supported.`,
  );
}

async function* limit(layer: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of layer) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new AppError("target_too_large", `The decompressed page exceeds ${maxBytes} bytes.`);
    }
    yield chunk;
  }
}

async function* decodeOne(body: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array, void> {
  const encoded = body[Symbol.asyncIterator]();
  const first = await encoded.next();
  const decoder = decoders.get(encoding)?.(first.value?.[0] ?? 0);
  // An empty body can't be decoded, so it stays empty.
  if (first.done || decoder === undefined) return;
  let hasBodyFailed = false;
  const whole = async function* () {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => encoded };
    } catch (error) {
      hasBodyFailed = true;
      throw error;
    }
  };
  // An error of the body or of the decoder destroys both streams. The loop below throws the error.
  pipeline(whole, decoder, () => {});
  let sincePause = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      yield chunk;
      sincePause += chunk.byteLength;
      // The decoder emits its chunks in microtasks, so other requests only run during this sleep.
      if (sincePause >= BYTES_BETWEEN_PAUSES) {
        sincePause = 0;
        await sleep(0);
      }
    }
  } catch (cause) {
    throw hasBodyFailed ? cause : new EncodingError(`a body that isn't ${encoding}`, { cause });
  }
}

/**
 * Returns the response with a decoded body. The runtime's `fetch` only decodes gzip and brotli; other encodings are
 * decoded here. The body throws the errors of `decode` and of the connection.
 */
export function decodeResponse(response: Response, maxBytes: number = MAX_PAGE_BYTES_DEFAULT): Response {
  const header = response.headers.get("content-encoding");
  if (response.body === null || header === null || DECODED_BY_RUNTIME.has(header)) return response;
  const encodings = header
    .split(",")
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
  if (encodings.length === 0 || !canDecode(encodings)) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  const { status, statusText } = response;
  return new Response(toByteStream(decode(response.body, encodings, maxBytes)), { status, statusText, headers });
}

/** Returns true for the runtime's error if a body ends too early, or if it is empty and has an encoding. */
export function isEarlyEnd(error: unknown): boolean {
  return error instanceof Error && /^(?:gzip|brotli) compressed stream ended/i.test(error.message);
}

/** Converts a decoding error to an error for the caller. Returns null for any other error. */
export function toEncodingError(error: unknown, host: string): AppError | null {
  const message = error instanceof Error ? error.message : String(error);
  const byRuntime = /^(gzip|brotli) (?:decompression failed|compressed stream ended)/i
    .exec(message)?.[1]
    ?.toLowerCase();
  const what = byRuntime === undefined ? message : `a body that isn't ${byRuntime}`;
  if (byRuntime === undefined && !(error instanceof EncodingError)) return null;
  return new AppError("connection_failed", `${host} sent ${what}.`, { cause: error });
}
