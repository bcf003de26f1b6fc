import { toWholeNumber } from "../lib/env";
import { newId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { accountStub } from "../store/account-stub";
import { type Account, mustGetAccount } from "../store/accounts";
import { insertAudit } from "../store/audit";

/** Returns the credits that an account is granted each month. */
export function toMonthlyCredits(env: Env, account: Pick<Account, "plan" | "monthlyCredits">): number {
  if (account.monthlyCredits !== null) return account.monthlyCredits;
  if (account.plan === "enterprise") return 0;
  const byPlan = {
    free: toWholeNumber(env.CREDITS_FREE, 500),
    pro: toWholeNumber(env.CREDITS_PRO, 20_000),
    business: toWholeNumber(env.CREDITS_BUSINESS, 100_000),
  };
  return byPlan[account.plan];
}

/**
 * Adds credits to an account's balance, or removes some if `by` is negative. With the `key` of an earlier call, the balance
 * stays as it is. Throws AppError if the balance would become negative, or if the account's object can't be reached.
 */
export async function adjustCredits(
  env: Env,
  {
    accountId,
    by,
    key = newId(),
    actor,
    now,
  }: { accountId: string; by: number; key?: string; actor: string; now: number },
): Promise<void> {
  const account = await mustGetAccount(env.DB, accountId);
  const reply = await accountStub(env, account)
    .adjust({ key, amount: by })
    .catch((error: unknown) => {
      log("warn", "account_unreachable", { account_id: accountId, ...toLogged(error) });
      return null;
    });
  if (reply === null || reply.kind === "gone") {
    const message = "The account can't be reached at the moment. Try again in a minute.";
    throw new AppError("unavailable", message, { headers: { "Retry-After": "60" } });
  }
  if (reply.kind === "insufficient_credits") {
    const message = "would make the balance negative";
    throw new AppError("invalid_request", `This change ${message}.`, { details: [{ path: "credits", message }] });
  }
  await insertAudit(env.DB, { actor, action: "credits.adjust", accountId, detail: { change: by, key }, at: now });
}
