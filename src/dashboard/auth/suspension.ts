import { AppError } from "../../model/errors";
import type { Account } from "../../store/accounts";

/** Throws AppError for an account that may make and run nothing: what its keys' gates say to the API's callers. */
export function refuseSuspended(account: Pick<Account, "suspendedAt">): void {
  if (account.suspendedAt === null) return;
  throw new AppError("account_suspended", "This account is suspended. Ask whoever operates this service.");
}
