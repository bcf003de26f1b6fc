import dateUnits from "./date-units.json";

/** Matches invisible characters: bidi marks, soft hyphens and zero-width spaces. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Removes invisible characters, collapses white space and cuts the text to `maxChars`. */
export function tidy(text: string, maxChars: number): string {
  return text.replace(INVISIBLE, "").replace(/\s+/g, " ").trim().slice(0, maxChars).toWellFormed();
}

/** Matches the separator between the date and the text of a snippet. */
const SEPARATOR = /(?:(?<!\s)\s+)?[—–·]\s*|(?<!\s)\s+-\s+/;
/** The maximum length of a date with its separator. */
const MAX_DATE_CHARS = 48;

const MONTH = String.raw`\p{L}[\p{L}\p{M}]{1,14}\.?`;
const YEAR = String.raw`(?:19|20)\d\d`;
const DAY = String.raw`\d{1,2}`;
/** Function words inside dates, such as "de" in Spanish and Portuguese. */
const OF = String.raw`(?:\s+(?:de|del|di|d['’]|ngày|tháng|năm))?`;
const UNIT = Object.values(dateUnits).join("|");

const DATES: readonly RegExp[] = [
  // Oct 31, 2011 or October 31, 2011
  new RegExp(`^${MONTH}\\s+${DAY},?\\s+${YEAR}$`, "iu"),
  // 31 Oct 2011, 31. Oktober 2011, 31 de out. de 2011, or 31 окт. 2011 г.
  new RegExp(`^${DAY}\\.?${OF}\\s+${MONTH}${OF}\\s+${YEAR}(?:\\s*(?:г|р|m)\\.?)?$`, "iu"),
  // 2011-10-31, 31.10.2011, or 10/31/2011
  new RegExp(`^(?:${YEAR}[-./]\\s?${DAY}[-./]\\s?${DAY}|${DAY}[-./]\\s?${DAY}[-./]\\s?${YEAR})\\.?$`, "u"),
  // 2011年10月31日 or 2011년 10월 31일
  /^\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]?$/u,
  // 3 days ago, vor 3 Tagen, hace 3 días, 3 gün önce, or 3 дня назад
  new RegExp(`^(?:\\p{L}+\\s+){0,3}\\d{1,3}\\s?(?:${UNIT})\\p{L}*\\.?(?:\\s+\\p{L}+){0,2}$`, "iu"),
  /^\d{1,3}\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週|週間|个月|個月|か月|ヶ月|年|초|분|시간|일|주|개월|년)\s?(?:前|전)$/u,
  /^(?:yesterday|today|gestern|heute|hier|aujourd['’]hui|ayer|hoy|ontem|hoje|ieri|oggi|dün|bugün|вчера|сегодня|вчора|сьогодні|昨天|今天|昨日|今日|어제|오늘)$/iu,
];

/** Returns the snippet, its text without the date at its start, and the date if it has one. */
export function toSnippet(snippet: string): { description: string; snippet: string; date?: string } {
  const separator = SEPARATOR.exec(snippet.slice(0, MAX_DATE_CHARS));
  const date = separator ? snippet.slice(0, separator.index).trim() : "";
  if (!separator || !isDate(date)) return { description: snippet, snippet };
  return { description: snippet.slice(separator.index + separator[0].length), snippet, date };
}

/** Returns true if the whole text is a date, such as "Oct 31, 2011" or "3 days ago". */
export function isDate(text: string): boolean {
  return text.length <= MAX_DATE_CHARS && DATES.some((form) => form.test(text));
}

/** Returns true for the length of a video, such as "11:57". Times of day have the same form. */
export function isDuration(text: string): boolean {
  return /^\d{1,3}(?::\d\d){1,2}$/.test(text);
}

const MAX_NAME_CHARS = 60;
/** Matches a number with its unit, such as "239K views", but not a name such as "60 Minutes". */
const COUNT = /^\d[\d.,:\s]*(?:\p{Lu}?\s\p{Ll}|\p{Lo}|\p{L}?$)/u;

/** Returns true if the text can be the name of a site, a channel or a person. */
export function isSiteName(text: string): boolean {
  return text !== "" && text.length <= MAX_NAME_CHARS && !COUNT.test(text) && !isDate(text);
}

/** Matches a number with groups of digits and any separator. In India, groups can have two digits. */
const NUMBER = /\d+(?:[.,'’٬\s\u00a0\u202f]\d{2,3}(?!\d))*/g;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;
/** The largest plausible total. A larger number is not a count. */
const MAX_TOTAL = 1e13;
const MAX_LINE_CHARS = 300;

/**
 * Parses the total in a line such as "About 55,900,000 results (0.25 s)" or "Page 2 of 1.270.000 …": the largest number
 * before the time. Returns null if the line has no number.
 */
export function toTotal(line: string): number | null {
  const text = toAsciiDigits(line.slice(0, MAX_LINE_CHARS)).replace(/[(（].*$/su, "");
  const numbers = (text.match(NUMBER) ?? []).map((number) => Number(number.replace(/\D/g, "")));
  const total = Math.max(...numbers);
  return numbers.length > 0 && total <= MAX_TOTAL ? total : null;
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:млрд|billion|milyar|bln|миллиард|мільярд|mlrd)/iu, 1e9],
  [/^(?:млн|million|milyon|mln|миллион|мільйон)/iu, 1e6],
  [/^(?:тыс|thousand|bin(?:\s|$)|тис|мың|ming)/iu, 1e3],
];

/**
 * Parses the total in a line whose number may have a scale, such as "нашлось 20 млн результатов" or "20 milyon sonuç
 * bulundu". Returns null if the line has no number.
 */
export function toScaledTotal(line: string): number | null {
  const text = toAsciiDigits(line.slice(0, MAX_LINE_CHARS));
  const scaled = /(?<!\d)(\d+(?:[.,]\d+)?)\s+(\p{L}.*)/u.exec(text);
  const scale = SCALES.find(([word]) => word.test(scaled?.[2] ?? ""))?.[1];
  if (!scaled?.[1] || !scale) return toTotal(text);
  const total = Math.round(Number(scaled[1].replace(",", ".")) * scale);
  return total <= MAX_TOTAL ? total : null;
}

function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = code < 0x0900 ? code & 0xfff0 : ((code - 6) & 0xfff0) + 6;
    return String(code - zero);
  });
}
