import { mean } from "../figures.ts";
import type { JobCounts } from "./measured.ts";
import { type Load, type Outcome, simulate } from "./model.ts";
import { observe } from "./observe.ts";
import type { SlowService } from "./slow-service.ts";

/** Of the model, with the arrivals that the service had: what is left to chance is how long each page takes. */
const RUNS = 20;

/** One load, as it went in the model and in the service. */
export interface Pair {
  offered: number;
  /** Of the model's stations. */
  uses: Outcome["utilisation"];
  /** The share of one processor that the local runtime took. */
  processor: number;
  /** What each call to the database took there beside the time that is assumed, ms. */
  ownMs: number[];
  /** Jobs a second that were finished; the model's of each of its runs. */
  throughput: { modelled: number[]; measured: number };
  /** ms */
  p50: { modelled: number[]; measured: number };
}

interface Chance {
  mode: JobCounts["mode"];
  /** When each job comes, ms. */
  arrivals: number[];
  seed: number;
}

export async function toPair(
  service: SlowService,
  model: Pick<Load, "stations" | "routes">,
  { mode, arrivals, seed }: Chance,
): Promise<Pair> {
  const outcomes = Array.from({ length: RUNS }, (_, run) => simulate({ ...model, arrivals, seed: seed + run }));
  const stations = Object.keys(outcomes[0]?.utilisation ?? {});
  const { jobs, processor, ownMs } = await service.load(mode, arrivals);
  const seen = observe(jobs);
  return {
    offered: seen.offered,
    uses: Object.fromEntries(
      stations.map((station) => [station, mean(outcomes.map(({ utilisation }) => utilisation[station] ?? 0))]),
    ),
    processor,
    ownMs,
    throughput: { modelled: outcomes.map(({ throughput }) => throughput), measured: seen.throughput },
    p50: { modelled: outcomes.map(({ p50 }) => p50), measured: seen.p50 },
  };
}
