/** The score that proves UTF-8: distinct characters of two bytes count one, of three bytes two, of four bytes three. */
const MIN_SCORE = 3;
/**
 * The score for encodings in which two characters in a row may look like a third of UTF-8, as in GBK, or in which a
 * letter and the next one may, as in Thai. Of texts with the letter frequencies of Chinese, the worst case, one in two
 * million reaches it.
 */
const MIN_SCORE_OF_PAIRS = 8;
/** The score if the declared encoding can't read the bytes either. */
const MIN_SCORE_WHEN_DAMAGED = 2;

const PAIRS: ReadonlySet<string> = new Set(["GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "windows-874"]);
/** A replacement character, or a control character that no page has: one-byte letters begin no character of UTF-8. */
const DAMAGE = /[\ufffd\u0080-\u009f]/;
const MARKUP = /<(!doctype|html|head|body|meta|title|div|p)\b/i;

/**
 * Returns true if bytes that are valid UTF-8 can't be in the declared encoding: to be both, each of their characters
 * would have to follow another by UTF-8's rules. `text` is the bytes decoded as UTF-8; `decodeDeclared` decodes them as
 * declared.
 */
export function provesUtf8(text: string, declared: string, decodeDeclared: () => string): boolean {
  // Markup that reads as ASCII is enough: in UTF-16 every other byte of it would be NUL.
  if (declared.startsWith("UTF-16")) return !text.includes("\0") && MARKUP.test(text);
  const minScore = PAIRS.has(declared) ? MIN_SCORE_OF_PAIRS : MIN_SCORE;
  const score = scoreOf(text, minScore);
  return score >= minScore || (score >= MIN_SCORE_WHEN_DAMAGED && DAMAGE.test(decodeDeclared()));
}

/** Stops counting at `minScore`. */
function scoreOf(text: string, minScore: number): number {
  const seen = new Set<string>();
  let score = 0;
  for (const { 0: char } of text.matchAll(/[\u{80}-\u{10ffff}]/gu)) {
    if (score >= minScore) break;
    if (seen.has(char)) continue;
    seen.add(char);
    score += char < "\u0800" ? 1 : char.length + 1;
  }
  return score;
}

const UTF16_SAMPLE_BYTES = 1_024;
const MIN_ASCII_SHARE = 0.1;
const MAX_OTHER_SHARE = 0.01;

/**
 * Recognizes UTF-16 whose byte order mark is missing, or returns null. Markup is ASCII, and in UTF-16 every other byte
 * of it is NUL. This outweighs every declaration, because no other encoding has NULs in its text.
 */
export function utf16WithoutMark(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const pairs = Math.floor(Math.min(bytes.length, UTF16_SAMPLE_BYTES) / 2);
  let first = 0;
  let second = 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (bytes[2 * pair] === 0) first++;
    if (bytes[2 * pair + 1] === 0) second++;
  }
  const isAscii = (nuls: number) => nuls > 1 && nuls >= MIN_ASCII_SHARE * pairs;
  if (isAscii(second) && first <= MAX_OTHER_SHARE * pairs) return "utf-16le";
  return isAscii(first) && second <= MAX_OTHER_SHARE * pairs ? "utf-16be" : null;
}

const ESCAPE = 0x1b;
const MULTI_BYTE = 0x24;
const JIS_X_0208: readonly number[] = [0x40, 0x42];

/** Recognizes ISO-2022-JP, which is ASCII with escapes into Japanese and therefore valid UTF-8 as well. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (bytes[at + 1] === MULTI_BYTE && JIS_X_0208.includes(bytes[at + 2] ?? 0)) return true;
  }
  return false;
}
