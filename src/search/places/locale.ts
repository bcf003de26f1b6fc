import type { Place } from "./places";

/** Where and in which language a search is made. */
export interface SearchLocale {
  place: Place | null;
  /** A canonical BCP 47 tag. */
  language: string | null;
}

/** Matches a country's code. CLDR also has larger regions, such as 419 for Latin America. */
export const COUNTRY_CODE = /^[A-Z]{2}$/;

export interface LanguageParts {
  language: string;
  /** The region of the tag, or the likely one: TR for `tr`. */
  region: string;
  script: string;
}

/** Splits a BCP 47 tag and adds its likely region and script. */
export function toLanguageParts(tag: string): LanguageParts {
  const { language, region, script } = new Intl.Locale(tag).maximize();
  return { language, region: region ?? "", script: script ?? "" };
}

/** Returns the language that was asked for, else the first language of the country, else null. */
export function languageOf({ language, place }: SearchLocale): string | null {
  return language ?? place?.country.languages[0] ?? null;
}

/** Returns true if Chinese in this script or region uses traditional characters. */
export function isTraditionalChinese({ script, region }: LanguageParts): boolean {
  return script === "Hant" || region === "TW" || region === "HK" || region === "MO";
}

/** Returns the Accept-Language header that fits the URL's parameters: one language, asked for or the country's. */
export function acceptLanguage(locale: SearchLocale): string {
  const tag = languageOf(locale) ?? "en-US";
  const { language, region } = toLanguageParts(tag);
  const named = locale.place && !locale.language ? locale.place.country.code : region;
  return COUNTRY_CODE.test(named) ? `${language}-${named},${language};q=0.9` : language;
}
