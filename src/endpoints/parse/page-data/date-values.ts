import { toIsoTime } from "../../../html/metadata/time";

const ISO_DAY = /^(\d{4}-\d\d-\d\d)(?:$|[T ])/;
/** Matches a time that is valid in the format `date-time` of JSON Schema. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Returns a declared date in the notation that a schema requires. Without a format, returns the date as the page declares
 * it. Returns null if the text isn't a date, or has no time although the schema requires one.
 */
export function toDateValue(
  text: string,
  { format, words }: { format: string; words: readonly string[] },
): string | null {
  const time = toIsoTime(text);
  if (time === null) return null;
  const [, declared] = ISO_DAY.exec(text) ?? [];
  // The day in the time zone of the page can differ from the day in UTC.
  const day = declared ?? (time.length === 10 ? time : null);
  if (format === "date" || words.includes("yyyy")) return day;
  if (format !== "date-time") return text;
  if (DATE_TIME.test(text)) return text;
  return DATE_TIME.test(time) ? time : null;
}
