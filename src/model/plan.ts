import { MINUTE_MS } from "./limits";

export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

interface PlanLimits {
  ratePerMinute: number;
  activeKeys: number;
  concurrentRenders: number;
  /** The number of asynchronous jobs that may run at a time. Further jobs wait in the account's queue. */
  concurrentJobs: number;
}

/** The limits of each plan. The limits of `enterprise` are defaults, which an account's own limits override. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { ratePerMinute: 10, activeKeys: 3, concurrentRenders: 2, concurrentJobs: 5 },
  pro: { ratePerMinute: 100, activeKeys: 20, concurrentRenders: 10, concurrentJobs: 25 },
  business: { ratePerMinute: 500, activeKeys: 100, concurrentRenders: 50, concurrentJobs: 100 },
  enterprise: { ratePerMinute: 500, activeKeys: 1_000, concurrentRenders: 100, concurrentJobs: 250 },
};

export const RATE_WINDOW_MS = MINUTE_MS;
/**
 * The rate limit for reads of a single job is this many times the limit for other requests. The limits are separate,
 * because polling would otherwise use up the limit for other requests.
 */
export const POLL_FACTOR = 10;
/** The number of failed authentications per minute that one address may make. */
export const FAILURES_PER_MINUTE = 60;
