import type { Context } from "hono";
import { rateLimited } from "../../keys/errors";
import { now } from "../../lib/clock";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../../model/account";
import { type ApiKey, DASHBOARD_CALLER, SCOPES } from "../../model/api-key";
import { AppError } from "../../model/errors";
import { toPlanLimits } from "../../model/plan";
import type { Account } from "../../store/accounts";
import { rateLimiter } from "../../store/namespaces";
import type { DashboardContext, DashboardEnv } from "../ui/env";

/** Returns the user of the dashboard as a caller of the API: a key of the account with all scopes and no credit limit. */
export function toDashboardCaller({ var: { account, mode } }: DashboardContext): ApiKey {
  return {
    id: DASHBOARD_CALLER,
    account,
    mode,
    scopes: [...SCOPES],
    allowedIps: [],
    revokedAt: null,
    expiresAt: null,
    creditLimit: null,
    prices: account.prices,
  };
}

/** Throws AppError `account_suspended` if the account is suspended. */
export function assertNotSuspended(account: Pick<Account, "suspendedAt">): void {
  if (account.suspendedAt === null) return;
  throw new AppError("account_suspended", ACCOUNT_SUSPENDED_MESSAGE);
}

/**
 * Counts a dashboard request that causes a request to another server. Each account has one rate window for the
 * dashboard, with the same limit as a key. Throws AppError `rate_limited` if the window is exhausted.
 */
export async function consumeRateLimit(c: Context<DashboardEnv>): Promise<void> {
  const { id, plan, ratePerMinute } = c.var.account;
  const limit = ratePerMinute ?? toPlanLimits(c.env)[plan].ratePerMinute;
  const rate = await rateLimiter(c.env, `account:${id}`).consume(limit);
  if (!rate.allowed)
    throw rateLimited(rate, `The dashboard is limited to ${limit} requests per minute for your account.`, now());
}
