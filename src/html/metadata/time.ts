const ISO_TIME =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const ZONE = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)(?:\s*\(.*\))?$/i;
const MONTH_NAME = /[a-z]{3}/i;
const [FIRST_YEAR, LAST_YEAR] = [1000, 2200];

/**
 * A time as ISO 8601: in UTC when it has an offset, else as it stands, or only the day. Null when it isn't one, or could
 * be two, such as 03/04/2020.
 */
export function toIsoTime(value: string): string | null {
  const parts = ISO_TIME.exec(value);
  if (parts) return fromParts(parts);
  if (EPOCH.test(value)) return fromDate(new Date(Number(value) * (value.length === 10 ? 1000 : 1)));
  if (!MONTH_NAME.test(value)) return null;
  const date = new Date(value);
  return ZONE.test(value) ? fromDate(date) : withoutZone(date, /\d:\d\d/.test(value));
}

function fromParts([, year, month, day, hour, minute, second = "00", zone]: RegExpExecArray): string | null {
  const date = `${year}-${month}-${day}`;
  const isKnown = fromDate(new Date(`${date}T00:00:00Z`))?.startsWith(date);
  if (!isKnown) return null;
  if (hour === undefined) return date;
  const time = `${date}T${hour}:${minute}:${second}`;
  if (!zone) return fromDate(new Date(`${time}Z`)) && time;
  return fromDate(new Date(time + toOffset(zone)));
}

function toOffset(zone: string): string {
  if (/^[a-z]/i.test(zone)) return "Z";
  const digits = zone.slice(1).replace(":", "");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2) || "00"}`;
}

function fromDate(date: Date): string | null {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : null;
}

/** Without an offset, the parser takes the machine's own: read back in it, the time is as it was written. */
function withoutZone(date: Date, hasTime: boolean): string | null {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return fromDate(local)?.slice(0, hasTime ? "2020-01-01T00:00:00".length : "2020-01-01".length) ?? null;
}
