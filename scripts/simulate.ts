// `npm run simulate`: where one deployment saturates, and what a million jobs cost. From the counts of `npm run count`
// (simulate/measured.json) and what is assumed beside them (simulate/assumed.json); nothing is measured here, and the same
// seed gives the same tables. SIMULATE='{"renderMs": 4000}' replaces assumptions, SIMULATE_SEED the seed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sum } from "./figures.ts";
import { toArrivals } from "./simulate/arrivals.ts";
import { type Assumed, type Mix, toLoad } from "./simulate/deployment.ts";
import type { Measured } from "./simulate/measured.ts";
import { capacity, type Load, type Outcome, simulate } from "./simulate/model.ts";
import { toCost, toUse } from "./simulate/prices.ts";

const SEED = Number(process.env.SIMULATE_SEED ?? 7);
/** A run goes on for so long, between so many jobs and so many. */
const RUN_SECONDS = 10;
const JOBS_LEAST = 10_000;
const JOBS_MOST = 20_000;
const LOADS = [0.5, 0.8, 0.95, 1.1, 1.5];
/** It keeps up with a load in which no line grows by more of those who come, and no station works for more of the time. */
const MOST_GROWTH = 0.02;
const MOST_USE = 0.99;
const HALVINGS = 5;

const folder = join(import.meta.dirname, "simulate");
const measured: Measured = JSON.parse(readFileSync(join(folder, "measured.json"), "utf8"));
const assumed: Assumed = {
  ...JSON.parse(readFileSync(join(folder, "assumed.json"), "utf8")),
  ...JSON.parse(process.env.SIMULATE ?? "{}"),
};

const MIXES: Record<string, Mix> = {
  "plain scrapes, sync": { "scrape, plain, sync": 1 },
  "plain scrapes, async, webhook": { "scrape, plain, async, webhook": 1 },
  "rendered scrapes, async, webhook": { "scrape, rendered, async, webhook": 1 },
  "a mix, 1 in 20 rendered": {
    "scrape, plain, sync": 55,
    "scrape, plain, async, webhook": 25,
    "parse, async, webhook": 10,
    "serp, plain (Bing), sync": 5,
    "scrape, rendered, sync": 3,
    "scrape, rendered, async, webhook": 2,
  },
};

const CHANGES: Record<string, Partial<Assumed>> = {
  "as it is": {},
  "2 x browsers": { browsers: assumed.browsers * 2 },
  "2 x browsers and consumers of renders": {
    browsers: assumed.browsers * 2,
    rendersConsumers: assumed.rendersConsumers * 2,
  },
  "consumers of renders that take one at a time, twice as many": {
    rendersConsumers: assumed.rendersConsumers * assumed.rendersBatch,
    rendersBatch: 1,
  },
  "D1 on 2 shards": { d1Shards: 2 },
  "D1 on 4 shards": { d1Shards: 4 },
};

for (const [name, mix] of Object.entries(MIXES)) printLoads(name, mix);
printChanges();
printDatabaseTimes();
printCosts();

/** Offered load against what comes out, and where it is busiest. */
function printLoads(name: string, mix: Mix): void {
  const load = toLoad(measured, assumed, mix);
  const limit = capacity(load);
  const rows = LOADS.map((share) => {
    return toRow(run(load, limit.perSecond * share));
  });
  console.log(`\n${name}: by the means alone ${round(limit.perSecond)} jobs a second, at ${limit.at}`);
  console.table(rows);
}

function run(load: Pick<Load, "stations" | "routes">, perSecond: number): Outcome {
  const jobs = Math.round(Math.min(JOBS_MOST, Math.max(JOBS_LEAST, perSecond * RUN_SECONDS)));
  return simulate({ ...load, arrivals: toArrivals({ perSecond, jobs, seed: SEED }), seed: SEED + 1 });
}

function toRow({ offered, throughput, p50, p99, busiest, utilisation }: Outcome) {
  return {
    "offered/s": round(offered),
    "finished/s": round(throughput),
    "p50 ms": Math.round(p50),
    "p99 ms": Math.round(p99),
    busiest,
    "its use": round(utilisation[busiest] ?? 0),
  };
}

function printChanges(): void {
  const rows = Object.entries(CHANGES).map(([change, changed]) => [
    change,
    Object.fromEntries(
      Object.entries(MIXES).map(([name, mix]) => {
        const { perSecond, at } = saturation(toLoad(measured, { ...assumed, ...changed }, mix));
        return [name, `${round(perSecond)} (${at})`];
      }),
    ),
  ]);
  console.log("\nThe most that it keeps up with, jobs a second, and what is busiest then");
  console.table(Object.fromEntries(rows));
}

/** D1's own time on the platform is the one that can't be measured here. */
function printDatabaseTimes(): void {
  const rows = [1, 2, 3, 5, 10].map((d1WriteMs) => {
    const limits = Object.entries(MIXES).map(([name, mix]) => {
      const { perSecond, at } = capacity(toLoad(measured, { ...assumed, d1WriteMs }, mix));
      return [name, `${round(perSecond)} (${at})`];
    });
    return { "ms a write": d1WriteMs, ...Object.fromEntries(limits) };
  });
  console.log("\nBy the means alone, for other times of one write to D1, jobs a second");
  console.table(rows);
}

/** The largest load that it keeps up with. */
function saturation(load: Pick<Load, "stations" | "routes">): { perSecond: number; at: string } {
  let low = 0;
  let high = capacity(load).perSecond * 1.1;
  let at = "";
  for (let i = 0; i < HALVINGS; i++) {
    const perSecond = (low + high) / 2;
    const outcome = run(load, perSecond);
    if (keepsUp(load, outcome)) {
      low = perSecond;
      at = outcome.busiest;
    } else high = perSecond;
  }
  return { perSecond: low, at };
}

function keepsUp({ stations }: Pick<Load, "stations">, { growth, utilisation }: Outcome): boolean {
  // All consumers of a queue are at work long before each of them has a whole batch.
  const single = Object.entries(stations).filter(([, { batch = 1 }]) => batch === 1);
  return growth <= MOST_GROWTH && single.every(([name]) => (utilisation[name] ?? 0) <= MOST_USE);
}

function printCosts(): void {
  const alone = assumed.renderMs / 1_000;
  const shared = alone / assumed.rendersPerBrowser;
  const rows = measured.jobs.map((job) => {
    const cost = toCost(toUse(job, { browserSeconds: shared, receiverMs: assumed.receiverMs }));
    const lonely = toCost(toUse(job, { browserSeconds: alone, receiverMs: assumed.receiverMs }));
    const total = sum(Object.values(cost));
    return {
      job: `${job.kind}, ${job.mode}`,
      Worker: round(cost.workerRequests + cost.workerCpuMs),
      D1: round(cost.d1RowsRead + cost.d1RowsWritten),
      objects: round(cost.objectRequests + cost.objectGbSeconds + cost.objectRowsRead + cost.objectRowsWritten),
      queues: round(cost.queueOperations),
      R2: round(cost.r2Writes + cost.r2Reads),
      browsers: round(cost.browserSeconds),
      total: round(total),
      "browser alone": total === sum(Object.values(lonely)) ? "" : round(sum(Object.values(lonely))),
    };
  });
  console.log("\nDollars a million jobs, beyond what the plan includes; a model's own price and proxies apart");
  console.table(rows);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
