import type { AccountRef, Jurisdiction, Location } from "../model/account";
import { AppError } from "../model/errors";

/** Returns the stub of an account's object. `location` counts only for the very first call. */
export function accountStub(env: Env, account: AccountRef, location: Location | null = null) {
  const namespace = account.jurisdiction === null ? env.ACCOUNT : env.ACCOUNT.jurisdiction(account.jurisdiction);
  return namespace.getByName(account.object, location === null ? {} : { locationHint: location });
}

/**
 * Throws AppError if this runtime has no objects in the jurisdiction. The local runtime has no jurisdictions. Must be called
 * before a jurisdiction is stored, because an account in a jurisdiction that doesn't exist can't be reached or erased.
 */
export function requireJurisdiction(env: Env, jurisdiction: Jurisdiction | null): void {
  if (jurisdiction === null) return;
  try {
    env.ACCOUNT.jurisdiction(jurisdiction);
  } catch (cause) {
    const message = `must be left out, because this runtime has no jurisdiction '${jurisdiction}'`;
    throw new AppError("invalid_request", `The parameter 'jurisdiction' ${message}.`, {
      details: [{ path: "jurisdiction", message }],
      cause,
    });
  }
}
