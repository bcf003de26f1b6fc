import { MINUTE_MS } from "../limits";

export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** Requests a minute, and active keys. Enterprise accounts have a rate of their own; this one stands until it is set. */
export const PLAN_LIMITS: Record<Plan, { ratePerMinute: number; activeKeys: number }> = {
  free: { ratePerMinute: 10, activeKeys: 3 },
  pro: { ratePerMinute: 100, activeKeys: 20 },
  business: { ratePerMinute: 500, activeKeys: 100 },
  enterprise: { ratePerMinute: 500, activeKeys: 1_000 },
};

export const RATE_WINDOW_MS = MINUTE_MS;
/** Reading a single job has a window of its own, since the advised polling would use up the other. */
export const POLL_FACTOR = 10;
/** Failed authentications a minute from one address. */
export const FAILURES_PER_MINUTE = 60;
