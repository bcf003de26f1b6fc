/** The kinds of number formats. A format defines how the number in a cell is shown. */
export type NumberFormat = "number" | "percent" | "date" | "time" | "date and time" | "duration";

const DAY_S = 86_400;
/**
 * The serial number of 1970-01-01. The first number applies to the date system 1900, the second to the date system
 * 1904.
 */
const EPOCH_1900 = 25_569;
const EPOCH_1904 = 24_107;
/** Before this serial number, the date system 1900 is off by one day, because it has a February 29 in 1900. */
const FIRST_RIGHT_SERIAL = 60;
const MAX_SERIAL = 2_958_466;
/** The number of digits with which Excel stores numbers. */
const DIGITS = 15;

/** Returns the format of the built-in number format with this id (ECMA-376, section 18.8.30), or null for others. */
export function builtInFormat(id: number): NumberFormat | null {
  if (id === 9 || id === 10) return "percent";
  if (id === 22) return "date and time";
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return "date";
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return "time";
  return id === 46 ? "duration" : null;
}

/** The length of the longest format code that Excel accepts. */
const MAX_CODE_CHARS = 255;

/**
 * Returns the format of a format code, such as `yyyy-mm-dd`. Uses only the section for positive numbers. A code that is
 * too long for Excel counts as a plain number.
 */
export function toFormat(code: string): NumberFormat {
  if (code.length > MAX_CODE_CHARS) return "number";
  const [section = ""] = code.replace(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  if (/\[(h+|m+|s+)\]/i.test(section)) return "duration";
  const tokens = section.replace(/\[[^[\]]*\]/g, "").toLowerCase();
  if (tokens.includes("general")) return "number";
  if (/[dy]/.test(tokens)) return /[hs]/.test(tokens) ? "date and time" : "date";
  if (/[hs]/.test(tokens)) return "time";
  if (/m/.test(tokens)) return "date";
  return tokens.includes("%") ? "percent" : "number";
}

/** Returns the text of a number in a cell. Dates and times are in ISO 8601. */
export function formatNumber(value: number, format: NumberFormat, { is1904 }: { is1904: boolean }): string {
  if (format === "number") return toText(value);
  if (format === "percent") return `${toText(value * 100)}%`;
  if (value < 0 || value >= MAX_SERIAL) return toText(value);
  const seconds = Math.round(value * DAY_S);
  if (format === "duration") return toDuration(seconds);
  const serial = !is1904 && value < FIRST_RIGHT_SERIAL && value >= 1 ? value + 1 : value;
  const time = new Date(Math.round((serial - (is1904 ? EPOCH_1904 : EPOCH_1900)) * DAY_S) * 1_000).toISOString();
  if (format === "date") return time.slice(0, 10);
  return format === "time" ? time.slice(11, 19) : time.slice(0, 19);
}

function toText(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

function toDuration(seconds: number): string {
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${Math.floor(seconds / 3_600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}
