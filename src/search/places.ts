import { CITIES, type City } from "./cities";
import { COUNTRIES, type Country } from "./countries";
import { US_STATES } from "./us-states";

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
  if (parts.length > 1) return findParts(parts);
  const city = CITIES_OF.get(whole)?.[0]?.city;
  const home = city && COUNTRY_OF.get(fold(city.country));
  return home ? { country: home, city } : null;
}

/** "City, Country" with a region between them or without, and "City, State" as Americans write it. */
function findParts(parts: readonly string[]): Place | null {
  const [name = "", ...others] = parts;
  const last = others.at(-1) ?? "";
  const country = COUNTRY_OF.get(last);
  if (name === "") return null;
  const named = country && cityOf(name, country);
  // Whose name stands twice in a country is told apart by its region, which only Google's name has.
  if (country && named) return { country, city: others.length === 1 || isIn(named, others[0] ?? "") ? named : null };
  const america = COUNTRY_OF.get("us");
  if (america && US_STATES.has(last)) {
    const city = cityOf(name, america);
    // A code that is a country's as well is that country's, unless America has the city.
    if (city || !country) return { country: america, city: city && isIn(city, last) ? city : null };
  }
  return country ? { country, city: null } : null;
}

/** Codes say nothing that could be compared. */
function isIn({ google }: City, region: string): boolean {
  return region.length <= 2 || (google !== null && fold(google).includes(region));
}

/** Singapore is a city of itself. */
function cityOf(name: string, { code }: Country): City | null {
  return CITIES_OF.get(name)?.find(({ city }) => city.country === code)?.city ?? null;
}
