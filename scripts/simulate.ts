// `npm run simulate`: which limits a load reaches, and whether a busy account delays another one. Works from the figures of
// `npm run count` and `npm run saturate` (simulate/measured.json) and from assumptions. It measures nothing.
// SIMULATE='{"pageMs": 2000}' replaces assumptions.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importBundled } from "./bundle.ts";
import { round } from "./figures.ts";
import { productOptions } from "./local-runtime.ts";
import { simulateFairness } from "./simulate/fairness.ts";
import {
  type Assumed,
  type JobKind,
  type Limit,
  PLATFORM,
  type Plan,
  type Scenario,
  toLimits,
} from "./simulate/limits.ts";
import type { Measured } from "./simulate/measured.ts";

const PROJECT = join(import.meta.dirname, "..");
const measured: Measured = JSON.parse(readFileSync(join(PROJECT, "scripts", "simulate", "measured.json"), "utf8"));
const { PLAN_LIMITS } = await importBundled<{
  PLAN_LIMITS: Record<"enterprise", Omit<Plan, "name" | "monthlyCredits">>;
}>(join(PROJECT, "src", "model", "plan.ts"), join(PROJECT, ".cache", "plan.mjs"));
/** With credits that don't end. */
const ENTERPRISE: Plan = { name: "enterprise", ...PLAN_LIMITS.enterprise, monthlyCredits: Number.POSITIVE_INFINITY };
const { bindings, queueConsumers } = productOptions({});
const consumers = queueConsumers as Record<string, { maxBatchSize: number }>;
const ASSUMED: Assumed = {
  pageMs: 500,
  renderMs: 2_000,
  receiverMs: 200,
  browsers: Number(bindings.BROWSERS),
  rendersPerBrowser: Number(bindings.RENDERS_PER_BROWSER),
  jobsBatch: consumers.jobs?.maxBatchSize ?? 1,
  rendersBatch: consumers.renders?.maxBatchSize ?? 1,
  // `max_concurrency` in wrangler.toml, which the local runtime ignores.
  rendersConsumers: 3,
  archiveBytes: Number(bindings.ACCOUNT_ARCHIVE_BYTES),
  daysKept: 400,
  ...JSON.parse(process.env.SIMULATE ?? "{}"),
};
const FAIRNESS_JOBS = 200;
const SEED = Number(process.env.SIMULATE_SEED ?? 7);
/** Limits that a load uses by less than this share aren't printed. */
const MENTIONED_USE = 0.01;

const KINDS = [
  toKind("scrape, sync", {}),
  toKind("scrape, async", { asynchronous: true }),
  toKind("scrape, async, webhook", { asynchronous: true, pushed: true }),
  toKind("scrape, rendered, sync", { rendered: true }),
];

for (const kind of KINDS) {
  printLimits({ accounts: 10_000, perSecond: 1, plan: ENTERPRISE, keys: 1, kind });
}
for (const kind of KINDS) {
  printLimits({ accounts: 1, perSecond: 1_000, plan: ENTERPRISE, keys: 100, kind });
}
printFairness();

function toKind(name: string, traits: Partial<Pick<JobKind, "asynchronous" | "pushed" | "rendered">>): JobKind {
  const counts = measured.jobs.find(({ kind }) => kind === name);
  if (counts === undefined) throw new Error(`Nothing was counted for '${name}'. Run npm run count.`);
  const none = { asynchronous: false, pushed: false, rendered: false };
  return { name, accountCalls: counts.accountCalls, messages: 1, ...none, ...traits };
}

function printLimits(scenario: Scenario): void {
  const { accounts, perSecond, plan, keys, kind } = scenario;
  const limits = toLimits(scenario, measured, ASSUMED);
  const who = `${accounts} ${accounts === 1 ? "account" : "accounts"} (${plan.name}, ${keys} keys each)`;
  console.log(`\n${who} at ${perSecond} a second each: ${kind.name}`);
  console.table(limits.filter(({ use }) => use >= MENTIONED_USE).map(toRow));
}

function toRow({ name, per, allows, use }: Limit) {
  return { limit: name, "jobs/s that it allows": round(allows), per, use: round(use), reached: use > 1 ? "yes" : "" };
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
    `\nAccount B sends one job at a time, while other accounts (free, ${model.slots} at once) have long queues`,
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
