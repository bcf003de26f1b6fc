import { invalidParameter } from "../contract/invalid-request";
import type { AccountRef, Jurisdiction, LocationHint } from "../model/account";

/**
 * Returns the stub of an account's Durable Object. `location` has an effect only on the call that creates the Durable
 * Object.
 */
export function accountStub(env: Env, account: AccountRef, location: LocationHint | null = null) {
  const namespace = account.jurisdiction === null ? env.ACCOUNT : env.ACCOUNT.jurisdiction(account.jurisdiction);
  return namespace.getByName(account.object, location === null ? {} : { locationHint: location });
}

/**
 * Throws AppError if this runtime doesn't support the jurisdiction. The local runtime supports none. Call this before a
 * jurisdiction is stored, because an account with an unsupported jurisdiction can't be reached or erased.
 */
export function requireJurisdiction(env: Env, jurisdiction: Jurisdiction | null): void {
  if (jurisdiction === null) return;
  try {
    env.ACCOUNT.jurisdiction(jurisdiction);
  } catch (cause) {
    const message = `must be omitted, because this runtime doesn't support the jurisdiction '${jurisdiction}'`;
    throw invalidParameter("jurisdiction", message, { cause });
  }
}
