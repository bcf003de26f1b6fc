import { mean, percentile } from "../figures.ts";
import { exponential, randomFrom } from "./random.ts";
import { Station, type StationSpec } from "./station.ts";
import { Timeline } from "./timeline.ts";

/** What a job does next. Times are ms. */
export type Step =
  /** Is served at a station, in its turn. `spread`: the time is exponentially distributed around `ms`. */
  | { at: string; ms: number; spread?: boolean }
  /** Holds a place of a station while it goes through the steps, such as a consumer's. */
  | { hold: string; steps: Step[] }
  /** Its caller has what it waited for: what comes after is nobody's latency. */
  | { answered: true };

/** The steps of one job: drawn for each, and not changed. */
export type Route = (random: () => number) => Step[];

export interface Load {
  stations: Record<string, StationSpec>;
  routes: { share: number; route: Route }[];
  /** When each job comes, ms, in order; the first fifth of them warms up, and isn't measured. */
  arrivals: readonly number[];
  /** Of what happens to them. */
  seed: number;
}

export interface Outcome {
  arrived: number;
  finished: number;
  /** Not finished when the last one came. */
  inside: number;
  /** Jobs a second that came after the warm-up: chance has its part in it. */
  offered: number;
  /** Jobs a second that were finished meanwhile. */
  throughput: number;
  /** Of the jobs that came after the warm-up and were answered, ms. */
  p50: number;
  p99: number;
  mean: number;
  /** The share of its servers' time in which they worked. */
  utilisation: Record<string, number>;
  busiest: string;
  /** Of those who came to it, the share by which the line of a station grew: that of the worst. */
  growth: number;
}

/** Of the jobs of a run, those that come first and aren't measured. */
export const WARM_UP_SHARE = 0.2;

/** Lets the jobs come, until the last one has. The same for the same seed. */
export function simulate({ stations: specs, routes, arrivals, seed }: Load): Outcome {
  const random = randomFrom(seed);
  const timeline = new Timeline();
  const stations = new Map(Object.entries(specs).map(([name, spec]) => [name, new Station(spec, timeline)]));
  const warmUp = Math.floor(arrivals.length * WARM_UP_SHARE);
  const begin = arrivals[warmUp] ?? 0;
  const end = arrivals.at(-1) ?? 0;
  const latencies: number[] = [];
  let arrived = 0;
  let finished = 0;
  let finishedBefore = 0;

  const enter = () => {
    arrived++;
    const cameAt = timeline.now;
    const onAnswered = () => {
      if (cameAt >= begin) latencies.push(timeline.now - cameAt);
    };
    const steps = choose(random, routes)(random);
    walk(steps, { timeline, stations, random, onAnswered }, () => {
      finished++;
    });
    const next = arrivals[arrived];
    if (next !== undefined) timeline.add(next, enter);
  };
  timeline.add(arrivals[0] ?? 0, enter);
  timeline.add(begin, () => {
    finishedBefore = finished;
    for (const station of stations.values()) station.reset();
  });
  while (timeline.step(end));

  const utilisation = Object.fromEntries(
    [...stations]
      .filter(([, { servers }]) => Number.isFinite(servers))
      .map(([name, { busyMs, servers }]) => [name, busyMs / servers / (end - begin)]),
  );
  const [busiest = ""] = Object.entries(utilisation).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return {
    arrived,
    finished,
    inside: arrived - finished,
    offered: ((arrivals.length - warmUp) * 1_000) / (end - begin),
    throughput: ((finished - finishedBefore) * 1_000) / (end - begin),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    mean: mean(latencies),
    utilisation,
    busiest,
    growth: Math.max(...[...stations.values()].map((station) => station.growth)),
  };
}

/** The jobs a second that saturate the first station, from the means alone, and its name. */
export function capacity({ stations, routes }: Pick<Load, "stations" | "routes">): { perSecond: number; at: string } {
  const random = randomFrom(1);
  const demands = new Map<string, number>();
  const DRAWS = 2_000;
  const add = (steps: Step[], share: number): number => {
    let held = 0;
    for (const step of steps) {
      if ("answered" in step) continue;
      const ms = "at" in step ? step.ms : add(step.steps, share);
      const name = "at" in step ? step.at : step.hold;
      demands.set(name, (demands.get(name) ?? 0) + ms * share);
      held += ms;
    }
    return held;
  };
  for (const { share, route } of routes) {
    for (let i = 0; i < DRAWS; i++) add(route(random), share / DRAWS);
  }
  const limits = [...demands].map(([name, ms]) => {
    const { servers, batch = 1 } = stations[name] ?? { servers: Number.POSITIVE_INFINITY };
    return { at: name, perSecond: (servers * batch * 1_000) / ms };
  });
  return limits.toSorted((a, b) => a.perSecond - b.perSecond)[0] ?? { perSecond: Number.POSITIVE_INFINITY, at: "" };
}

interface Walk {
  timeline: Timeline;
  stations: Map<string, Station>;
  random: () => number;
  onAnswered: () => void;
}

function walk(steps: Step[], context: Walk, done: () => void, from = 0): void {
  const step = steps[from];
  if (step === undefined) {
    done();
    return;
  }
  const goOn = () => walk(steps, context, done, from + 1);
  if ("answered" in step) {
    context.onAnswered();
    goOn();
    return;
  }
  const { timeline, stations, random } = context;
  const name = "at" in step ? step.at : step.hold;
  const station = stations.get(name);
  if (station === undefined) throw new Error(`There is no station ${name}.`);
  station.visit((leave) => {
    const leaveAndGoOn = () => {
      leave();
      goOn();
    };
    if ("hold" in step) walk(step.steps, context, leaveAndGoOn);
    else timeline.add(timeline.now + (step.spread ? exponential(random, step.ms) : step.ms), leaveAndGoOn);
  });
}

function choose(random: () => number, routes: Load["routes"]): Route {
  const total = routes.reduce((sum, { share }) => sum + share, 0);
  let left = random() * total;
  for (const { share, route } of routes) {
    left -= share;
    if (left < 0) return route;
  }
  throw new Error("There is no route.");
}
