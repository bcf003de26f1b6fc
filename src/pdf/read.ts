import type { getDocument, PDFDocumentLoadingTask, PDFPageProxy } from "unpdf/pdfjs";
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
import { type TextRun, toBlocks } from "./layout";

const loadPdfJs = lazyModule(() => import("./pdfjs.generated.mjs"));

/** The maximum time that pdf.js gets to release a document. */
const DESTROY_MS = 1_000;
/** The maximum length of a value in the document information, such as the title. */
const MAX_INFO_CHARS = 1_000;

interface Pdf {
  blocks: Block[];
  metadata: Metadata;
  /** The URLs of the link annotations. Each URL is listed once. */
  links: PageLink[];
  /** True if the end of the document was omitted, because a limit was exceeded. */
  truncated?: true;
  pages: DocumentPages;
  /** True if the PDF has no text, although all of it was read. */
  needsOcr?: true;
}

/** The options for reading a PDF. */
export interface PdfOptions extends PageSelection {
  signal: AbortSignal;
  /** Returns a file of pdf.js with a predefined character map. Without it, text that needs such a map is omitted. */
  loadCMap?: (name: string) => Promise<Uint8Array>;
  /** Default: a new budget. */
  budget?: PdfBudget;
}

interface ReadPart {
  /** The runs of text of each page. The last page may be incomplete. */
  pages: TextRun[][];
  /** The numbers of these pages. */
  numbers: number[];
  total: number;
  /** The number of pages that were read completely. */
  complete: number;
  /** True if there are more pages than a document may have. */
  isCut: boolean;
  metadata: Metadata;
  links: Map<string, PageLink>;
}

/** Returns true for a PDF. Checks the bytes, because the content type may be wrong, and skips a few before it. */
export function isPdf(bytes: Uint8Array, contentType: string | null): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  return /^\s*%PDF-/.test(head) || (/pdf|octet-stream/i.test(contentType ?? "") && head.includes("%PDF-"));
}

/**
 * Reads a PDF with pdf.js. Uses a generated copy of pdf.js that counts its steps and buffers (scripts/pdfjs.ts). pdf.js
 * takes ownership of the bytes. If the PDF exceeds a limit of its budget, returns the text before this point, or throws
 * AppError `target_too_large` if there is none. Throws `unsupported_content` if it's encrypted or broken. For a scan,
 * returns no blocks, because a scan has no text.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions): Promise<Pdf> {
  const { signal, loadCMap, pageMarkers, budget = new PdfBudget() } = options;
  const { getDocument } = await loadPdfJs();
  const read: ReadPart = {
    pages: [],
    numbers: [],
    total: 0,
    complete: 0,
    isCut: false,
    metadata: {},
    links: new Map(),
  };
  const data = new PdfData(loadCMap);
  let task: PDFDocumentLoadingTask | undefined;
  try {
    await budget.run(async () => {
      task = getDocument({ data: bytes, ...data.options, useSystemFonts: true, verbosity: 0 });
      await readDocument(task, read, { ...options, budget, signal });
    });
  } catch (error) {
    const hasText = read.pages.some((runs) => runs.some(({ text }) => text.trim() !== ""));
    if (!budget.isUsedUp || !hasText) throw error;
  } finally {
    // `destroy` gets a new budget, because the document's budget may be used up. Until `destroy` has run, pdf.js keeps
    // the document's names in memory.
    await new PdfBudget().run(() => withTimeout(DESTROY_MS, task?.destroy() ?? Promise.resolve())).catch(() => {});
  }
  const { pages, numbers, total, metadata, links } = read;
  const pdf: Pdf = {
    blocks: toBlocks(pages, pageMarkers === true ? numbers : null),
    metadata,
    links: [...links.values()],
    pages: { total, read: numbers.slice(0, read.complete) },
  };
  const isTruncated = budget.isUsedUp || data.isMissing || read.isCut;
  const needsOcr = pdf.blocks.length === 0 && !budget.isUsedUp && !data.isMissing;
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
    throw unsupported(
      /password/i.test(String(cause))
        ? "is encrypted. Remove its password, and send the request again"
        : "can't be read",
      cause,
    );
  });
  try {
    read.total = document.numPages;
    const { pages, isCut } = choosePages(options, { total: read.total, max: MAX_PDF_PAGES, kind: "pages" });
    read.isCut = isCut;
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    read.metadata = toMetadata(info as Record<string, unknown>);
    for (const number of pages) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const runs: TextRun[] = [];
      read.pages.push(runs);
      read.numbers.push(number);
      await readRuns(page, runs, { budget, signal });
      for (const { url } of await page.getAnnotations()) {
        const isLink = typeof url === "string" && url.length <= MAX_URL_CHARS && /^https?:/i.test(url);
        if (isLink && !read.links.has(url)) read.links.set(url, { url, text: "" });
      }
      page.cleanup();
      read.complete++;
      await budget.pause();
    }
  } catch (cause) {
    if (cause instanceof AppError || signal.aborted) throw cause;
    throw unsupported("can't be read", cause);
  }
}

/** Reads the text of a page in chunks. pdf.js waits until a chunk was read before it produces the next one. */
async function readRuns(
  page: PDFPageProxy,
  runs: TextRun[],
  { budget, signal }: { budget: PdfBudget; signal: AbortSignal },
): Promise<void> {
  // The stream isn't canceled after an error, because pdf.js would continue to write to it. Destroying the document
  // ends the stream.
  const parts: ReadableStreamDefaultReader<{ items: (TextItem | object)[] }> = page.streamTextContent().getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    signal.throwIfAborted();
    for (const item of part.value.items) {
      if (!("str" in item)) continue;
      budget.addText(item.str);
      runs.push(toRun(item));
    }
  }
}

interface TextItem {
  str: string;
  transform: unknown[];
  width: number;
  height: number;
  hasEOL: boolean;
}

function toRun({ str, transform, width, height, hasEOL }: TextItem): TextRun {
  const [, , c = 0, d = 0, x = 0, y = 0] = transform.map(Number);
  return { text: str, x, y, width, size: height || Math.hypot(c, d), endsLine: hasEOL };
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
