/** Control characters, and characters that only affect line breaking. */
const INVISIBLE = /[[\p{Cc}\u00ad\u200b\u2060\ufeff]--[\t\n\v\f\r]]+/gv;
const SPACES = /\s+/g;
const SIMPLE = /^[\x20-\x7e\n\t\u00a1-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205e\u3001-\ud7ff]*$/;
/** The limit of a tidy value. */
const MAX_VALUE_CHARS = 2_000;

/** Turns each run of white space into one space, and removes characters that only affect line breaking. */
export function collapse(text: string): string {
  return (SIMPLE.test(text) ? text : text.replace(INVISIBLE, "")).replace(SPACES, " ");
}

/** Collapses white space and removes it at the ends. */
export function collapseAndTrim(text: string): string {
  return collapse(text).trim();
}

/** Returns the text of an attribute without markup, which some pages put there although browsers don't interpret it. */
export function attributeText(text: string): string {
  return collapseAndTrim(text.includes("<") ? text.replace(/<[^<>]*>/g, " ") : text);
}

/** Collapses white space and cuts the value to 2,000 characters. Returns an empty string for a missing value. */
export function tidyValue(value: string | undefined): string {
  if (!value) return "";
  // A longer value isn't collapsed as a whole.
  return collapseAndTrim(value.slice(0, 10 * MAX_VALUE_CHARS))
    .slice(0, MAX_VALUE_CHARS)
    .trimEnd();
}
