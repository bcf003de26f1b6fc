import { toIso } from "../lib/clock";
import { toWholeNumber } from "../lib/env";
import { newId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { type Account, mustGetAccount } from "../store/accounts";
import { insertAuditOnce } from "../store/audit";
import { accountStub } from "../store/namespaces";

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
 * Adds credits to an account's balance, or removes credits if `by` is negative. A repeated `key` has no effect. Throws
 * AppError if the balance would become negative, or if the account's Durable Object can't be reached.
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
  const object = accountStub(env, account);
  const usage = await object.usage({ mode: "live", since: toIso(now).slice(0, 10) }).catch(throwUnavailable);
  if ("kind" in usage) throw toUnavailable();
  const entry = { actor, action: "credits.adjust" as const, accountId, detail: { change: by, key }, at: now };
  const isExpected = usage.balance + by >= 0;
  // Inserts the audit entry before the change, so that the audit log contains every change even after a crash.
  if (isExpected) await insertAuditOnce(env.DB, entry, key);
  const reply = await object.adjust({ key, amount: by }).catch(throwUnavailable);
  if (reply.kind === "gone") throw toUnavailable();
  if (reply.kind === "insufficient_credits") {
    const message = "would make the balance negative";
    throw new AppError("invalid_request", `This change ${message}.`, { details: [{ path: "credits", message }] });
  }
  // The first balance seemed too low, so the entry hasn't been inserted yet. The change has succeeded, because the
  // balance has grown since, or because an earlier call with this key made the change.
  if (!isExpected) await insertAuditOnce(env.DB, entry, key);
}

function throwUnavailable(cause: unknown): never {
  log("warn", "account_unreachable", toLogged(cause));
  throw toUnavailable(cause);
}

function toUnavailable(cause?: unknown): AppError {
  const message = "The credits can't be changed at the moment. Try again in a minute.";
  return new AppError("unavailable", message, { headers: { "Retry-After": "60" }, cause });
}
