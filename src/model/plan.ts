import { MINUTE_MS } from "./limits";

export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  ratePerMinute: number;
  activeKeys: number;
  /** Renders at a time. */
  concurrentRenders: number;
}

/** For enterprise these are defaults: the account's own rate and ENTERPRISE_RENDERS replace them. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { ratePerMinute: 10, activeKeys: 3, concurrentRenders: 2 },
  pro: { ratePerMinute: 100, activeKeys: 20, concurrentRenders: 10 },
  business: { ratePerMinute: 500, activeKeys: 100, concurrentRenders: 50 },
  enterprise: { ratePerMinute: 500, activeKeys: 1_000, concurrentRenders: 100 },
};

export const RATE_WINDOW_MS = MINUTE_MS;
/** Reading a single job has a window of its own, since the advised polling would use up the other. */
export const POLL_FACTOR = 10;
/** Failed authentications a minute from one address. */
export const FAILURES_PER_MINUTE = 60;
