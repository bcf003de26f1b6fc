import { changeAccount } from "../directory/accounts";
import { forgetAccount, getAnyAccount } from "../directory/erase";
import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import { toAccountRef } from "../store/accounts";
import { callAccount } from "./client";
import { abandonMove } from "./move-account";

/**
 * Erases an account: stops admission, fails unfinished jobs, and removes it from the directory. The object's alarm deletes the
 * rows and the objects in R2. After a crash at any step, calling it again goes on. Throws AppError if there never was such an
 * account.
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
  await abandonMove(env, ref);
  while ((await callAccount(env, ref, (stub) => stub.erase())).kind === "failing");
  await forgetAccount(env, { accountId, actor, now: now() });
}
