// Writes PDFs whose pages are images. The stand-in models find their mark in an image's bytes, so an image contains the
// text that a model would read in it.
import { deflateSync } from "node:zlib";

export interface ScanPicture {
  width: number;
  height: number;
  /** The entries of the image's dictionary besides its size. */
  entries: string;
  bytes: Uint8Array;
}

/** A page with images and a line of text. */
export interface ScanPage {
  images?: ScanPicture[];
  text?: string;
}

const JPEG = "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode";

/** Returns a JPEG with the mark in a comment. Only its markers are valid. */
export function jpeg(mark: string, { width = 600, height = 800, entries = JPEG } = {}): ScanPicture {
  const comment = new TextEncoder().encode(mark);
  const length = comment.length + 2;
  const head = [0xff, 0xd8, 0xff, 0xfe, length >> 8, length & 0xff];
  return { width, height, entries, bytes: new Uint8Array([...head, ...comment, 0xff, 0xd9]) };
}

/** Returns a gray image with 8 bits per pixel whose first pixels are the mark. */
export function flateImage(mark: string, { width = 400, height = 100 } = {}): ScanPicture {
  const pixels = new Uint8Array(width * height).fill(255);
  pixels.set(new TextEncoder().encode(mark));
  const entries = "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode";
  return { width, height, entries, bytes: deflateSync(pixels) };
}

export function makeScan(pages: readonly ScanPage[]): Uint8Array {
  const objects: string[] = ["", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"];
  const add = (body: string) => objects.push(body);
  const stream = (entries: string, data: string) => `<<${entries}/Length ${data.length}>>stream\n${data}\nendstream`;
  const kids = pages.map(({ images = [], text }) => {
    const numbers = images.map(({ width, height, entries, bytes }) => {
      const data = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      return add(stream(`/Subtype/Image/Width ${width}/Height ${height}${entries}`, data));
    });
    const painted = numbers.map((number) => `q 600 0 0 800 0 0 cm /I${number} Do Q`);
    const shown = text === undefined ? [] : [`BT /F1 12 Tf 50 700 Td (${text}) Tj ET`];
    const content = add(stream("", [...painted, ...shown].join("\n")));
    const objectsOf = numbers.map((number) => `/I${number} ${number} 0 R`).join("");
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${content} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<<${objectsOf}>>>>>>`,
    );
  });
  objects[0] = "<</Type/Catalog/Pages 2 0 R>>";
  objects[1] = `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(" ")}]/Count ${kids.length}>>`;
  const body = objects.map((object, i) => `${i + 1} 0 obj${object}endobj`).join("\n");
  return Uint8Array.from(`%PDF-1.7\n${body}\ntrailer<</Root 1 0 R>>\n%%EOF`, (char) => char.charCodeAt(0));
}

/**
 * The pages of a scan as the site's page `scan` gets them: a text, the marks of a page's images, or a text that the model
 * repeats.
 */
export type ScanSpec = (
  | { text: string }
  | { jpegs: string[]; repeat?: number }
  | { loop: string }
  | { flate: string }
  | { fax: true }
)[];

export function toScan(json: string): Uint8Array {
  return makeScan(
    (JSON.parse(json) as ScanSpec).flatMap((page): ScanPage[] => {
      if ("text" in page) return [{ text: page.text }];
      if ("flate" in page) return [{ images: [flateImage(page.flate)] }];
      if ("fax" in page) return [{ images: [jpeg("", { entries: "/BitsPerComponent 1/Filter/CCITTFaxDecode" })] }];
      if ("loop" in page) {
        const markdown = page.loop.repeat(200);
        return [{ images: [jpeg(`[[good loop ${JSON.stringify({ markdown })}]]`)] }];
      }
      return Array.from({ length: page.repeat ?? 1 }, () => ({ images: page.jpegs.map((mark) => jpeg(mark)) }));
    }),
  );
}
