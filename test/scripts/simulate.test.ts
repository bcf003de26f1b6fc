import { describe, expect, it } from "vitest";
import { toArrivals } from "../../scripts/simulate/arrivals";
import { capacity, type Load, type Outcome, type Route, type Step, simulate } from "../../scripts/simulate/model";

const LONG = 60_000;
/** Near its limit a mean needs more of them. */
const LONGER = 200_000;

interface Come {
  perSecond: number;
  jobs?: number;
  seed?: number;
  stations?: Load["stations"];
}

/** One station, one kind of job. */
function run(route: Route, { perSecond, jobs = LONG, seed = 1, stations }: Come): Outcome {
  return simulate({
    stations: stations ?? { desk: { servers: 1 }, outside: { servers: Number.POSITIVE_INFINITY } },
    routes: [{ share: 1, route }],
    arrivals: toArrivals({ perSecond, jobs, seed }),
    seed: seed + 1,
  });
}

/** Served for 10 ms in the mean, then answered. */
function served(more: Partial<Extract<Step, { at: string }>> = {}): Route {
  return () => [{ at: "desk", ms: 10, ...more }, { answered: true }];
}

describe("one server, with jobs that come by chance", () => {
  // M/M/1: the mean time inside is 1 / (μ - λ); M/D/1: the wait is ρ / (2μ(1 - ρ)).
  it.each([
    { perSecond: 30, ms: 1_000 / (100 - 30) },
    { perSecond: 50, ms: 1_000 / (100 - 50) },
    { perSecond: 80, ms: 1_000 / (100 - 80) },
  ])(
    "keeps them for $ms ms in the mean when $perSecond a second come and times are exponential",
    ({ perSecond, ms }) => {
      const { mean, p50, p99, utilisation, throughput } = run(served({ spread: true }), { perSecond, jobs: LONGER });
      expect(Math.abs(mean / ms - 1)).toBeLessThan(0.05);
      // The time inside is exponentially distributed itself.
      expect(Math.abs(p50 / (ms * Math.log(2)) - 1)).toBeLessThan(0.05);
      expect(Math.abs(p99 / (ms * Math.log(100)) - 1)).toBeLessThan(0.1);
      expect(utilisation.desk).toBeCloseTo(perSecond / 100, 1);
      expect(Math.abs(throughput / perSecond - 1)).toBeLessThan(0.02);
    },
  );

  it.each([0.3, 0.5, 0.8])("keeps them for less when all take the same time, at a use of %s", (use) => {
    const { mean } = run(served(), { perSecond: use * 100 });
    const ms = 10 + (use * 10) / (2 * (1 - use));
    expect(Math.abs(mean / ms - 1)).toBeLessThan(0.05);
  });

  it("finishes no more than it can when more come, and is always at work", () => {
    const { throughput, utilisation, busiest, inside } = run(served(), { perSecond: 150 });
    expect(throughput).toBeCloseTo(100, 0);
    expect(utilisation.desk).toBeCloseTo(1, 5);
    expect(busiest).toBe("desk");
    // A third of what came stands in line.
    expect(inside / LONG).toBeCloseTo(1 / 3, 1);
  });
});

describe("more servers", () => {
  it("keep jobs as Erlang's formula says", () => {
    const stations = { desk: { servers: 4 } };
    const { mean } = run(served({ spread: true }), { perSecond: 320, stations });
    // M/M/4 at a use of 0.8: the chance to wait is 0.5964, the wait then 1 / (4μ - λ).
    expect(Math.abs(mean / (10 + 0.5964 * (1_000 / 80)) - 1)).toBeLessThan(0.07);
  });

  it("never make anybody wait when there is no end of them", () => {
    const route: Route = () => [{ at: "outside", ms: 10 }, { answered: true }];
    const { p50, p99 } = run(route, { perSecond: 5_000 });
    expect([p50, p99].map(Math.round)).toEqual([10, 10]);
  });
});

describe("a queue's consumers", () => {
  const stations = { consumers: { servers: 2, batch: 3 }, outside: { servers: Number.POSITIVE_INFINITY } };
  const route = (spread: boolean): Route => {
    return () => [{ hold: "consumers", steps: [{ at: "outside", ms: 100, spread }] }, { answered: true }];
  };

  it("take as many at a time as their batches hold", () => {
    const { throughput } = run(route(false), { perSecond: 200, stations });
    expect(throughput).toBeCloseTo((2 * 3 * 1_000) / 100, 0);
  });

  it("wait for the slowest of a batch", () => {
    const { throughput } = run(route(true), { perSecond: 200, stations });
    // The longest of three exponential times is 1 + 1/2 + 1/3 of their mean.
    expect(Math.abs(throughput / (60 / (1 + 1 / 2 + 1 / 3)) - 1)).toBeLessThan(0.03);
  });
});

it("counts what is done after the answer as work, not as latency", () => {
  const route: Route = () => [{ answered: true }, { at: "desk", ms: 10 }];
  const { p99, utilisation } = run(route, { perSecond: 50 });
  expect(p99).toBe(0);
  expect(utilisation.desk).toBeCloseTo(0.5, 1);
});

it.each([0.5, 1.5])("loses no job and makes none, at a use of %s", (use) => {
  const { arrived, finished, inside } = run(served({ spread: true }), { perSecond: use * 100, jobs: 5_000 });
  expect(arrived).toBe(5_000);
  expect(finished + inside).toBe(arrived);
  expect(finished).toBeGreaterThan(0);
});

it("gives the same for the same seed, and something else for another", () => {
  const first = run(served({ spread: true }), { perSecond: 80, jobs: 2_000, seed: 3 });
  expect(run(served({ spread: true }), { perSecond: 80, jobs: 2_000, seed: 3 })).toEqual(first);
  expect(run(served({ spread: true }), { perSecond: 80, jobs: 2_000, seed: 4 })).not.toEqual(first);
});

it("knows from the means which station ends it", () => {
  const stations = { quick: { servers: 1 }, slow: { servers: 4 }, consumers: { servers: 1, batch: 2 } };
  const routes: Load["routes"] = [
    { share: 0.5, route: () => [{ at: "quick", ms: 2 }] },
    { share: 0.5, route: () => [{ hold: "consumers", steps: [{ at: "slow", ms: 40 }] }] },
  ];
  // quick: 1000 / (0.5 * 2); slow: 4000 / (0.5 * 40); consumers: 2000 / (0.5 * 40).
  expect(capacity({ stations, routes })).toEqual({ perSecond: expect.closeTo(100, 5), at: "consumers" });
});
