// `npm run lab -- simulate`: calculates which limits a load reaches and what jobs cost, and simulates whether a busy
// account delays another account. Uses the measurements of `npm run lab -- count` and `npm run lab -- saturate`
// (simulate/measured.json) and assumptions. SIMULATE='{"pageMs": 2000}' overrides assumptions.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { importBundled } from "../scripts/bundle.ts";
import { parseOptions } from "../scripts/options.ts";
import type { ProductOptions } from "../scripts/product.ts";
import { round } from "./figures.ts";
import { printCosts } from "./simulate/costs.ts";
import { simulateFairness } from "./simulate/fairness.ts";
import { type Assumed, type JobKind, PLATFORM, type Plan, type Scenario, toLimits } from "./simulate/limits.ts";
import type { Measured } from "./simulate/measured.ts";

parseOptions(
  `npm run lab -- simulate

Calculates which limits a given load reaches, and the costs of 1,000 jobs. Environment variables:
  SIMULATE         a JSON object that overrides assumptions, such as {"pageMs": 2000}
  SIMULATE_SEED    the seed of the random values (default 7)`,
  {},
);

const PROJECT = join(import.meta.dirname, "..");
const measured: Measured = JSON.parse(readFileSync(join(import.meta.dirname, "simulate", "measured.json"), "utf8"));
type PlanName = "free" | "pro" | "business" | "enterprise";
const { PLAN_LIMITS } = await importBundled<{ PLAN_LIMITS: Record<PlanName, Omit<Plan, "name" | "monthlyCredits">> }>(
  join(PROJECT, "src", "model", "plan.ts"),
  join(PROJECT, ".cache", "plan.mjs"),
);
const { bindings, queueConsumers } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml"))
  .workerOptions as Pick<ProductOptions, "bindings" | "queueConsumers">;
const consumers = queueConsumers as Record<string, { maxBatchSize: number }>;
const ASSUMED: Assumed = {
  pageMs: 500,
  renderMs: 2_000,
  receiverMs: 200,
  browsers: Number(bindings.BROWSERS),
  rendersPerBrowser: Number(bindings.RENDERS_PER_BROWSER),
  jobsBatch: consumers["web-data-extraction-jobs"]?.maxBatchSize ?? 1,
  rendersBatch: consumers["web-data-extraction-renders"]?.maxBatchSize ?? 1,
  // Repeats `max_concurrency` from wrangler.toml, because the options of the local runtime don't include it.
  rendersConsumers: 3,
  archiveBytes: Number(bindings.ACCOUNT_ARCHIVE_BYTES),
  maxBytes: Number(bindings.ACCOUNT_MAX_BYTES),
  ...JSON.parse(process.env.SIMULATE ?? "{}"),
};
const FAIRNESS_JOBS = 200;
const SEED = Number(process.env.SIMULATE_SEED ?? 7);
/** Prints a limit only if the load uses at least this share of it. */
const MENTIONED_USE = 0.01;

const KINDS = [
  toKind("scrape, sync", {}),
  toKind("scrape, async", { asynchronous: true }),
  toKind("scrape, async, webhook", { asynchronous: true, pushed: true }),
  toKind("scrape, rendered, sync", { rendered: true }),
];

/** The enterprise plan has unlimited credits in this simulation. */
const PLANS = {
  free: toPlan("free", Number(bindings.CREDITS_FREE)),
  pro: toPlan("pro", Number(bindings.CREDITS_PRO)),
  business: toPlan("business", Number(bindings.CREDITS_BUSINESS)),
  enterprise: toPlan("enterprise", Number.POSITIVE_INFINITY),
};

const many = { accounts: 10_000, perSecond: 1, keys: 1 };
const one = { accounts: 1, perSecond: 1_000, keys: 100 };
const byKind = (load: Omit<Scenario, "plan" | "kind">) =>
  Object.fromEntries(KINDS.map((kind) => [kind.name, { ...load, plan: PLANS.enterprise, kind }]));
const byPlan = Object.values(PLANS).map((plan) => [plan.name, { ...many, plan, kind: toKind("scrape, sync", {}) }]);

console.log(
  "Jobs per second that each limit allows. In brackets: the load as a share of the limit (above 1: exceeded).",
);
printLimits("10,000 accounts (enterprise) with 1 job per second each", byKind(many));
printLimits("One account (enterprise, 100 keys) with 1,000 jobs per second", byKind(one));
printLimits("10,000 accounts with 1 synchronous scrape per second each, by plan", Object.fromEntries(byPlan));
printFairness();
printCosts(measured.jobs);

function toPlan(name: PlanName, monthlyCredits: number): Plan {
  return { name, ...PLAN_LIMITS[name], monthlyCredits };
}

function toKind(name: string, traits: Partial<Pick<JobKind, "asynchronous" | "pushed" | "rendered">>): JobKind {
  const counts = measured.jobs.find(({ kind }) => kind === name);
  if (counts === undefined) throw new Error(`measured.json has no counts for '${name}'. Run npm run lab -- count.`);
  const none = { asynchronous: false, pushed: false, rendered: false };
  return { name, accountCalls: counts.accountCalls, ...none, ...traits };
}

function printLimits(title: string, scenarios: Record<string, Scenario>): void {
  const rows: Record<string, Record<string, string>> = {};
  for (const [column, scenario] of Object.entries(scenarios)) {
    for (const { name, per, allows, use } of toLimits(scenario, measured.object, ASSUMED)) {
      if (use < MENTIONED_USE) continue;
      const row = rows[`${name}, per ${per}`] ?? {};
      row[column] = `${round(allows)} (${round(use)})`;
      rows[`${name}, per ${per}`] = row;
    }
  }
  console.log(`\n${title}`);
  console.table(rows);
}

function printFairness(): void {
  const model = { jobMs: ASSUMED.pageMs, slots: measured.fairness.slotsOfA, jobs: FAIRNESS_JOBS, seed: SEED };
  const deployments = [
    { name: "local runtime", consumers: 1, busyAccounts: 1 },
    ...[1, 50, 100, 200, 400].map((busyAccounts) => ({
      name: `${PLATFORM.consumers} consumers`,
      consumers: PLATFORM.consumers,
      busyAccounts,
    })),
  ];
  console.log(
    `\nAccount B sends one job at a time, while other accounts (free, ${model.slots} concurrent jobs) have long queues`,
  );
  console.table(
    deployments.map(({ name, consumers, busyAccounts }) => {
      const outcome = simulateFairness({ ...model, consumers, busyAccounts, batch: ASSUMED.jobsBatch });
      return {
        deployment: name,
        "busy accounts": busyAccounts,
        "most jobs ahead of B": outcome.mostJobsAhead,
        "mean wait ms": Math.round(outcome.meanWaitMs),
        "longest wait ms": Math.round(outcome.mostWaitMs),
      };
    }),
  );
}
