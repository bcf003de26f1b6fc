import currencies from "./currencies.json";

/**
 * Maps the code of each currency to the symbols and words for it, in lower case. Several currencies share some of them,
 * such as `$` and “kr”. `R$` isn't shared. A code in lower case is one of the words only if it isn't a word of a language, such as “try”.
 */
const CURRENCIES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(currencies));
/** Maps the symbols and words of one currency to its code in lower case, and those of several currencies to themselves. */
const CODES = new Map<string, string>();
for (const [code, words] of CURRENCIES)
  for (const word of words.filter((one) => !/.\p{Sc}/u.test(one)))
    CODES.set(word, CODES.has(word) ? word : code.toLowerCase());

const WORDS = [...CODES.keys()].filter((word) => /^\p{L}/u.test(word));
/** Words such as 円, which follow a number without a space. */
const UNSPACED = WORDS.filter((word) => /^[\p{Script=Han}\p{Script=Hangul}]/u.test(word)).join("");
const SPACED = WORDS.filter((word) => !UNSPACED.includes(word))
  .map(inAnyCase)
  .join("|");
/** The source of a pattern for a currency before or after a number. It needs the flag `u`. */
export const CURRENCY = `\\p{Lu}{0,2}\\p{Sc}|(?<!\\p{L})(?:${[...CURRENCIES.keys()].join("|")}|(?:${SPACED})\\.?)(?!\\p{L})|(?<!\\p{L})[${UNSPACED}]`;
/** The source of a pattern for a number with separators between groups of digits. */
export const NUMBER = "\\d+(?:[.,'’\\s]\\d+)*";
/** A currency before or after a digit. The search for the digit is much faster than one for a currency. */
const PRICE = new RegExp(`\\d(?:(?<=(?:${CURRENCY})\\s?\\d)|(?:[.,]?[-–])?\\s?(?:${CURRENCY}))`, "u");

const WHOLE_PRICE = new RegExp(`(?:${CURRENCY})\\s?${NUMBER}|(?<!\\d|\\d[.,'’\\s])${NUMBER}\\s?(?:${CURRENCY})`, "u");

/** Returns the source of a pattern for a word in any case. In one run of the tests, V8 ignored the modifier `(?i:…)`. */
function inAnyCase(word: string): string {
  return word.replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Returns the first price in a text, with its currency, or null. */
export function findPrice(text: string): string | null {
  return WHOLE_PRICE.exec(text)?.[0] ?? null;
}

/** Returns true if a text contains a price with its currency. */
export function hasPrice(text: string): boolean {
  return PRICE.test(text);
}

/**
 * Returns the code of a currency in lower case. `word` is in lower case. Returns the word if several currencies share it,
 * such as `$`, or if the currency isn't known. Returns null for any other word.
 */
export function toCurrency(word: string): string | null {
  return CODES.get(word) ?? (/^(?:\p{Sc}|[a-z]{3})$/u.test(word) ? word : null);
}

/** Returns the code of a currency, and the symbols and words for it. */
export function namesOfCurrency(code: string): string[] {
  return [code, ...(CURRENCIES.get(code.toUpperCase()) ?? [])];
}
