import cities from "./cities.json";
import countries from "./countries.json";
import usStates from "./us-states.json";
import zones from "./zones.json";

export interface Country {
  /** The ISO 3166-1 alpha-2 code. */
  code: string;
  /** The ISO 3166-1 alpha-3 code. */
  alpha3: string;
  /**
   * BCP 47 tags, the most used language first: the country's likely languages in CLDR, and the languages for which
   * search engines have a market. A tag has a region or script only if the engines need it.
   */
  languages: readonly [string, ...string[]];
  names: readonly string[];
}

export const COUNTRIES = countries as unknown as readonly Country[];

export interface City {
  /** English names, the most common one first. */
  names: readonly string[];
  /** The country's ISO 3166-1 alpha-2 code. */
  country: string;
  /** The canonical name in Google's list of geotargets. Null if Google's search can use only the country. */
  google: string | null;
  /** The number of the city in Yandex's list of regions. Null if Yandex's search can use only the country. */
  yandex: string | null;
}

/**
 * If several cities share a name, the table has only the best known one. Sources:
 * https://developers.google.com/google-ads/api/data/geotargets and
 * https://yandex.cloud/en/docs/search-api/reference/regions.
 */
export const CITIES: readonly City[] = cities;

/** The time zone of a country's capital, and its approximate location in degrees. */
interface Zone {
  timezone: string;
  latitude: number;
  longitude: number;
}

/**
 * The time zones and locations by the country's ISO 3166-1 alpha-2 code. Some places without inhabitants are missing.
 * Source: zone.tab of the tz database (public domain). Usually, an entry is the first city of the country in zone.tab.
 * Another city replaces it if the country has several zones and the first city isn't the capital, or if it is far from
 * the capital.
 */
export const ZONES: ReadonlyMap<string, Zone> = new Map(Object.entries(zones));

/** Postal codes and names of US states. Some are also names or codes of countries, such as Georgia. */
export const US_STATES: ReadonlySet<string> = new Set(usStates);
