import months from "./months.json";
import { toIsoTime } from "./time";

/** A date in a text. The end is the index of the first character after it. */
interface TextDate {
  /** The day in ISO 8601. */
  day: string;
  start: number;
  end: number;
}

const YEAR = "((?:19|20)\\d\\d)(?!\\d|[.,]\\d)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?";
const WORD = "(\\p{L}{3,14})\\.?";
const BEFORE = "(?<![\\d\\p{L}/.-])";
const ISO = new RegExp(`${BEFORE}((?:19|20)\\d\\d)([-./])(\\d{1,2})\\2(\\d{1,2})(?!\\d)`, "u");
const EAST_ASIAN = /((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/u;
const DAY_FIRST = new RegExp(`${BEFORE}${DAY}[\\s-]*(?:\\s(?:of|de)\\s)?${WORD},?[\\s-]*(?:del?\\s)?${YEAR}`, "iu");
const MONTH_FIRST = new RegExp(`(?<!\\p{L})${WORD}\\s*${DAY},?\\s+${YEAR}`, "iu");
const YEAR_FIRST = new RegExp(`${BEFORE}((?:19|20)\\d\\d)[.,]?\\s+${WORD}\\s+${DAY}(?!\\d)`, "iu");
const NUMBERS = new RegExp(`${BEFORE}(\\d{1,2})([./-])(\\d{1,2})\\2${YEAR}`, "u");
/** The regions whose dates in English have the day before the month. */
const DAY_FIRST_ENGLISH = /^en[-_](?:gb|au|nz|ie|in|za|sg|hk|my|ng|ke)\b/i;
const MAX_MONTH = 12;

/** The names of the months by language, in the form that dates use. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(months));
const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  [...NAMES.values()].flatMap((names) => names.map((name, index) => [name, index + 1] as const)),
);
const MIN_SHORT_CHARS = 3;

/**
 * Finds the first date in a short text. Returns null if there is none, or if the order of day and month is ambiguous in
 * the page's language, such as in 03/04/2020.
 */
export function findDate(text: string, language: string): TextDate | null {
  if (!/\d{4}/.test(text)) return null;
  const iso = ISO.exec(text);
  if (iso) return toDate(iso, { year: iso[1], month: iso[3], day: iso[4] });
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian) return toDate(eastAsian, { year: eastAsian[1], month: eastAsian[2], day: eastAsian[3] });
  return findWords(text, language) ?? findNumbers(text, language);
}

/** Finds a date with the name of a month. */
function findWords(text: string, language: string): TextDate | null {
  const month = (name: string | undefined) => String(monthOf(name ?? "", language) ?? "");
  const dayFirst = DAY_FIRST.exec(text);
  const found = dayFirst && toDate(dayFirst, { year: dayFirst[3], month: month(dayFirst[2]), day: dayFirst[1] });
  if (found) return found;
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return toDate(monthFirst, { year: monthFirst[3], month: month(monthFirst[1]), day: monthFirst[2] });
  const yearFirst = YEAR_FIRST.exec(text);
  return yearFirst && toDate(yearFirst, { year: yearFirst[1], month: month(yearFirst[2]), day: yearFirst[3] });
}

/** Finds a date in numbers with the year at the end. */
function findNumbers(text: string, language: string): TextDate | null {
  const numbers = NUMBERS.exec(text);
  if (!numbers) return null;
  const [, first = "", separator, second = "", year] = numbers;
  const isDayFirst = orderOf(Number(first), Number(second), { separator, language });
  if (isDayFirst === null) return null;
  return toDate(numbers, isDayFirst ? { year, month: second, day: first } : { year, month: first, day: second });
}

/** Returns true if the first number is the day, false if it is the month, and null if that isn't known. */
function orderOf(
  first: number,
  second: number,
  { separator, language }: { separator: string | undefined; language: string },
): boolean | null {
  if (first > MAX_MONTH || first === second) return true;
  if (second > MAX_MONTH) return false;
  if (separator === "." || DAY_FIRST_ENGLISH.test(language)) return true;
  // Many systems declare en-US by default, so it doesn't show the order.
  return language === "" || /^en\b/i.test(language) ? null : true;
}

function toDate(
  match: RegExpExecArray,
  { year, month, day }: { year: string | undefined; month: string | undefined; day: string | undefined },
): TextDate | null {
  const time = toIsoTime(`${year}-${month}-${day}`);
  return time === null ? null : { day: time, start: match.index, end: match.index + match[0].length };
}

/**
 * Returns the number of a month, from 1 to 12, or null. The name can be in any of the languages. A shortened name must
 * be in the page's language or in English.
 */
function monthOf(name: string, language: string): number | null {
  const word = name.toLowerCase();
  const known = MONTH_NUMBERS.get(word);
  if (known !== undefined) return known;
  if (word.length < MIN_SHORT_CHARS) return null;
  for (const code of [language.slice(0, 2).toLowerCase(), "en"]) {
    const names = NAMES.get(code) ?? [];
    const matches = names.filter((full) => full.startsWith(word));
    if (matches.length === 1) return names.indexOf(matches[0] ?? "") + 1;
  }
  return null;
}
