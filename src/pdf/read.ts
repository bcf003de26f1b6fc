import type { getDocument, PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
import type { Block } from "../html/ast/blocks";
import type { PageLink } from "../html/links";
import { type Metadata, withoutAbsent } from "../html/metadata/metadata";
import { withTimeout } from "../lib/async";
import { lazyModule } from "../lib/lazy";
import { AppError } from "../model/errors";
import { MAX_URL_CHARS } from "../model/limits";
import { MAX_PDF_PAGES } from "../model/page-limits";
import { choosePages, type DocumentPages, type PageSelection } from "../model/page-ranges";
import { PdfBudget } from "./budget";
import { type Bookmark, toBlocks } from "./layout";
import {
  type FontStyle,
  type PageAnnotation,
  type PageContent,
  type PageItem,
  type RawPage,
  type Tag,
  toPageContent,
} from "./page-content";
import { insertScans, readScans, type ScannedPage, type ScanReader, type Scans } from "./scan";

const loadPdfJs = lazyModule(() => import("./pdfjs.generated.mjs"));

/** The maximum time that pdf.js gets to release a document. */
const DESTROY_MS = 1_000;
/** The maximum length of a value in the document information, such as the title. */
const MAX_INFO_CHARS = 1_000;
/** The maximum number of texts of a page. The layout of a page isn't interrupted. */
const MAX_PAGE_TEXTS = 50_000;
/** The maximum number of paths of a page. A page with more paths is a drawing, and the others aren't needed. */
const MAX_PAGE_PATHS = 20_000;
/** The maximum number of steps for the structure trees of all pages: half a second. */
const MAX_TAG_STEPS = 50_000_000;
/** The maximum number of bookmarks. */
const MAX_BOOKMARKS = 5_000;

export interface Pdf {
  blocks: Block[];
  metadata: Metadata;
  /** The external links. Each URL is listed once. */
  links: PageLink[];
  /** True if a part of the document was omitted, because a limit was exceeded or the file is broken. */
  truncated?: true;
  pages: DocumentPages;
  /** True if the PDF has images and no text, although all of it was read. */
  needsOcr?: true;
  /** The scanned pages, if a model was asked to read them. */
  scans?: Scans;
}

/** The options for reading a PDF. */
export interface PdfOptions extends PageSelection {
  signal: AbortSignal;
  /** Returns a file of pdf.js with a predefined character map. Without it, text that needs such a map is omitted. */
  loadCMap?: (name: string) => Promise<Uint8Array>;
  /** Reads pages that have images and no text. Without it, they are omitted. */
  scanReader?: ScanReader | undefined;
  /** Default: a new budget. */
  budget?: PdfBudget;
}

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>;

interface ReadPart {
  /** The page that is being read. If a limit is exceeded, the text before this point is kept. */
  current: RawPage | null;
  bookmarks: Bookmark[];
  /** True if a part of the document is missing, can't be read, or is beyond a limit of pages or texts. */
  isBroken: boolean;
  /** The content of each page. The last page may be incomplete. */
  pages: PageContent[];
  /** The numbers of these pages. */
  numbers: number[];
  total: number;
  /** The pages that have images and no text. */
  scans: ScannedPage[];
  /** The numbers of the pages that were read completely. */
  complete: number[];
  metadata: Metadata;
  links: Map<string, PageLink>;
  tagBudget: PdfBudget;
}

/** Returns true for a PDF. Checks the bytes, because the content type may be wrong, and skips a few before it. */
export function isPdf(bytes: Uint8Array, contentType: string | null): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  return /^\s*%PDF-/.test(head) || (/pdf|octet-stream/i.test(contentType ?? "") && head.includes("%PDF-"));
}

/**
 * Returns true if the end of the file is missing. Each part of a PDF ends with `%%EOF`. Readers accept other bytes after
 * the last part.
 */
function isCut(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf("%%EOF");
  return end === -1 || /\d obj\b/.test(file.toString("latin1", end));
}

/**
 * Reads a PDF with pdf.js. Uses a generated copy of pdf.js that counts its steps and buffers (scripts/pdfjs.ts). pdf.js
 * takes ownership of the bytes. If the PDF exceeds a limit of its budget, returns the text before this point, or throws
 * AppError `target_too_large` if there is none. Throws `unsupported_content` if it's encrypted or broken. For a scan,
 * returns no blocks, because a scan has no text.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<Pdf> {
  const { signal, loadCMap, scanReader, pageMarkers = false, budget = new PdfBudget() } = options;
  const { getDocument } = await loadPdfJs();
  const read: ReadPart = {
    pages: [],
    numbers: [],
    total: 0,
    complete: [],
    scans: [],
    current: null,
    bookmarks: [],
    isBroken: isCut(bytes),
    metadata: {},
    links: new Map(),
    tagBudget: new PdfBudget({ steps: MAX_TAG_STEPS }),
  };
  const data = new PdfData(loadCMap);
  let task: PDFDocumentLoadingTask | undefined;
  let scans: Scans | null = null;
  try {
    await budget.run(async () => {
      task = getDocument({ data: bytes, ...data.options, useSystemFonts: true, verbosity: 0 });
      await readDocument(task, read, { ...options, budget, signal });
      if (scanReader && read.scans.length > 0) scans = await readScans(read.scans, scanReader);
    });
  } catch (error) {
    endPage(read);
    const hasText = read.pages.some(({ runs }) => runs.length > 0);
    if (!budget.isUsedUp || !hasText) throw error;
  } finally {
    // `destroy` gets a new budget, because the document's budget may be used up. Until `destroy` has run, pdf.js keeps
    // the document's names in memory.
    await new PdfBudget().run(() => withTimeout(DESTROY_MS, task?.destroy() ?? Promise.resolve())).catch(() => {});
  }
  const { pages, numbers, total, bookmarks, metadata, links } = read;
  const found = scans as Scans | null;
  const blocks = await toBlocks(pages, { bookmarks, numbers: pageMarkers || found ? numbers : null });
  const pdf: Pdf = {
    blocks: found ? insertScans(blocks, found, { numbers, keepsMarkers: pageMarkers }) : blocks,
    ...(found && { scans: found }),
    metadata,
    links: [...links.values()],
    pages: { total, read: read.complete },
  };
  const isTruncated = budget.isUsedUp || data.isMissing || read.isBroken;
  const needsOcr = pdf.blocks.length === 0 && !budget.isUsedUp && !data.isMissing && read.scans.length > 0;
  // An empty result would hide that the model is down.
  const failure = needsOcr ? scanReader?.failure() : null;
  if (failure) throw failure;
  return { ...pdf, ...(isTruncated && { truncated: true }), ...(needsOcr && { needsOcr: true }) };
}

/** Loads the data files that pdf.js needs for a document. pdf.js requests each file of a document once. */
class PdfData {
  /** True if text of the document can't be decoded, because its character map couldn't be loaded. */
  isMissing = false;
  readonly options: Pick<NonNullable<Parameters<typeof getDocument>[0]>, "BinaryDataFactory" | "useWorkerFetch">;

  constructor(loadCMap: PdfOptions["loadCMap"]) {
    const load = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
      // The outlines of standard fonts don't matter for their text.
      if (kind !== "cMapUrl") throw new Error("Only character maps are available.");
      try {
        if (loadCMap === undefined) throw new Error("No character maps are available.");
        return await loadCMap(filename);
      } catch (error) {
        this.isMissing = true;
        throw error;
      }
    };
    class BinaryDataFactory {
      readonly fetch = load;
    }
    this.options = { BinaryDataFactory, useWorkerFetch: false };
  }
}

async function readDocument(
  task: PDFDocumentLoadingTask,
  read: ReadPart,
  { budget, signal, ...options }: PdfOptions & { budget: PdfBudget },
): Promise<void> {
  const document = await task.promise.catch((cause) => {
    const isEncrypted = /password/i.test(String(cause));
    throw unsupported(
      isEncrypted ? "is encrypted. Remove its password, and send the request again" : "can't be read",
      cause,
    );
  });
  try {
    read.total = document.numPages;
    const { pages, isCut } = choosePages(options, { total: read.total, max: MAX_PDF_PAGES, kind: "pages" });
    if (isCut) read.isBroken = true;
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    read.metadata = toMetadata(info as Record<string, unknown>);
    let failure: unknown = null;
    for (const number of pages) {
      signal.throwIfAborted();
      await readPage(document, number, read, { budget, signal }).catch((error) => {
        if (error instanceof AppError || signal.aborted) throw error;
        failure = error;
      });
      await budget.pause();
    }
    if (failure !== null) {
      if (read.pages.every(({ runs }) => runs.length === 0) && read.scans.length === 0) throw failure;
      read.isBroken = true;
    }
    read.bookmarks = toBookmarks(await document.getOutline().catch(() => null));
  } catch (cause) {
    if (cause instanceof AppError || signal.aborted) throw cause;
    throw unsupported("can't be read", cause);
  }
}

/** Returns the bookmarks of an outline, with those inside of others after them. */
function toBookmarks(outline: Outline | null): Bookmark[] {
  const bookmarks: Bookmark[] = [];
  const open = (outline ?? []).map((item) => ({ item, depth: 1 })).reverse();
  for (let next = open.pop(); next && bookmarks.length < MAX_BOOKMARKS; next = open.pop()) {
    const { item, depth } = next;
    bookmarks.push({ title: item.title, depth });
    for (let i = item.items.length - 1; i >= 0; i--)
      open.push({ item: item.items[i] as Outline[number], depth: depth + 1 });
  }
  return bookmarks;
}

async function readPage(
  document: PDFDocumentProxy,
  number: number,
  read: ReadPart,
  options: { budget: PdfBudget; signal: AbortSignal },
): Promise<void> {
  const page = await document.getPage(number);
  read.numbers.push(number);
  const raw: RawPage = { items: [], fonts: new Map(), annotations: [], tags: null };
  read.current = raw;
  try {
    const annotations = await page.getAnnotations().catch(() => null);
    if (annotations === null) read.isBroken = true;
    raw.tags = await readTags(page, read.tagBudget);
    if (await readItems(page, raw, options)) read.isBroken = true;
    raw.annotations = (annotations ?? []).flatMap((annotation) => toAnnotation(annotation) ?? []);
    for (const { url } of raw.annotations) if (url && !read.links.has(url)) read.links.set(url, { url, text: "" });
    read.complete.push(number);
  } finally {
    endPage(read);
    const images = options.budget.takeImages();
    if (images.length > 0 && read.pages.at(-1)?.runs.length === 0) read.scans.push({ number, images });
  }
  page.cleanup();
}

/**
 * Returns the structure tree of a page, or null if it has none. pdf.js visits all siblings of a page's elements, which
 * takes quadratic time. Therefore, the tags have a separate budget, and the pages after it are read without tags.
 */
async function readTags(page: PDFPageProxy, budget: PdfBudget): Promise<Tag | null> {
  if (budget.isUsedUp) return null;
  return await budget.run(async () => (await page.getStructTree()) as Tag | null).catch(() => null);
}

function endPage(read: ReadPart): void {
  if (read.current) read.pages.push(toPageContent(read.current));
  read.current = null;
}

/**
 * Reads the items of a page in chunks. pdf.js waits until a chunk was read before it produces the next one. Returns true
 * if some of the text was omitted.
 */
async function readItems(
  page: PDFPageProxy,
  { items, fonts, tags }: RawPage,
  { budget, signal }: { budget: PdfBudget; signal: AbortSignal },
): Promise<boolean> {
  let [texts, paths] = [0, 0];
  // The stream isn't canceled after an error, because pdf.js would continue to write to it. Destroying the document
  // ends the stream.
  const parts: ReadableStreamDefaultReader<{ items: PageItem[]; styles: Record<string, FontStyle> }> = page
    .streamTextContent({ includeMarkedContent: tags !== null })
    .getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    signal.throwIfAborted();
    for (const item of part.value.items) {
      if ("type" in item && item.type === "path") {
        budget.addPath();
        if (++paths <= MAX_PAGE_PATHS) items.push(item);
      } else {
        budget.addText("str" in item ? item.str : "");
        if (++texts <= MAX_PAGE_TEXTS) items.push(item);
      }
    }
    for (const [name, style] of Object.entries(part.value.styles)) fonts.set(name, style);
  }
  return texts > MAX_PAGE_TEXTS;
}

/** Returns a link or a form field, or null for other annotations. */
function toAnnotation(annotation: Record<string, unknown>): PageAnnotation | null {
  const { rect, url, fieldType, fieldValue, hidden } = annotation;
  const id = `pdfjs_internal_id_${annotation.id}`;
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rect) ? rect.map(Number) : [];
  const box = { left, bottom, right, top };
  if (typeof url === "string") {
    return url.length <= MAX_URL_CHARS && /^https?:/i.test(url) ? { id, box, url } : null;
  }
  if (typeof fieldType !== "string" || hidden === true) return null;
  const name = String(annotation.alternativeText || annotation.fieldName || "");
  if (annotation.checkBox === true || annotation.radioButton === true) {
    const isChecked = fieldValue === (annotation.exportValue ?? annotation.buttonValue);
    return { id, box, name, value: isChecked ? "☑" : "☐" };
  }
  const value = Array.isArray(fieldValue) ? fieldValue.join(", ") : fieldValue;
  return typeof value === "string" && fieldType !== "Btn" ? { id, box, name, value } : null;
}

function toMetadata(info: Record<string, unknown>): Metadata {
  const text = (name: string) => {
    const value = info[name];
    const words = typeof value === "string" ? value.slice(0, MAX_INFO_CHARS).trim() : "";
    return words === "" ? undefined : words;
  };
  return withoutAbsent({
    title: text("Title"),
    description: text("Subject"),
    author: text("Author"),
    language: text("Language"),
    published_time: toTime(text("CreationDate")),
    modified_time: toTime(text("ModDate")),
  });
}

/** Parses a PDF date: `D:YYYYMMDDHHmmSSOHH'mm'` (PDF 32000-1, section 7.9.4). All parts after the year are optional. */
function toTime(date: string | undefined): string | undefined {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(date ?? "");
  if (!match) return undefined;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, hours, minutes = "00"] =
    match;
  const zone = sign === undefined ? "Z" : `${sign}${hours}:${minutes}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function unsupported(why: string, cause?: unknown): AppError {
  return new AppError("unsupported_content", `The PDF ${why}.`, { cause });
}
