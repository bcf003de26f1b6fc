const ISO_TIME =
  /^(\d{4})-(\d\d?)(?:-(\d\d?)(?:[T ]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?)?$/i;
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const DAY = "(\\d{1,2})(?:st|nd|rd|th|\\.)?";
const MONTH = "([a-z]{3,9})\\.?";
const WEEKDAY = "(?:[a-z]{3,9}\\.?,?\\s+)?";
const TIME =
  "(?:,?\\s+(?:at\\s+)?(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?(?:\\s*(am|pm))?\\s*([a-z]{1,5}|(?:GMT|UTC)?[+-]\\d\\d:?\\d\\d)?)?";
const DAY_FIRST = new RegExp(`^${WEEKDAY}${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})${TIME}$`, "i");
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${MONTH}\\s+${DAY},?\\s+(\\d{4})${TIME}$`, "i");
const MONTHS = "january february march april may june july august september october november december".split(" ");
/** The offsets of time zones in hours, from RFC 822, section 5.1. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...(["z", "ut", "utc", "gmt"] as const).map((name) => [name, 0] as const),
  ...(["est", "cdt"] as const).map((name) => [name, -5] as const),
  ["edt", -4],
  ["cst", -6],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
]);
const [FIRST_YEAR, LAST_YEAR] = [1000, 2200];

/** The parts of a date as the page wrote them. */
interface Parts {
  year: string;
  month: string;
  day?: string | undefined;
  hour?: string | undefined;
  minute?: string | undefined;
  second?: string | undefined;
  zone?: string | undefined;
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
    return toIso({ year, month, day, hour, minute, second, zone });
  }
  if (EPOCH.test(value)) return fromDate(new Date(Number(value) * (value.length === 10 ? 1000 : 1)));
  return fromWords(value.replace(/(?:(?<!\s)\s+)?\([^()]*\)$/, ""));
}

/** Parses a date with the name of a month, such as "5 March 2020" or "March 5, 2020", and an optional time. */
function fromWords(value: string): string | null {
  const dayFirst = DAY_FIRST.exec(value);
  const [, day, name = "", year = "", hour, minute, second, half, zone] =
    dayFirst ?? swap(MONTH_FIRST.exec(value)) ?? [];
  const month = MONTHS.findIndex((full) => full === name.toLowerCase() || isShort(name.toLowerCase(), full)) + 1;
  if (month === 0) return null;
  return toIso({ year, month: String(month), day, hour: toHour(hour, half), minute, second, zone });
}

function isShort(name: string, month: string): boolean {
  return name.length >= 3 && name.length <= 4 && month.startsWith(name);
}

function swap(match: RegExpExecArray | null): (string | undefined)[] | null {
  return match && [match[0], match[2], match[1], ...match.slice(3)];
}

function toHour(hour: string | undefined, half: string | undefined): string | undefined {
  if (hour === undefined || half === undefined) return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0));
}

function toIso({ year, month, day, hour, minute = "00", second = "00", zone }: Parts): string | null {
  const first = `${year}-${month.padStart(2, "0")}`;
  if (day === undefined) return isKnown(`${first}-01`) ? first : null;
  const date = `${first}-${day.padStart(2, "0")}`;
  if (!isKnown(date)) return null;
  if (hour === undefined) return date;
  const time = `${date}T${hour.padStart(2, "0")}:${minute}:${second}`;
  const offset = zone === undefined ? undefined : toOffset(zone);
  // Abbreviations of other zones may be ambiguous, so they're ignored.
  if (offset === undefined) return fromDate(new Date(`${time}Z`)) && time;
  return fromDate(new Date(time + offset));
}

/** Returns false for a day that doesn't exist. `Date` would read February 31 as a day in March. */
function isKnown(date: string): boolean {
  return fromDate(new Date(`${date}T00:00:00Z`))?.startsWith(date) ?? false;
}

function toOffset(zone: string): string | undefined {
  const digits = /([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (digits) return `${digits[1]}${digits[2]}:${digits[3] ?? "00"}`;
  const hours = ZONES.get(zone.toLowerCase());
  if (hours === undefined) return undefined;
  return hours === 0 ? "Z" : `-${String(-hours).padStart(2, "0")}:00`;
}

function fromDate(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : null;
}
