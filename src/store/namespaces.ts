import { toText } from "../lib/env";
import { JURISDICTIONS, LOCATIONS } from "../model/account";

/** Returns the Durable Object that verifies a key. `hash` is the key's hash. */
export function keyVerifier(env: Env, hash: string) {
  return inJurisdiction(env, env.KEY_VERIFIER).getByName(hash);
}

/** Returns the Durable Object that counts the requests of a caller. */
export function rateLimiter(env: Env, name: string) {
  return inJurisdiction(env, env.RATE_LIMITER).getByName(name);
}

/** Returns the Durable Object that holds a browser. It is created in the location of the accounts, if one is set. */
export function browserHost(env: Env, name: string) {
  const locationHint = LOCATIONS.find((location) => location === toText(env.ACCOUNT_LOCATION));
  return inJurisdiction(env, env.BROWSER_HOST).getByName(name, locationHint === undefined ? {} : { locationHint });
}

/** Restricts a namespace to JURISDICTION. Throws if the variable is invalid, because data must stay in its region. */
function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  { JURISDICTION }: Pick<Env, "JURISDICTION">,
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  const text = toText(JURISDICTION);
  if (text === null) return namespace;
  const jurisdiction = JURISDICTIONS.find((name) => name === text);
  if (jurisdiction === undefined)
    throw new Error(`JURISDICTION is '${text}'. It must be ${JURISDICTIONS.join(" or ")}, or empty.`);
  return namespace.jurisdiction(jurisdiction);
}
