import type { JobCounts, Measured } from "./measured.ts";
import type { Load, Route, Step } from "./model.ts";

/** What isn't counted here: the platform's and the world's times (ms), and how the deployment is set up. */
export interface Assumed {
  /** One call to D1, which does one at a time. */
  d1CallMs: number;
  /** One call to a key's gate, which does one at a time. */
  gateMs: number;
  /** From a queue's `send` to its consumer. */
  queueMs: number;
  /** To a Durable Object, D1 or R2 and back, beside the time there. */
  hopMs: number;
  pageMs: number;
  renderMs: number;
  modelMs: number;
  receiverMs: number;
  browsers: number;
  rendersPerBrowser: number;
  jobsConsumers: number;
  jobsBatch: number;
  rendersConsumers: number;
  rendersBatch: number;
  /** Among which the requests are spread evenly; each database has as many of them. */
  keys: number;
  d1Shards: number;
}

/** The stations of one deployment, as wrangler.toml has it. */
export function toStations(assumed: Assumed): Load["stations"] {
  const each = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name} ${i + 1}`, { servers: 1 }]));
  return {
    // Isolates, hops and the world outside grow with the load.
    outside: { servers: Number.POSITIVE_INFINITY },
    ...each("gate", assumed.keys),
    ...each("D1", assumed.d1Shards),
    "consumers of jobs": { servers: assumed.jobsConsumers, batch: assumed.jobsBatch },
    "consumers of renders": { servers: assumed.rendersConsumers, batch: assumed.rendersBatch },
    "browser places": { servers: assumed.browsers * assumed.rendersPerBrowser },
  };
}

/** The way of one job, with as many calls at each place as were counted. */
export function toRoute(counts: JobCounts, assumed: Assumed): Route {
  const byKey = Array.from({ length: assumed.keys }, (_, key) => toSteps(counts, assumed, key));
  return (random) => byKey[Math.floor(random() * assumed.keys)] ?? [];
}

function toSteps(counts: JobCounts, assumed: Assumed, key: number): Step[] {
  const { kind, mode, cpuMs } = counts;
  const { hopMs } = assumed;
  const renders = Object.keys(counts.objectMs).some((name) => name.startsWith("BrowserHost"));
  const wait = (ms: number, spread = false): Step => ({ at: "outside", ms, spread });
  const d1 = `D1 ${(key % assumed.d1Shards) + 1}`;
  const ask = (calls: number): Step[] =>
    Array.from({ length: Math.round(calls) }, () => [wait(hopMs), { at: d1, ms: assumed.d1CallMs }]).flat();
  const work: Step[] = [
    renders ? { hold: "browser places", steps: [wait(assumed.renderMs, true)] } : wait(assumed.pageMs, true),
    ...(kind === "parse" ? [wait(assumed.modelMs, true)] : []),
    wait(cpuMs),
    ...(counts.r2Writes > 0 ? [wait(hopMs)] : []),
  ];
  const admit: Step[] = [wait(hopMs), { at: `gate ${key + 1}`, ms: assumed.gateMs }];
  const { fetch = 0, queue = 0, WebhookDelivery: delivery = 0 } = counts.d1Calls;
  if (mode === "sync") return [...admit, ...ask(1), ...work, ...ask(fetch - 1), { answered: true }];
  const consumer = renders ? "consumers of renders" : "consumers of jobs";
  const run: Step = { hold: consumer, steps: [...ask(1), ...work, ...ask(queue - 1)] };
  const job = [...admit, ...ask(fetch), wait(hopMs + assumed.queueMs), run];
  if (delivery === 0) return [...job, { answered: true }];
  const push: Step[] = [...ask(delivery - 1), wait(assumed.receiverMs, true), { answered: true }, ...ask(1)];
  return [...job, wait(hopMs), ...push];
}

/** So much of each kind of job, by its name and mode as they were counted. */
export type Mix = Record<string, number>;

export function toLoad(measured: Measured, assumed: Assumed, mix: Mix): Pick<Load, "stations" | "routes"> {
  const routes = Object.entries(mix).map(([name, share]) => {
    const counts = measured.jobs.find(({ kind, mode }) => `${kind}, ${mode}` === name);
    if (counts === undefined) throw new Error(`Nothing was counted for ${name}.`);
    return { share, route: toRoute(counts, assumed) };
  });
  const total = routes.reduce((sum, { share }) => sum + share, 0);
  return {
    stations: toStations(assumed),
    routes: routes.map(({ share, route }) => ({ share: share / total, route })),
  };
}
