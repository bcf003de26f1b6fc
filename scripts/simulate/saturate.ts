// `npm run saturate`: the model held against the service. The built Worker in the local runtime, with a database that does
// one call at a time and takes as long for it as is assumed, under open load; beside it the same load through the model. The
// database's times are large, so that what this machine takes is small beside them, and its processor isn't what saturates.
// SATURATE='{"pageMs": 50}' replaces assumptions; SATURATE_SECONDS is the length of each load, SATURATE_SEED its chance,
// SATURATE_ONLY=sync one case.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mean, median, percentile } from "../figures.ts";
import { toArrivals } from "./arrivals.ts";
import { type Assumed, toLoad } from "./deployment.ts";
import { type Local, openLocal } from "./local.ts";
import type { JobCounts, Measured } from "./measured.ts";
import { capacity } from "./model.ts";
import { type Pair, toPair } from "./pair.ts";
import { randomFrom } from "./random.ts";
import { startSlow } from "./slow-service.ts";

const SECONDS = Number(process.env.SATURATE_SECONDS ?? 18);
const SEED = Number(process.env.SATURATE_SEED ?? 7);
const ONLY = process.env.SATURATE_ONLY;
/** Of what the model carries by its means. */
const SHARES = [0.6, 0.9, 1.2];
/** Of the jobs a second: further from the model's, and one of the two is wrong. */
const MOST_ERROR = 0.1;
/** Of one processor: above this it may be what saturates. */
const MOST_PROCESSOR = 0.7;

const measured: Measured = JSON.parse(readFileSync(join(import.meta.dirname, "measured.json"), "utf8"));
const assumed: Assumed = {
  ...JSON.parse(readFileSync(join(import.meta.dirname, "assumed.json"), "utf8")),
  d1ReadMs: 4,
  d1WriteMs: 20,
  pageMs: 100,
  receiverMs: 0,
  // As it is here: one key, and a runtime that hands out one batch of a queue at a time.
  keys: 1,
  queueMs: 1,
  jobsConsumers: 1,
  ...JSON.parse(process.env.SATURATE ?? "{}"),
};

interface Case {
  name: string;
  mode: JobCounts["mode"];
  jobsBatch: number;
}

/** With batches as wrangler.toml has them, it is the one consumer that ends it; with larger ones, the database. */
const CASES: Case[] = [
  { name: "sync", mode: "sync", jobsBatch: assumed.jobsBatch },
  { name: "async", mode: "async", jobsBatch: assumed.jobsBatch },
  { name: "async, webhook", mode: "async, webhook", jobsBatch: assumed.jobsBatch },
  { name: "async, webhook, 12 to a batch", mode: "async, webhook", jobsBatch: 12 },
];

const chosen = CASES.filter(({ name }) => ONLY === undefined || name === ONLY);
if (chosen.length === 0) throw new Error(`SATURATE_ONLY is one of: ${CASES.map(({ name }) => name).join("; ")}.`);
const local = await openLocal();
const pairs: [Case, Pair[]][] = [];
try {
  for (const each of chosen) pairs.push([each, await holdAgainst(local, each)]);
} finally {
  await local.close();
}
print();
process.exit(0);

/** The loads of one case, through the service and through the model. */
async function holdAgainst(room: Local, { name, mode, jobsBatch }: Case): Promise<Pair[]> {
  const times = { ...assumed, jobsBatch };
  const model = toLoad(measured, times, { [`scrape, plain, ${mode}`]: 1 });
  const service = await startSlow(room, times, randomFrom(SEED + 1));
  try {
    const all: Pair[] = [];
    for (const share of SHARES) {
      console.error(`${name}, ${share} of what it carries by its means …`);
      const perSecond = capacity(model).perSecond * share;
      const arrivals = toArrivals({ perSecond, jobs: Math.round(perSecond * SECONDS), seed: SEED });
      all.push(await toPair(service, model, { mode, arrivals, seed: SEED + 2 }));
    }
    return all;
  } finally {
    await service.stop();
  }
}

function print(): void {
  console.table(
    pairs.flatMap(([{ name }, all]) =>
      all.map(({ offered, uses, processor, ownMs, throughput, p50 }) => ({
        "plain scrapes": name,
        "offered/s": round(offered),
        "finished/s, modelled": round(mean(throughput.modelled)),
        measured: round(throughput.measured),
        "error %": toPercent(throughput.measured / mean(throughput.modelled) - 1),
        "p50 ms, modelled": Math.round(median(p50.modelled)),
        between: `${Math.round(Math.min(...p50.modelled))} and ${Math.round(Math.max(...p50.modelled))}`,
        "p50 ms, measured": Math.round(p50.measured),
        "D1's use": round(uses["D1 1"] ?? 0),
        "the consumer's": round(uses["consumers of jobs"] ?? 0),
        "processor %": toPercent(processor),
        "own ms of a call, p50, p99": `${median(ownMs)}, ${percentile(ownMs, 0.99)}`,
      })),
    ),
  );
  console.log("\nThe most that was finished, jobs a second");
  console.table(
    pairs.map(([{ name, mode, jobsBatch }, all]) => {
      const { perSecond, at } = capacity(
        toLoad(measured, { ...assumed, jobsBatch }, { [`scrape, plain, ${mode}`]: 1 }),
      );
      const modelled = Math.max(...all.map(({ throughput }) => mean(throughput.modelled)));
      const found = Math.max(...all.map(({ throughput }) => throughput.measured));
      return {
        "plain scrapes": name,
        "by the means alone": `${round(perSecond)} (${at})`,
        modelled: round(modelled),
        measured: round(found),
        "error %": toPercent(found / modelled - 1),
      };
    }),
  );
  const all = pairs.flatMap(([, each]) => each);
  if (all.some(({ processor }) => processor > MOST_PROCESSOR)) {
    console.log("The processor was busy for more than 70 % of a load: it may be what was measured.");
  }
  if (all.some(({ ownMs }) => mean(ownMs) > assumed.d1WriteMs / 2)) {
    console.log(
      "Something else held this machine up: its own part of a call is half a write's time. Not to be relied on.",
    );
  }
  if (all.some(({ throughput }) => isOff(throughput))) {
    console.log(
      "More than 10 % from the model's jobs a second, and outside its runs: on a quiet machine, the model is wrong.",
    );
  }
}

/** Chance alone may take a short load further than that, but not out of what the model has seen. */
function isOff({ modelled, measured: found }: Pair["throughput"]): boolean {
  const isOutside = found < Math.min(...modelled) || found > Math.max(...modelled);
  return isOutside && Math.abs(found / mean(modelled) - 1) > MOST_ERROR;
}

function toPercent(share: number): number {
  return Math.round(share * 1_000) / 10;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
