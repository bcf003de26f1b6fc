import { isTraditionalChinese, languageOf, type SearchLocale, toLanguageParts } from "../places/locale";
import { withParameters } from "../results/links";
import type { SearchQuery, TimeRange } from "../results/result-page";
import { GOOGLE, GOOGLE_SEARCH_HOST, readGooglePage } from "./google-page";
import { ALL_TIMES, type SearchEngine } from "./search-engine";

const SEARCH_URL = "https://www.google.com/search";
const RESULTS_PER_PAGE = 10;

/** Google needs a browser, because plain requests get a page without results. `udm=14` selects web results without blocks. */
export const google: SearchEngine = {
  label: "Google",
  hosts: /(?:^|\.)google\.[a-z]{2,3}(?:\.[a-z]{2})?$/,
  resultPages: { host: GOOGLE_SEARCH_HOST, path: /^\/search\/?$/ },
  blockPages: {
    host: /^(?:consent|sorry|ipv[46]|accounts)\.(?:google|youtube)\./,
    path: /^\/sorry(?:\/|$)/,
  },
  interstitial: /Verifying your request/,
  servesOffTopic: false,
  sources: [{ name: "browser", lacks: [], pageUrl: toSearchUrl, readPage: readGooglePage }],
  apis: ["serper", "serpapi"],
  types: {
    news: { maxResults: 100, timeRanges: ALL_TIMES },
    images: { maxResults: 100, timeRanges: ALL_TIMES },
    videos: { maxResults: 100, timeRanges: ALL_TIMES },
  },
  or: "OR",
  queryParameter: "q",
  baseUrl: SEARCH_URL,
  readySelector:
    'a h3, [data-snc] [role="heading"], #topstuff em, #botstuff em, #captcha-form, .g-recaptcha, form[action*="consent.google"]',
  cookies: () => [
    { name: "SOCS", value: "CAESHAgBEhIaAB" },
    { name: "CONSENT", value: "PENDING+987" },
  ],
  searchUrl: toSearchUrl,
  readPage: readGooglePage,
  page: GOOGLE,
};

function toSearchUrl(query: SearchQuery, page: number): string {
  return withParameters(SEARCH_URL, {
    q: query.text,
    hl: googleLanguage(query),
    gl: query.place?.country.code.toLowerCase(),
    uule: query.place?.city?.google ? toUule(query.place.city.google) : undefined,
    start: page > 0 ? String(page * RESULTS_PER_PAGE) : undefined,
    ...(query.type === undefined || query.type === "web"
      ? { udm: query.blocks?.length === 0 ? "14" : undefined }
      : TYPES[query.type]),
    tbs: query.timeRange && googleTime(query.timeRange),
    safe: query.safeSearch && SAFE[query.safeSearch],
    pws: "0",
    ie: "UTF-8",
    oe: "UTF-8",
  });
}

/** The parameters for each type other than web. */
const TYPES = { news: { tbm: "nws" }, images: { udm: "2" }, videos: { udm: "7" } } as const;
const SAFE = { off: "off", moderate: "medium", strict: "active" } as const;

/** Returns the `tbs` parameter. Google writes dates as month/day/year. */
export function googleTime({ unit, from, to }: TimeRange): string {
  const [min, max] = [from, to].map((date) => date.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, "$2/$3/$1"));
  return unit === null ? `cdr:1,cd_min:${min},cd_max:${max}` : `qdr:${unit[0]}`;
}

/** Google's language codes that differ from the first part of the BCP 47 tag. */
const LANGUAGES: Readonly<Record<string, string>> = { he: "iw", nb: "no", nn: "no", jv: "jw", tl: "fil" };
const DEFAULT_LANGUAGE = "en";

/** Returns the `hl` parameter: the language of dates, counts and notices. */
export function googleLanguage(locale: SearchLocale): string {
  const parts = toLanguageParts(languageOf(locale) ?? DEFAULT_LANGUAGE);
  const { language, region } = parts;
  if (language === "zh") return isTraditionalChinese(parts) ? (region === "HK" ? "zh-HK" : "zh-TW") : "zh-CN";
  if (language === "pt") return region === "PT" ? "pt-PT" : "pt-BR";
  if (language === "es" && region === "419") return "es-419";
  return LANGUAGES[language] ?? language;
}

/** Each byte of a varint holds seven bits of the number. The eighth bit is set if more bytes follow. */
const VARINT_BITS = 7;

/**
 * Returns the `uule` parameter for a place: `w+` and a protobuf message in base64. The message has the fields role
 * (number 1, value 2), producer (number 2, value 32) and name (number 4). Google silently ignores names that are not in
 * https://developers.google.com/google-ads/api/data/geotargets.
 */
function toUule(name: string): string {
  const bytes = new TextEncoder().encode(name);
  // A field's tag is the field number shifted left by three bits, plus the wire type. The wire type 0 is a number, 2 is
  // a length followed by bytes.
  const message = [(1 << 3) | 0, 2, (2 << 3) | 0, 32, (4 << 3) | 2, ...varint(bytes.length), ...bytes];
  return `w+${btoa(String.fromCharCode(...message)).replace(/(?<!=)=+$/, "")}`;
}

function varint(value: number): number[] {
  const low = value % (1 << VARINT_BITS);
  return value < 1 << VARINT_BITS ? [value] : [low | (1 << VARINT_BITS), ...varint((value - low) / (1 << VARINT_BITS))];
}
