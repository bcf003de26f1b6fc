import { toWholeNumber } from "../lib/env";
import { log, toLogged } from "../lib/log";
import { toPeriod } from "../model/period";
import { hasMail } from "../net/email";
import { type Account, grantPeriod, listDueGrants } from "../store/accounts";

const BATCH = 200;

/** The month's credits of an account. */
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
 * Grants every period that has begun, and returns how many. Bounded, and may be repeated; a day that was missed is caught
 * up. Where mail is configured, accounts whose members are all unverified wait until one confirms the address.
 */
export async function grantDue(env: Env, now: number): Promise<number> {
  const due = await listDueGrants(env.DB, { now, limit: BATCH, verifiedOnly: hasMail(env) });
  let granted = 0;
  for (const account of due) {
    try {
      if (await grant(env, account, now)) granted++;
    } catch (error) {
      // One account's trouble isn't the others'.
      log("error", "grant_failed", { account_id: account.id, ...toLogged(error) });
    }
  }
  return granted;
}

/** Grants the period that `now` falls into, once. */
export async function grant(env: Env, account: Account, now: number): Promise<boolean> {
  const period = toPeriod(account.createdAt, now);
  return await grantPeriod(env.DB, { accountId: account.id, period, credits: toMonthlyCredits(env, account), now });
}
