/** The score that proves UTF-8. Each distinct character counts 1 for two bytes, 2 for three and 3 for four. */
const MIN_SCORE = 3;
/**
 * The required score if the declared encoding is Thai or a multi-byte encoding such as GBK. In these encodings,
 * adjacent characters can be valid UTF-8 by coincidence. Chinese is the worst case: of random texts with the letter
 * frequencies of Chinese, one in two million reaches this score.
 */
const MIN_SCORE_OF_PAIRS = 8;
/** The required score if decoding with the declared encoding yields damaged text. */
const MIN_SCORE_WHEN_DAMAGED = 2;

const PAIRS: ReadonlySet<string> = new Set(["GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "windows-874"]);
/** Characters that show a wrong encoding: the replacement character, and control characters that no page contains. */
const DAMAGE = /[\ufffd\u0080-\u009f]/;
const MARKUP = /<(!doctype|html|head|body|meta|title|div|p)\b/i;

/**
 * Returns true if the page is certainly UTF-8, although it declares another encoding. The bytes must be valid UTF-8.
 * Bytes in another encoding are rarely valid UTF-8. `text` is the bytes decoded as UTF-8. `decodeDeclared` decodes them
 * with the declared encoding.
 */
export function provesUtf8(text: string, declared: string, decodeDeclared: () => string): boolean {
  // Readable ASCII markup is sufficient proof. In UTF-16, every other byte of the markup would be NUL.
  if (declared.startsWith("UTF-16")) return !text.includes("\0") && MARKUP.test(text);
  const minScore = PAIRS.has(declared) ? MIN_SCORE_OF_PAIRS : MIN_SCORE;
  const score = scoreOf(text, minScore);
  return score >= minScore || (score >= MIN_SCORE_WHEN_DAMAGED && DAMAGE.test(decodeDeclared()));
}

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
 * Returns the byte order of UTF-16 without a byte order mark, or null if the bytes aren't UTF-16. Markup is ASCII, and
 * in UTF-16 every other byte of it is NUL. The result takes precedence over every declaration, because text in other
 * encodings has no NULs.
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

/** Returns true for ISO-2022-JP. It's ASCII with escape sequences for Japanese, so it's also valid UTF-8. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (bytes[at + 1] === MULTI_BYTE && JIS_X_0208.includes(bytes[at + 2] ?? 0)) return true;
  }
  return false;
}
