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

interface Pair {
  ours: () => Promise<unknown>;
  floor: () => Promise<unknown>;
}

/** Milliseconds of each, the two in turn, so that a machine whose speed drifts moves both. */
export async function timeInTurn({ ours, floor }: Pair, rounds = ROUNDS, warmUp = WARM_UP) {
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let round = -warmUp; round < rounds; round++) {
    const [a, b] = [await time(ours), await time(floor)];
    if (round < 0) continue;
    times.ours.push(a);
    times.floor.push(b);
  }
  return times;
}

export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How long each of `count` calls took (ms), made over this many connections, and the whole (s). */
export async function load(
  call: () => Promise<unknown>,
  { count, connections }: { count: number; connections: number },
) {
  const times: number[] = [];
  let left = count;
  const start = performance.now();
  const connection = async () => {
    while (left-- > 0) times.push(await time(call));
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { times, seconds: (performance.now() - start) / 1_000 };
}

/** Calls a second of each: slices of load in turn, each slice begun by the other than the last. */
export async function rateInTurn(pair: Pair, options: { slices: number; count: number; connections: number }) {
  const sums = { ours: { times: [] as number[], seconds: 0 }, floor: { times: [] as number[], seconds: 0 } };
  for (let slice = -1; slice < options.slices; slice++) {
    for (const side of slice % 2 === 0 ? (["ours", "floor"] as const) : (["floor", "ours"] as const)) {
      const { times, seconds } = await load(pair[side], options);
      // The first is to warm up.
      if (slice < 0) continue;
      sums[side].times.push(...times);
      sums[side].seconds += seconds;
    }
  }
  const toRate = ({ times, seconds }: { times: number[]; seconds: number }) => ({
    times,
    rate: times.length / seconds,
  });
  return { ours: toRate(sums.ours), floor: toRate(sums.floor) };
}

export function p50(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function p99(values: readonly number[]): number {
  return percentile(values, 0.99);
}
