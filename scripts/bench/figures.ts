import { percentile } from "../figures.ts";

/** One line of the report. A figure of time is better when it is small, a rate when it is large. */
export interface Figure {
  what: string;
  unit: "ms" | "/s" | "KB" | "MB" | "modules";
  ours: number;
  /** The same without all that is ours; null: there is no such thing. */
  floor: number | null;
  goal?: { text: string; met: boolean };
  /** What else is worth knowing, by name. */
  more?: Record<string, number>;
}

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
export const WARM_UP = 8;

type Call = () => Promise<unknown>;

/**
 * Milliseconds of each side, one after the other in each round, so that a machine whose speed drifts slows all of them.
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

/** How long each of `count` calls took (ms), made over this many connections, and the whole (s). */
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

/** Calls a second of each side: slices of load in turn. The sides take turns in beginning. */
export async function rateInTurn<Name extends string>(
  sides: Record<Name, Call>,
  options: { slices: number; count: number; connections: number },
): Promise<Record<Name, { times: number[]; rate: number }>> {
  const names = Object.keys(sides) as Name[];
  const sums = toRecord(names, () => ({ times: [] as number[], seconds: 0 }));
  for (let slice = -1; slice < options.slices; slice++) {
    for (const name of slice % 2 === 0 ? names : names.toReversed()) {
      const { times, seconds } = await load(sides[name], options);
      // The first is to warm up.
      if (slice < 0) continue;
      sums[name].times.push(...times);
      sums[name].seconds += seconds;
    }
  }
  return toRecord(names, (name) => ({ times: sums[name].times, rate: sums[name].times.length / sums[name].seconds }));
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
