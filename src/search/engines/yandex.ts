import { type SearchLocale, toLanguageParts } from "../places/locale";
import type { Place } from "../places/places";
import { withParameters } from "../results/links";
import type { SearchQuery } from "../results/result-page";
import type { SearchEngine } from "./search-engine";
import { readYandexLink, readYandexPage, YANDEX_HOST } from "./yandex-page";
import regions from "./yandex-regions.json";

/** The definition of Yandex. A light endpoint accepts plain requests, but no place. The usual page needs a browser. */
export const yandex: SearchEngine = {
  label: "Yandex",
  hosts: YANDEX_HOST,
  resultPages: {
    host: /^(?:www\.)?(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/,
    path: /^\/(?:search|search\/site|search\/touch|search\/pad|yandsearch|touchsearch)\/?$/,
  },
  blockPages: {
    host: /^(?:consent|sorry|ipv[46]|accounts|passport)\.yandex\./,
    path: /^\/(?:show|check)captcha(?:\/|$)/,
  },
  interstitial: null,
  servesOffTopic: false,
  sources: [
    { name: "light", takesPlace: false, pageUrl: toLightUrl, readPage: readYandexPage },
    { name: "browser", takesPlace: true, pageUrl: toSearchUrl, readPage: readYandexPage },
  ],
  apis: ["yandex_api", "serpapi"],
  queryParameter: "text",
  baseUrl: "https://yandex.com/search/",
  readySelector:
    '.serp-item, .b-serp-item, #search-result > li, .EmptySearchResults, .misspell__message, form[action*="checkcaptcha"], .CheckboxCaptcha',
  cookies: () => [],
  searchUrl: toSearchUrl,
  readPage: readYandexPage,
  readLink: readYandexLink,
};

function toSearchUrl(query: SearchQuery, page: number): string {
  return withParameters(`https://${yandexDomain(query.place)}/search/`, {
    text: query.text,
    lr: yandexRegion(query.place),
    lang: yandexLanguage(query),
    p: page > 0 ? String(page) : undefined,
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
  });
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
