/**
 * The estimated number of tokens per character. A model's real vocabulary isn't used, because vocabularies are several
 * megabytes large and differ between models. These weights were fitted to OpenAI's o200k_base with the Markdown of 650
 * web pages, most of them English or German. The median page has 1.03 times the estimated tokens; nine of ten pages
 * have 0.93 to 1.2 times that number. The usual rule of four characters per token fits only English prose:
 * https://help.openai.com/en/articles/4936856
 */
const COSTS = {
  letter: 0.23,
  /** Spaces cost nothing, because the words of a vocabulary include the space before them. */
  space: 0,
  digit: 0.65,
  punctuation: 0.6,
  newline: 0.3,
  /** Latin letters with diacritics, Greek, Cyrillic, Hebrew and Arabic. */
  alphabet: 0.5,
  /** Scripts of South and Southeast Asia. */
  syllable: 0.65,
  /** Chinese, Japanese and Korean. */
  dense: 1,
  /** One of the two code units of a surrogate pair. */
  surrogate: 1.25,
} as const;

/** Returns the estimated number of tokens of the text, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(tokensOf(text));
}

/** Returns the estimated number of tokens of the text, not rounded, so that estimates can be added. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += costOf(text.charCodeAt(at));
  return tokens;
}

function costOf(code: number): number {
  if (code < 0x80) return asciiCost(code);
  if (code < 0x0900) return COSTS.alphabet;
  if (code < 0x1100) return COSTS.syllable;
  if (code >= 0xd800 && code <= 0xdfff) return COSTS.surrogate;
  if (code >= 0x2e80 || (code >= 0x1100 && code < 0x1200)) return COSTS.dense;
  return code >= 0x2000 ? COSTS.punctuation : COSTS.syllable;
}

function asciiCost(code: number): number {
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return COSTS.letter;
  if (code === 0x20) return COSTS.space;
  if (code >= 0x30 && code <= 0x39) return COSTS.digit;
  return code <= 0x20 ? COSTS.newline : COSTS.punctuation;
}
