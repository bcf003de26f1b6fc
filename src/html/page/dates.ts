import months from "./months.json";

/** A date in a text. The end is the index of the first character after it. */
interface TextDate {
  /** The day in ISO 8601. */
  day: string;
  start: number;
  end: number;
}

const ISO_TIME =
  /^(\d{4})-(\d\d?)(?:-(\d\d?)(?:[T ]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?)?$/i;
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const WEEKDAY = /^(?:\p{L}{2,14}\.?,?\s+)?$/u;
const TIME_OF_DAY =
  /^(?:,?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*(am|pm))?\s*([a-z]{1,5}|(?:GMT|UTC)?[+-]\d\d:?\d\d)?)?$/i;
/** The time zones that `Date` knows: offsets, and the names in RFC 822, section 5.1. Other names may be ambiguous. */
const ZONE = /^(?:Z|UTC?|GMT|[ECMP][SD]T|(?:GMT|UTC)?[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/i;
const [FIRST_YEAR, LAST_YEAR] = [1000, 2200];

const DAY = "(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?";
const WORD = "(\\p{L}{3,14})\\.?";
const BEFORE = "(?<![\\d\\p{L}/.-])";
const ISO = new RegExp(`${BEFORE}((?:19|20)\\d\\d)([-./])(\\d{1,2})\\2(\\d{1,2})(?!\\d)`, "u");
const EAST_ASIAN = /((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/u;
const NUMBERS = new RegExp(`${BEFORE}(\\d{1,2})([./-])(\\d{1,2})\\2((?:19|20)\\d\\d)(?!\\d|[.,]\\d)`, "u");
/** A date with the name of a month in a page's text is the page's own only if its year is recent. */
const SHOWN = datesInWords("(?:19|20)\\d\\d");
const DECLARED = datesInWords("\\d{4}");
/** The regions whose dates in English have the day before the month. */
const DAY_FIRST_ENGLISH = /^en[-_](?:gb|au|nz|ie|in|za|sg|hk|my|ng|ke)\b/i;
const MAX_MONTH = 12;
const DATE_OR_TIME = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}:\d\d\b/;

/** The names of the months by language, in the form that dates use. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(months));
const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  [...NAMES.values()].flatMap((names) => names.map((name, index) => [name, index + 1] as const)),
);
const MIN_SHORT_CHARS = 3;

/** Returns patterns of dates with the name of a month. `years`: the pattern of a year. */
function datesInWords(years: string): Readonly<Record<"dayFirst" | "monthFirst" | "yearFirst", RegExp>> {
  const year = `(${years})(?!\\d|[.,]\\d)`;
  return {
    dayFirst: new RegExp(`${BEFORE}${DAY}[\\s-]*(?:\\s(?:of|de)\\s)?${WORD},?[\\s-]*(?:del?\\s)?${year}`, "iu"),
    monthFirst: new RegExp(`(?<!\\p{L})${WORD}\\s*${DAY},?\\s+${year}`, "iu"),
    yearFirst: new RegExp(`${BEFORE}(${years})[.,]?\\s+${WORD}\\s+${DAY}(?!\\d)`, "iu"),
  };
}

/** Returns true if a text contains a date in numbers, a year or a time. Fast enough for all lines of a page. */
export function hasDate(text: string): boolean {
  return DATE_OR_TIME.test(text);
}

/**
 * Converts a time to ISO 8601. The result is in UTC if the time has an offset; otherwise it has no zone. If the value
 * has no time of day, the result has none either. It's then a day or a month. Returns null if the value isn't a time or
 * is ambiguous, such as 03/04/2020.
 */
export function toIsoTime(value: string): string | null {
  const iso = ISO_TIME.exec(value) ?? BASIC_TIME.exec(value);
  if (iso) {
    const [, year = "", month = "", day, hour, minute, second, zone] = iso;
    if (day === undefined) return toDay(year, month, "1")?.slice(0, -3) ?? null;
    return withTime(toDay(year, month, day), { hour, minute, second, zone });
  }
  if (EPOCH.test(value)) return fromDate(new Date(Number(value) * (value.length === 10 ? 1000 : 1)));
  const text = value.replace(/(?:(?<!\s)\s+)?\([^()]*\)$/, "");
  const date = findDate(text, "en", DECLARED);
  const time = date && WEEKDAY.test(text.slice(0, date.start)) ? TIME_OF_DAY.exec(text.slice(date.end)) : null;
  if (!date || !time) return null;
  const [, hour, minute, second, half, zone] = time;
  return withTime(date.day, { hour: toHour(hour, half), minute, second, zone });
}

function toHour(hour: string | undefined, half: string | undefined): string | undefined {
  if (hour === undefined || half === undefined) return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0));
}

/** Returns the day in ISO 8601, or null if it doesn't exist. `Date` would read February 31 as a day in March. */
function toDay(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  return fromDate(new Date(`${date}T00:00:00Z`))?.startsWith(date) ? date : null;
}

function withTime(
  day: string | null,
  { hour, minute, second = "00", zone }: Record<"hour" | "minute" | "second" | "zone", string | undefined>,
): string | null {
  if (day === null || hour === undefined) return day;
  const time = `${hour.padStart(2, "0")}:${minute}:${second}`;
  if (zone !== undefined && ZONE.test(zone)) return fromDate(new Date(`${day} ${time} ${zone}`));
  return fromDate(new Date(`${day}T${time}Z`)) && `${day}T${time}`;
}

function fromDate(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : null;
}

/**
 * Finds the first date in a short text. Returns null if there is none, or if the order of day and month is ambiguous in
 * the page's language, such as in 03/04/2020.
 */
export function findDate(text: string, language: string, patterns = SHOWN): TextDate | null {
  if (!/\d{4}/.test(text)) return null;
  const iso = ISO.exec(text);
  if (iso) return toDate(iso, [iso[1], iso[3], iso[4]]);
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian) return toDate(eastAsian, [eastAsian[1], eastAsian[2], eastAsian[3]]);
  return findWords(text, language, patterns) ?? findNumbers(text, language);
}

/** Finds a date with the name of a month. */
function findWords(text: string, language: string, patterns: typeof SHOWN): TextDate | null {
  const month = (name: string | undefined) => String(monthOf(name ?? "", language) ?? "");
  const dayFirst = patterns.dayFirst.exec(text);
  const found = dayFirst && toDate(dayFirst, [dayFirst[3], month(dayFirst[2]), dayFirst[1]]);
  if (found) return found;
  const monthFirst = patterns.monthFirst.exec(text);
  if (monthFirst) return toDate(monthFirst, [monthFirst[3], month(monthFirst[1]), monthFirst[2]]);
  const yearFirst = patterns.yearFirst.exec(text);
  return yearFirst && toDate(yearFirst, [yearFirst[1], month(yearFirst[2]), yearFirst[3]]);
}

/** Finds a date in numbers with the year at the end. */
function findNumbers(text: string, language: string): TextDate | null {
  const numbers = NUMBERS.exec(text);
  if (!numbers) return null;
  const [, first = "", separator, second = "", year] = numbers;
  const isDayFirst = orderOf(Number(first), Number(second), { separator, language });
  return isDayFirst === null ? null : toDate(numbers, isDayFirst ? [year, second, first] : [year, first, second]);
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
  parts: [string | undefined, string | undefined, string | undefined],
): TextDate | null {
  const day = toDay(...parts);
  return day === null ? null : { day, start: match.index, end: match.index + match[0].length };
}

/**
 * Returns the number of a month, from 1 to 12, or null. The name can be in any of the languages. A shortened name must
 * be in the page's language or in English. If no language is given, it can be in any language, too.
 */
export function monthOf(name: string, language?: string): number | null {
  const word = name.toLowerCase();
  const known = MONTH_NUMBERS.get(word);
  if (known !== undefined) return known;
  if (word.length < MIN_SHORT_CHARS) return null;
  for (const code of language === undefined ? NAMES.keys() : [language.slice(0, 2).toLowerCase(), "en"]) {
    const names = NAMES.get(code) ?? [];
    const matches = names.filter((full) => full.startsWith(word));
    if (matches.length === 1) return names.indexOf(matches[0] ?? "") + 1;
  }
  return null;
}
