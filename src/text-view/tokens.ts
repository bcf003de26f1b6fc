/**
 * The estimated number of tokens of each kind of character. A model's real vocabulary isn't used, because vocabularies
 * are several megabytes large and differ between models. The costs were fitted to the middle of OpenAI's o200k_base and
 * Llama 3's vocabulary, with Markdown of web pages, messages of programs in 33 languages, code, tables, URLs and
 * numbers. Hebrew, Armenian, Georgian and the scripts of India have 1.6 to 5 times as many tokens in the older vocabulary,
 * so that no estimate is right for both.
 */
const COSTS = {
  /** The costs of a to z, in hundredths. Letters that are rare in English show that words of another language follow. */
  latin: [38, 5, 5, 5, 28, 5, 14, 5, 38, 176, 66, 48, 5, 5, 9, 24, 14, 5, 5, 5, 30, 78, 12, 5, 5, 118],
  /** Added for the first letter of a word, and for an uppercase letter. */
  latinStart: 0.24,
  uppercase: 0.38,
  greekStart: 0.75,
  cyrillicStart: 0.72,
  /** Up to three digits are one token. */
  digits: 1.59,
  punctuation: 0.53,
  /** The second and following ones of the same character. */
  repeated: 0.05,
  newline: 0.6,
  /** A space after a space. The words of a vocabulary include the space before them. */
  space: 0.1,
} as const;

/** The cost of each character up to the given code unit, exclusive. */
const RANGES = [
  [0xc0, 0.47], // punctuation
  [0x370, 0.6], // Latin with diacritics
  [0x400, 0.31], // Greek
  [0x530, 0.2], // Cyrillic
  [0x590, 0.64], // Armenian
  [0x600, 0.68], // Hebrew
  [0x780, 0.4], // Arabic
  [0x900, 0.64],
  [0x980, 0.49], // Devanagari
  [0xe00, 0.62], // other scripts of India
  [0xe80, 0.47], // Thai
  [0x1e00, 0.65],
  [0x2000, 0.56], // Latin with several diacritics, as in Vietnamese
  [0x2e80, 0.47], // punctuation
  [0x3040, 0.4], // punctuation of Chinese and Japanese
  [0x3100, 0.62], // kana
  [0xac00, 1], // Chinese characters
  [0xd800, 0.83], // Hangul
  [0xe000, 1.25], // one of the two code units of a surrogate pair
  [0x10000, 0.4], // fullwidth characters
] as const;

/** The costs of every 16 characters, because a search in `RANGES` is slow for a text of Chinese characters. */
const RANGE_COSTS = new Float64Array(0x1000);
for (const [end, cost] of RANGES.toReversed()) RANGE_COSTS.fill(cost, 0, end >> 4);

/** Returns the estimated number of tokens of the text, rounded up. */
export function estimateTokens(text: string): number {
  return Math.ceil(tokensOf(text));
}

/**
 * Returns the estimated number of tokens of the text, not rounded, so that estimates can be added. A text never has more
 * tokens than its parts.
 */
export function tokensOf(text: string): number {
  return scan(text, 0, Number.POSITIVE_INFINITY).tokens;
}

/**
 * Returns the end of the longest part of the text from `start` that has at most `maxTokens` tokens, but at least one
 * character.
 */
export function endOfTokens(text: string, maxTokens: number, start = 0): number {
  const { end } = scan(text, start, maxTokens);
  const isInsidePair = isSurrogate(text, end - 1, 0xd800) && isSurrogate(text, end, 0xdc00);
  if (end > start && isInsidePair && end - 1 > start) return end - 1;
  return Math.max(end, Math.min(text.length, start + String.fromCodePoint(text.codePointAt(start) ?? 0).length));
}

function isSurrogate(text: string, at: number, first: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === first;
}

function scan(text: string, start: number, maxTokens: number): { tokens: number; end: number } {
  let [tokens, before, digits] = [0, SPACE, 0];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    digits = isDigit(code) ? digits + 1 : 0;
    if (digits === 0) tokens += costOf(code, before);
    else if (digits % 3 === 1) tokens += COSTS.digits;
    if (tokens > maxTokens) return { tokens, end: at };
    before = code;
  }
  return { tokens, end: text.length };
}

const SPACE = 0x20;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns the cost of a character that isn't a digit. */
function costOf(code: number, before: number): number {
  if (code < 0x80) return asciiCost(code, before);
  const start = isLetter(before) ? 0 : startCost(code);
  return start + (RANGE_COSTS[code >> 4] ?? 0);
}

function asciiCost(code: number, before: number): number {
  const lower = code | 0x20;
  const letter = lower > 0x60 ? COSTS.latin[lower - 0x61] : undefined;
  if (letter !== undefined)
    return letter / 100 + (code < lower ? COSTS.uppercase : 0) + (isLetter(before) ? 0 : COSTS.latinStart);
  if (code === SPACE) return before === SPACE ? COSTS.space : 0;
  if (code === before) return COSTS.repeated;
  return code < SPACE ? COSTS.newline : COSTS.punctuation;
}

function startCost(code: number): number {
  if (code >= 0x370 && code < 0x400) return COSTS.greekStart;
  return code >= 0x400 && code < 0x530 ? COSTS.cyrillicStart : 0;
}

/** Returns true for the letters of alphabets with a cost for the first letter of a word. */
function isLetter(code: number): boolean {
  return code < 0x80 ? (code | 0x20) > 0x60 && (code | 0x20) < 0x7b : code >= 0xc0 && code < 0x530;
}
