import { MINUTE_MS } from "./limits";

export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  ratePerMinute: number;
  activeKeys: number;
  concurrentRenders: number;
  /** Asynchronous jobs at a time. The others wait in the account's own queue. */
  concurrentJobs: number;
}

/** For enterprise these are defaults, which the account's own figures replace. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { ratePerMinute: 10, activeKeys: 3, concurrentRenders: 2, concurrentJobs: 5 },
  pro: { ratePerMinute: 100, activeKeys: 20, concurrentRenders: 10, concurrentJobs: 25 },
  business: { ratePerMinute: 500, activeKeys: 100, concurrentRenders: 50, concurrentJobs: 100 },
  enterprise: { ratePerMinute: 500, activeKeys: 1_000, concurrentRenders: 100, concurrentJobs: 250 },
};

export const RATE_WINDOW_MS = MINUTE_MS;
/** Reading a single job has a window of its own, since the advised polling would use up the other. */
export const POLL_FACTOR = 10;
/** Failed authentications a minute from one address. */
export const FAILURES_PER_MINUTE = 60;
