import { type Figure, p50, p99, rateInTurn } from "./figures.ts";
import type { World } from "./world.ts";

const SLICES = 10;
const CONNECTIONS = 32;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000);
const GOAL = 0.8;

/**
 * Measures 202s a second, next to a hello-world and next to a route that makes the platform's calls of an admission.
 * The jobs stay in their queue.
 */
export async function admission(world: World): Promise<Figure[]> {
  const [ours, bare] = [await world.startOurs({ consumes: false }), await world.startBare()];
  const body = { url: world.target };
  const admit = () => ours.post("/v1/scrape", body, 202);
  const options = { slices: SLICES, count: Math.ceil(REQUESTS / SLICES), connections: CONNECTIONS };
  const calls = await rateInTurn({ ours: admit, floor: () => bare.post("/admit", body, 202) }, options);
  const hello = await rateInTurn({ ours: admit, floor: () => bare.get("/hello") }, { ...options, slices: 2 });
  await Promise.all([ours.stop(), bare.stop()]);
  const latency = { "p50 ms": p50(calls.ours.times), "p99 ms": p99(calls.ours.times) };
  return [
    {
      what: "async admission, beside the same platform calls",
      unit: "/s",
      ours: calls.ours.rate,
      floor: calls.floor.rate,
      goal: { text: `≥ ${GOAL} of the bare calls`, met: calls.ours.rate >= GOAL * calls.floor.rate },
      more: { ...latency, "floor p50 ms": p50(calls.floor.times), "floor p99 ms": p99(calls.floor.times) },
    },
    {
      what: "async admission, beside a hello-world",
      unit: "/s",
      ours: hello.ours.rate,
      floor: hello.floor.rate,
      more: { "floor p50 ms": p50(hello.floor.times), "floor p99 ms": p99(hello.floor.times) },
    },
  ];
}
