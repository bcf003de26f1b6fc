import sniffDeclaredEncoding from "html-encoding-sniffer";
import { detectEncoding } from "./detect";
import type { CharsetHints } from "./hints";
import { isIso2022Jp } from "./iso-2022-jp";
import { provesUtf8 } from "./utf8";
import { utf16WithoutMark } from "./utf16";

/** Undeclared: found by the bytes themselves. Labels that no browser decodes any more count as none. */
const UNDECLARED: ReadonlySet<string> = new Set(["", "replacement"]);
/** Declared by servers that know nothing of their pages: UTF-8 needs no proof against them. */
const DOUBTED: ReadonlySet<string> = new Set(["UTF-8", "windows-1252"]);
/** Where <html lang> stands. */
const HEAD_BYTES = 2_048;

/**
 * The bytes of a page as text, by the order of https://html.spec.whatwg.org/#determining-the-character-encoding: byte order
 * mark, Content-Type, <meta> in the first 1,024 bytes, XML declaration, detection.
 *
 * Declarations are believed, but for three that bytes can disprove: anything ASCII-like about UTF-16, UTF-8 that isn't, and
 * another encoding of what is UTF-8.
 */
export function decodeHtml(bytes: Uint8Array, contentType: string | null, hints: CharsetHints = {}): string {
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes);
  const utf16 = hasByteOrderMark(bytes) ? null : utf16WithoutMark(bytes);
  if (utf16 !== null) return decode(utf16);

  const label = charsetOf(contentType);
  const declared = sniffDeclaredEncoding(bytes, {
    ...(label !== null && { transportLayerEncodingLabel: label }),
    defaultEncoding: "",
  });
  if (hasByteOrderMark(bytes)) return decode(declared);
  const isUndeclared = UNDECLARED.has(declared);
  if ((isUndeclared || declared === "ISO-2022-JP") && isIso2022Jp(bytes)) return decode("iso-2022-jp");
  const utf8 = decodeUtf8(bytes);
  const isDoubted = isUndeclared || DOUBTED.has(declared);
  if (utf8 !== null && (isDoubted || provesUtf8(utf8, declared, () => decodeBeginning(bytes, declared)))) return utf8;
  if (!isUndeclared && declared !== "UTF-8") return decode(declared);
  const damaged = decode("utf-8");
  return isStillUtf8(damaged, !isUndeclared)
    ? damaged
    : decode(detectEncoding(bytes, { ...languageHint(bytes), ...hints }));
}

function hasByteOrderMark([a, b, c]: Uint8Array): boolean {
  return (a === 0xef && b === 0xbb && c === 0xbf) || (a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe);
}

function charsetOf(contentType: string | null): string | null {
  const match = /charset\s*=\s*(?:"([^"]*)|'([^']*)|([^\s;"']+))/i.exec(contentType ?? "");
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

/** Without the character that the end may have cut off. */
const decodeBeginning = (bytes: Uint8Array, encoding: string) =>
  new TextDecoder(encoding).decode(bytes, { stream: true });

/** Null when the bytes aren't UTF-8; a page cut off in the middle of a character still is, unless it has no other. */
function decodeUtf8(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
  return (bytes.at(-1) ?? 0) < 0x80 || /[\u0080-\uffff]/.test(text) ? text : null;
}

/** A stray byte or a few that got lost among many characters, rather than another encoding. */
function isStillUtf8(text: string, isDeclared: boolean): boolean {
  let replaced = 0;
  let whole = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) replaced++;
    else if (code >= 0x80) whole++;
  }
  return (isDeclared && replaced <= 1) || whole >= 10 * replaced;
}

function languageHint(bytes: Uint8Array): CharsetHints {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, HEAD_BYTES));
  const language = /<html\b[^>]*?\slang\s*=\s*["']?([a-z-]+)/i.exec(head)?.[1];
  return language === undefined ? {} : { language };
}
