/** Control characters other than white space, and invisible characters that only affect line breaking. */
const INVISIBLE = /[[\p{Cc}\u00ad\u200b\u2060\ufeff]--[\t\n\v\f\r]]+/gv;
/** The glyphs of icon fonts. Inside a word, such a character is a rare letter. */
const GLYPHS = /(?<!\p{L})\p{Co}+|\p{Co}+(?!\p{L})/gu;
const SPACES = /\s+/g;
/** Matches in a text whose white space isn't collapsed. */
const UNCOLLAPSED = /[^\S ]| {2}/;
const SIMPLE = /^[\x20-\x7e\n\t\u00a1-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205e\u3001-\ud7ff]*$/;
const DENSE_CHARS =
  "\\u2e80-\\u312f\\u3190-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff01-\\uffef\\u{20000}-\\u{3ffff}";
/** White space between two characters of a script that has no spaces between words. */
const DENSE_GAP = new RegExp(`(?<=[${DENSE_CHARS}])\\s+(?=[${DENSE_CHARS}])`, "gu");
const ENDS_DENSE = new RegExp(`[${DENSE_CHARS}]$`, "u");
const STARTS_DENSE = new RegExp(`^[${DENSE_CHARS}]`, "u");
/** The maximum length of a value that `tidyValue` returns. */
const MAX_VALUE_CHARS = 2_000;

/** Returns true if a line break between the two texts is only a line break of the source, as in Chinese and Japanese. */
export function isDenseGap(before: string, after: string): boolean {
  return ENDS_DENSE.test(before.slice(-2)) && STARTS_DENSE.test(after);
}

/**
 * Replaces each run of white space with one space, and removes invisible characters and the glyphs of icon fonts. Removes a line break between
 * characters of scripts without spaces: https://www.w3.org/TR/css-text-3/#line-break-transform
 */
export function collapse(text: string): string {
  const visible = SIMPLE.test(text) ? text : text.replace(INVISIBLE, "").replace(GLYPHS, "");
  if (!UNCOLLAPSED.test(visible)) return visible;
  const joined = visible.includes("\n")
    ? visible.replace(DENSE_GAP, (gap) => (gap.includes("\n") ? "" : gap))
    : visible;
  return joined.replace(SPACES, " ");
}

/** Collapses white space, and removes it at both ends. */
export function collapseAndTrim(text: string): string {
  return collapse(text).trim();
}

/** Collapses the white space of each line between the separators. Returns the lines that aren't empty. */
export function collapseLines(text: string, separator: string | RegExp): string {
  const lines = text.split(separator).map(collapseAndTrim);
  return lines.filter((line) => line !== "").join("\n");
}

/**
 * Returns the value of an attribute without HTML tags. Some pages put tags there, although browsers don't interpret
 * them.
 */
export function attributeText(text: string): string {
  return collapseAndTrim(text.includes("<") ? text.replace(/<[^<>]*>/g, " ") : text);
}

/** Collapses white space and cuts the value to 2,000 characters. Returns an empty string for a missing value. */
export function tidyValue(value: string | undefined): string {
  if (!value) return "";
  // Cuts a very long value before collapsing, because only its beginning is needed.
  return collapseAndTrim(value.slice(0, 10 * MAX_VALUE_CHARS))
    .slice(0, MAX_VALUE_CHARS)
    .trimEnd();
}
