import { lazyModule } from "../lib/lazy";
import { AppError } from "../model/errors";
import { isPdf, type PdfOptions, readPdf } from "../pdf/read";
import type { LoadedDocument } from "./package";
import { Zip } from "./zip";

// Loaded on demand, because most pages aren't documents.
const loadDocx = lazyModule(() => import("./docx/read"));
const loadXlsx = lazyModule(() => import("./xlsx/read"));

interface ReceivedFile {
  bytes: Uint8Array;
  contentType: string | null;
  /** The name of the file, from its header or its URL. May be empty. */
  name: string;
}

/** The options for reading a document. */
export interface Reading extends Pick<PdfOptions, "signal" | "loadCMap"> {
  /** Called before a document is read. */
  beforeReading: () => Promise<void>;
}

/** The signature of a zip file, such as a DOCX or XLSX. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The signature of a compound file: a file of Office 97 to 2003, or an encrypted file of a later version. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const OFFICE_TYPE = /officedocument\.(wordprocessingml|spreadsheetml)|macroenabled/i;
const OFFICE_NAME = /\.(docx|docm|dotx|xlsx|xlsm|xltx)$/i;

/**
 * Reads a PDF, a Word document (DOCX) or a workbook (XLSX). Recognizes them by their bytes, because the content type may
 * be wrong. Returns null for other files. Throws AppError if the document is encrypted or broken, or if it's too large to
 * read its beginning.
 */
export async function readDocument(file: ReceivedFile, reading: Reading): Promise<LoadedDocument | null> {
  const { signal, beforeReading } = reading;
  const { bytes, contentType, name } = file;
  if (isPdf(bytes, contentType)) {
    await beforeReading();
    return { type: "PDF", ...(await readPdf(bytes, reading)) };
  }
  if (startsWith(bytes, COMPOUND_FILE)) throw describeCompoundFile(bytes);
  const isDeclared = OFFICE_TYPE.test(contentType ?? "") || OFFICE_NAME.test(name);
  if (!startsWith(bytes, ZIP)) return null;
  const zip = openZip(bytes, isDeclared);
  const word = zip?.find(/^word\/document\d*\.xml$/) ?? null;
  const workbook = zip?.find(/^xl\/workbook\d*\.xml$/) ?? null;
  if (zip === null || (word === null && workbook === null)) return null;
  await beforeReading();
  const document =
    word === null
      ? await (await loadXlsx()).readXlsx(zip, workbook ?? "", signal)
      : await (await loadDocx()).readDocx(zip, word, signal);
  if (document.truncated && document.blocks.length === 0) {
    throw new AppError(
      "target_too_large",
      "The beginning of the document is too complex. A document can have 1,500,000 elements, attributes and texts, and each of its paragraphs, tables and rows 200,000.",
    );
  }
  return document;
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
      ? "The document is encrypted. Remove its password, and send the request again."
      : "The file has an old binary format of Microsoft Office, such as DOC or XLS. Save it as DOCX, XLSX or PDF.",
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
