import { collapseAndTrim } from "../../../html/parse/white-space";
import { toDates } from "../dates";
import { normalizeText } from "../normalize-text";

/** A string, number or boolean of the extracted data. */
export type Scalar = string | number | boolean;

/** A longer text isn't searched for a number, a date, a currency or a value between fixed words. */
const MAX_SHORT_CHARS = 200;
/** The maximum length of the fixed words before and after a value. */
const MAX_FIXED_CHARS = 30;
const NUMBER = /(?<![\p{L}\d])[-−]?\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*/gu;
/** Words that multiply the number before them. Such numbers aren't read, because their precision isn't known. */
const MULTIPLE =
  /^[\s-]?(?:k|m|b|tsd|thousand|tausend|mil|mille|mio|mn|mln|milli\p{L}*|milyon|млн|тыс|bn|bin|billi\p{L}*|mrd|lakh|crore|[千万萬億亿])\.?(?!\p{L})/iu;
const ISO_DATE = /^\d{4}-\d\d-\d\d$/;
const ISO_CURRENCY = /^[A-Z]{3}$/;
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["₹", "INR"],
  ["₺", "TRY"],
  ["₽", "RUB"],
  ["₴", "UAH"],
  ["₩", "KRW"],
]);
const CURRENCY = /(?<!\p{L})[A-Z]{3}(?!\p{L})|[€£₹₺₽₴₩]/gu;
const TRUE_WORDS =
  /^(?:yes|true|in stock|available|ja|auf lager|verfügbar|lieferbar|oui|en stock|sí|si|disponible|✓|✔)$/;
const FALSE_WORDS =
  /^(?:no|false|out of stock|sold out|unavailable|not available|nein|ausverkauft|nicht verfügbar|nicht lieferbar|non|rupture de stock|épuisé|agotado|no disponible|✗|✘)$/;

/**
 * Returns the names of all readings that read `value` from `text`. A reading is a rule that doesn't depend on the page,
 * such as "the second of three numbers, with a decimal comma". `members` are the values that the schema allows.
 */
export function readingsOf(value: Scalar, text: string, members: readonly string[]): string[] {
  return candidatesFor(value, text, members).filter((reading) => read(reading, text, members) === value);
}

function candidatesFor(value: Scalar, text: string, members: readonly string[]): string[] {
  if (typeof value === "boolean") return ["boolean"];
  if (typeof value === "number") return numberCandidates(text);
  if (value === text) return ["text"];
  const names = toFixed(value, text);
  if (text.length > MAX_SHORT_CHARS) return names;
  if (ISO_DATE.test(value)) names.push("date");
  if (ISO_CURRENCY.test(value)) names.push("currency");
  if (members.includes(value)) names.push("member");
  return names;
}

function numberCandidates(text: string): string[] {
  const count = numbersIn(text).length;
  return Array.from({ length: count }, (_, at) => [`number:.${at}/${count}`, `number:,${at}/${count}`]).flat();
}

/** Returns the reading of a value between fixed words, such as `By ` in "By Jane Doe". */
function toFixed(value: string, text: string): string[] {
  const at = value.length < 2 || text.length > value.length + 2 * MAX_FIXED_CHARS ? -1 : text.indexOf(value);
  if (at < 0) return [];
  const [before, after] = [text.slice(0, at), text.slice(at + value.length)];
  const isWhole = !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
  const isFixed = before.length <= MAX_FIXED_CHARS && after.length <= MAX_FIXED_CHARS && !/\d/.test(before + after);
  return isWhole && isFixed ? [`between:${JSON.stringify([before, after])}`] : [];
}

/** Applies a reading. Returns undefined if the text has no such value, or if the value is ambiguous. */
export function read(reading: string, text: string, members: readonly string[]): Scalar | undefined {
  if (reading === "text") return text;
  if (reading.startsWith("between:")) return readBetween(reading.slice("between:".length), text);
  if (text.length > MAX_SHORT_CHARS) return undefined;
  if (reading.startsWith("number:")) return readNumber(reading.slice("number:".length), text);
  switch (reading) {
    case "date":
      return onlyOf(toDates(normalizeText(text)).days);
    case "currency":
      return onlyOf(new Set([...text.matchAll(CURRENCY)].map(([word]) => SYMBOLS.get(word) ?? word)));
    case "member":
      return onlyOf(new Set(members.filter((member) => toPlainWords(member) === toPlainWords(text))));
    case "boolean":
      return readBoolean(text);
    default:
      return undefined;
  }
}

function readBetween(fixed: string, text: string): string | undefined {
  const [before = "", after = ""] = JSON.parse(fixed) as string[];
  const value = text.slice(before.length, text.length - after.length);
  const isFound = text.length > before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isFound && value.trim() === value ? value : undefined;
}

function readNumber(rule: string, text: string): number | undefined {
  const point = rule.charAt(0);
  const [at, count] = rule.slice(1).split("/").map(Number);
  const found = numbersIn(text);
  const number = at === undefined ? undefined : found[at];
  if (number === undefined || found.length !== count) return undefined;
  const comma = point === "." ? "," : ".";
  const plain = number
    .replace(/−/, "-")
    .replace(/[\u00a0\u202f]/g, " ")
    .replaceAll("’", "'");
  const grouped = new RegExp(`^-?\\d{1,3}(?:[${comma}' ]\\d{3})+(?:\\${point}\\d+)?$`);
  const simple = new RegExp(`^-?\\d+(?:\\${point}\\d+)?$`);
  if (!grouped.test(plain) && !simple.test(plain)) return undefined;
  const digits = plain.replaceAll(comma, "").replace(/[' ]/g, "").replace(",", ".");
  return digits.length > 15 ? undefined : Number(digits);
}

/** Returns the numbers in a text. Returns none if one of them has a multiple, such as in "1.2k". */
function numbersIn(text: string): string[] {
  if (text.length > MAX_SHORT_CHARS) return [];
  const found = [...text.matchAll(NUMBER)];
  const hasMultiple = found.some(({ 0: number, index }) => MULTIPLE.test(text.slice(index + number.length)));
  return hasMultiple ? [] : found.map(([number]) => number);
}

function readBoolean(text: string): boolean | undefined {
  const words = toPlainWords(text);
  if (TRUE_WORDS.test(words)) return true;
  return FALSE_WORDS.test(words) ? false : undefined;
}

/** Returns the words of a value: `https://schema.org/InStock`, `in_stock` and "In stock" have the same words. */
function toPlainWords(text: string): string {
  const name = /^https?:\/\/\S+$/.test(text) ? text.replace(/^.*[/#]/, "") : text;
  const split = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replace(/[\s_-]+/g, " ");
  return collapseAndTrim(split).toLowerCase().replace(/[.!]$/, "");
}

function onlyOf<Value>(values: ReadonlySet<Value>): Value | undefined {
  const [only] = values;
  return values.size === 1 ? only : undefined;
}
