import { toText } from "../lib/env";
import { JURISDICTIONS, type Jurisdiction, LOCATIONS, type Location } from "../model/account";

/** What Cloudflare says about where a request came from. The local runtime says nothing reliable. */
export type CallerPlace = Partial<Pick<IncomingRequestCfProperties, "continent" | "country" | "longitude">>;

// The hints of https://developers.cloudflare.com/durable-objects/reference/data-location/, by continent.
const BY_CONTINENT: Partial<Record<string, Location>> = { SA: "sam", AF: "afr", OC: "oc", AS: "apac" };
const MIDDLE_EAST = new Set("AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE".split(" "));
/** West of it: western North America. */
const NORTH_AMERICA_DIVIDE = -100;
/** East of it: eastern Europe. */
const EUROPE_DIVIDE = 17;

/** Returns the hint for the region of a caller, or null if the region isn't known. */
export function toLocation({ continent, country, longitude }: CallerPlace): Location | null {
  if (country !== undefined && MIDDLE_EAST.has(country)) return "me";
  const degrees = longitude === undefined ? Number.NaN : Number(longitude);
  if (continent === "NA") return degrees < NORTH_AMERICA_DIVIDE ? "wnam" : "enam";
  if (continent === "EU") return degrees > EUROPE_DIVIDE ? "eeur" : "weur";
  return (continent === undefined ? undefined : BY_CONTINENT[continent]) ?? null;
}

/**
 * Returns where the object of a new account is created: what the operator has set in ACCOUNT_LOCATION and
 * ACCOUNT_JURISDICTION, or else near the caller.
 */
export function placeAccount(
  env: Pick<Env, "ACCOUNT_LOCATION" | "ACCOUNT_JURISDICTION">,
  caller: CallerPlace = {},
): { location: Location | null; jurisdiction: Jurisdiction | null } {
  const location = toText(env.ACCOUNT_LOCATION);
  const jurisdiction = toText(env.ACCOUNT_JURISDICTION);
  return {
    location: location === null ? toLocation(caller) : readOne("ACCOUNT_LOCATION", LOCATIONS, location),
    jurisdiction: jurisdiction === null ? null : readOne("ACCOUNT_JURISDICTION", JURISDICTIONS, jurisdiction),
  };
}

/** Throws if a variable isn't one of its values: an account must not end up outside of the region that was meant. */
function readOne<Value extends string>(name: string, values: readonly Value[], text: string): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new Error(`${name} is '${text}'. It must be one of ${values.join(", ")}, or empty.`);
  return found;
}
