import type { Account } from "../account/object";
import type { AccountRef, Location } from "../model/account";

/**
 * Returns the stub of an account's object. `location` counts only for the very first call. Layers below `account` import
 * only its type.
 */
export function accountStub(env: Env, account: AccountRef, location: Location | null = null): DurableObjectStub<Account> {
  // The local runtime has no jurisdictions.
  const namespace = account.jurisdiction === null ? env.ACCOUNT : env.ACCOUNT.jurisdiction(account.jurisdiction);
  return namespace.getByName(account.object, location === null ? {} : { locationHint: location });
}
