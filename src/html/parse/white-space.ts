/** Control characters other than white space, and invisible characters that only affect line breaking. */
const INVISIBLE = /[[\p{Cc}\u00ad\u200b\u2060\ufeff]--[\t\n\v\f\r]]+/gv;
const SPACES = /\s+/g;
/** Matches in a text whose white space isn't collapsed. */
const UNCOLLAPSED = /[^\S ]| {2}/;
const SIMPLE = /^[\x20-\x7e\n\t\u00a1-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205e\u3001-\ud7ff]*$/;
/** The maximum length of a value that `tidyValue` returns. */
const MAX_VALUE_CHARS = 2_000;

/** Replaces each run of white space with one space, and removes invisible characters. */
export function collapse(text: string): string {
  const visible = SIMPLE.test(text) ? text : text.replace(INVISIBLE, "");
  return UNCOLLAPSED.test(visible) ? visible.replace(SPACES, " ") : visible;
}

/** Collapses white space, and removes it at both ends. */
export function collapseAndTrim(text: string): string {
  return collapse(text).trim();
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
