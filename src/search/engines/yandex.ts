import { type SearchLocale, toLanguageParts } from "../places/locale";
import type { Place } from "../places/places";
import { withParameters } from "../results/links";
import type { SearchQuery, TimeRange } from "../results/result-page";
import type { SearchEngine } from "./search-engine";
import { readYandexPage, YANDEX, YANDEX_HOST, YANDEX_SEARCH_HOST } from "./yandex-page";
import regions from "./yandex-regions.json";

/** The definition of Yandex. A light endpoint accepts plain requests, but no place. The usual page needs a browser. */
export const yandex: SearchEngine = {
  label: "Yandex",
  hosts: YANDEX_HOST,
  resultPages: {
    host: YANDEX_SEARCH_HOST,
    path: /^\/(?:images\/search|video\/search|search|search\/site|search\/touch|search\/pad|yandsearch|touchsearch)\/?$/,
  },
  blockPages: {
    host: /^(?:consent|sorry|ipv[46]|accounts|passport)\.yandex\./,
    path: /^\/(?:show|check)captcha(?:\/|$)/,
  },
  interstitial: null,
  servesOffTopic: false,
  sources: [
    { name: "light", lacks: ["place", "images", "videos"], pageUrl: toLightUrl, readPage: readYandexPage },
    { name: "browser", lacks: [], pageUrl: toSearchUrl, readPage: readYandexPage },
  ],
  apis: ["yandex_api", "serpapi"],
  types: { images: { maxResults: 30, timeRanges: [] }, videos: { maxResults: 30, timeRanges: [] } },
  or: "|",
  queryParameter: "text",
  baseUrl: "https://yandex.com/search/",
  readySelector:
    '.serp-item, .b-serp-item, #search-result > li, .EmptySearchResults, .misspell__message, form[action*="checkcaptcha"], .CheckboxCaptcha',
  cookies: () => [],
  searchUrl: toSearchUrl,
  readPage: readYandexPage,
  page: YANDEX,
};

function toSearchUrl(query: SearchQuery, page: number): string {
  const path = { web: "", news: "", images: "images/", videos: "video/" }[query.type ?? "web"];
  return withParameters(`https://${yandexDomain(query.place)}/${path}search/`, {
    text: query.text,
    lr: yandexRegion(query.place),
    lang: yandexLanguage(query),
    p: page > 0 ? String(page) : undefined,
    ...yandexFilters(query),
  });
}

/** The id of a site search. Any seven digits work, because the search covers the whole web. */
const LIGHT_SEARCH_ID = "2260018";

/** Returns the URL of the light endpoint for searches within a site. `web=1` makes it search the web. */
function toLightUrl(query: SearchQuery, page: number): string {
  return withParameters("https://yandex.com/search/site/", {
    text: query.text,
    web: "1",
    frame: "1",
    searchid: LIGHT_SEARCH_ID,
    tmpl_version: "releases",
    lang: yandexLanguage(query),
    p: String(page),
    ...yandexFilters(query),
  });
}

/** Returns the parameters for the time range and the family filter. Without the parameter, the filter is moderate. */
function yandexFilters({ timeRange, safeSearch }: SearchQuery): Record<string, string | undefined> {
  return {
    fyandex: safeSearch === "strict" ? "1" : safeSearch === "off" ? "0" : undefined,
    ...(timeRange && yandexTime(timeRange)),
  };
}

/** `within` has numbers for a day and a month. All other ranges have dates. */
function yandexTime({ unit, from, to }: TimeRange): Record<string, string> {
  if (unit === "day" || unit === "month") return { within: unit === "day" ? "77" : "2" };
  const toParts = (prefix: string, date: string) => {
    const [year = "", month = "", day = ""] = date.split("-").map((part) => String(Number(part)));
    return { [`${prefix}_day`]: day, [`${prefix}_month`]: month, [`${prefix}_year`]: year };
  };
  return { within: "777", ...toParts("from", from), ...toParts("to", to) };
}

const DOMAINS: Readonly<Record<string, string>> = {
  TR: "yandex.com.tr",
  RU: "yandex.ru",
  KZ: "yandex.kz",
  BY: "yandex.by",
  UZ: "yandex.uz",
};
const LANGUAGES: ReadonlySet<string> = new Set("ru en be fr de id kk tt tr uk".split(" "));
const DEFAULT_LANGUAGE = "en";

/** The `lr` parameter by country. */
const REGIONS: Readonly<Record<string, string>> = regions;

/** Returns Yandex's domain for the country, or yandex.com. */
export function yandexDomain(place: Place | null): string {
  return DOMAINS[place?.country.code ?? ""] ?? "yandex.com";
}

/** Returns the `lr` parameter, the region of the city or country. Undefined if the tables lack both. */
export function yandexRegion(place: Place | null): string | undefined {
  return place?.city?.yandex ?? REGIONS[place?.country.code ?? ""];
}

/** Returns the `lang` parameter: the language of dates, counts and notices. */
export function yandexLanguage({ language: requested, place }: SearchLocale): string {
  const tags = [requested, ...(place?.country.languages ?? [])];
  const known = tags
    .map((tag) => tag && toLanguageParts(tag).language)
    .find((language) => language && LANGUAGES.has(language));
  return known || DEFAULT_LANGUAGE;
}
