/** Between a date and the text that it dates. */
const SEPARATOR = /\s*[—–·]\s*|\s+-\s+/;
/** A date and its separator are no longer than this. */
const MAX_DATE_CHARS = 48;

const MONTH = String.raw`\p{L}[\p{L}\p{M}]{1,14}\.?`;
const YEAR = String.raw`(?:19|20)\d\d`;
const DAY = String.raw`\d{1,2}`;
/** Small words in dates: "de" in Spanish and Portuguese, "г." in Russian, "р." in Ukrainian. */
const OF = String.raw`(?:\s+(?:de|del|di|d['’]|ngày|tháng|năm))?`;
const UNIT = [
  "sec|second|min|minute|hour|hr|day|week|month|year", // English
  "sekunde|stunde|tag|woche|monat|jahr", // German
  "seconde|heure|jour|semaine|mois|an|année", // French
  "segundo|minuto|hora|día|dia|semana|mes|mês|meses|año|ano", // Spanish, Portuguese
  "secondo|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|minuti", // Italian
  "saniye|dakika|saat|gün|hafta|ay|yıl", // Turkish
  "секунд|минут|час|день|дня|дней|недел|месяц|год|лет|хвилин|годин|дні|тижн|місяц|рік|рок", // Russian, Ukrainian
  "godz|dni|dzień|tydzień|tygodni|miesi|lat|rok|uur|dag|dagen|weken|maand|jaar|dagar|timmar|dager|timer", // Polish, Dutch, Nordic
].join("|");

const DATES: readonly RegExp[] = [
  // Oct 31, 2011; October 31, 2011
  new RegExp(`^${MONTH}\\s+${DAY},?\\s+${YEAR}$`, "iu"),
  // 31 Oct 2011; 31. Oktober 2011; 31 de out. de 2011; 31 окт. 2011 г.
  new RegExp(`^${DAY}\\.?${OF}\\s+${MONTH}${OF}\\s+${YEAR}(?:\\s*(?:г|р|m)\\.?)?$`, "iu"),
  // 2011-10-31; 31.10.2011; 10/31/2011
  new RegExp(`^(?:${YEAR}[-./]\\s?${DAY}[-./]\\s?${DAY}|${DAY}[-./]\\s?${DAY}[-./]\\s?${YEAR})\\.?$`, "u"),
  // 2011年10月31日; 2011년 10월 31일
  /^\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]?$/u,
  // 3 days ago; vor 3 Tagen; hace 3 días; 3 gün önce; 3 дня назад
  new RegExp(`^(?:\\p{L}+\\s+){0,3}\\d{1,3}\\s?(?:${UNIT})\\p{L}*\\.?(?:\\s+\\p{L}+){0,2}$`, "iu"),
  /^\d{1,3}\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週|週間|个月|個月|か月|ヶ月|年|초|분|시간|일|주|개월|년)\s?(?:前|전)$/u,
  /^(?:yesterday|today|gestern|heute|hier|aujourd['’]hui|ayer|hoy|ontem|hoje|ieri|oggi|dün|bugün|вчера|сегодня|вчора|сьогодні|昨天|今天|昨日|今日|어제|오늘)$/iu,
];

/** The snippet without the date that it begins with. */
export function withoutDate(snippet: string): string {
  const separator = SEPARATOR.exec(snippet.slice(0, MAX_DATE_CHARS));
  if (!separator) return snippet;
  const date = snippet.slice(0, separator.index).trim();
  return DATES.some((form) => form.test(date)) ? snippet.slice(separator.index + separator[0].length) : snippet;
}
