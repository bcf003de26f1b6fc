import { LOCATIONS, type LocationHint } from "../model/account";
import data from "./sign-up-locations.json";

/** The place of a caller, as Cloudflare adds it to a request (`request.cf`). */
export interface Place {
  country?: string | undefined;
  continent?: string | undefined;
  longitude?: string | undefined;
}

/** Places in North America west of this longitude (degrees) are nearer to its western data centers. */
const WEST_OF = -100;

/** Returns the location hint that is nearest to a place, or null if the place isn't known. */
export function toLocationHint({ country = "", continent = "", longitude }: Place): LocationHint | null {
  if (continent === "NA") return Number(longitude) < WEST_OF ? "wnam" : "enam";
  const countries = Object.entries(data.countries).find(([, codes]) => codes.split(" ").includes(country));
  const name = countries?.[0] ?? new Map(Object.entries(data.continents)).get(continent);
  return LOCATIONS.find((location) => location === name) ?? null;
}
