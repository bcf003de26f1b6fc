import type { Context } from "hono";
import { rateLimited } from "../../keys/refusals";
import { now } from "../../lib/clock";
import { PLAN_LIMITS } from "../../model/plan";
import type { DashboardEnv } from "../ui/env";

/**
 * Counts what has this service ask somebody else: the account has a window for it here, as each of its keys has one. Throws
 * AppError rate_limited.
 */
export async function takeFromRate(c: Context<DashboardEnv>): Promise<void> {
  const { id, plan, ratePerMinute } = c.var.account;
  const limit = ratePerMinute ?? PLAN_LIMITS[plan].ratePerMinute;
  const rate = await c.env.ADDRESS_GATE.getByName(`account:${id}`).take(limit);
  if (!rate.allowed) throw rateLimited(rate, `This dashboard may make ${limit} requests a minute.`, now());
}
