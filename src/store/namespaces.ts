import { invalidParameter } from "../contract/invalid-request";
import { toText } from "../lib/env";
import { type AccountRef, type Jurisdiction, LOCATIONS, type LocationHint } from "../model/account";
import { AppError } from "../model/errors";
import { readChoice } from "../model/variables";

type RegionVariables = Pick<Env, "JURISDICTION" | "DATA_JURISDICTION">;

/**
 * Throws AppError `unavailable` if this version was deployed without the jurisdiction of the service's data, because its
 * objects and its bucket would be outside. `npx wrangler deploy` keeps secrets, but replaces variables.
 */
export function requireRegion({ JURISDICTION, DATA_JURISDICTION }: RegionVariables): void {
  const wanted = toText(DATA_JURISDICTION);
  const actual = toText(JURISDICTION);
  if (wanted === null || wanted === actual) return;
  const found = actual === null ? "without a jurisdiction" : `for the jurisdiction ${actual}`;
  throw new AppError(
    "unavailable",
    `The service's data is in the jurisdiction ${wanted}, but this version was deployed ${found}. Run 'npm run deploy'.`,
    { headers: { "Retry-After": "30" } },
  );
}

/** Returns the Durable Object that verifies a key. `hash` is the key's hash. */
export function keyVerifier(env: Env, hash: string) {
  return inJurisdiction(env, env.KEY_VERIFIER).getByName(hash);
}

/** Returns the Durable Object that counts the requests of a caller. */
export function rateLimiter(env: Env, name: string) {
  return inJurisdiction(env, env.RATE_LIMITER).getByName(name);
}

/** Returns the store of an account's grants and tokens, or of the registered clients. */
export function oauthStore(env: Env, account: Pick<AccountRef, "id" | "jurisdiction"> | "clients") {
  if (account === "clients") return inJurisdiction(env, env.OAUTH_STORE).getByName("clients", toHint(env));
  const { id, jurisdiction } = account;
  const namespace = jurisdiction === null ? env.OAUTH_STORE : env.OAUTH_STORE.jurisdiction(jurisdiction);
  return namespace.getByName(`account:${id}`, toHint(env));
}

/**
 * Returns the Durable Object that holds a browser. It is created in the location of the accounts, if one is set. Each
 * version of the service has its own objects. After a deployment, those of the old version get no new renders, end the
 * ones that run, and close their browsers, before the platform restarts them.
 */
export function browserHost(env: Env, name: string) {
  const { id = "" } = env.VERSION ?? {};
  return inJurisdiction(env, env.BROWSER_HOST).getByName(id === "" ? name : `${name}@${id}`, toHint(env));
}

/** Returns the Durable Object of a crawl. It is created in the jurisdiction of its account. */
export function crawlStub(env: Env, account: Pick<AccountRef, "jurisdiction">, id: string) {
  const namespace = account.jurisdiction === null ? env.CRAWL : env.CRAWL.jurisdiction(account.jurisdiction);
  return namespace.getByName(id, toHint(env));
}

/** Returns the location hint of the accounts, if ACCOUNT_LOCATION has one. */
function toHint(env: Env): { locationHint?: LocationHint } {
  const locationHint = LOCATIONS.find((location) => location === toText(env.ACCOUNT_LOCATION));
  return locationHint === undefined ? {} : { locationHint };
}

/** Restricts a namespace to JURISDICTION. Throws if the variable is wrong, because data must stay in its region. */
function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  env: RegionVariables,
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  requireRegion(env);
  const jurisdiction = readChoice(env, "JURISDICTION");
  return jurisdiction === null ? namespace : namespace.jurisdiction(jurisdiction);
}

/** Returns the stub of an account's object. `location` has an effect only on the call that creates it. */
export function accountStub(env: Env, account: AccountRef, location: LocationHint | null = null) {
  const namespace = account.jurisdiction === null ? env.ACCOUNT : env.ACCOUNT.jurisdiction(account.jurisdiction);
  return namespace.getByName(account.object, location === null ? {} : { locationHint: location });
}

/**
 * Throws AppError if this runtime doesn't support the jurisdiction. Call this before a jurisdiction is stored, because an
 * account with an unsupported jurisdiction can't be reached or erased.
 */
export function requireJurisdiction(env: Env, jurisdiction: Jurisdiction | null): void {
  if (hasJurisdiction(env, jurisdiction)) return;
  const message = `must be omitted, because this runtime doesn't support the jurisdiction '${jurisdiction}'`;
  throw invalidParameter("jurisdiction", message);
}

/** Returns true if this runtime supports the jurisdiction. The local runtime supports none. */
export function hasJurisdiction(env: Env, jurisdiction: Jurisdiction | null): boolean {
  if (jurisdiction === null) return true;
  try {
    env.ACCOUNT.jurisdiction(jurisdiction);
    return true;
  } catch {
    return false;
  }
}
