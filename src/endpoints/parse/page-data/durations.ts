/** Some pages write the days after the T, such as in `PT0D1H30M`. */
const ISO_DURATION =
  /^P(?:(\d{1,4}(?:\.\d+)?)D)?(?:T(?:(\d{1,4})D)?(?:(\d{1,5}(?:\.\d+)?)H)?(?:(\d{1,6}(?:\.\d+)?)M)?(?:(\d{1,7}(?:\.\d+)?)S)?)?$/i;
const HOURS =
  "hours?|hrs?|h|std\\.?|stunden?|heures?|horas?|ore|ora|uur|uren|timer?|timmar|godz\\.?|час(?:а|ов)?|ч|時間|小时";
const MINUTES = "minutes?|mins?\\.?|m|minuten?|minutos?|minuti|minuto|minuter|min\\.?|минут[аы]?|мин|分|分钟|dk|dakika";
const SHOWN = new RegExp(
  `^(?:about |ca\\.? |approx\\.? |environ )?(?:(\\d{1,3}(?:[.,]\\d{1,2})?) ?(?:${HOURS}))?(?:,? ?(?:and |und |et |y |e )?(\\d{1,4}) ?(?:${MINUTES}))?$`,
  "i",
);
const SECONDS_PER = { day: 86_400, hour: 3_600, minute: 60 };

/** Returns the seconds of an ISO 8601 duration such as `PT1H30M`. Returns null for another text, and for no time at all. */
export function fromIsoDuration(text: string): number | null {
  const match = ISO_DURATION.exec(text.trim());
  if (match === null) return null;
  const [days = 0, moreDays = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const total = (days + moreDays) * SECONDS_PER.day + hours * SECONDS_PER.hour + minutes * SECONDS_PER.minute + seconds;
  return total > 0 ? total : null;
}

/** Returns the seconds of a duration in words, such as “1 hr 30 min”. Returns null if the text is anything else. */
export function fromShownDuration(text: string): number | null {
  const [whole, hours, minutes] = SHOWN.exec(text.trim()) ?? [];
  if (whole === undefined || (hours === undefined && minutes === undefined)) return null;
  const total = Number((hours ?? "0").replace(",", ".")) * SECONDS_PER.hour + Number(minutes ?? 0) * SECONDS_PER.minute;
  return total > 0 ? total : null;
}

/** Returns the unit of a number that stands for a duration, in seconds. Returns null if the words name none or several. */
export function durationUnitIn(words: readonly string[]): number | null {
  const units = new Set<number>();
  for (const word of words) {
    if (/^(?:minute|min|minuten|minuto|minuti)s?$/.test(word)) units.add(SECONDS_PER.minute);
    else if (/^(?:hour|hr|stunde|stunden|heure|hora)s?$/.test(word)) units.add(SECONDS_PER.hour);
    else if (/^(?:second|sec|sekunden|seconde|segundo)s?$/.test(word)) units.add(1);
    else if (/^(?:day|tage|jour|dia)s?$/.test(word)) units.add(SECONDS_PER.day);
  }
  const [only, ...others] = units;
  return only !== undefined && others.length === 0 ? only : null;
}
