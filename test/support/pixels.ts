import { inflateSync } from "node:zlib";

/** The size of an image and the color of its pixels. */
interface Pixels {
  width: number;
  height: number;
  /** Returns the color of a pixel as `#rrggbb`. */
  at: (x: number, y: number) => string;
}

/** Decodes a PNG with 8 bits per channel and without interlacing. */
export function readPixels(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height, channels] = [view.getUint32(16), view.getUint32(20), png[25] === 6 ? 4 : 3];
  const data: Uint8Array[] = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x49444154) data.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = new Uint8Array(inflateSync(Buffer.concat(data)));
  const size = width * channels;
  const pixels = new Uint8Array(size * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (size + 1)];
    for (let i = 0; i < size; i++) {
      const left = i < channels ? 0 : (pixels[y * size + i - channels] ?? 0);
      const up = y === 0 ? 0 : (pixels[(y - 1) * size + i] ?? 0);
      const corner = y === 0 || i < channels ? 0 : (pixels[(y - 1) * size + i - channels] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      pixels[y * size + i] = (rows[y * (size + 1) + 1 + i] ?? 0) + predicted;
    }
  }
  const hex = (value: number) => value.toString(16).padStart(2, "0");
  const at = (x: number, y: number) =>
    `#${Array.from(pixels.subarray(y * size + x * channels, y * size + x * channels + 3), hex).join("")}`;
  return { width, height, at };
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Returns the size of a JPEG. */
export function readJpegSize(jpeg: Uint8Array): { width: number; height: number } {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at < jpeg.length; at += 2 + view.getUint16(at + 2)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === 0xc0 || marker === 0xc2) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  throw new Error("The JPEG has no frame.");
}
