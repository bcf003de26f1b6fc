import type { AccountRef, Location } from "../model/account";

/** Returns the stub of an account's object. `location` counts only for the very first call. */
export function accountStub(env: Env, account: AccountRef, location: Location | null = null) {
  // The local runtime has no jurisdictions.
  const namespace = account.jurisdiction === null ? env.ACCOUNT : env.ACCOUNT.jurisdiction(account.jurisdiction);
  return namespace.getByName(account.object, location === null ? {} : { locationHint: location });
}
