import { LANGUAGES, type Language } from "./languages";

/** Bits for what no table lists. */
const REPLACED = 24;
const CONTROL = 20;
const MARK = 8;
const STRANGER = 14;

const MARKS = new Set("\u00a0©®™°·•–—‘’“”„…«»‹›€£§№²³½¿¡´");

export interface LanguageCosts {
  code: string;
  encodings: readonly string[];
  /** What a character costs: bits, about the negative logarithm of how often it is seen. Capitals cost what small ones do. */
  costOf: (char: string) => number;
}

export const LANGUAGE_COSTS: readonly LanguageCosts[] = LANGUAGES.map((language) => ({
  code: language.code,
  encodings: language.encodings,
  costOf: toCostOf(language),
}));

function toCostOf({ letters, unlisted }: Language): (char: string) => number {
  const listed = new Map(letters.split(" ").flatMap((group, at) => [...group].map((char) => [char, at + 1] as const)));
  return (char) =>
    listed.get(char) ?? costOfMark(char) ?? listed.get(char.toLowerCase()) ?? unlisted?.(char) ?? STRANGER;
}

/** Null for letters. */
function costOfMark(char: string): number | null {
  if (char === "\ufffd") return REPLACED;
  if (char <= "\u009f" || (char >= "\ue000" && char <= "\uf8ff")) return CONTROL;
  return MARKS.has(char) ? MARK : null;
}
