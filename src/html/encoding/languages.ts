import languages from "./languages.json";

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
/**
 * The costs, in bits, of characters that aren't in `letters`. The functions return null if the language doesn't use the
 * character.
 */
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

export interface LanguageCosts {
  code: string;
  encodings: readonly string[];
  /**
   * Returns the cost of a character, in bits: about the negative binary logarithm of its frequency. Ignores case unless
   * both cases are listed.
   */
  costOf: (char: string) => number;
}

export const LANGUAGE_COSTS: readonly LanguageCosts[] = (languages as Language[]).map((language) => ({
  code: language.code,
  encodings: language.encodings,
  costOf: toCostOf(language),
}));

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
