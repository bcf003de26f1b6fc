import { type Figure, p50, p99, rateInTurn } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import type { World } from "./world.ts";

const SLICES = 10;
const CONNECTIONS = 32;
const REQUESTS = chooseCount("BENCH_REQUESTS", { short: 1_500, full: 4_000 });
const GOAL = 0.8;

/**
 * Measures the asynchronous jobs that the service creates per second. Compares them with a route that makes the same
 * platform calls, and with a hello-world. No consumer runs the jobs.
 */
export async function jobCreation(world: World): Promise<Figure[]> {
  const [ours, bare] = [await world.startOurs({ consumes: false }), await world.startBare()];
  const body = { url: world.target };
  const createJob = () => ours.post("/v1/scrape", body, 202);
  const options = { slices: SLICES, count: Math.ceil(REQUESTS / SLICES), connections: CONNECTIONS };
  const calls = await rateInTurn({ ours: createJob, floor: () => bare.post("/create", body, 202) }, options);
  const hello = await rateInTurn({ ours: createJob, floor: () => bare.get("/hello") }, { ...options, slices: 2 });
  await Promise.all([ours.stop(), bare.stop()]);
  const latency = { "p50 ms": p50(calls.ours.times), "p99 ms": p99(calls.ours.times) };
  return [
    {
      what: "async job creation (floor: the same platform calls)",
      unit: "/s",
      ours: calls.ours.rate,
      floor: calls.floor.rate,
      goal: { text: `≥ ${GOAL} of the floor`, met: calls.ours.rate >= GOAL * calls.floor.rate },
      more: { ...latency, "floor p50 ms": p50(calls.floor.times), "floor p99 ms": p99(calls.floor.times) },
    },
    {
      what: "async job creation (floor: a hello-world)",
      unit: "/s",
      ours: hello.ours.rate,
      floor: hello.floor.rate,
      more: { "floor p50 ms": p50(hello.floor.times), "floor p99 ms": p99(hello.floor.times) },
    },
  ];
}
