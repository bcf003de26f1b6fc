import type { Block } from "../html/ast/blocks";
import { now } from "../lib/clock";
import { encodePng, type Pixels } from "../lib/png";
import { SECOND_MS } from "../model/limits";
import { MAX_OCR_PAGES } from "../model/page-limits";
import { PdfBudget, type PdfDict, type PdfImage } from "./budget";

/** A page that has images and no text. */
export interface ScannedPage {
  number: number;
  images: PdfImage[];
}

/** An image file that a model can read. */
export interface ScanImage {
  type: "image/jpeg" | "image/png";
  bytes: Uint8Array;
}

export interface ScanReader {
  /** The name of the model, and the tokens of all requests so far. */
  model: { id: string; usage: { input_tokens: number; output_tokens: number } };
  /** Returns the content of a page, or null if the model didn't read it. `images` are parts of the page, in order. */
  read: (images: ScanImage[]) => Promise<Block[] | null>;
  /** Returns the last error of the model, or null if there was none. */
  failure: () => Error | null;
}

/** The reasons why a scanned page wasn't read. */
export const UNREAD_REASONS = [
  "image_format",
  "image_size",
  "too_many_images",
  "page_limit",
  "time_limit",
  "model",
] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];

/** The scanned pages of a document after a model has read them. */
export interface Scans {
  model: ScanReader["model"];
  read: Map<number, Block[]>;
  unread: { page: number; reason: UnreadReason }[];
}

/** The maximum time in which models start to read the pages of a document. A job may take JOB_TIMEOUT_MS in total. */
const START_MS = 150 * SECOND_MS;
/** The maximum number of images of a page that are sent. */
const MAX_IMAGES = 4;
/** Images with a smaller share of the largest image's pixels are logos or stamps. Strips have the same width. */
const MIN_SHARE = 0.1;
/** The maximum size of a page's files. In base64, they have 5 MB, which is Anthropic's limit for an image. */
const MAX_FILE_BYTES = 3_750_000;
/** The maximum width and height of an image for Anthropic. */
const MAX_SIDE_PX = 8_000;
/** The maximum size of an image's pixels: a page in color with 200 dots per inch, or in black and white with 900. */
const MAX_PIXEL_BYTES = 12 * 1024 * 1024;
/** Half a second of work, and the buffers of the largest image. */
const IMAGE_LIMITS = { steps: 50_000_000, totalBytes: 64 * 1024 * 1024 };

/** pdf.js decodes these formats only with WebAssembly, which Workers can't compile at run time. */
const UNREADABLE_FILTERS = /^(?:JPX|JBIG2|CCITTFax|Crypt)/;

/** Thrown for an image that can't be sent to a model. */
class ImageProblem extends Error {
  constructor(readonly reason: UnreadReason) {
    super(reason);
  }
}

/** Lets a model read the first MAX_OCR_PAGES pages, one at a time, because their images need much memory. */
export async function readScans(pages: readonly ScannedPage[], { model, read }: ScanReader): Promise<Scans> {
  const scans: Scans = { model, read: new Map(), unread: [] };
  const endsAt = now() + START_MS;
  for (const [i, { number: page, images }] of pages.entries()) {
    const early = i >= MAX_OCR_PAGES ? "page_limit" : now() > endsAt ? "time_limit" : null;
    const files = early ?? (await toFiles(images));
    const blocks = typeof files === "string" ? null : await read(files);
    if (blocks !== null && blocks.length > 0) scans.read.set(page, blocks);
    else scans.unread.push({ page, reason: typeof files === "string" ? files : "model" });
  }
  return scans;
}

/** Returns the blocks of a document with those of its scanned pages. Without `keepsMarkers`, removes the markers. */
export function insertScans(
  blocks: readonly Block[],
  { read }: Scans,
  { numbers, keepsMarkers }: { numbers: readonly number[]; keepsMarkers: boolean },
): Block[] {
  if (blocks.length === 0 && read.size === 0) return [];
  // A document without text has no markers.
  const marked = blocks.length > 0 ? blocks : numbers.map((number): Block => ({ type: "page", number }));
  return marked.flatMap((block) => {
    if (block.type !== "page") return [block];
    return [...(keepsMarkers ? [block] : []), ...(read.get(block.number) ?? [])];
  });
}

/** Returns the files of a page's images, or the reason why it can't be read. */
async function toFiles(images: readonly PdfImage[]): Promise<ScanImage[] | UnreadReason> {
  const sized = images.map((image) => ({ image, ...sizeOf(image.dict) }));
  const largest = sized.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a), { width: 0, height: 0 });
  const isPart = ({ width, height }: { width: number; height: number }) =>
    width === largest.width || width * height >= MIN_SHARE * largest.width * largest.height;
  const parts = sized.filter(isPart);
  if (parts.length > MAX_IMAGES) return "too_many_images";
  const files: ScanImage[] = [];
  try {
    for (const { image } of parts) files.push(await toFile(image));
  } catch (error) {
    if (error instanceof ImageProblem) return error.reason;
    throw error;
  }
  return files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) > MAX_FILE_BYTES ? "image_size" : files;
}

async function toFile(image: PdfImage): Promise<ScanImage> {
  const { dict, stream } = image;
  const { width, height } = sizeOf(dict);
  if (Math.max(width, height) > MAX_SIDE_PX) throw new ImageProblem("image_size");
  const filter = nameOf([dict.getArray("Filter")].flat().at(-1));
  if (UNREADABLE_FILTERS.test(filter)) throw new ImageProblem("image_format");
  if (filter !== "DCTDecode") return { type: "image/png", bytes: await toPng(image) };
  // Models don't read JPEGs with four channels.
  if (stream === undefined || channelsOf(dict) === 4) throw new ImageProblem("image_format");
  const bytes = await readBytes(stream, MAX_FILE_BYTES + 1);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new ImageProblem("image_format");
  return { type: "image/jpeg", bytes };
}

async function toPng(image: PdfImage): Promise<Uint8Array> {
  const { dict } = image;
  const { width, height } = sizeOf(dict);
  const isMask = dict.get("ImageMask") === true;
  const depth = isMask ? 1 : Number(dict.get("BitsPerComponent"));
  const channels = isMask ? 1 : channelsOf(dict);
  const isSupported = channels === 1 ? [1, 2, 4, 8].includes(depth) : channels === 3 && depth === 8;
  if (!isSupported) throw new ImageProblem("image_format");
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  if (rowBytes * height > MAX_PIXEL_BYTES) throw new ImageProblem("image_size");
  const data = await readBytes(image, rowBytes * height);
  const pixels: Pixels = {
    width,
    // The end of a broken image is missing.
    height: Math.floor(data.byteLength / rowBytes),
    depth,
    colorType: channels === 1 ? "gray" : "rgb",
    rowBytes,
    data,
  };
  if (pixels.height === 0) throw new ImageProblem("image_format");
  const decode = dict.getArray("Decode");
  const isInverted = channels === 1 && Array.isArray(decode) && decode[0] === 1;
  return await encodePng(isInverted ? { ...pixels, data: data.map((byte) => byte ^ 0xff) } : pixels);
}

/** Reads the decoded bytes with a separate budget, because one image can take more memory than the document's text. */
async function readBytes(source: { reset: () => void; getBytes: (length: number) => Uint8Array }, length: number) {
  const budget = new PdfBudget(IMAGE_LIMITS);
  try {
    return await budget.run(async () => {
      source.reset();
      return source.getBytes(length);
    });
  } catch {
    // pdf.js throws errors of many classes for a broken stream.
    throw new ImageProblem(budget.isUsedUp ? "image_size" : "image_format");
  }
}

function sizeOf(dict: PdfDict): { width: number; height: number } {
  return { width: Number(dict.get("Width")), height: Number(dict.get("Height")) };
}

/** Returns the channels of an image, or 0 for a color space without a form in PNG (PDF 32000-1, section 8.6). */
function channelsOf(dict: PdfDict): number {
  const [name, profile] = [dict.getArray("ColorSpace")].flat();
  switch (nameOf(name)) {
    case "DeviceGray":
    case "CalGray":
      return 1;
    case "DeviceRGB":
    case "CalRGB":
      return 3;
    case "DeviceCMYK":
      return 4;
    case "ICCBased":
      return Number((profile as PdfImage | undefined)?.dict?.get("N") ?? 0);
    default:
      return 0;
  }
}

function nameOf(value: unknown): string {
  return String((value as { name?: unknown } | null | undefined)?.name ?? "");
}
