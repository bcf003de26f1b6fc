import type { JobCounts, Measured } from "./measured.ts";
import type { Load, Route, Step } from "./model.ts";

/** What isn't counted here: the platform's and the world's times (ms), and how the deployment is set up. */
export interface Assumed {
  /** One call to D1 that only reads, and one that writes; it does one at a time. */
  d1ReadMs: number;
  d1WriteMs: number;
  /** One call to a key verifier, which does one at a time. */
  verifierMs: number;
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
function toStations(assumed: Assumed): Load["stations"] {
  const each = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name} ${i + 1}`, { servers: 1 }]));
  return {
    // Isolates, hops and the world outside grow with the load.
    outside: { servers: Number.POSITIVE_INFINITY },
    ...each("verifier", assumed.keys),
    ...each("D1", assumed.d1Shards),
    "consumers of jobs": { servers: assumed.jobsConsumers, batch: assumed.jobsBatch },
    "consumers of renders": { servers: assumed.rendersConsumers, batch: assumed.rendersBatch },
    "browser places": { servers: assumed.browsers * assumed.rendersPerBrowser },
  };
}

interface Counted {
  counts: JobCounts;
  /** Processor time until the job has ended; what is left of it is its delivery's. */
  runMs: number;
}

/** What a job takes that has the same to do and no delivery. */
function toRunMs({ kind, mode, cpuMs }: JobCounts, { jobs }: Measured): number {
  if (mode !== "async, webhook") return cpuMs;
  const alike = jobs.find((job) => job.kind === kind && job.mode === "async");
  return Math.min(cpuMs, alike?.cpuMs ?? cpuMs);
}

/** The way of one job, with as many calls at each place as were counted. */
function toRoute(counted: Counted, assumed: Assumed): Route {
  const byKey = Array.from({ length: assumed.keys }, (_, key) => toSteps(counted, assumed, key));
  return (random) => byKey[Math.floor(random() * assumed.keys)] ?? [];
}

function toSteps({ counts, runMs }: Counted, assumed: Assumed, key: number): Step[] {
  const { kind, mode, cpuMs } = counts;
  const { hopMs } = assumed;
  const renders = Object.keys(counts.objectMs).some((name) => name.startsWith("BrowserHost"));
  const wait = (ms: number, spread = false): Step => ({ at: "outside", ms, spread });
  const d1 = `D1 ${(key % assumed.d1Shards) + 1}`;
  // In the order in which they were made.
  const ask = (by: string): Step[][] =>
    counts.statements
      .filter(({ what }) => what.startsWith(`${by}: `))
      .flatMap(({ times, rowsWritten }) => Array.from({ length: Math.round(times) }, () => rowsWritten > 0))
      .map((writes) => [wait(hopMs), { at: d1, ms: writes ? assumed.d1WriteMs : assumed.d1ReadMs }]);
  const work: Step[] = [
    renders ? { hold: "browser places", steps: [wait(assumed.renderMs, true)] } : wait(assumed.pageMs, true),
    ...(kind === "parse" ? [wait(assumed.modelMs, true)] : []),
    wait(runMs),
    ...(counts.r2Writes > 0 ? [wait(hopMs)] : []),
  ];
  const admit: Step[] = [wait(hopMs), { at: `verifier ${key + 1}`, ms: assumed.verifierMs }];
  const [insert = [], ...end] = ask("fetch");
  if (mode === "sync") return [...admit, ...insert, ...work, ...end.flat(), { answered: true }];
  const [claim = [], ...ended] = ask("queue");
  const consumer = renders ? "consumers of renders" : "consumers of jobs";
  const delivery = ask("WebhookDelivery");
  const pushes = delivery.length > 0;
  // The consumer has its message until the delivery's object has been told.
  const run: Step = { hold: consumer, steps: [...claim, ...work, ...ended.flat(), ...(pushes ? [wait(hopMs)] : [])] };
  const job = [...admit, ...insert, wait(hopMs + assumed.queueMs), run];
  if (!pushes) return [...job, { answered: true }];
  const read = [wait(cpuMs - runMs), ...delivery.slice(0, -1).flat(), ...(counts.r2Reads > 0 ? [wait(hopMs)] : [])];
  return [...job, ...read, wait(assumed.receiverMs, true), { answered: true }, ...delivery.slice(-1).flat()];
}

/** So much of each kind of job, by its name and mode as they were counted. */
export type Mix = Record<string, number>;

export function toLoad(measured: Measured, assumed: Assumed, mix: Mix): Pick<Load, "stations" | "routes"> {
  const routes = Object.entries(mix).map(([name, share]) => {
    const counts = measured.jobs.find(({ kind, mode }) => `${kind}, ${mode}` === name);
    if (counts === undefined) throw new Error(`Nothing was counted for ${name}.`);
    return { share, route: toRoute({ counts, runMs: toRunMs(counts, measured) }, assumed) };
  });
  const total = routes.reduce((sum, { share }) => sum + share, 0);
  return {
    stations: toStations(assumed),
    routes: routes.map(({ share, route }) => ({ share: share / total, route })),
  };
}
