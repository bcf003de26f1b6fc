import { Element } from "domhandler";
import { headOf, parseDocument } from "./document";

const PRESCAN_BYTES = 1_024;

/**
 * The bytes of a page as text, by the order of https://html.spec.whatwg.org/#determining-the-character-encoding: byte order
 * mark, Content-Type, <meta> or XML declaration in the first 1,024 bytes; else UTF-8 when the bytes are, else windows-1252.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null): string {
  const decoder = decoderFor(byteOrderMark(bytes)) ?? decoderFor(charsetOf(contentType)) ?? decoderFor(prescan(bytes));
  return decoder ? decoder.decode(bytes) : (decodeUtf8(bytes) ?? new TextDecoder("windows-1252").decode(bytes));
}

/** Null for labels that the standard doesn't know. */
function decoderFor(label: string | null): TextDecoder | null {
  if (!label) return null;
  try {
    return new TextDecoder(label.trim());
  } catch {
    return null;
  }
}

function byteOrderMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : null;
}

function charsetOf(contentType: string | null | undefined): string | null {
  const match = /charset\s*=\s*(?:"([^"]*)|'([^']*)|([^\s;"']+))/i.exec(contentType ?? "");
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

function prescan(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, PRESCAN_BYTES));
  for (const meta of headOf(parseDocument(head)).children) {
    const label = meta instanceof Element && meta.name === "meta" ? readable(charsetOfMeta(meta)) : null;
    if (label) return label;
  }
  return readable(/^<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)/.exec(head)?.[1] ?? null);
}

function charsetOfMeta({ attribs }: Element): string | null {
  if (attribs.charset !== undefined) return attribs.charset;
  const isContentType = attribs["http-equiv"]?.trim().toLowerCase() === "content-type";
  return isContentType ? charsetOf(attribs.content) : null;
}

/** Text whose <meta> could be read as ASCII isn't UTF-16, whatever the <meta> says. */
function readable(label: string | null): string | null {
  const name = decoderFor(label)?.encoding;
  if (name?.startsWith("utf-16")) return "utf-8";
  return name ?? (label?.trim().toLowerCase() === "x-user-defined" ? "windows-1252" : null);
}

/** Null when the bytes aren't UTF-8; a page cut off in the middle of a character still is. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
