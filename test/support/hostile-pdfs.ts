import { createHash } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync } from "node:zlib";

// PDFs of a few megabytes that keep pdf.js busy for seconds or forever, or use up the memory.

const HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";
const FONT = "/Font<</F1 5 0 R>>";
const WORDS = "BT /F1 12 Tf 50 700 Td (Words) Tj ET";
const BLOCK_BYTES = 1024 * 1024;
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Returns zlib data that inflates to this many megabytes of repeated text. */
export function zlibBomb(megabytes: number, text = " "): Buffer {
  // A full flush ends a deflate block at a byte boundary, and later blocks don't refer to it. Therefore, the block can
  // be repeated.
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES, text, "latin1"), { finishFlush: constants.Z_FULL_FLUSH });
  const checksum = Buffer.alloc(4);
  return Buffer.concat([Buffer.of(0x78, 0x9c), ...Array<Buffer>(megabytes).fill(block), Buffer.of(3, 0), checksum]);
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function stream(entries: string, data: Buffer | string): Buffer {
  const bytes = typeof data === "string" ? toBytes(data) : data;
  return Buffer.concat([toBytes(`<<${entries}/Length ${bytes.length}>>stream\n`), bytes, toBytes("\nendstream ")]);
}

function deflated(text: string, entries = ""): Buffer {
  return stream(`${entries}/Filter/FlateDecode`, deflateSync(text, { level: 1 }));
}

/** Writes a PDF with these objects, numbered from 1. The first object is the catalog. */
function file(objects: (Buffer | string)[], trailer: string): Uint8Array {
  const parts = objects.flatMap((object, i) => [
    toBytes(`${i + 1} 0 obj`),
    typeof object === "string" ? toBytes(object) : object,
    toBytes("endobj\n"),
  ]);
  const end = toBytes(`trailer<</Root 1 0 R${trailer}>>\n%%EOF`);
  return new Uint8Array(Buffer.concat([toBytes("%PDF-1.4\n"), ...parts, end]));
}

interface Parts {
  contents: Buffer | string;
  resources?: string;
  /** Additional entries of the catalog. */
  catalog?: string;
  /** Additional entries of the page's dictionary. */
  page?: string;
  font?: string;
  /** Additional objects, numbered from 6. */
  others?: (Buffer | string)[];
  trailer?: string;
}

function onePage({
  contents,
  resources = FONT,
  catalog = "",
  page = "",
  font = HELVETICA,
  others = [],
  trailer = "",
}: Parts): Uint8Array {
  return file(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
      contents,
      font,
      ...others,
    ],
    trailer,
  );
}

function withToUnicode(cmap: Buffer): Uint8Array {
  return onePage({
    contents: stream("", WORDS),
    font: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
    others: [cmap],
  });
}

/** A compressed TrueType font. Its `cmap` table has one format 12 group that covers half of all 32-bit numbers. */
const WIDE_FONT =
  "eNpjYGRgYOBgaGBgZmBIzk0sYICAHiDWSM+pTIPytwAxS0ZqYgqUvwOIzTKAAlD+ByBWycgtqYBwGUWAhEBOfjJUnlEFSIjkJlZAzWe0ABIKBfnFJVB+BIgPYgDdAXIRDxCCgAzUfJAYw/////8xMCCJMEKY8fw2XxkYmF8wYAMpDClgHzJBVQNJZoX/QPuZIpDNRgIsIBlkjBWAdLEwcAHNxWYGAyg88QEAP7AdTQ==";

const FORMS = 40;
/** Each of these 40 forms draws the next form twice. The last form is therefore drawn about 2^39 times. */
const forms = Array.from({ length: FORMS }, (_, i) => {
  const next = i === FORMS - 1 ? "" : "/A Do /A Do";
  const resources = `/Resources<<${FONT}/XObject<</A ${7 + i} 0 R>>>>`;
  return stream(`/Type/XObject/Subtype/Form/BBox[0 0 600 800]${resources}`, `${WORDS} ${next}`);
});

/** One function for each attack, which creates its PDF. A test that needs only one PDF doesn't create the others. */
export const hostilePdfs = {
  "content that inflates twice to 1.5 GB": () => {
    const bomb = deflateSync(zlibBomb(1_500), { level: 9 });
    return onePage({ contents: stream("/Filter[/FlateDecode/FlateDecode]", bomb) });
  },
  "content that inflates once to 1.5 GB": () => onePage({ contents: stream("/Filter/FlateDecode", zlibBomb(1_500)) }),
  "content in hexadecimal that inflates to 1.5 GB": () => {
    const bomb = deflateSync(zlibBomb(1_500), { level: 9 });
    return onePage({ contents: stream("/Filter[/AHx/Fl/Fl]", `${bomb.toString("hex")}>`) });
  },
  "content without a length that inflates to 1.5 GB": () => {
    const bomb = deflateSync(zlibBomb(1_500), { level: 9 });
    const parts = [toBytes("<</Filter[/FlateDecode/FlateDecode]>>stream\n"), bomb, toBytes("\nendstream ")];
    return onePage({ contents: Buffer.concat(parts) });
  },
  "runs of spaces, 2 GB together": () => onePage({ contents: stream("/Filter[/Fl/RL]", zlibBomb(32, "\x81 ")) }),
  "ten streams of 20 MB each": () => {
    const contents = Array.from({ length: 10 }, (_, i) => `${6 + i} 0 R`).join(" ");
    const part = stream("/Filter/FlateDecode", zlibBomb(20));
    return onePage({ contents: `[${contents}]`, others: Array<Buffer>(10).fill(part) });
  },
  "a font's character map that inflates to 1.5 GB": () => withToUnicode(stream("/Filter/FlateDecode", zlibBomb(1_500))),
  "an object stream that inflates to 1.5 GB": () => withObjectStream(zlibBomb(1_500)),
  "encrypted content that inflates to 1.5 GB": encryptedBomb,
  "content in Brotli that inflates to 100 MB": () => {
    const bomb = brotliCompressSync(Buffer.alloc(100 * BLOCK_BYTES, " "), FAST);
    return onePage({ contents: stream("/Filter/BrotliDecode", bomb) });
  },
  "a font with a table of two billion characters": () =>
    onePage({
      contents: stream("", WORDS),
      font: "<</Type/Font/Subtype/TrueType/BaseFont/X/FirstChar 32/LastChar 33/Widths[500 500]/FontDescriptor 6 0 R/Encoding/WinAnsiEncoding>>",
      others: [
        "<</Type/FontDescriptor/FontName/X/Flags 32/FontFile2 7 0 R/FontBBox[0 0 1 1]/ItalicAngle 0/Ascent 1/Descent 0/CapHeight 1/StemV 1>>",
        stream("/Length1 376/Filter/FlateDecode", Buffer.from(WIDE_FONT, "base64")),
      ],
    }),
  "rows of 200 MB": () =>
    onePage({
      contents: stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 200000000>>", zlibBomb(1)),
    }),
  "forms that draw each other 2^40 times": () =>
    onePage({
      contents: stream("", "/A Do"),
      resources: `${FONT}/XObject<</A 6 0 R>>`,
      others: forms,
    }),
  "7 million dictionaries": () => onePage({ contents: deflated(`[${"<<>>".repeat(7_000_000)}] TJ`) }),
  "a million lines": () =>
    onePage({
      contents: deflated(
        `BT /F1 12 Tf ${"1 0 0 1 50 700 Tm (Word) Tj 1 0 0 1 50 650 Tm (Word) Tj ".repeat(500_000)} ET`,
      ),
    }),
  "a table of 4 billion widths": () =>
    onePage({
      contents: stream("", WORDS),
      font: "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]>>",
      others: [
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(A)/Ordering(I)/Supplement 0>>" +
          "/FontDescriptor 7 0 R/W[0 4000000000 500]>>",
        "<</Type/FontDescriptor/FontName/X/Flags 4>>",
      ],
    }),
  "a character map of billions of characters": () => {
    const range = "<00000000> <00fffffe> <0041>\n";
    const map = `begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 99 beginbfrange ${range.repeat(99)}`;
    return withToUnicode(stream("", `${map} endbfrange endcmap`));
  },
  "400,000 links": () =>
    onePage({
      contents: stream("", WORDS),
      page: `/Annots[${"6 0 R ".repeat(400_000)}]`,
      others: ["<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>"],
    }),
  "a million rulings": () =>
    onePage({ contents: deflated(`${WORDS} ${WORDS} ${"0 9 m 9 9 l S 5 0 m 5 9 l S ".repeat(500_000)}`) }),
  "a million letters": () =>
    onePage({ contents: deflated(lettersAt(1_000_000, (i) => [(i * 37) % 590, (i * 101) % 790])) }),
  "a table of a million cells": () => {
    const rulings = Array.from(
      { length: 1_001 },
      (_, i) => `0 ${30 * i} m 30000 ${30 * i} l S ${30 * i} 0 m ${30 * i} 30000 l S`,
    );
    const cells = lettersAt(1_000_000, (i) => [30 * (i % 1_000) + 9, 30 * Math.floor(i / 1_000) + 9]);
    const page = "/MediaBox[0 0 30000 30000]";
    return onePage({ contents: deflated(`${rulings.join(" ")} ${cells}`), page });
  },
  "200,000 bookmarks": () =>
    onePage({
      contents: stream("", WORDS),
      catalog: "/Outlines 6 0 R",
      others: [
        "<</First 7 0 R>>",
        ...Array.from({ length: 200_000 }, (_, i) => `<</Title(A)/Parent 6 0 R/Next ${8 + i} 0 R>>`),
      ],
    }),
  "10,000 pages": () =>
    file(
      [
        "<</Type/Catalog/Pages 2 0 R>>",
        `<</Type/Pages/Kids[${Array.from({ length: 10_000 }, (_, i) => `${i + 5} 0 R`).join(" ")}]/Count 10000>>`,
        stream(
          "",
          lettersAt(500, (i) => [(i * 37) % 590, (i * 101) % 790]),
        ),
        HELVETICA,
        ...Array<string>(10_000).fill(
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
        ),
      ],
      "",
    ),
} satisfies Record<string, () => Uint8Array>;

/** Returns content with single letters at these positions. */
function lettersAt(count: number, place: (i: number) => [x: number, y: number]): string {
  const letters = Array.from({ length: count }, (_, i) => `1 0 0 1 ${place(i).join(" ")} Tm (a) Tj`);
  return `BT /F1 6 Tf ${letters.join(" ")} ET`;
}

/** Returns a PDF whose page is in a compressed object stream. A cross-reference stream points to it. */
function withObjectStream(data: Buffer): Uint8Array {
  const head = toBytes("%PDF-1.5\n");
  const objects = Buffer.concat([
    toBytes("3 0 obj"),
    stream("/Type/ObjStm/N 2/First 8/Filter/FlateDecode", data),
    toBytes("endobj\n"),
  ]);
  const tableAt = head.length + objects.length;
  // The rows of the cross-reference stream. Each row has a type, an offset or the object number of the stream, and an
  // index.
  const rows = [
    [0, 0, 0],
    [2, 3, 0],
    [2, 3, 1],
    [1, head.length, 0],
    [1, tableAt, 0],
  ].flatMap(([type = 0, where = 0, index = 0]) => [type, where >> 24, where >> 16, where >> 8, where, index]);
  const table = stream("/Type/XRef/W[1 4 1]/Size 5/Root 1 0 R", Buffer.from(rows));
  const end = toBytes(`endobj\nstartxref\n${tableAt}\n%%EOF`);
  return new Uint8Array(Buffer.concat([head, objects, toBytes("4 0 obj"), table, end]));
}

/**
 * Returns an encrypted PDF. Readers open it without a password prompt, because its password is empty (PDF 32000-1,
 * 7.6.3).
 */
function encryptedBomb(): Uint8Array {
  const padding = Buffer.from("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A", "hex");
  const owner = Buffer.alloc(32);
  const id = Buffer.alloc(1);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padding, owner, permissions, id).subarray(0, 5);
  const content = rc4(md5(key, Buffer.of(4, 0, 0, 0, 0)).subarray(0, 10), deflateSync(zlibBomb(1_500), { level: 9 }));
  const encrypt = `/V 1/R 2/P -4/O<${owner.toString("hex")}>/U<${rc4(key, padding).toString("hex")}>`;
  return onePage({
    contents: stream("/Filter[/FlateDecode/FlateDecode]", content),
    trailer: `/Encrypt<</Filter/Standard${encrypt}>>/ID[<00><00>]`,
  });
}

function md5(...parts: Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (i: number, j: number) => {
    [state[i], state[j]] = [state[j] ?? 0, state[i] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let j = 0;
  return data.map((byte, n) => {
    const i = (n + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}
