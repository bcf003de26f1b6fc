/**
 * Invisible characters: Unicode's default ignorable characters (zero-width spaces, direction marks, tags, variation
 * selectors), control characters, unpaired surrogates and interlinear annotations.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const REMOVED = /[[\p{DI}\p{Cc}\p{Cs}\ufff9-\ufffb]--[\t\n\f\r]]+/gv;
const PLAIN = /^[\t\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;
/** The scripts in which joiners change the meaning of a word. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
/** Characters that an emoji can start with. */
const PICTURE_BASE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\d#*]$/u;
const JOINERS = new Set(["\u200c", "\u200d"]);
const [EMOJI_STYLE, ZWJ] = ["\ufe0f", "\u200d"];

/** Removes invisible characters, which can hide messages to the model. Keeps joiners of scripts and emoji. */
export function removeInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(REMOVED, (run, at: number) => {
    const before = characterBefore(text, at);
    const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 32);
    return isNeeded(run, before, after) ? run : "";
  });
}

function isNeeded(run: string, before: string, after: string): boolean {
  if (run === EMOJI_STYLE) return PICTURE_BASE.test(before);
  if (run === ZWJ && PICTURE.test(before)) return PICTURE.test(after);
  if (run === EMOJI_STYLE + ZWJ) return PICTURE.test(before) && PICTURE.test(after);
  if (JOINERS.has(run)) return JOINING.test(before);
  return /^[\u180b-\u180f]$/.test(run) && MONGOLIAN.test(before);
}

function characterBefore(text: string, at: number): string {
  const last = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(Math.max(0, at - 2), at) : last;
}

/** Scripts that write words without spaces. Each of their characters counts as a word. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** Matches a number with separators, a word (including C++ and C#), a currency symbol, or a minus sign. */
const WORD = new RegExp(
  `\\p{Nd}+(?:[.,'’]\\p{Nd}+)*|[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{Nl}\\p{No}])+(?:\\+\\+|#(?![\\p{L}\\p{N}#]))?|[\\p{Sc}%°]|(?<![\\p{L}\\p{N}])-(?=\\p{Nd})`,
  "gu",
);
/** Matches invisible characters: soft hyphens, joiners, direction marks, tags, variation selectors. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f/gu;
const RAISED = /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+/g;
/** Matches fractions. They are separated from the number before them, because NFKC would change 1½ into 11⁄2. */
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215e\u2189]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;

/** Normalizes text for comparison. Ignores case, variants of a character and invisible characters. */
export function normalizeText(text: string): string {
  return text
    .replace(INVISIBLE, "")
    .replace(RAISED, (digits) => ` ${digits} `)
    .replace(FRACTIONS, (sign) => ` ${sign} `)
    .normalize("NFKC")
    .replace(DASHES, "-")
    .replace(OTHER_DIGITS, (digit) => String(toDigit(digit.charCodeAt(0))))
    .toLowerCase()
    .replaceAll("ß", "ss");
}

function toDigit(code: number): number {
  return code >= 0x966 ? code - 0x966 : code & 0xf;
}

/** Returns the words of normalized text, without punctuation and Markdown syntax. */
export function toWords(normalized: string): string[] {
  return normalized.match(WORD) ?? [];
}

/** Returns every number that a word can mean. `1,234` is 1234 in English and 1.234 in German. */
export function toNumbers(word: string): number[] {
  if (!/^\d/.test(word)) return [];
  const plain = word.replaceAll("’", "'");
  const separators = plain.replace(/\d/g, "");
  if (separators === "") return [Number(plain)];
  const numbers: number[] = [];
  const isGrouped = new Set(separators).size === 1 && /^\d{1,3}(?:\D\d{2,3})*\D\d{3}$/.test(plain);
  if (isGrouped) numbers.push(Number(plain.replace(/\D/g, "")));
  const [, whole = "", decimals = ""] = /^(.*)[.,](\d+)$/.exec(plain) ?? [];
  const last = separators.at(-1) ?? "";
  if (decimals !== "" && !whole.includes(last)) numbers.push(Number(`${whole.replace(/\D/g, "")}.${decimals}`));
  return numbers;
}
