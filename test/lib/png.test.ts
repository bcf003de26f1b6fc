import { crc32, deflateSync, inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinPngStrips } from "../../src/lib/png";

/** An unencoded image. `pixels` has the rows from top to bottom, without filters. */
interface Picture {
  width: number;
  height: number;
  channels: number;
  pixels: Uint8Array;
}

const FILTERS = [0, 1, 2, 3, 4];
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const WHITE = picture({ width: 2, height: 3, channels: 3 }, () => 255);

describe("joinPngStrips", () => {
  it.each(FILTERS.flatMap((first) => FILTERS.map((second) => ({ first, second }))))(
    "joins strips whose first rows have the filters $first and $second",
    async ({ first, second }) => {
      const top = randomPicture({ width: 5, height: 6, channels: 3 }, 1);
      const bottom = randomPicture({ width: 5, height: 7, channels: 3 }, 2);
      const joined = await join([encode(top, [first, 4, 3, 2, 1, 0]), encode(bottom, [second, 0, 1, 2, 3, 4])]);
      expect(joined).toEqual(stack([top, bottom]));
    },
  );

  it("joins strips of any size, filters and color type without loss", async () => {
    const strips = fc.integer({ min: 1, max: 9 }).chain((width) => fc.array(anyStrip(width), { minLength: 2 }));
    await fc.assert(
      fc.asyncProperty(strips, async (given) => {
        const joined = await join(given.map(({ content, filters, idatBytes }) => encode(content, filters, idatBytes)));
        expect(joined).toEqual(stack(given.map(({ content }) => content)));
      }),
    );
  });

  it("joins strips that are larger than one block", async () => {
    const strips = [3, 4, 3].map((channels, i) => randomPicture({ width: 1280, height: 200, channels }, i + 1));
    const joined = await join(strips.map((strip) => encode(strip, [3, 4, 2, 1, 0], 4096)));
    expect(compare(joined, stack(strips))).toBe(true);
  });

  it("joins rows that are larger than one block", async () => {
    const strips = [1, 2].map((seed) => randomPicture({ width: 65_535, height: 3, channels: 4 }, seed));
    expect(compare(await join(strips.map((strip) => encode(strip, [3]))), stack(strips))).toBe(true);
  });

  it("joins a strip that is a view into a larger buffer", async () => {
    const png = encode(WHITE);
    const larger = new Uint8Array(png.length + 14).fill(7);
    larger.set(png, 7);
    const joined = await join([larger.subarray(7, -7), png]);
    expect(joined).toEqual(stack([WHITE, WHITE]));
  });

  it("returns RGB if every strip is RGB, otherwise RGBA", async () => {
    const [rgb, rgba] = [encode(WHITE), encode(withAlpha(WHITE))];
    expect((await join([rgb, rgb])).channels).toBe(3);
    expect((await join([rgb, rgba])).channels).toBe(4);
    expect((await join([rgba, rgb])).channels).toBe(4);
  });

  it("drops ancillary chunks", async () => {
    const png = encode(WHITE);
    const commented = insertChunk(png, "tEXt", new TextEncoder().encode("Title\0A"));
    const joined = (await joinPngStrips([commented, png], NO_LIMIT)) ?? new Uint8Array();
    expect([...new Set(toChunks(joined).map(({ type }) => type))]).toEqual(["IHDR", "IDAT", "IEND"]);
  });

  it("runs several joins in parallel", async () => {
    const strips = Array.from({ length: 8 }, (_, i) => randomPicture({ width: 300, height: 400, channels: 3 }, i + 1));
    const joined = await Promise.all(strips.map((strip) => join([encode(strip), encode(WHITE_300)])));
    expect(joined.every((picture, i) => compare(picture, stack([strips[i] ?? WHITE, WHITE_300])))).toBe(true);
  });
});

it("returns a single strip unchanged", async () => {
  const png = encode(WHITE);
  expect(await joinPngStrips([png], png.length)).toBe(png);
});

it("doesn't change the strips", async () => {
  const png = encode(WHITE, [3]);
  const before = png.slice();
  await join([png, png]);
  expect(png).toEqual(before);
});

describe("the limit in bytes", () => {
  it("allows a joined PNG of exactly this size", async () => {
    const strips = [1, 2].map((seed) => encode(randomPicture({ width: 400, height: 300, channels: 3 }, seed)));
    const size = (await joinPngStrips(strips, NO_LIMIT))?.length ?? 0;
    expect((await joinPngStrips(strips, size))?.length).toBe(size);
    expect(await joinPngStrips(strips, size - 1)).toBeNull();
    expect(await joinPngStrips(strips, 0)).toBeNull();
  });

  it("applies to a single strip", async () => {
    const png = encode(WHITE);
    expect(await joinPngStrips([png], png.length - 1)).toBeNull();
  });

  it("ends the join before later strips are read", async () => {
    const large = encode(randomPicture({ width: 1000, height: 300, channels: 3 }, 1));
    const broken = toPng(1000, 1, 2, new TextEncoder().encode("no zlib stream"));
    expect(await joinPngStrips([large, large, broken], 100_000)).toBeNull();
    await expect(joinPngStrips([large, large, broken], NO_LIMIT)).rejects.toThrow();
  });
});

describe("a malformed strip", () => {
  const png = encode(WHITE);
  const rows = (bytes: number) => Uint8Array.from(deflateSync(new Uint8Array(bytes)));
  const header = (changes: Record<number, number>) => {
    const changed = png.slice();
    for (const [at, byte] of Object.entries(changes)) changed[16 + Number(at)] = byte;
    return changed;
  };

  it("rejects an empty list", async () => {
    await expect(joinPngStrips([], NO_LIMIT)).rejects.toThrow("There are no strips to join.");
  });

  it.each<[name: string, strip: Uint8Array, message: string]>([
    ["an empty file", new Uint8Array(), "it isn't a PNG"],
    ["a JPEG", new Uint8Array(100).fill(0xff), "it isn't a PNG"],
    ["only a signature", png.slice(0, 8), "it ends too early"],
    ["a chunk that is longer than the PNG", png.slice(0, -13), "it ends too early"],
    ["a PNG without IEND", png.slice(0, -12), "it ends too early"],
    ["a PNG that begins with another chunk", concat(png.slice(0, 8), png.slice(33)), "first chunk isn't a valid IHDR"],
    ["a palette", header({ 9: 3 }), "its bit depth is 8 and its color type 3"],
    ["grayscale", header({ 9: 0 }), "its bit depth is 8 and its color type 0"],
    ["16 bits", header({ 8: 16 }), "its bit depth is 16 and its color type 2"],
    ["an interlaced PNG", header({ 12: 1 }), "it is interlaced"],
    ["an unknown compression", header({ 10: 1 }), "uses an extension"],
    ["no width", header({ 3: 0 }), "it is 0 × 3 px"],
    ["no height", header({ 7: 0 }), "it is 2 × 0 px"],
    ["an excessive width", header({ 0: 127 }), "it is 2130706434 × 3 px"],
    ["a transparent color", insertChunk(png, "tRNS", new Uint8Array(6)), "it has a transparent color"],
    ["another width", encode(picture({ width: 3, height: 3, channels: 3 }, () => 1)), "Strip 1 is 3 px wide"],
    ["too few rows", toPng(2, 4, 2, rows(7 * 3)), "Strip 1 has fewer rows than the height in its IHDR."],
    ["a part of a row", toPng(2, 4, 2, rows(7 * 4 - 1)), "Strip 1 has fewer rows than the height in its IHDR."],
    ["one byte too many", toPng(2, 4, 2, rows(7 * 4 + 1)), "Strip 1 has more rows than the height in its IHDR."],
    ["a compression bomb", toPng(2, 4, 2, rows(50_000_000)), "Strip 1 has more rows than the height in its IHDR."],
    ["a wrong height", toPng(2, 0x7fffffff, 2, rows(7 * 4)), "Strip 1 has fewer rows than the height in its IHDR."],
  ])("is rejected: %s", async (_, strip, message) => {
    await expect(joinPngStrips([png, strip], NO_LIMIT)).rejects.toThrow(message);
  });

  it.each<[name: string, data: Uint8Array]>([
    ["no image data", new Uint8Array()],
    ["truncated image data", rows(7 * 4).slice(0, -6)],
    ["image data that isn't a zlib stream", new Uint8Array(40).fill(1)],
    ["a wrong checksum", rows(7 * 4).fill(0, -4)],
  ])("is rejected: %s", async (_, data) => {
    await expect(joinPngStrips([png, toPng(2, 4, 2, data)], NO_LIMIT)).rejects.toThrow(Error);
  });

  it("rejects rows with an unknown filter if they must be converted to RGBA", async () => {
    const strip = toPng(2, 1, 2, deflateSync(new Uint8Array([5, 0, 0, 0, 0, 0, 0])));
    await expect(joinPngStrips([strip, encode(withAlpha(WHITE))], NO_LIMIT)).rejects.toThrow(
      "the unknown filter type 5",
    );
  });
});

const WHITE_300 = picture({ width: 300, height: 1, channels: 3 }, () => 255);

async function join(strips: Uint8Array[]): Promise<Picture> {
  const joined = await joinPngStrips(strips, NO_LIMIT);
  if (joined === null) throw new Error("The joined PNG is too large.");
  return decode(joined);
}

function anyStrip(width: number) {
  return fc
    .record({ height: fc.integer({ min: 1, max: 6 }), channels: fc.constantFrom(3, 4) })
    .chain(({ height, channels }) =>
      fc.record({
        content: fc
          .uint8Array({ minLength: width * height * channels, maxLength: width * height * channels })
          .map((pixels): Picture => ({ width, height, channels, pixels })),
        filters: fc.array(fc.constantFrom(...FILTERS), { minLength: height, maxLength: height }),
        idatBytes: fc.integer({ min: 1, max: 40 }),
      }),
    );
}

function picture({ width, height, channels }: Omit<Picture, "pixels">, toByte: (i: number) => number): Picture {
  return {
    width,
    height,
    channels,
    pixels: Uint8Array.from({ length: width * height * channels }, (_, i) => toByte(i)),
  };
}

/**
 * Returns an image of noise (xorshift32), which can't be compressed. `seed` is a positive integer that determines the
 * image.
 */
function randomPicture(size: Omit<Picture, "pixels">, seed: number): Picture {
  let bits = Math.imul(seed, 0x9e3779b9);
  return picture(size, () => {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    return bits >>> 24;
  });
}

function withAlpha({ width, height, channels, pixels }: Picture): Picture {
  if (channels === 4) return { width, height, channels, pixels };
  return picture({ width, height, channels: 4 }, (i) =>
    i % 4 === 3 ? 255 : (pixels[Math.floor(i / 4) * 3 + (i % 4)] ?? 0),
  );
}

/** Returns the images stacked from top to bottom. This is the expected content of the joined PNG. */
function stack(pictures: Picture[]): Picture {
  const channels = Math.max(...pictures.map((picture) => picture.channels));
  const same = channels === 3 ? pictures : pictures.map(withAlpha);
  const width = pictures[0]?.width ?? 0;
  const height = pictures.reduce((sum, picture) => sum + picture.height, 0);
  return { width, height, channels, pixels: concat(...same.map(({ pixels }) => pixels)) };
}

/** Returns true if the images are equal. Vitest's `toEqual` is slow for large images. */
function compare(a: Picture, b: Picture): boolean {
  const sizes = [a, b].map(({ width, height, channels, pixels }) => [width, height, channels, pixels.length].join());
  return sizes[0] === sizes[1] && a.pixels.every((byte, i) => byte === b.pixels[i]);
}

/**
 * Encodes an image as PNG. `filters` lists the filter type of each row. If the image has more rows, the list repeats.
 */
function encode(
  { width, height, channels, pixels }: Picture,
  filters: readonly number[] = [0],
  idatBytes = 65_536,
): Uint8Array {
  const rowBytes = width * channels;
  const raw = new Uint8Array((rowBytes + 1) * height);
  for (let y = 0; y < height; y++) {
    const filter = filters[y % filters.length] ?? 0;
    raw[y * (rowBytes + 1)] = filter;
    for (let x = 0; x < rowBytes; x++) {
      const byte = pixels[y * rowBytes + x] ?? 0;
      raw[y * (rowBytes + 1) + 1 + x] = byte - predict(filter, pixels, { x, y, rowBytes, channels });
    }
  }
  return toPng(width, height, channels === 3 ? 2 : 6, deflateSync(raw), idatBytes);
}

function decode(png: Uint8Array): Picture {
  const chunks = toChunks(png);
  for (const { type, data, crc } of chunks) expect(crc).toBe(crc32(concat(new TextEncoder().encode(type), data)));
  const header = chunks[0]?.data ?? new Uint8Array();
  const view = new DataView(header.buffer, header.byteOffset);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const channels = header[9] === 2 ? 3 : 4;
  expect([...header.subarray(8)]).toEqual([8, channels === 3 ? 2 : 6, 0, 0, 0]);
  const raw = inflateSync(concat(...chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const rowBytes = width * channels;
  expect(raw.length).toBe((rowBytes + 1) * height);
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const byte = raw[y * (rowBytes + 1) + 1 + x] ?? 0;
      pixels[y * rowBytes + x] = byte + predict(filter, pixels, { x, y, rowBytes, channels });
    }
  }
  return { width, height, channels, pixels };
}

/** Predicts a byte from its neighbors, as defined in section 9 of the PNG specification. */
function predict(
  filter: number,
  pixels: Uint8Array,
  { x, y, rowBytes, channels }: { x: number; y: number; rowBytes: number; channels: number },
): number {
  const at = y * rowBytes + x;
  const left = x < channels ? 0 : (pixels[at - channels] ?? 0);
  const above = y === 0 ? 0 : (pixels[at - rowBytes] ?? 0);
  const corner = x < channels || y === 0 ? 0 : (pixels[at - rowBytes - channels] ?? 0);
  if (filter === 3) return Math.floor((left + above) / 2);
  if (filter < 3) return [0, left, above][filter] ?? 0;
  const [a, b, c] = [left, above, corner].map((neighbor) => Math.abs(left + above - corner - neighbor)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

function toPng(width: number, height: number, colorType: number, data: Uint8Array, idatBytes = 65_536): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, colorType], 8);
  const idats: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += idatBytes) idats.push(toChunk("IDAT", data.slice(at, at + idatBytes)));
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return concat(signature, toChunk("IHDR", header), ...idats, toChunk("IEND", new Uint8Array()));
}

/** Inserts a chunk after IHDR, which ends at byte 33. */
function insertChunk(png: Uint8Array, type: string, data: Uint8Array): Uint8Array {
  return concat(png.slice(0, 33), toChunk(type, data), png.slice(33));
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const [length, crc] = [new Uint8Array(4), new Uint8Array(4)];
  const typed = concat(new TextEncoder().encode(type), data);
  new DataView(length.buffer).setUint32(0, data.length);
  new DataView(crc.buffer).setUint32(0, crc32(typed));
  return concat(length, typed, crc);
}

function toChunks(png: Uint8Array): { type: string; data: Uint8Array; crc: number }[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({
      type: String.fromCharCode(...png.subarray(at + 4, at + 8)),
      data,
      crc: view.getUint32(at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
