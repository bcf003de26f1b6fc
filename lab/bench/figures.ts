import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../figures.ts";
import { type CpuTimes, medianOf, perCall, readCpuTimes } from "./cpu.ts";
import { chooseCount } from "./selection.ts";

/** One row of the report. Lower times and higher rates are better. */
export interface Figure {
  what: string;
  unit: "ms" | "/s" | "KB" | "MB" | "modules";
  ours: number;
  /** The value of a minimal implementation in the same run. Null if there is none. */
  floor: number | null;
  goal?: { text: string; met: boolean };
  /** Additional values by name. */
  more?: Record<string, number>;
}

export const ROUNDS = chooseCount("BENCH_ROUNDS", { short: 15, full: 60 });
export const WARM_UP = 8;
/** The wait after a slice until its CPU time is read. */
const SETTLE_MS = 300;

type Call = () => Promise<unknown>;

/**
 * Measures the time (ms) of each side. Each round calls every side once. A change of the machine's speed therefore
 * affects all sides equally.
 */
export async function timeInTurn<Name extends string>(
  sides: Record<Name, Call>,
  rounds = ROUNDS,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const times = toRecord(names, (): number[] => []);
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const ms = await time(sides[name]);
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Makes `count` calls over several connections. Returns the time of each call (ms) and the total time (s). */
export async function load(call: Call, { count, connections }: { count: number; connections: number }) {
  const times: number[] = [];
  let left = count;
  const start = performance.now();
  const connection = async () => {
    while (left-- > 0) times.push(await time(call));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { times, seconds: (performance.now() - start) / 1_000 };
}

interface Rate {
  times: number[];
  /** The calls per second. */
  rate: number;
  /** The CPU time (ms) per call, or null if the system isn't Linux. */
  cpu: CpuTimes | null;
}

/**
 * Measures the calls per second of each side. The sides run alternately in slices, and the order changes with each
 * slice. The CPU time includes the work that ends within SETTLE_MS after a slice, such as closing a tab.
 */
export async function rateInTurn<Name extends string>(
  sides: Record<Name, Call>,
  options: { slices: number; count: number; connections: number },
): Promise<Record<Name, Rate>> {
  const names = Object.keys(sides) as Name[];
  const sums = toRecord(names, () => ({ times: [] as number[], seconds: 0, cpu: [] as CpuTimes[] }));
  for (let slice = -1; slice < options.slices; slice++) {
    for (const name of slice % 2 === 0 ? names : names.toReversed()) {
      const before = readCpuTimes();
      const { times, seconds } = await load(sides[name], options);
      await sleep(SETTLE_MS);
      const after = readCpuTimes();
      // Slice -1 is the warm-up, so its calls aren't counted.
      if (slice < 0) continue;
      sums[name].times.push(...times);
      sums[name].seconds += seconds;
      if (before !== null && after !== null) sums[name].cpu.push(perCall(before, after, times.length));
    }
  }
  return toRecord(names, (name) => {
    const { times, seconds, cpu } = sums[name];
    return { times, rate: times.length / seconds, cpu: cpu.length === 0 ? null : medianOf(cpu) };
  });
}

function toRecord<Name extends string, Value>(names: Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

export function p50(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function p95(values: readonly number[]): number {
  return percentile(values, 0.95);
}

export function p99(values: readonly number[]): number {
  return percentile(values, 0.99);
}
