import { type CsvTable, isCsv, readCsv } from "../../documents/csv";
import type { LoadedDocument } from "../../documents/package";
import { readDocument, toFileName } from "../../documents/read";
import { decodeHtml } from "../../html/encoding/decode";
import { AppError } from "../../model/errors";
import type { FetchedPage } from "../../net/page";
import { describeMediaType, isMarkupType } from "../../net/response";

/**
 * A loaded page: markup, text that is returned unchanged, or a document such as a PDF. `robotsTag` is the header
 * X-Robots-Tag. It is missing for a document and for a page of a capture.
 */
export type Content = Pick<FetchedPage, "url" | "status" | "contentType"> & { robotsTag?: string | null } & (
    | { kind: "html"; source: string }
    | {
        kind: "text";
        source: string;
        /** The table of a file with comma-separated values. */
        csv?: CsvTable;
      }
    | { kind: "document"; document: LoadedDocument }
  );

/**
 * Decodes a text, or reads a document. Calls `beforeReading` for every document, because reading a document of only a
 * few kilobytes can use much memory. Throws AppError if the file has no text.
 */
export async function readContent(
  { body, disposition, ...page }: ReceivedContent & { disposition: string | null },
  reading: { signal: AbortSignal; beforeReading: () => Promise<void> },
): Promise<Content> {
  const { url, status, contentType } = page;
  const found = { url, status, contentType };
  const name = toFileName(disposition, url);
  const document = await readDocument({ bytes: body, contentType, name }, reading);
  if (document !== null) return { ...found, kind: "document", document };
  const hasCsv = isCsv(mediaType(page), name);
  const text = readText({ ...page, body }, hasCsv);
  const csv = hasCsv ? readCsv(text) : null;
  if (!isHtml(page, text)) return { ...found, kind: "text", source: text, ...(csv && { csv }) };
  return { ...found, kind: "html", source: text };
}

/** The parts of a response from which its content is read. */
type ReceivedContent = Pick<FetchedPage, "url" | "status" | "contentType" | "body">;

const TEXTUAL =
  /^(text\/|application\/([\w.+-]*(json|xml)|javascript|ecmascript|x-javascript|x-ndjson|yaml|x-yaml|rss|atom)\b)/i;

function readText(page: Pick<FetchedPage, "url" | "contentType" | "body">, isKnownText: boolean): string {
  const type = mediaType(page);
  if (page.body.byteLength > 0 && type !== "" && !isKnownText && !TEXTUAL.test(type)) {
    throw new AppError("unsupported_content", describeMediaType(type));
  }
  if (isBinary(page.body)) {
    throw new AppError(
      "unsupported_content",
      "The page is a binary file, such as an image or an archive, so it has no text.",
    );
  }
  const tld = URL.parse(page.url)?.hostname.split(".").at(-1);
  return decodeHtml(page.body, page.contentType, tld === undefined ? {} : { tld });
}

function isHtml(page: Pick<FetchedPage, "contentType">, text: string): boolean {
  const type = mediaType(page);
  if (isMarkupType(type)) return true;
  return type === "" && /^\s*(<!doctype|<html|<head|<body|<!--)/i.test(text);
}

function mediaType(page: Pick<FetchedPage, "contentType">): string {
  return page.contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Signatures of binary files at `at` (default 0). They outrank the declared type (MIME Sniffing, section 6). */
const SIGNATURES: readonly { at?: number; bytes: string }[] = [
  { bytes: "\x89PNG\r\n\x1a\n" },
  { bytes: "GIF87a" },
  { bytes: "GIF89a" },
  { bytes: "\xff\xd8\xff" },
  { at: 8, bytes: "WEBPVP" },
  { at: 8, bytes: "AVI " },
  { at: 8, bytes: "WAVE" },
  { at: 4, bytes: "ftyp" },
  { bytes: "\x1a\x45\xdf\xa3" },
  { bytes: "OggS\0" },
  { bytes: "ID3" },
  { bytes: "PK\x03\x04" },
  { bytes: "\x1f\x8b\x08" },
  { bytes: "Rar!\x1a\x07" },
  { bytes: "7z\xbc\xaf\x27\x1c" },
  { bytes: "wOFF" },
  { bytes: "wOF2" },
  { bytes: "\0asm" },
  { bytes: "\x7fELF" },
];

/** Returns true if the first bytes are those of an image, a video, an archive or another binary file. */
function isBinary(body: Uint8Array): boolean {
  return SIGNATURES.some(({ at = 0, bytes }) =>
    Array.from(bytes).every((char, index) => body[at + index] === char.charCodeAt(0)),
  );
}
