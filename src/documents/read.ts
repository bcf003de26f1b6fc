import { lazyModule } from "../lib/lazy";
import { AppError } from "../model/errors";
import type { PageSelection } from "../model/page-ranges";
import { isPdf, type PdfOptions, readPdf } from "../pdf/read";
import type { LoadedDocument } from "./package";
import { ENCRYPTED_MESSAGE, unreadable, Zip } from "./zip";

// Loaded on demand, because most pages aren't documents.
const loadDocx = lazyModule(() => import("./docx/read"));
const loadXlsx = lazyModule(() => import("./xlsx/read"));
const loadPptx = lazyModule(() => import("./pptx"));
const loadOdf = lazyModule(() => import("./odf"));
const loadEpub = lazyModule(() => import("./epub"));

interface ReceivedFile {
  bytes: Uint8Array;
  contentType: string | null;
  /** The name of the file, from its header or its URL. May be empty. */
  name: string;
}

/** The options of a request for reading a document. */
export interface DocumentSelection extends PageSelection, Pick<PdfOptions, "scanReader"> {}

/** The options for reading a document. */
export interface Reading extends DocumentSelection, Pick<PdfOptions, "signal" | "loadCMap"> {
  /** Called before a document is read. */
  beforeReading: () => Promise<void>;
}

/** The signature of a zip file, such as a DOCX or XLSX. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The signature of a compound file: a file of Office 97 to 2003, or an encrypted file of a later version. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const OFFICE_TYPE =
  /officedocument\.(wordprocessingml|spreadsheetml|presentationml)|macroenabled|oasis\.opendocument|epub\+zip/i;
const OFFICE_NAME = /\.(docx|docm|dotx|xlsx|xlsm|xltx|pptx|pptm|ppsx|odt|ods|epub)$/i;

/**
 * Reads a PDF, a file of Microsoft Office (DOCX, XLSX, PPTX) or OpenDocument (ODT, ODS), or a book (EPUB). Recognizes
 * them by their bytes, because the content type may be wrong. Returns null for other files. Throws AppError if the document is encrypted or broken, or if it's too large to
 * read its beginning.
 */
export async function readDocument(file: ReceivedFile, reading: Reading): Promise<LoadedDocument | null> {
  const { bytes, contentType, name } = file;
  if (isPdf(bytes, contentType)) {
    await reading.beforeReading();
    return { type: "PDF", ...(await readPdf(bytes, reading)) };
  }
  if (startsWith(bytes, COMPOUND_FILE)) throw describeCompoundFile(bytes);
  const isDeclared = OFFICE_TYPE.test(contentType ?? "") || OFFICE_NAME.test(name);
  if (!startsWith(bytes, ZIP)) return null;
  const zip = openZip(bytes, isDeclared);
  const read = zip === null ? null : chooseReader(zip, reading);
  if (read === null) {
    if (isDeclared && zip?.isDamaged) throw unreadable("it is incomplete");
    return null;
  }
  await reading.beforeReading();
  const document = await read();
  if (document.truncated && document.blocks.length === 0) {
    if (zip?.isDamaged) throw unreadable("it is incomplete");
    throw new AppError(
      "target_too_large",
      "The beginning of the document is too complex. A document can have 1,500,000 elements, attributes and texts, and each of its paragraphs, tables and rows 200,000.",
    );
  }
  return document;
}

/** Returns the function that reads the document in a zip file, or null if it has no document. */
function chooseReader(zip: Zip, reading: Reading): (() => Promise<LoadedDocument>) | null {
  const { signal } = reading;
  const word = zip.find(/^word\/document\d*\.xml$/);
  if (word !== null) return async () => await (await loadDocx()).readDocx(zip, word, signal);
  const workbook = zip.find(/^xl\/workbook\d*\.xml$/);
  if (workbook !== null) return async () => await (await loadXlsx()).readXlsx(zip, workbook, signal);
  const slides = zip.find(/^ppt\/presentation\d*\.xml$/);
  if (slides !== null) return async () => await (await loadPptx()).readPptx(zip, slides, reading);
  if (zip.find(/^META-INF\/container\.xml$/) !== null)
    return async () => await (await loadEpub()).readEpub(zip, signal);
  // LibreOffice encrypts the files of a document together.
  const isOdf =
    zip.find(/^(?:content\.xml|encrypted-package)$/) !== null &&
    zip.find(/^(?:META-INF\/manifest\.xml|mimetype)$/) !== null;
  return isOdf ? async () => await (await loadOdf()).readOdf(zip, signal) : null;
}

/** Opens a zip file. Returns null if the file is broken and its content type or name doesn't declare a document. */
function openZip(bytes: Uint8Array, isDeclared: boolean): Zip | null {
  try {
    return new Zip(bytes);
  } catch (error) {
    if (isDeclared) throw error;
    return null;
  }
}

function describeCompoundFile(bytes: Uint8Array): AppError {
  const isEncrypted = new TextDecoder("utf-16le").decode(bytes).includes("EncryptedPackage");
  return new AppError(
    "unsupported_content",
    isEncrypted
      ? ENCRYPTED_MESSAGE
      : "The file has an old binary format of Microsoft Office: DOC, XLS or PPT. Save it as DOCX, XLSX, PPTX or PDF.",
  );
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** Returns the name of a file from `Content-Disposition` or from the URL, or an empty string. */
export function toFileName(disposition: string | null, url: string): string {
  const [, encoded, quoted, plain] =
    /filename\*\s*=\s*[\w-]*'[^']*'([^;\s]+)|filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? "") ?? [];
  const name = encoded ?? quoted ?? plain ?? URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  return name.slice(0, 300);
}
