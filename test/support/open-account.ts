import { openAccount as openAccounts } from "../../src/directory/accounts";
import type { Account } from "../../src/store/accounts";

/** Returns the oldest account of a user, and creates it for a new user. Throws if the user has left the last account. */
export async function openAccount(
  env: Env,
  user: { id: string; name: string; emailVerified: boolean },
  now: number,
): Promise<Account> {
  const opened = await openAccounts(env, user, now);
  if (opened === null) throw new Error("The user belongs to no account.");
  return opened.current.account;
}
