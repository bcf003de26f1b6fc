// Recognizes the URLs of spider traps: parts of a site that have an unlimited number of URLs.

/** The maximum number of URLs of one shape that a crawl visits. */
const MAX_OF_SHAPE = {
  /** Paths and parameters with dates, such as those of a calendar. */
  dates: 100,
  /** Combinations of filters. */
  filters: 200,
  parameters: 2_000,
  numbers: 5_000,
} as const;
/** The minimum number of parameters for which a URL counts as a combination of filters. */
const FILTER_PARAMETERS = 3;

const MAX_URL_CHARS = 1_000;
const MAX_SEGMENTS = 20;
const MAX_PARAMETERS = 10;
/** The number of times that a wrong relative link repeats a segment of the path. */
const MAX_REPETITIONS = 3;

/** Matches a year and a month, such as 2024/05 or 2024-5. */
const DATE = /(?<!\d)(?:19|20|21)\d\d[-/_.](?:0?[1-9]|1[0-2])(?!\d)/;
const DATE_PARAMETER = /^(?:date|day|month|year|week|cal(?:endar)?|from|to|start|end)$/i;
const CALENDAR = /\/(?:calendar|kalender|cal)(?:\/|$)/i;

/** Returns true if the URL itself shows that it belongs to a trap. */
export function isTrap({ href, pathname, searchParams }: URL): boolean {
  if (href.length > MAX_URL_CHARS || searchParams.size > MAX_PARAMETERS) return true;
  const segments = pathname.split("/").filter((segment) => segment !== "");
  if (segments.length > MAX_SEGMENTS) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  // Ignores numbers, because dates such as /2024/03/03/ repeat them.
  return [...counts].some(([segment, count]) => count >= MAX_REPETITIONS && !/^\d+$/.test(segment));
}

/**
 * Returns the shape of a URL, and the maximum number of URLs of this shape. In a shape, placeholders replace numbers
 * and the values of parameters. Returns null if the URL contains no numbers and no parameters, because the number of
 * such URLs isn't limited.
 */
export function shapeOf({ host, pathname, search, searchParams }: URL): { shape: string; max: number } | null {
  const names = [...new Set(searchParams.keys())].sort();
  if (names.length === 0 && !/\d/.test(pathname)) return null;
  const kind = toKind(pathname + search, names);
  const path = pathname.replace(/\d+/g, "0");
  return { shape: `${kind} ${host}${path}?${names.join("&")}`, max: MAX_OF_SHAPE[kind] };
}

/** The number of different sets of parameters above which a path counts as a list with filters. */
export const MAX_PARAMETER_SETS = 12;

/**
 * Returns the path of a URL with parameters, and the maximum number of its URLs if it is a list with filters. Filters
 * can be combined in many ways, so the URLs of such a path have many shapes. Returns null for a URL without parameters.
 */
export function filteredPathOf({ host, pathname, searchParams }: URL): { path: string; max: number } | null {
  return searchParams.size === 0 ? null : { path: `${host}${pathname}`, max: MAX_OF_SHAPE.filters };
}

function toKind(path: string, names: readonly string[]): keyof typeof MAX_OF_SHAPE {
  if (DATE.test(path) || CALENDAR.test(path) || names.some((name) => DATE_PARAMETER.test(name))) return "dates";
  if (names.length >= FILTER_PARAMETERS) return "filters";
  return names.length > 0 ? "parameters" : "numbers";
}
