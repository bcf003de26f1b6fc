import { Hono } from "hono";
import { z } from "zod";
import { toMonthlyCredits } from "../../directory/credits";
import { pushEntries, RETRY_MS } from "../../directory/push";
import { now } from "../../lib/clock";
import type { AppEnv } from "../../model/env";
import { PLANS, toPlanLimits } from "../../model/plan";
import { listAccountRefs, updateAccount } from "../../store/accounts";
import { readBody } from "./input";

/** The number of accounts that one request processes. */
const ACCOUNTS = 25;

export const plans = new Hono<AppEnv>();

/** Returns the limits and the monthly credits of each plan, as the variables set them. */
plans.get("/plans", (c) => {
  const limits = toPlanLimits(c.env);
  const data = PLANS.map((plan) => ({
    plan,
    rate_per_minute: limits[plan].ratePerMinute,
    active_keys: limits[plan].activeKeys,
    concurrent_jobs: limits[plan].concurrentJobs,
    concurrent_renders: limits[plan].concurrentRenders,
    monthly_credits: plan === "enterprise" ? null : toMonthlyCredits(c.env, { plan, monthlyCredits: null }),
  }));
  return c.json({ success: true, data });
});

const Body = z.strictObject({ after: z.string().nullable().default(null) });

/**
 * Applies the current limits and credits of the plans to the next 25 accounts. `next` is the value of `after` for the
 * next request, or null if all accounts were processed. The cron retries accounts that can't be reached.
 */
plans.post("/plans/apply", async (c) => {
  const { after } = await readBody(c, Body);
  const accounts = await listAccountRefs(c.env.DB, { after: after ?? "", limit: ACCOUNTS });
  const dueAt = now() + RETRY_MS;
  for (const { id } of accounts) await pushEntries(c.env, await updateAccount(c.env.DB, { id, change: {}, dueAt }));
  const next = accounts.length === ACCOUNTS ? (accounts.at(-1)?.id ?? null) : null;
  return c.json({ success: true, data: { accounts: accounts.length, next } });
});
