import { pipeline, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { AppError } from "../errors";

/** What can be decoded. The runtime's own DecompressionStream has neither brotli nor zstd; node:zlib there has them. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

const MAX_ENCODINGS = 3;
/** RFC 9659: a body's window is at most 8 MB. Others could ask for 128 MB, of an isolate that has no more. */
const ZSTD_WINDOW = { [constants.ZSTD_d_windowLogMax]: 23 };
/** What the runtime's own fetch decodes: when the header says exactly this, and keeps the header. */
const DECODED_BY_RUNTIME: ReadonlySet<string> = new Set(["gzip", "br"]);

const decoders: ReadonlyMap<string, (firstByte: number) => Transform> = new Map<
  string,
  (firstByte: number) => Transform
>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // RFC 9110 means zlib's format; some servers send the bare one. Zlib's begins with the method, 8.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress({ params: ZSTD_WINDOW })],
]);

/** True when every encoding is known, and there aren't more than anybody needs. */
export function canDecode(encodings: string[]): boolean {
  return encodings.length <= MAX_ENCODINGS && encodings.every((encoding) => decoders.has(encoding));
}

/** What was to be decoded isn't what its headers say, or ended too early. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
}

/** Takes the encodings away while the body streams, the last one first. Throws EncodingError, and what the body throws. */
export function decode(body: AsyncIterable<Uint8Array>, encodings: string[]): AsyncIterable<Uint8Array> {
  return encodings.reduceRight(decodeOne, body);
}

async function* decodeOne(body: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array, void> {
  const encoded = body[Symbol.asyncIterator]();
  const first = await encoded.next();
  const decoder = decoders.get(encoding)?.(first.value?.[0] ?? 0);
  // An empty body has no encoding, whatever its headers say.
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
  // A failure on either side destroys the other, and the iteration throws it.
  pipeline(whole, decoder, () => {});
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw hasBodyFailed ? cause : new EncodingError(`a body that isn't ${encoding}`, { cause });
  }
}

/**
 * What the runtime's fetch answered, with its body decoded as well where the runtime doesn't do that. The body throws
 * EncodingError, and what the connection throws.
 */
export function decodeResponse(response: Response): Response {
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
  return new Response(toStream(decode(response.body, encodings)), { status, statusText, headers });
}

function toStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        // What it still waits for ends with the fetch.
        void parts.return?.().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * What the runtime's own decoder says of a body of no bytes, which has no encoding, whatever its headers say. It says so of
 * one that breaks off later too.
 */
export function isEarlyEnd(error: unknown): boolean {
  return error instanceof Error && /^(?:gzip|brotli) compressed stream ended/i.test(error.message);
}

/** A body that can't be decoded as an answer to the caller; null for any other failure. */
export function toEncodingError(error: unknown, host: string): AppError | null {
  const words = error instanceof Error ? error.message : String(error);
  const byRuntime = /^(gzip|brotli) (?:decompression failed|compressed stream ended)/i.exec(words)?.[1]?.toLowerCase();
  const what = byRuntime === undefined ? words : `a body that isn't ${byRuntime}`;
  if (byRuntime === undefined && !(error instanceof EncodingError)) return null;
  return new AppError("connection_failed", `${host} sent ${what}.`, { cause: error });
}
