import { expect, it } from "vitest";
import guide from "../../docs/api.md?raw";
import { FAILURES_PER_MINUTE, PLAN_LIMITS, PLANS, POLL_FACTOR, RATE_WINDOW_MS } from "../../src/model/plan";

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
