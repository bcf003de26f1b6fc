import type { Jurisdiction, LocationHint } from "../model/account";
import { readChoice } from "../model/variables";

/** The caller's location according to Cloudflare. It isn't reliable in the local runtime. */
export type CallerPlace = Partial<Pick<IncomingRequestCfProperties, "continent" | "country" | "longitude">>;

// The location hints by continent. Source: https://developers.cloudflare.com/durable-objects/reference/data-location/.
const BY_CONTINENT: Partial<Record<string, LocationHint>> = { SA: "sam", AF: "afr", OC: "oc", AS: "apac" };
const MIDDLE_EAST = new Set("AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE".split(" "));
/** The longitude (degrees) that separates western from eastern North America. */
const NORTH_AMERICA_DIVIDE = -100;
/** The longitude (degrees) that separates western from eastern Europe. */
const EUROPE_DIVIDE = 17;

/** Returns the location hint for a caller's region, or null if the region is unknown. */
function toLocation({ continent, country, longitude }: CallerPlace): LocationHint | null {
  if (country !== undefined && MIDDLE_EAST.has(country)) return "me";
  const degrees = longitude === undefined ? Number.NaN : Number(longitude);
  if (continent === "NA") return degrees < NORTH_AMERICA_DIVIDE ? "wnam" : "enam";
  if (continent === "EU") return degrees > EUROPE_DIVIDE ? "eeur" : "weur";
  return (continent === undefined ? undefined : BY_CONTINENT[continent]) ?? null;
}

/**
 * Returns the location and jurisdiction for the Durable Object of a new account. ACCOUNT_LOCATION and
 * ACCOUNT_JURISDICTION take precedence. Without ACCOUNT_LOCATION, the location is near the caller. Without
 * ACCOUNT_JURISDICTION, the jurisdiction is JURISDICTION. Throws an Error for an unknown value, because an account must
 * not be created in a wrong region.
 */
export function placeAccount(
  env: Pick<Env, "ACCOUNT_LOCATION" | "ACCOUNT_JURISDICTION" | "JURISDICTION">,
  caller: CallerPlace = {},
): { location: LocationHint | null; jurisdiction: Jurisdiction | null } {
  return {
    location: readChoice(env, "ACCOUNT_LOCATION") ?? toLocation(caller),
    jurisdiction: readChoice(env, "ACCOUNT_JURISDICTION") ?? readChoice(env, "JURISDICTION"),
  };
}
