import sniffDeclaredEncoding from "html-encoding-sniffer";
import { type CharsetHints, detectEncoding } from "./detect";
import { isIso2022Jp, provesUtf8, utf16WithoutMark } from "./proofs";

/**
 * The sniffer's results for pages without a usable encoding: "" if the page declares none, and "replacement" if
 * browsers no longer decode the declared encoding.
 */
const UNDECLARED: ReadonlySet<string> = new Set(["", "replacement"]);
/** Encodings that servers declare by default. They're ignored if the bytes are valid UTF-8. */
const DOUBTED: ReadonlySet<string> = new Set(["UTF-8", "windows-1252"]);
/** The number of bytes at the start of the page that are searched for <html lang>. */
const HEAD_BYTES = 2_048;

/**
 * Decodes the bytes of a page. Follows the order of https://html.spec.whatwg.org/#determining-the-character-encoding:
 * byte order mark, Content-Type, <meta> in the first 1,024 bytes, XML declaration, detection.
 *
 * Uses the declared encoding unless the bytes contradict it. There are three such cases:
 * - UTF-16 is declared, but the markup is ASCII.
 * - UTF-8 is declared, but the bytes aren't UTF-8.
 * - Another encoding is declared, but the bytes are UTF-8.
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
  return isDamagedUtf8(damaged, !isUndeclared)
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

/** Decodes the bytes. Ignores an incomplete last character, because the page may be cut off there. */
const decodeBeginning = (bytes: Uint8Array, encoding: string) =>
  new TextDecoder(encoding).decode(bytes, { stream: true });

/**
 * Decodes UTF-8. Returns null if the bytes aren't UTF-8. The last character may be incomplete if the text has another
 * character beyond ASCII. The other character shows that the page is UTF-8.
 */
function decodeUtf8(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
  } catch {
    // The decoder throws an error at the first byte that isn't UTF-8.
    return null;
  }
  return (bytes.at(-1) ?? 0) < 0x80 || /[\u0080-\uffff]/.test(text) ? text : null;
}

/**
 * Returns true if the page is UTF-8 with a few invalid bytes. `text` is the page decoded as UTF-8. If decoding replaced
 * more characters, the page has another encoding.
 */
function isDamagedUtf8(text: string, isDeclared: boolean): boolean {
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
  const language = /<html\b(?:(?!<html\b)[^>])*?\slang\s*=\s*["']?([a-z-]+)/i.exec(head)?.[1];
  return language === undefined ? {} : { language };
}
