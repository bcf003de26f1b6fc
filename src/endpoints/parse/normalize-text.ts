/** Written without spaces between words: each sign counts as one. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/** A number with its separators, a word (C++ and C# are some), a currency, a minus that belongs to a number. Other signs are typography. */
const WORD = new RegExp(
  `\\p{Nd}+(?:[.,'’]\\p{Nd}+)*|[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{Nl}\\p{No}])+(?:\\+\\+|#(?![\\p{L}\\p{N}#]))?|[\\p{Sc}%°]|(?<![\\p{L}\\p{N}])-(?=\\p{Nd})`,
  "gu",
);
/** Soft hyphens, joiners, marks of direction, tags, variants: nobody sees them. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}|\u034f/gu;
const RAISED = /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+/g;
/** NFKC takes them apart: 1½ would begin with 11. */
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215e\u2189]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;

/** The same for texts that differ in case, in the width and kind of their signs, or in what can't be seen. */
export function normalizeText(text: string): string {
  return text
    .replace(UNSEEN, "")
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

/** The words of a folded text. Punctuation and marks of markdown aren't among them. */
export function toWords(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** Every number that a word can be: `1,234` is a thousand here and a little more than one there. */
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
