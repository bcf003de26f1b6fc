import type { z } from "zod";
import type { Usage } from "../contract/usage";
import { toIso } from "../lib/clock";
import { toWholeNumber } from "../lib/env";
import { log, toLogged } from "../lib/log";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { DAY_MS, USAGE_DAYS } from "../model/limits";
import { toPeriod } from "../model/period";
import { canSendEmail } from "../net/email";
import {
  type Account,
  grantPeriod,
  insertAdjustment,
  listDueGrants,
  listUsage,
  mustGetAccount,
} from "../store/accounts";

// Grants, adjustments and the balance. A job is charged by the trigger `jobs_ended` in schema.sql, with the price that its
// endpoint defines.

const BATCH = 200;

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
 * Grants the credits of up to 200 accounts whose new period has begun, and returns how many were granted. Where email is
 * configured, accounts wait until a member has verified an address.
 */
export async function grantDue(env: Env, now: number): Promise<number> {
  const due = await listDueGrants(env.DB, { now, limit: BATCH, verifiedOnly: canSendEmail(env) });
  let granted = 0;
  for (const account of due) {
    try {
      if (await grant(env, account, now)) granted++;
    } catch (error) {
      // Continue with the other accounts.
      log("error", "grant_failed", { account_id: account.id, ...toLogged(error) });
    }
  }
  return granted;
}

/** Grants the period that `now` falls into. Returns false if it was granted before. */
export async function grant(env: Env, account: Account, now: number): Promise<boolean> {
  const period = toPeriod(account.createdAt, now);
  return await grantPeriod(env.DB, { accountId: account.id, period, credits: toMonthlyCredits(env, account), now });
}

/** Returns the balance, the period and the daily usage of an account in one mode, as the API shows them. */
export async function readUsage(
  env: Env,
  { accountId, mode }: { accountId: string; mode: Mode },
  now: number,
): Promise<z.infer<typeof Usage>["data"]> {
  const account = await mustGetAccount(env.DB, accountId);
  const since = toIso(now - USAGE_DAYS * DAY_MS).slice(0, 10);
  const days = await listUsage(env.DB, { accountId, mode, since });
  const { balance, reserved, granted, used, periodStart, nextGrantAt } = account;
  const period = { start: toIso(periodStart), end: toIso(nextGrantAt), granted, used };
  return { balance, reserved, period, days };
}

/** Adds credits, or removes some if `by` is negative. Throws AppError if the balance would become negative. */
export async function adjustCredits(
  env: Env,
  { accountId, by, actor, now }: { accountId: string; by: number; actor: string; now: number },
): Promise<void> {
  const audit = { actor, action: "credits.adjust" as const, accountId, detail: { change: by }, at: now };
  if (await insertAdjustment(env.DB, { accountId, change: by, audit })) return;
  const message = "would make the balance negative";
  throw new AppError("invalid_request", `This change ${message}.`, { details: [{ path: "credits", message }] });
}
