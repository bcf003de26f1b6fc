import type { Query } from "./engine";
import type { Place } from "./places";

/** Where Google's codes are not the tags' own first part. */
const GOOGLE_LANGUAGES: Readonly<Record<string, string>> = { he: "iw", nb: "no", nn: "no", jv: "jw", tl: "fil" };
const GOOGLE_DEFAULT = "en";
/** Regions may be larger: 419 is Latin America. */
const COUNTRY_CODE = /^[A-Z]{2}$/;

/** `hl`: the language of dates, counts and notices. */
export function googleLanguage(query: Query): string {
  const tag = languageOf(query) ?? GOOGLE_DEFAULT;
  const { language, region, script } = partsOf(tag);
  if (language === "zh") return isTraditional(script, region) ? (region === "HK" ? "zh-HK" : "zh-TW") : "zh-CN";
  if (language === "pt") return region === "PT" ? "pt-PT" : "pt-BR";
  if (language === "es" && region === "419") return "es-419";
  return GOOGLE_LANGUAGES[language] ?? language;
}

export interface Market {
  /** `mkt`, such as tr-TR: a language that the country has. */
  market: string | undefined;
  /** `cc` */
  country: string | undefined;
  /** `setlang`: the language of dates, counts and notices. */
  language: string | undefined;
}

/** A market that Bing doesn't know is passed over: the country's own language makes one that it knows. */
export function bingMarket(query: Query): Market {
  const country = query.place?.country;
  const asked = query.language ? partsOf(query.language) : null;
  const code = country?.code ?? (COUNTRY_CODE.test(asked?.region ?? "") ? asked?.region : undefined);
  const own = country?.languages.map(partsOf);
  const spoken = own ? (own.find(({ language }) => language === asked?.language) ?? own[0]) : asked;
  return {
    market: spoken && code ? `${spoken.language}-${code}` : undefined,
    country: code,
    language: bingLanguage(languageOf(query)),
  };
}

function bingLanguage(tag: string | null): string | undefined {
  if (tag === null) return undefined;
  const { language, region, script } = partsOf(tag);
  if (language === "zh") return isTraditional(script, region) ? "zh-Hant" : "zh-Hans";
  return language === "pt" ? (region === "PT" ? "pt-PT" : "pt-BR") : language;
}

const YANDEX_DOMAINS: Readonly<Record<string, string>> = {
  TR: "yandex.com.tr",
  RU: "yandex.ru",
  KZ: "yandex.kz",
  BY: "yandex.by",
  UZ: "yandex.uz",
};
const YANDEX_LANGUAGES: ReadonlySet<string> = new Set("ru en be fr de id kk tt tr uk".split(" "));
const YANDEX_DEFAULT = "en";

/** `lr` of countries. */
const YANDEX_REGIONS: Readonly<Record<string, string>> = {
  AR: "93",
  AT: "113",
  AU: "211",
  BE: "114",
  BR: "94",
  BY: "149",
  CA: "95",
  CH: "126",
  DE: "96",
  DK: "203",
  ES: "204",
  FI: "123",
  FR: "124",
  GB: "102",
  IE: "10063",
  IN: "994",
  IT: "205",
  JP: "137",
  KR: "135",
  KZ: "159",
  MX: "20271",
  NL: "118",
  NO: "119",
  PL: "120",
  RU: "225",
  SE: "127",
  SG: "10105",
  TR: "983",
  UA: "187",
  US: "84",
  UZ: "171",
  ZA: "10021",
};

export function yandexDomain(place: Place | null): string {
  return YANDEX_DOMAINS[place?.country.code ?? ""] ?? "yandex.com";
}

/** `lr`: the city where it has one, else the country; undefined where neither has. */
export function yandexRegion(place: Place | null): string | undefined {
  return place?.city?.yandex ?? YANDEX_REGIONS[place?.country.code ?? ""];
}

/** `lang`: the language of dates, counts and notices. */
export function yandexLanguage(query: Query): string {
  const tags = [query.language, ...(query.place?.country.languages ?? [])];
  const known = tags
    .map((tag) => tag && partsOf(tag).language)
    .find((language) => language && YANDEX_LANGUAGES.has(language));
  return known || YANDEX_DEFAULT;
}

/** The header in line with the parameters: the language asked for, or else the country's, alone. */
export function acceptLanguage(query: Query): string {
  const tag = languageOf(query) ?? "en-US";
  const { language, region } = partsOf(tag);
  const named = query.place && !query.language ? query.place.country.code : region;
  return COUNTRY_CODE.test(named) ? `${language}-${named},${language};q=0.9` : language;
}

function languageOf({ language, place }: Query): string | null {
  return language ?? place?.country.languages[0] ?? null;
}

interface Parts {
  language: string;
  /** The likely one, where the tag names none: TR for `tr`. */
  region: string;
  script: string;
}

function partsOf(tag: string): Parts {
  const { language, region, script } = new Intl.Locale(tag).maximize();
  return { language, region: region ?? "", script: script ?? "" };
}

function isTraditional(script: string, region: string): boolean {
  return script === "Hant" || region === "TW" || region === "HK" || region === "MO";
}
