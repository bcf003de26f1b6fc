import { monthOf } from "../../html/page/dates";

const TO = " ?(?:-|to|until|bis|and|und|&|al?|au|à) ?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th|er|\\.)?";
const NAME = "(\\p{L}{3,12})\\.?";
const YEAR = ",? (?:de |del )?(\\d{4})(?![\\d\\p{L}])";
const NUMERIC = /(?<!\d)(\d{1,4})[./-] ?(\d{1,2})[./-] ?(\d{4}|\d{1,2})(?!\d)/g;
const DAY_FIRST = new RegExp(`(?<!\\d)${DAY} (?:de |of )?${NAME}${YEAR}`, "gu");
const MONTH_FIRST = new RegExp(`(?<!\\p{L})${NAME} ${DAY}${YEAR}`, "gu");
const EAST_ASIAN = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/g;
/** Date ranges: `5.-7. märz 2024`, `march 28 - april 2, 2024`, `28.-30.3.2024`. They may share month and year. */
const FROM_DAY_FIRST = new RegExp(
  `(?<!\\d)${DAY}(?: (?:de |of )?${NAME})?${TO}${DAY} (?:de |of )?${NAME}${YEAR}`,
  "gu",
);
const FROM_MONTH_FIRST = new RegExp(`(?<!\\p{L})${NAME} ${DAY}${TO}(?:${NAME} )?${DAY}${YEAR}`, "gu");
const FROM_NUMERIC = /(?<![\d.])(\d{1,2})\.(?:(\d{1,2})\.)? ?- ?\d{1,2}\.(\d{1,2})\.(\d{4})(?!\d)/g;
const MONTHS_ALONE = new RegExp(`(?<!\\p{L})${NAME}${YEAR}`, "gu");
const NUMERIC_MONTHS = /(?<![\d./-])(\d{1,2})[./](\d{4})(?!\d)/g;
/** Two-digit years from 70 to 99 are in the 1900s. Smaller ones are in the 2000s. */
const LAST_CENTURY_FROM = 70;

interface Dates {
  /** Dates such as `2024-03-05`. */
  days: ReadonlySet<string>;
  /** Months such as `2024-03`. They include the months of `days`. */
  months: ReadonlySet<string>;
}

/** Returns the days and months in normalized text. If the order of day and month is ambiguous, returns both dates. */
export function toDates(normalized: string): Dates {
  const text = normalized.replace(/\s+/g, " ");
  const days = new Set<string>();
  const months = new Set<string>();
  const addMonth = (year: string, month: number) => {
    if (month >= 1 && month <= 12) months.add(`${year}-${String(month).padStart(2, "0")}`);
  };
  const add = (year: string, month: number, day: string) => {
    if (month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return;
    const full = year.length === 2 ? `${Number(year) < LAST_CENTURY_FROM ? 20 : 19}${year}` : year;
    days.add(`${full}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`);
    addMonth(full, month);
  };
  for (const [, first = "", second = "", third = ""] of text.matchAll(NUMERIC)) {
    if (first.length === 4) add(first, Number(second), third);
    else if (first.length < 3) {
      add(third, Number(second), first);
      add(third, Number(first), second);
    }
  }
  const named = beforeYears(text);
  for (const [, day = "", name = "", year = ""] of named.matchAll(DAY_FIRST)) add(year, toMonth(name), day);
  for (const [, name = "", day = "", year = ""] of named.matchAll(MONTH_FIRST)) add(year, toMonth(name), day);
  for (const [, year = "", month = "", day = ""] of text.matchAll(EAST_ASIAN)) add(year, Number(month), day);
  for (const [, day = "", own, , name = "", year = ""] of named.matchAll(FROM_DAY_FIRST)) {
    add(year, toMonth(own ?? name), day);
  }
  for (const [, name = "", day = "", own, last = "", year = ""] of named.matchAll(FROM_MONTH_FIRST)) {
    add(year, toMonth(name), day);
    add(year, toMonth(own ?? name), last);
  }
  for (const [, day = "", own, month, year = ""] of text.matchAll(FROM_NUMERIC)) add(year, Number(own ?? month), day);
  for (const [, name = "", year = ""] of named.matchAll(MONTHS_ALONE)) addMonth(year, toMonth(name));
  for (const [, month, year = ""] of text.matchAll(NUMERIC_MONTHS)) addMonth(year, Number(month));
  return { days, months };
}

/** Matches a year, and the character after it. */
const YEARS = /\d{4}(?=[^\d\p{L}]|$)/gu;
/** A length that is longer than every match of a date with the name of a month. */
const NAMED_DATE_CHARS = 100;

/**
 * Returns the passages that end with a year. The patterns with names of months would take much longer for the whole
 * text, because each word could be a name.
 */
function beforeYears(text: string): string {
  const passages: string[] = [];
  let from = 0;
  let to = 0;
  for (const { index } of text.matchAll(YEARS)) {
    const start = Math.max(0, index - NAMED_DATE_CHARS);
    if (start > to) {
      passages.push(text.slice(from, to));
      from = start;
    }
    to = index + 5;
  }
  return [...passages, text.slice(from, to)].join("\n");
}

/** Returns the month (1 to 12) that the word names, in any language and grammatical case. Returns 0 for another word. */
function toMonth(name: string): number {
  return monthOf(name) ?? monthOf(name.slice(0, -1)) ?? 0;
}

const CLOCK =
  /(?<![\d:.,])(\d{1,2})(?::([0-5]\d)(?::[0-5]\d)?(?![\d:])(?: ?([ap])\.?m\b)?| ?([ap])\.?m\b|(?:[.h]([0-5]\d))? ?(?:uhr\b|h\b))/g;

/** Returns the times in normalized text, in the form `14:30`. */
export function toTimes(normalized: string): ReadonlySet<string> {
  const times = new Set<string>();
  for (const [, hour = "", minutes, half, halfAlone, others] of normalized.matchAll(CLOCK)) {
    const noon = half ?? halfAlone;
    const hours = noon === undefined ? Number(hour) : (Number(hour) % 12) + (noon === "p" ? 12 : 0);
    if (hours < 24) times.add(`${String(hours).padStart(2, "0")}:${minutes ?? others ?? "00"}`);
  }
  return times;
}
