import type { Context } from "hono";
import { rateLimited } from "../../keys/errors";
import { now } from "../../lib/clock";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../../model/account";
import { type ApiKey, DASHBOARD_CALLER, SCOPES } from "../../model/api-key";
import { AppError } from "../../model/errors";
import { PAGES_PER_REQUEST, POLL_FACTOR, toPlanLimits } from "../../model/plan";
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
 * Counts a dashboard request that causes requests to another server, or the check of a batch while its form is edited
 * ("preview"). Each account has one rate window for the dashboard, with the same limit as a key, and one for previews,
 * with the limit of polling. `pages` is the number of pages of a batch. Throws AppError `rate_limited` if the window is
 * exhausted.
 */
export async function consumeRateLimit(
  c: Context<DashboardEnv>,
  { pages = 0, isPreview = false }: { pages?: number; isPreview?: boolean } = {},
): Promise<void> {
  const { id, plan, ratePerMinute } = c.var.account;
  const limit = (ratePerMinute ?? toPlanLimits(c.env)[plan].ratePerMinute) * (isPreview ? POLL_FACTOR : 1);
  const limiter = rateLimiter(c.env, `${isPreview ? "preview" : "account"}:${id}`);
  const rate = await limiter.consume(limit, 1 + Math.floor(pages / PAGES_PER_REQUEST));
  if (!rate.allowed)
    throw rateLimited(rate, `The dashboard is limited to ${limit} requests per minute for your account.`, now());
}
