import { pipeline, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { crc32, createDeflate, createInflate, deflate, type ZlibOptions } from "node:zlib";
import { joinChunks } from "./bytes";

// The format is specified in PNG, third edition: https://www.w3.org/TR/png-3/.

const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IHDR_BYTES = 13;
/** The size of a chunk's length, type and CRC fields together. */
const CHUNK_OVERHEAD_BYTES = 12;
/** The maximum width. It limits a row to 262 kB. Screenshots are only as wide as the viewport. */
const MAX_WIDTH_PX = 65_535;
/**
 * The zlib level. For photos, level 2 takes half the CPU time of level 3 and a fifth of the time of level 6. A joined
 * PNG is 7% larger than Chromium's own encoding for a page of photos, and 34% larger for a page of text.
 */
const DEFLATE_LEVEL = 2;
/** The size of a block of rows. Joining it takes about 5 ms, after which other work can run. */
const BLOCK_BYTES = 256 * 1024;
const STREAM_CHUNK_BYTES = 64 * 1024;

/** PNG's filter types. They predict a byte from the row above, from the pixel to the left, or from both. */
const Filter = { None: 0, Sub: 1, Up: 2, Average: 3, Paeth: 4 } as const;

/**
 * The filtered alpha bytes of an opaque row, for each filter type. `first` is the byte of the first pixel, and `other`
 * is the byte of every other pixel. The bytes are constant: the row above is also opaque, or the filter doesn't use it.
 */
const OPAQUE_ALPHA: ReadonlyMap<number, readonly [first: number, other: number]> = new Map([
  [Filter.None, [255, 255]],
  [Filter.Sub, [255, 0]],
  [Filter.Up, [0, 0]],
  // The first byte is 255 - floor((0 + 255) / 2).
  [Filter.Average, [128, 0]],
  [Filter.Paeth, [0, 0]],
]);

interface Strip {
  width: number;
  height: number;
  /** The number of channels: 3 for RGB, 4 for RGBA. */
  channels: 3 | 4;
  /** The contents of the IDAT chunks, in order. */
  data: Uint8Array[];
}

/**
 * Joins PNGs of the same width into one, from top to bottom and lossless. Returns null if the joined PNG would be
 * larger than `maxBytes`. Returns a single strip unchanged.
 *
 * Throws an Error if there is no strip, or if a strip is malformed, has another width, or isn't 8-bit RGB or RGBA
 * without interlacing and tRNS. Chromium encodes a screenshot as RGB if it has no transparent pixels, otherwise as RGBA.
 * If the strips have both types, the joined PNG is RGBA. Ancillary chunks are dropped; Chromium writes none.
 */
export async function joinPngStrips(strips: readonly Uint8Array[], maxBytes: number): Promise<Uint8Array | null> {
  const [first] = strips;
  if (first === undefined) throw new Error("There are no strips to join.");
  if (strips.length === 1) return first.byteLength > maxBytes ? null : first;

  const parsed = strips.map(parseStrip);
  const width = parsed[0]?.width ?? 0;
  const odd = parsed.findIndex((strip) => strip.width !== width);
  if (odd !== -1) throw new Error(`Strip ${odd} is ${parsed[odd]?.width} px wide, but strip 0 is ${width} px wide.`);
  const height = parsed.reduce((sum, strip) => sum + strip.height, 0);
  const channels = parsed.some((strip) => strip.channels === 4) ? 4 : 3;

  const end = toChunk("IEND", new Uint8Array());
  const parts = [SIGNATURE, toChunk("IHDR", toHeader(width, height, { depth: 8, type: channels === 3 ? 2 : 6 }))];
  let size = parts.reduce((sum, part) => sum + part.length, end.length);

  const deflate = createDeflate({ level: DEFLATE_LEVEL, chunkSize: STREAM_CHUNK_BYTES });
  // An error in either stream destroys both. The loop below throws the error.
  pipeline(joinRows(parsed, channels), deflate, () => {});
  for await (const data of deflate as AsyncIterable<Uint8Array>) {
    const part = toChunk("IDAT", data);
    size += part.length;
    // Returning from the loop destroys the stream and its sources.
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return joinChunks([...parts, end], size);
}

/** The pixels of an image, as PNG stores them without a filter. */
export interface Pixels {
  width: number;
  height: number;
  /** The bits of a channel. */
  depth: number;
  colorType: "gray" | "rgb";
  /** The bytes of a row. */
  rowBytes: number;
  data: Uint8Array;
}

/** Encodes an image as a PNG. */
export async function encodePng({ width, height, depth, colorType, rowBytes, data }: Pixels) {
  const rows = new Uint8Array((rowBytes + 1) * height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  const parts = [
    SIGNATURE,
    toChunk("IHDR", toHeader(width, height, { depth, type: colorType === "gray" ? 0 : 2 })),
    toChunk("IDAT", await promisify<Uint8Array, ZlibOptions, Uint8Array>(deflate)(rows, { level: DEFLATE_LEVEL })),
    toChunk("IEND", new Uint8Array()),
  ];
  return joinChunks(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

/** Parses the dimensions and the compressed rows of a PNG. Throws an Error if the PNG can't be joined. */
function parseStrip(png: Uint8Array, index: number): Strip {
  const malformed = (why: string) => new Error(`Strip ${index} can't be joined: ${why}.`);
  if (!SIGNATURE.every((byte, i) => png[i] === byte)) throw malformed("it isn't a PNG");
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  let header: Omit<Strip, "data"> | null = null;
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE.length; at + CHUNK_OVERHEAD_BYTES <= png.length; ) {
    const length = view.getUint32(at);
    const start = at + 8;
    at += CHUNK_OVERHEAD_BYTES + length;
    if (at > png.length) break;
    const type = String.fromCharCode(...png.subarray(start - 4, start));
    if (type === "IHDR" && length === IHDR_BYTES && header === null) {
      const [width, height] = [view.getUint32(start), view.getUint32(start + 4)];
      const [depth, colorType, compression, filter, interlace] = png.subarray(start + 8, start + IHDR_BYTES);
      if (width === 0 || width > MAX_WIDTH_PX || height === 0) throw malformed(`it is ${width} × ${height} px`);
      if (depth !== 8 || (colorType !== 2 && colorType !== 6)) {
        throw malformed(`its bit depth is ${depth} and its color type ${colorType}`);
      }
      if (compression !== 0 || filter !== 0 || interlace !== 0)
        throw malformed("it is interlaced or uses an extension");
      header = { width, height, channels: colorType === 2 ? 3 : 4 };
    } else if (header === null) {
      throw malformed("its first chunk isn't a valid IHDR");
    } else if (type === "IDAT") {
      data.push(png.subarray(start, start + length));
    } else if (type === "tRNS") {
      throw malformed("it has a transparent color");
    } else if (type === "IEND") {
      return { ...header, data };
    }
  }
  throw malformed("it ends too early");
}

/** Yields the filtered rows of all strips in blocks. RGB is converted to RGBA if `channels` is 4. */
async function* joinRows(strips: readonly Strip[], channels: 3 | 4): AsyncGenerator<Uint8Array, void> {
  for (const [index, strip] of strips.entries()) {
    let isFirst = true;
    for await (const block of readRows(strip, index)) {
      if (isFirst) detachFirstRow(block, strip);
      isFirst = false;
      yield strip.channels === channels ? block : addAlpha(block, strip.width);
      // Lets other requests run. Otherwise, they would wait, because workerd's zlib runs in the isolate's thread and
      // its callbacks are microtasks.
      await setImmediate();
    }
  }
}

/** Yields a strip's filtered rows in blocks. Throws an Error if their number isn't the height in IHDR. */
async function* readRows(strip: Strip, index: number): AsyncGenerator<Uint8Array, void> {
  const rowBytes = 1 + strip.width * strip.channels;
  const blockBytes = Math.max(1, Math.floor(BLOCK_BYTES / rowBytes)) * rowBytes;
  const inflate = createInflate({ chunkSize: STREAM_CHUNK_BYTES });
  pipeline(Readable.from(toPieces(strip.data), { objectMode: false }), inflate, () => {});
  let missing = strip.height * rowBytes;
  let block = new Uint8Array(Math.min(blockBytes, missing));
  let filled = 0;
  for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
    if (chunk.length > missing) throw new Error(`Strip ${index} has more rows than the height in its IHDR.`);
    missing -= chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + block.length - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < block.length) continue;
      yield block;
      block = new Uint8Array(Math.min(blockBytes, missing + chunk.length - at));
      filled = 0;
    }
  }
  if (missing > 0) throw new Error(`Strip ${index} has fewer rows than the height in its IHDR.`);
}

/** Joins Chromium's chunks of 4 KiB into larger pieces, because each write has a fixed cost. */
function* toPieces(chunks: readonly Uint8Array[]): Generator<Uint8Array, void> {
  let group: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    group.push(chunk);
    size += chunk.length;
    if (size < STREAM_CHUNK_BYTES) continue;
    yield joinChunks(group, size);
    group = [];
    size = 0;
  }
  if (size > 0) yield joinChunks(group, size);
}

/**
 * Rewrites the first row of a strip in place, so that its filter doesn't use the row above. The filter expects zeros
 * there. In the joined PNG, the row above belongs to another strip. With zeros, Up equals None and Paeth equals Sub, so
 * only Average needs other bytes.
 */
function detachFirstRow(rows: Uint8Array, { width, channels }: Strip): void {
  if (rows[0] === Filter.Up) rows[0] = Filter.None;
  else if (rows[0] === Filter.Paeth) rows[0] = Filter.Sub;
  else if (rows[0] === Filter.Average) {
    rows[0] = Filter.None;
    for (let i = 1 + channels; i <= width * channels; i++) {
      rows[i] = (rows[i] ?? 0) + ((rows[i - channels] ?? 0) >> 1);
    }
  }
}

/** Converts filtered rows from RGB to RGBA. The first row must have been rewritten by `detachFirstRow`. */
function addAlpha(rows: Uint8Array, width: number): Uint8Array {
  const converted = new Uint8Array((rows.length / (1 + width * 3)) * (1 + width * 4));
  let to = 0;
  for (let from = 0; from < rows.length; ) {
    const filter = rows[from++] ?? 0;
    const alpha = OPAQUE_ALPHA.get(filter);
    if (alpha === undefined) throw new Error(`A row has the unknown filter type ${filter}.`);
    converted[to++] = filter;
    for (let x = 0; x < width; x++) {
      converted[to++] = rows[from++] ?? 0;
      converted[to++] = rows[from++] ?? 0;
      converted[to++] = rows[from++] ?? 0;
      converted[to++] = x === 0 ? alpha[0] : alpha[1];
    }
  }
  return converted;
}

function toHeader(width: number, height: number, { depth, type }: { depth: number; type: number }): Uint8Array {
  const header = new Uint8Array(IHDR_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, type], 8);
  return header;
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(CHUNK_OVERHEAD_BYTES + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}
