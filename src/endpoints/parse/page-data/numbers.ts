import { normalizeText, toNumbers } from "../normalize-text";
import { CURRENCY } from "./currencies";
import { toSingular, wordsOf } from "./keys";

/** Matches a number with its thousands and decimal separators. */
const NUMBER = /\d+(?:[.,'’ \u00a0\u202f]\d+)*/g;
/** Matches a text that is only a number with a currency before or after it, or both its symbol and its code. */
const ONLY_AMOUNT = new RegExp(
  `^(?:${CURRENCY}\\s*){0,2}(\\d+(?:[.,'’ \\u00a0\\u202f]\\d+)*)(?:[.,]?[-–])?\\s*(?:${CURRENCY}\\s*){0,2}$`,
  "u",
);
const SPACES = /[ \u00a0\u202f]/g;

/** Units of measurement with the words that name them. */
const UNITS: readonly (readonly string[])[] = [
  ["g", "gram", "gramm", "gramme", "gramo", "grammi"],
  ["kg", "kilogram", "kilo", "kilogramm"],
  ["mg", "milligram"],
  ["lb", "pound"],
  ["oz", "ounce"],
  ["kcal", "calorie", "cal", "kalorien", "caloria"],
  ["kj", "kilojoule"],
  ["mm", "millimeter", "millimetre"],
  ["cm", "centimeter", "centimetre"],
  ["m", "meter", "metre"],
  ["km", "kilometer", "kilometre"],
  ["in", "inch", "zoll"],
  ["ft", "foot", "feet"],
  ["ml", "milliliter", "millilitre"],
  ["l", "liter", "litre"],
  ["w", "watt"],
  ["v", "volt"],
  ["mah"],
  ["gb", "gigabyte"],
  ["tb", "terabyte"],
  ["mb", "megabyte"],
  ["percent", "percentage", "pct"],
  ["page", "seite", "pagina"],
];

/** The words for units by their code in UN/CEFACT Recommendation 20, which schema.org uses. */
const UNIT_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ GRM: "g", KGM: "kg", MGM: "mg", LBR: "lb", ONZ: "oz", MMT: "mm", CMT: "cm", MTR: "m", KMT: "km", INH: "in" },
    ...{ FOT: "ft", MLT: "ml", LTR: "l", WTT: "w", VLT: "v", P1: "%" },
  }),
);

/** Returns the word for a unit or for its code. Returns null for a unit that isn't known. */
export function unitOf(unit: string): string | null {
  const word = UNIT_CODES.get(unit.toUpperCase());
  if (word !== undefined) return word;
  return UNITS.some((words) => words.includes(toSingular(unit.toLowerCase()))) ? unit : null;
}

/**
 * Returns the number that the text consists of, next to a currency. Returns null if the text has other contents or could
 * mean several numbers.
 */
export function toAmount(text: string): number | null {
  const [, digits] = ONLY_AMOUNT.exec(text.trim()) ?? [];
  return digits === undefined ? null : toSingleNumber(digits);
}

/** Returns the number that the text consists of, without a currency or a unit. */
export function toPlainNumber(text: string): number | null {
  const plain = text.trim();
  return /^\d[\d.,'’ \u00a0\u202f]*$/.test(plain) ? toSingleNumber(plain) : null;
}

/**
 * Returns the only number of a text with a unit, such as “2.5 kg”. Returns null if the text has another form, or if the
 * words that describe the property don't name the unit.
 */
export function toMeasure(text: string, propertyWords: readonly string[]): number | null {
  const plain = text.trim();
  const numbers = plain.match(NUMBER) ?? [];
  const [digits] = numbers;
  if (digits === undefined || numbers.length > 1 || !plain.startsWith(digits)) return null;
  const rest = plain.slice(digits.length).replace("%", " percent");
  const units = wordsOf(rest).map(toSingular);
  const named = new Set(propertyWords.map(toSingular));
  if (
    !units.every(
      (unit) => named.has(unit) || UNITS.some((words) => words.includes(unit) && words.some((word) => named.has(word))),
    )
  )
    return null;
  return toSingleNumber(digits);
}

/** Returns the only number of a text, such as 4 for “Serves 4”. Returns null if it has none, or several different ones. */
export function toOnlyNumber(text: string): number | null {
  const numbers = new Set((normalizeText(text).match(NUMBER) ?? []).map(toSingleNumber));
  const [only, ...others] = numbers;
  return only === undefined || others.length > 0 || /[/⁄½¼¾]/.test(text) ? null : only;
}

/** Returns the first number of a text, without its separators. Returns null if the text has no number. */
export function toFirstNumber(text: string): string | null {
  const [digits] = normalizeText(text).match(NUMBER) ?? [];
  return digits?.replace(/\D/g, "") ?? null;
}

/** Returns the number that the digits mean. Returns null if they can mean several numbers, such as `1,234`. */
export function toSingleNumber(digits: string): number | null {
  const spaced = digits.replace(SPACES, " ");
  if (spaced.includes(" ") && !/^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/.test(spaced)) return null;
  const [only, ...others] = new Set(toNumbers(spaced.replaceAll(" ", "")));
  return only === undefined || others.length > 0 ? null : only;
}
