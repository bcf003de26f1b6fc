import languages from "./languages.json";
import languagesOfDomains from "./languages-of-domains.json";

/** Facts about a page that help to detect its encoding. */
export interface CharsetHints {
  /** The language of the page as a BCP 47 tag. */
  language?: string;
  /** The top-level domain of the page's host. */
  tld?: string;
}

/** The default encoding. Another encoding is chosen only if its cost is lower by `FALLBACK_LEAD_BITS`. */
const FALLBACK = "windows-1252";
const FALLBACK_LEAD_BITS = 6;

const BEYOND_ASCII = /[\u{80}-\u{10ffff}]/gu;

/**
 * A language with the frequencies of its letters. The frequencies were counted in the Universal Declaration of Human
 * Rights and in Linux manual pages. If a language has both sources, they have equal weight.
 */
interface Language {
  /** The language as a BCP 47 tag. */
  code: string;
  encodings: readonly string[];
  /**
   * The characters beyond ASCII, in groups separated by spaces. A character of the first group costs one bit, a
   * character of the second group two bits, and so on. A character that costs one bit more is half as frequent among
   * the language's characters beyond ASCII. A capital is listed only if it isn't in the same group as its small letter.
   */
  letters: string;
  /** The name of a function in `UNLISTED`. Only languages with too many characters for a table have it. */
  unlisted?: string;
}

const HANGUL_BITS = 12;
const HAN_BITS = 13;
const KANA_BITS = 10;

const han = (char: string) => (char >= "\u4e00" && char <= "\u9fff" ? HAN_BITS : null);
/** The costs, in bits, of characters that aren't in `letters`. Null if the language doesn't use the character. */
const UNLISTED: Readonly<Record<string, (char: string) => number | null>> = {
  han,
  kanaOrHan: (char) => (char >= "\u3041" && char <= "\u30fe" ? KANA_BITS : han(char)),
  hangul: (char) => (char >= "\uac00" && char <= "\ud7a3" ? HANGUL_BITS : null),
};

/** The costs, in bits, of characters that no table lists. */
const REPLACEMENT_COST = 24;
const CONTROL_COST = 20;
const PUNCTUATION_COST = 8;
const FOREIGN_LETTER_COST = 14;

const PUNCTUATION = new Set("\u00a0©®™°·•–—‘’“”„…«»‹›€£§№²³½¿¡´");

/** `costOf` returns the cost of a character, in bits: the negative binary logarithm of its frequency in either case. */
const LANGUAGES = (languages as Language[]).map((language) => ({ ...language, costOf: toCostOf(language) }));
const ENCODINGS = [...new Set(LANGUAGES.flatMap((language) => language.encodings))];

/**
 * Returns the most likely encoding of bytes that aren't UTF-8. Decodes a sample with each encoding. For each language,
 * adds up the costs of the sample's characters: the rarer a character is, the more bits it costs. Returns the encoding
 * with the lowest total.
 */
export function detectEncoding(bytes: Uint8Array, hints: CharsetHints): string {
  const sample = toSample(bytes);
  let best = { encoding: FALLBACK, bits: Number.POSITIVE_INFINITY };
  for (const encoding of ENCODINGS) {
    const { chars, bits } = countCharacters(new TextDecoder(encoding).decode(sample));
    for (const language of LANGUAGES) {
      if (!language.encodings.includes(encoding)) continue;
      const own = chars.entries().reduce((sum, [char, times]) => sum + times * language.costOf(char), bits);
      const cost = own - hintedBits(language.code, hints);
      const total = encoding === FALLBACK ? cost - FALLBACK_LEAD_BITS : cost;
      if (total < best.bits) best = { encoding, bits: total };
    }
  }
  return best.encoding;
}

const MAX_SAMPLE_BYTES = 4 * 1_024;
/** The ASCII bytes that the sample keeps next to other bytes. A letter's neighbors help to detect the encoding. */
const MARGIN_BYTES = 16;

/** Returns a sample of the bytes that aren't ASCII, with the ASCII bytes around them. */
function toSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let size = 0;
  let end = 0;
  for (let at = 0; at < bytes.length && size < MAX_SAMPLE_BYTES; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const from = Math.max(end, at - MARGIN_BYTES);
    end = at + 1;
    while (end < bytes.length && end - at < MARGIN_BYTES) end++;
    const part = bytes.subarray(from, Math.min(end, from + MAX_SAMPLE_BYTES - size));
    sample.set(part, size);
    size += part.length;
    at = end - 1;
  }
  return sample.subarray(0, size);
}

/** Counts the characters beyond ASCII. Also adds up the costs, in bits, of unusual neighbors of these characters. */
function countCharacters(text: string): { chars: ReadonlyMap<string, number>; bits: number } {
  const chars = new Map<string, number>();
  let bits = 0;
  for (const { 0: char, index } of text.matchAll(BEYOND_ASCII)) {
    chars.set(char, (chars.get(char) ?? 0) + 1);
    bits += costOfPosition(char, text[index - 1] ?? " ", text[index + char.length] ?? " ");
  }
  return { chars, bits };
}

/** The cost, in bits, of a capital letter. After another one it is free, because headings can consist of capitals. */
const CAPITAL_BITS = 3;
/** The costs, in bits, of character combinations that are rare in every language. */
const LONE_CAPITAL_BITS = 3;
const APOSTROPHE_BEFORE_WORD_BITS = 3;
const MIXED_SCRIPTS_BITS = 8;

const LETTER = /\p{L}/u;
const LAST_LATIN = "\u024f";
/** The start of the Hebrew characters. Hebrew and the scripts after it have no capitals. */
const FIRST_CASELESS = "\u0590";

/** Returns the cost, in bits, of a character between these two characters. The cost doesn't depend on the language. */
function costOfPosition(char: string, previous: string, next: string): number {
  if (char === "’") return isLetter(next) && !isLetter(previous) ? APOSTROPHE_BEFORE_WORD_BITS : 0;
  if (!LETTER.test(char)) return 0;
  const mixed = char > LAST_LATIN && (isAsciiLetter(previous) || isAsciiLetter(next)) ? MIXED_SCRIPTS_BITS : 0;
  return char < FIRST_CASELESS && isCapital(char) ? mixed + costOfCapital(previous, next) : mixed;
}

function costOfCapital(previous: string, next: string): number {
  if (isCapital(previous)) return 0;
  return isLetter(previous) || isLetter(next) ? CAPITAL_BITS : CAPITAL_BITS + LONE_CAPITAL_BITS;
}

const isAsciiLetter = (char: string) => (char >= "a" && char <= "z") || (char >= "A" && char <= "Z");
const isLetter = (char: string) => isAsciiLetter(char) || (char > "\u007f" && LETTER.test(char));
const isCapital = (char: string) => char !== char.toLowerCase();

/** A hint subtracts this many bits from its language's cost, about as many as a few matching characters. */
const LANGUAGE_BITS = 24;
const TLD_BITS = 10;

const LANGUAGE_OF_TLD: Readonly<Record<string, string>> = languagesOfDomains;
/** Top-level domains that equal another language's code. `be` is Belgium's domain, but the code of Belarusian. */
const FOREIGN_TLDS: ReadonlySet<string> = new Set(["ar", "be", "ca", "sl", "sq", "sr", "sv"]);

function hintedBits(code: string, { language, tld }: CharsetHints): number {
  const domain = tld?.toLowerCase() ?? "";
  const ofDomain = LANGUAGE_OF_TLD[domain] ?? (FOREIGN_TLDS.has(domain) ? undefined : domain);
  return (language !== undefined && toCode(language) === code ? LANGUAGE_BITS : 0) + (ofDomain === code ? TLD_BITS : 0);
}

/** Converts a BCP 47 tag to a language code of the frequency tables. */
function toCode(tag: string): string {
  const [language = "", ...rest] = tag.toLowerCase().split("-");
  if (language === "nb" || language === "nn") return "no";
  const isTraditional = language === "zh" && rest.some((part) => ["hant", "tw", "hk", "mo"].includes(part));
  return isTraditional ? "zh-hant" : language;
}

function toCostOf({ letters, unlisted = "" }: Language): (char: string) => number {
  const listed = new Map(letters.split(" ").flatMap((group, at) => [...group].map((char) => [char, at + 1] as const)));
  return (char) =>
    listed.get(char) ??
    costOfNonLetter(char) ??
    listed.get(char.toLowerCase()) ??
    UNLISTED[unlisted]?.(char) ??
    FOREIGN_LETTER_COST;
}

/** Returns the cost, in bits, of a character that isn't a letter. Returns null for letters. */
function costOfNonLetter(char: string): number | null {
  if (char === "\ufffd") return REPLACEMENT_COST;
  if (char <= "\u009f" || (char >= "\ue000" && char <= "\uf8ff")) return CONTROL_COST;
  return PUNCTUATION.has(char) ? PUNCTUATION_COST : null;
}
