import { expect, it } from "vitest";
import guide from "../../docs/api/usage.md?raw";
import {
  describeInvalidPlanLimits,
  FAILURES_PER_MINUTE,
  PLAN_LIMITS,
  PLANS,
  POLL_FACTOR,
  parsePlanPrices,
  RATE_WINDOW_MS,
  toPlanLimits,
} from "../../src/model/plan";

it.each(["free", "pro", "business"] as const)("gives the plan %s the limits that the API guide lists", (plan) => {
  const [, rate, renders, jobs, keys] =
    new RegExp(`^\\| ${plan} \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|`, "m").exec(guide) ?? [];
  expect(PLAN_LIMITS[plan]).toEqual({
    ratePerMinute: Number(rate),
    concurrentRenders: Number(renders),
    concurrentJobs: Number(jobs),
    activeKeys: Number(keys),
  });
});

it("gives accounts of the plan enterprise these limits by default", () => {
  expect(PLAN_LIMITS.enterprise).toEqual({
    ratePerMinute: 500,
    concurrentRenders: 100,
    concurrentJobs: 250,
    activeKeys: 1_000,
  });
});

it("lists the plans from the smallest to the largest", () => {
  expect(PLANS).toEqual(["free", "pro", "business", "enterprise"]);
});

it("counts requests per minute, and allows ten times as many reads of a job", () => {
  expect({ RATE_WINDOW_MS, POLL_FACTOR, FAILURES_PER_MINUTE }).toEqual({
    RATE_WINDOW_MS: 60_000,
    POLL_FACTOR: 10,
    FAILURES_PER_MINUTE: 60,
  });
});

it("changes only the limits that the variable PLAN_LIMITS has", () => {
  const limits = toPlanLimits({ PLAN_LIMITS: '{"pro": {"rate_per_minute": 200, "concurrent_jobs": 50}}' });
  expect(limits).toEqual({ ...PLAN_LIMITS, pro: { ...PLAN_LIMITS.pro, ratePerMinute: 200, concurrentJobs: 50 } });
  for (const empty of ["", " ", "{}"]) expect(toPlanLimits({ PLAN_LIMITS: empty })).toEqual(PLAN_LIMITS);
  expect(PLAN_LIMITS.pro.ratePerMinute).toBe(100);
});

it.each([
  ["{", "PLAN_LIMITS must be a JSON object, or empty."],
  ["[]", "PLAN_LIMITS must be a JSON object, or empty."],
  ['{"gold": {}}', 'PLAN_LIMITS has the invalid entry "gold".'],
  ['{"pro": 5}', 'PLAN_LIMITS has the invalid entry "pro".'],
  ['{"pro": {"rate": 5}}', 'PLAN_LIMITS has the invalid entry "pro.rate".'],
  ['{"pro": {"toString": 5}}', 'PLAN_LIMITS has the invalid entry "pro.toString".'],
  ['{"pro": {"active_keys": 0}}', 'PLAN_LIMITS has an invalid value for "pro.active_keys".'],
  ['{"pro": {"active_keys": "5"}}', 'PLAN_LIMITS has an invalid value for "pro.active_keys".'],
])("reports the value %s of PLAN_LIMITS, and ignores it", (text, problem) => {
  expect(describeInvalidPlanLimits(text)).toEqual([expect.stringContaining(problem)]);
  expect(toPlanLimits({ PLAN_LIMITS: text })).toEqual(PLAN_LIMITS);
});

it("reads the prices of plans from PLAN_PRICES, and reports invalid entries", () => {
  expect(parsePlanPrices("")).toEqual({ prices: {}, problems: [] });
  const { prices, problems } = parsePlanPrices('{"pro": "$29 per month", "gold": "$1", "free": 0}');
  expect(prices).toEqual({ pro: "$29 per month" });
  expect(problems).toEqual([
    expect.stringContaining('PLAN_PRICES has the invalid entry "gold".'),
    expect.stringContaining('PLAN_PRICES has the invalid entry "free".'),
  ]);
  expect(parsePlanPrices("29").problems).toEqual(["PLAN_PRICES must be a JSON object, or empty."]);
});
