import { percentile } from "../figures.ts";
import { type Outcome, WARM_UP_SHARE } from "./model.ts";

/** What became of one job. Times are Unix ms. */
export interface Seen {
  cameAt: number;
  /** Whoever asked had what it waited for. */
  answeredAt: number;
  /** Nothing more was done for it. */
  finishedAt: number;
}

/** The figures of the model's outcome, from jobs that were: the same window, the same ones left out. */
export function observe(jobs: Seen[]): Pick<Outcome, "offered" | "throughput" | "p50"> {
  const inOrder = jobs.toSorted((a, b) => a.cameAt - b.cameAt);
  const measured = inOrder.slice(Math.floor(jobs.length * WARM_UP_SHARE));
  const begin = measured[0]?.cameAt ?? 0;
  const end = measured.at(-1)?.cameAt ?? 0;
  const perSecond = (count: number) => (count * 1_000) / (end - begin);
  return {
    offered: perSecond(measured.length),
    throughput: perSecond(jobs.filter(({ finishedAt }) => finishedAt > begin && finishedAt <= end).length),
    p50: percentile(
      measured.filter(({ answeredAt }) => answeredAt <= end).map(({ cameAt, answeredAt }) => answeredAt - cameAt),
      0.5,
    ),
  };
}
