import { CITIES, type City } from "./cities";
import { COUNTRIES, type Country } from "./countries";

export interface Place {
  country: Country;
  /** Null when the place is a country, or a city that no engine's table has. */
  city: City | null;
}

/** Letters that normalisation doesn't take apart. */
const LETTERS: Readonly<Record<string, string>> = { ı: "i", ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe" };

/** As names are compared: without case, accents and marks. */
function fold(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[ıłøđßæœ]/g, (letter) => LETTERS[letter] ?? letter)
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

/**
 * The place that a request names: an ISO code, a country in English, a city, or "City, Country", in which anything may
 * stand between the two. Null when no country is found.
 */
export function findPlace(location: string): Place | null {
  const whole = fold(location);
  const country = COUNTRY_OF.get(whole);
  if (country) return { country, city: cityOf(whole, country) };
  const parts = location.split(",").map(fold);
  const last = COUNTRY_OF.get(parts.at(-1) ?? "");
  if (parts.length > 1) return last && parts[0] ? { country: last, city: cityOf(parts[0], last) } : null;
  const city = CITIES_OF.get(whole)?.[0]?.city;
  const home = city && COUNTRY_OF.get(fold(city.country));
  return home ? { country: home, city } : null;
}

/** Singapore is a city of itself. */
function cityOf(name: string, { code }: Country): City | null {
  return CITIES_OF.get(name)?.find(({ city }) => city.country === code)?.city ?? null;
}
