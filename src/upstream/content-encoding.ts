import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";

/** What can be decoded. The runtime's own DecompressionStream has neither brotli nor zstd; node:zlib there has them. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

const MAX_ENCODINGS = 3;

const decoders: ReadonlyMap<string, (firstByte: number) => Transform> = new Map<
  string,
  (firstByte: number) => Transform
>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // RFC 9110 means zlib's format; some servers send the bare one. Zlib's begins with the method, 8.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
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
