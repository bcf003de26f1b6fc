import { suggest } from "../../lib/suggest";
import { foldText } from "../../lib/text";
import { CITIES, type City, COUNTRIES, type Country, US_STATES } from "./tables";

export interface Place {
  country: Country;
  /** Null if the place is a whole country, or if its city isn't in the table of cities. */
  city: City | null;
}

/** ASCII replacements for letters that Unicode normalization doesn't decompose. */
const LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe" };

/** Normalizes a name for comparison: lower case, without accents and punctuation. */
function fold(name: string): string {
  return foldText(name)
    .replace(/[łøđæœ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/&/g, " and ")
    .replace(/['’.]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/^the | the /g, " ")
    .trim();
}

const COUNTRY_OF = new Map(
  COUNTRIES.flatMap((country) => [country.code, ...country.names].map((name) => [fold(name), country] as const)),
);
const CITIES_OF = Map.groupBy(
  CITIES.flatMap((city) => city.names.map((name) => ({ city, name: fold(name) }))),
  ({ name }) => name,
);

/** The minimum length of a name that is compared with misspelled names. Shorter texts are similar to too many codes. */
const MIN_MISSPELLED_CHARS = 5;

/** Returns the code of the country that an alpha-3 code or a misspelled English name probably means, or null. */
export function suggestCountry(text: string): string | null {
  const name = fold(text);
  const known = COUNTRIES.find(({ alpha3 }) => alpha3 === name.toUpperCase())?.code ?? COUNTRY_OF.get(name)?.code;
  if (known !== undefined || name.length < MIN_MISSPELLED_CHARS) return known ?? null;
  const similar = suggest(name, [...COUNTRY_OF.keys()]);
  return similar === null ? null : (COUNTRY_OF.get(similar)?.code ?? null);
}

/**
 * Finds the place for a `location`: an ISO country code, a country's English name, a city, or "City, Country" with
 * optional regions in between. Returns null if no country is found.
 */
export function findPlace(location: string): Place | null {
  const whole = fold(location);
  const country = COUNTRY_OF.get(whole);
  if (country) return { country, city: cityOf(whole, country) };
  const parts = location.split(",").map(fold);
  if (parts.length > 1) return findParts(parts);
  const city = CITIES_OF.get(whole)?.[0]?.city;
  const home = city && COUNTRY_OF.get(fold(city.country));
  return home ? { country: home, city } : null;
}

/** Finds "City, Country", "City, Region, Country", and "City, State" in the United States. */
function findParts(parts: readonly string[]): Place | null {
  const [name = "", ...others] = parts;
  const last = others.at(-1) ?? "";
  const country = COUNTRY_OF.get(last);
  if (name === "") return null;
  const named = country && cityOf(name, country);
  // A region between city and country must be the region of the city, because a country can have several cities with
  // the same name. The region is searched for in Google's name of the city. No other name includes the region.
  if (country && named) return { country, city: others.length === 1 || isIn(named, others[0] ?? "") ? named : null };
  const america = COUNTRY_OF.get("us");
  if (america && US_STATES.has(last)) {
    const city = cityOf(name, america);
    // Some codes stand for both a state and a country. Such a code means the country unless the city is in the United
    // States.
    if (city || !country) return { country: america, city: city && isIn(city, last) ? city : null };
  }
  return country ? { country, city: null } : null;
}

/** Returns true if the city is in the region, or for any region code, which Google's names lack. */
function isIn({ google }: City, region: string): boolean {
  return region.length <= 2 || (google !== null && fold(google).includes(region));
}

/** Returns the country's city with this name, or null. Both can have the same name, such as Singapore. */
function cityOf(name: string, { code }: Country): City | null {
  return CITIES_OF.get(name)?.find(({ city }) => city.country === code)?.city ?? null;
}
