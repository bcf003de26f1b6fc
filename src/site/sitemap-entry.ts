import { toIso } from "../lib/clock";

/** A page, or another sitemap if the sitemap is an index. */
export interface SitemapEntry {
  /** The absolute http or https URL of the page or sitemap. */
  url: string;
  title: string | null;
  /** A date such as `2026-11-23`, or a time in the API's format. */
  lastModified: string | null;
}

export interface Sitemap {
  /** `index` if the entries are sitemaps. Otherwise, the entries are pages. */
  kind: "urls" | "index" | "feed" | "text";
  entries: SitemapEntry[];
  /** True if entries are missing, because a limit was reached or the file was cut off. */
  isTruncated: boolean;
}

const MAX_URL_CHARS = 8_000;
const MAX_TITLE_CHARS = 300;
const MAX_TIME_CHARS = 64;
/** A date in the format of the W3C (https://www.w3.org/TR/NOTE-datetime), which sitemaps and Atom use. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** A time in the format of RFC 822, which RSS uses. */
const EMAIL_TIME = /^(?:[A-Za-z]{3,9},\s*)?\d{1,2}\s+[A-Za-z]{3,9}\s+\d{2,4}\b/;

/** Converts the texts of an entry. Resolves its URL against `base`. Returns null if the URL isn't http or https. */
export function toEntry(
  { url, title, time }: Record<"url" | "title" | "time", string>,
  base: string,
): SitemapEntry | null {
  const address = url.trim();
  const parsed = address === "" || address.length > MAX_URL_CHARS ? null : URL.parse(address, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.href.length > MAX_URL_CHARS) return null;
  return { url: parsed.href, title: tidyTitle(title), lastModified: toTime(time.trim()) };
}

/** Returns the title on one line and without markup, or null if it is empty. */
export function tidyTitle(title: string): string | null {
  const text = title
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const chars = text.length > MAX_TITLE_CHARS ? `${text.slice(0, MAX_TITLE_CHARS).toWellFormed().trimEnd()}…` : text;
  return chars === "" ? null : chars;
}

/** Returns the date, or the time in the API's format. Returns null if the text is neither. */
function toTime(text: string): string | null {
  if (text.length > MAX_TIME_CHARS) return null;
  const isKnown = DATE.test(text) || DATE_TIME.test(text) || EMAIL_TIME.test(text);
  // Without a time zone, `Date.parse` would use the time zone of the machine.
  const hasZone = DATE.test(text) || /(?:Z|[+-]\d\d:?\d\d|[A-Z]{2,4})$/i.test(text);
  const time = isKnown ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time)) return null;
  return DATE.test(text) ? text : toIso(time);
}
