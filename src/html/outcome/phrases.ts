/** A line with more characters than this isn't compared with phrases. Notices are short. */
export const MAX_PHRASE_CHARS = 400;
const MAX_QUOTE_CHARS = 80;

/** Normalizes text for comparison with phrases: lower case, straight apostrophes, single spaces. */
export function normalize(text: string): string {
  return text
    .replaceAll("İ", "i")
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}

/** Removes punctuation and symbols of normalized text. Apostrophes inside of words are removed, too. */
export function wordsOnly(text: string): string {
  return normalize(text)
    .replaceAll("'", "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

/** Returns the beginning of a text in single quotation marks. */
export function quote(text: string): string {
  const clean = text.replace(/\s+/g, " ").trim();
  return `'${clean.length <= MAX_QUOTE_CHARS ? clean : `${clean.slice(0, MAX_QUOTE_CHARS - 1).trimEnd()}…`}'`;
}

/** A passage in quotation marks. An article that quotes a notice isn't the notice. */
const QUOTED = /[“„«「『"][^“”„"«»「」『』]{1,200}[”“"»」』]/g;
/** Text of at most this length outside of quotation marks is only the frame of a quoted notice. */
const MIN_UNQUOTED_CHARS = 20;

/**
 * Returns true if one of the patterns matches a normalized text of at most `MAX_PHRASE_CHARS`. Ignores passages in
 * quotation marks, unless they are the whole text.
 */
export function says(text: string, patterns: readonly RegExp[]): boolean {
  if (text.length > MAX_PHRASE_CHARS) return false;
  const unquoted = text.replace(QUOTED, " ");
  const normalized = normalize(unquoted.length < MIN_UNQUOTED_CHARS ? text : unquoted);
  return patterns.some((pattern) => pattern.test(normalized));
}
