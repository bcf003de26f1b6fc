import { AppError } from "../errors";
import type { Block } from "../html/content/blocks";
import type { PageLink } from "../html/links";
import { type Metadata, withoutAbsent } from "../html/metadata";
import { MAX_PDF_PAGES } from "../limits";
import { type Run, toBlocks } from "./layout";

export interface Pdf {
  blocks: Block[];
  metadata: Metadata;
  /** The addresses that its annotations lead to, each once. */
  links: PageLink[];
}

/** Whether these are the bytes of a PDF, whatever type they were sent as. Some have a little before their header. */
export function isPdf(bytes: Uint8Array, contentType: string | null): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  return /^\s*%PDF-/.test(head) || (/pdf|octet-stream/i.test(contentType ?? "") && head.includes("%PDF-"));
}

/**
 * What a PDF says, by pdf.js (in its build for servers, `unpdf`), which is loaded when it is first needed and takes the
 * bytes for its own. Throws AppError `unsupported_content` for one that is encrypted, broken, or has no text, as scans have none.
 */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<Pdf> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((cause) => {
    throw unsupported(/password/i.test(String(cause)) ? "is encrypted" : "can't be read", cause);
  });
  try {
    if (document.numPages > MAX_PDF_PAGES) {
      throw new AppError("target_too_large", `The PDF has more than ${MAX_PDF_PAGES} pages.`);
    }
    const pages: Run[][] = [];
    const links = new Map<string, PageLink>();
    for (let number = 1; number <= document.numPages; number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.flatMap((item) => ("str" in item ? [toRun(item)] : [])));
      for (const { url } of await page.getAnnotations()) {
        if (typeof url === "string" && /^https?:/i.test(url) && !links.has(url)) links.set(url, { url, text: "" });
      }
      page.cleanup();
    }
    const blocks = toBlocks(pages);
    if (blocks.length === 0) throw unsupported("has no text: it may be a scan");
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    return { blocks, metadata: toMetadata(info as Record<string, unknown>), links: [...links.values()] };
  } catch (cause) {
    if (cause instanceof AppError || signal.aborted) throw cause;
    throw unsupported("can't be read", cause);
  } finally {
    await document.loadingTask.destroy().catch(() => {});
  }
}

interface TextItem {
  str: string;
  transform: unknown[];
  width: number;
  height: number;
  hasEOL: boolean;
}

function toRun({ str, transform, width, height, hasEOL }: TextItem): Run {
  const [, , c = 0, d = 0, x = 0, y = 0] = transform.map(Number);
  return { text: str, x, y, width, size: height || Math.hypot(c, d), endsLine: hasEOL };
}

function toMetadata(info: Record<string, unknown>): Metadata {
  const text = (name: string) => {
    const value = info[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
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

/** PDF 32000-1, 7.9.4: `D:YYYYMMDDHHmmSSOHH'mm'`, each part after the year optional. */
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
