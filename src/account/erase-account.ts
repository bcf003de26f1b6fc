import { changeAccount } from "../directory/accounts";
import { getAnyAccount, removeFromDirectory } from "../directory/erase";
import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import { toAccountRef } from "../store/accounts";
import { callAccount } from "./client";

/**
 * Erases an account: suspends it, fails its unfinished jobs, and removes it from the directory. The alarm of the
 * account's Durable Object then deletes the rows and the objects in R2. If a step fails, call this function again to
 * continue. Throws AppError if no account ever had this id.
 */
export async function eraseAccount(
  env: Env,
  { accountId, actor }: { accountId: string; actor: string },
): Promise<void> {
  const account = await getAnyAccount(env.DB, accountId);
  if (account === null) throw new AppError("not_found", `There is no account '${accountId}'.`);
  if (account.suspendedAt === null) {
    await changeAccount(env, { accountId, change: { suspendedAt: now() }, actor, now: now() });
  }
  const ref = toAccountRef(account);
  while ((await callAccount(env, ref, (stub) => stub.erase())).kind === "failing");
  await removeFromDirectory(env, { accountId, actor, now: now() });
}
