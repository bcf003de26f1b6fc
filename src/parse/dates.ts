/** The beginnings of the months' names in English, German, French, Spanish, Italian, Portuguese, Dutch, Turkish and Russian. */
const MONTHS = [
  "jan gen ene oca янв",
  "feb fév fev şub фев",
  "mar mär maa mrt мар",
  "apr avr abr nis апр",
  "may mai mag mei мая май",
  "jun juin giu haz июн",
  "jul juil lug tem июл",
  "aug aoû ago ağu авг",
  "sep set eyl сен",
  "oct okt ott out eki окт",
  "nov kas ноя",
  "dec dez déc dic ara дек",
].map((beginnings) => beginnings.split(" "));

const NUMERIC = /(?<!\d)(\d{1,4})[./-](\d{1,2})[./-](\d{4}|\d{1,2})(?!\d)/g;
const DAY_FIRST = /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)? (?:de |of )?(\p{L}{3,12})\.?,? (?:de |del )?(\d{4})(?!\d)/gu;
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/gu;
const EAST_ASIAN = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/g;

/** The days that a folded text names, as `2024-03-05`; where day and month can't be told apart, both readings. */
export function toDays(folded: string): Set<string> {
  const text = folded.replace(/\s+/g, " ");
  const days = new Set<string>();
  const add = (year: string, month: number, day: string) => {
    if (month < 1 || month > 12 || Number(day) < 1 || Number(day) > 31) return;
    const full = year.length === 2 ? `20${year}` : year;
    days.add(`${full}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`);
  };
  for (const [, first = "", second = "", third = ""] of text.matchAll(NUMERIC)) {
    if (first.length === 4) add(first, Number(second), third);
    else if (first.length < 3) {
      add(third, Number(second), first);
      add(third, Number(first), second);
    }
  }
  for (const [, day = "", name = "", year = ""] of text.matchAll(DAY_FIRST)) add(year, toMonth(name), day);
  for (const [, name = "", day = "", year = ""] of text.matchAll(MONTH_FIRST)) add(year, toMonth(name), day);
  for (const [, year = "", month = "", day = ""] of text.matchAll(EAST_ASIAN)) add(year, Number(month), day);
  return days;
}

/** 1 to 12; 0 for another word. */
function toMonth(name: string): number {
  return 1 + MONTHS.findIndex((beginnings) => beginnings.some((beginning) => name.startsWith(beginning)));
}
