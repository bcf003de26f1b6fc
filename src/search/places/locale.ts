import type { Place } from "./places";

/** The place and the language of a search. Null means that the request doesn't set the value. */
export interface SearchLocale {
  place: Place | null;
  /** A canonical BCP 47 tag. */
  language: string | null;
}

/** Matches an ISO 3166-1 country code. CLDR also has larger regions, such as 419 for Latin America. */
export const COUNTRY_CODE = /^[A-Z]{2}$/;

interface LanguageParts {
  language: string;
  /** The region in the tag. If the tag has no region, this is the likely region from CLDR, such as TR for `tr`. */
  region: string;
  script: string;
}

/** Splits a BCP 47 tag and adds its likely region and script. */
export function toLanguageParts(tag: string): LanguageParts {
  const { language, region, script } = new Intl.Locale(tag).maximize();
  return { language, region: region ?? "", script: script ?? "" };
}

/** Returns the requested language, or the country's first one, or null without a place. */
export function languageOf({ language, place }: SearchLocale): string | null {
  return language ?? place?.country.languages[0] ?? null;
}

/** Returns true if Chinese in this script or region uses traditional characters. */
export function isTraditionalChinese({ script, region }: LanguageParts): boolean {
  return script === "Hant" || region === "TW" || region === "HK" || region === "MO";
}

/** Returns the Accept-Language header, with the same language as the URL's parameters. */
export function acceptLanguage(locale: SearchLocale): string {
  const tag = languageOf(locale) ?? "en-US";
  const { language, region } = toLanguageParts(tag);
  const named = locale.place && !locale.language ? locale.place.country.code : region;
  return COUNTRY_CODE.test(named) ? `${language}-${named},${language};q=0.9` : language;
}
