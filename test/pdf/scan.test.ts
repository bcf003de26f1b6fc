import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readPdf } from "../../src/pdf/read";
import type { ScanImage } from "../../src/pdf/scan";
import { flateImage, jpeg, makeScan, type ScanPicture } from "../support/scans";

/** Reads a page with these images. Returns the files that the model gets, and the reason if it gets none. */
async function readImages(...images: ScanPicture[]) {
  const files: ScanImage[] = [];
  const { scans } = await readPdf(makeScan([{ images }]), {
    signal: new AbortController().signal,
    scanReader: {
      model: { id: "m", usage: { input_tokens: 0, output_tokens: 0 } },
      failure: () => null,
      read: async (page) => {
        files.push(...page);
        return null;
      },
    },
  });
  return { files, reason: scans?.unread[0]?.reason };
}

/** Returns an image without compression. */
function raw(entries: string, bytes: number[], size = { width: 100, height: 100 }): ScanPicture {
  return { ...size, entries, bytes: Uint8Array.from(bytes) };
}

/** Returns the bytes of a file. pdf.js adds the line break after a stream. */
function toText({ bytes }: { bytes: Uint8Array }): string {
  return Buffer.from(bytes).toString("latin1").trimEnd();
}

/** Returns the header of a PNG (bit depth, color type) and the first bytes of its first row. */
function decodePng({ bytes }: ScanImage) {
  const buffer = Buffer.from(bytes);
  const at = buffer.indexOf("IDAT");
  const pixels = inflateSync(buffer.subarray(at + 4, at + 4 + buffer.readUInt32BE(at - 4)));
  const size = [buffer.readUInt32BE(16), buffer.readUInt32BE(20)];
  return { size, header: [buffer[24], buffer[25]], pixels: [...pixels.subarray(0, 4)], length: pixels.length };
}

describe("the images of a scanned page", () => {
  it("are the unchanged bytes of a JPEG", async () => {
    const image = jpeg("A page");
    const { files } = await readImages(image);
    expect(files.map(({ type }) => type)).toEqual(["image/jpeg"]);
    expect(files.map(toText)).toEqual([toText(image)]);
  });

  it("are all strips in the order in which they are painted, without a logo", async () => {
    const strips = ["top", "middle"].map((name) => jpeg(name, { width: 600, height: 400 }));
    const bottom = jpeg("bottom", { width: 600, height: 20 });
    const logo = jpeg("logo", { width: 100, height: 100 });
    const { files } = await readImages(logo, ...strips, bottom);
    expect(files.map(toText)).toEqual([...strips, bottom].map(toText));
  });

  it("are a PNG of the pixels for other filters", async () => {
    const { files } = await readImages(flateImage("Tide", { width: 100, height: 200 }));
    expect(files[0]?.type).toBe("image/png");
    expect(decodePng(files[0] as ScanImage)).toEqual({
      size: [100, 200],
      header: [8, 0],
      pixels: [0, 84, 105, 100],
      length: 101 * 200,
    });
  });

  it.each([
    ["of a mask", "/ImageMask true", 13, [1, 0], [0, 7, 7, 7]],
    ["of an inverted mask", "/ImageMask true/Decode[1 0]", 13, [1, 0], [0, 248, 248, 248]],
    ["in colors", "/ColorSpace/DeviceRGB/BitsPerComponent 8", 300, [8, 2], [0, 7, 7, 7]],
  ])("are a PNG %s", async (_, entries, rowBytes, header, pixels) => {
    const { files } = await readImages(raw(entries, Array(rowBytes * 100).fill(7)));
    expect(decodePng(files[0] as ScanImage)).toMatchObject({ size: [100, 100], header, pixels });
  });

  it("end where the data of a broken image ends", async () => {
    const { files } = await readImages(raw("/ColorSpace/DeviceGray/BitsPerComponent 8", Array(2_550).fill(7)));
    expect(decodePng(files[0] as ScanImage)).toMatchObject({ size: [100, 25] });
  });

  it.each([
    ["image_format", [jpeg("", { entries: "/BitsPerComponent 1/Filter/JBIG2Decode" })]],
    ["image_format", [jpeg("", { entries: "/Filter/JPXDecode" })]],
    ["image_format", [jpeg("", { entries: "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode" })]],
    ["image_format", [raw("/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]/BitsPerComponent 1", Array(1_300).fill(7))]],
    ["image_format", [raw("/ColorSpace/DeviceRGB/BitsPerComponent 16", Array(60_000).fill(0))]],
    ["image_format", [raw("/ColorSpace/DeviceGray/BitsPerComponent 8", [])]],
    ["image_format", [raw("/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", [1, 2, 3, 4])]],
    ["image_format", [jpeg("a background"), jpeg("", { entries: "/ImageMask true/Filter/JBIG2Decode" })]],
    ["image_size", [raw("/ColorSpace/DeviceRGB/BitsPerComponent 8", [0], { width: 4_000, height: 4_000 })]],
    ["image_size", [jpeg("", { width: 9_000, height: 100 })]],
    ["too_many_images", Array.from({ length: 5 }, () => jpeg(""))],
  ])("can't be sent: %s (%#)", async (reason, images) => {
    expect(await readImages(...images)).toEqual({ files: [], reason });
  });
});
