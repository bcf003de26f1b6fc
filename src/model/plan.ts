import { toText } from "../lib/env.ts";
import { parseJson } from "../lib/json.ts";
import { MINUTE_MS } from "./limits.ts";

export const PLANS = ["free", "pro", "business", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

/** A batch counts as one request in the rate window, and as one more for each full number of pages. */
export const PAGES_PER_REQUEST = 100;

export interface PlanLimits {
  ratePerMinute: number;
  activeKeys: number;
  concurrentRenders: number;
  /** The number of asynchronous jobs that may run at a time. Further jobs wait in the account's queue. */
  concurrentJobs: number;
}

/** The default limits of each plan. The variable PLAN_LIMITS and an account's own limits override them. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  free: { ratePerMinute: 10, activeKeys: 3, concurrentRenders: 2, concurrentJobs: 5 },
  pro: { ratePerMinute: 100, activeKeys: 20, concurrentRenders: 10, concurrentJobs: 25 },
  business: { ratePerMinute: 500, activeKeys: 100, concurrentRenders: 50, concurrentJobs: 100 },
  enterprise: { ratePerMinute: 500, activeKeys: 1_000, concurrentRenders: 100, concurrentJobs: 250 },
};

/** The names of the limits in the variable PLAN_LIMITS. */
const FIELDS = {
  rate_per_minute: "ratePerMinute",
  active_keys: "activeKeys",
  concurrent_renders: "concurrentRenders",
  concurrent_jobs: "concurrentJobs",
} as const satisfies Record<string, keyof PlanLimits>;

const MAX_LIMIT = 1_000_000;

/** Returns the limits of each plan. Invalid parts of the variable PLAN_LIMITS have no effect; GET /health/ready reports them. */
export function toPlanLimits(env: { PLAN_LIMITS?: string }): Record<Plan, PlanLimits> {
  return parsePlanLimits(env.PLAN_LIMITS).limits;
}

/** Returns a message for each invalid part of the variable PLAN_LIMITS. */
export function describeInvalidPlanLimits(text: string | undefined): string[] {
  return parsePlanLimits(text).problems;
}

/** Parses the variable: a JSON object such as `{"pro": {"rate_per_minute": 200}}`. */
function parsePlanLimits(text: string | undefined): { limits: Record<Plan, PlanLimits>; problems: string[] } {
  const variable = toText(text);
  if (variable === null) return { limits: PLAN_LIMITS, problems: [] };
  const plans = parseObject(variable);
  if (plans === null) return { limits: PLAN_LIMITS, problems: ["PLAN_LIMITS must be a JSON object, or empty."] };
  const limits = structuredClone(PLAN_LIMITS);
  const problems: string[] = [];
  for (const [name, given] of Object.entries(plans)) {
    const plan = PLANS.find((each) => each === name);
    if (plan === undefined || typeof given !== "object" || given === null) {
      problems.push(
        `PLAN_LIMITS has the invalid entry "${name}". It can have an object for each of these plans: ${PLANS.join(", ")}.`,
      );
      continue;
    }
    for (const [field, value] of Object.entries(given)) {
      if (!Object.hasOwn(FIELDS, field)) {
        problems.push(
          `PLAN_LIMITS has the invalid entry "${name}.${field}". The limits are ${Object.keys(FIELDS).join(", ")}.`,
        );
      } else if (!Number.isInteger(value) || value < 1 || value > MAX_LIMIT) {
        problems.push(
          `PLAN_LIMITS has an invalid value for "${name}.${field}". It must be a whole number from 1 to ${MAX_LIMIT}.`,
        );
      } else {
        limits[plan][FIELDS[field as keyof typeof FIELDS]] = value;
      }
    }
  }
  return { limits, problems };
}

const MAX_PRICE_CHARS = 40;

/** Parses the variable PLAN_PRICES: a JSON object with the price of each plan in money, such as `{"pro": "$29 per month"}`. */
export function parsePlanPrices(text: string | undefined): { prices: { [P in Plan]?: string }; problems: string[] } {
  const plans = toText(text) === null ? {} : parseObject(text ?? "");
  if (plans === null) return { prices: {}, problems: ["PLAN_PRICES must be a JSON object, or empty."] };
  const isValid = ([name, price]: [string, unknown]) =>
    PLANS.some((plan) => plan === name) && typeof price === "string" && price !== "" && price.length <= MAX_PRICE_CHARS;
  const entries = Object.entries(plans);
  return {
    prices: Object.fromEntries(entries.filter(isValid)),
    problems: entries
      .filter((entry) => !isValid(entry))
      .map(([name]) => {
        return `PLAN_PRICES has the invalid entry "${name}". It can have a text of at most ${MAX_PRICE_CHARS} characters for each of these plans: ${PLANS.join(", ")}.`;
      }),
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
}

export const RATE_WINDOW_MS = MINUTE_MS;
/**
 * The rate limit for reads of a single job is this many times the limit for other requests. The limits are separate,
 * because polling would otherwise use up the limit for other requests.
 */
export const POLL_FACTOR = 10;
/** The number of failed authentications per minute that one address may make. */
export const FAILURES_PER_MINUTE = 60;
