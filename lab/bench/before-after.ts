import { COMMIT_BEFORE } from "./before.ts";
import { type Figure, p50, p99, ROUNDS, rateInTurn, timeInTurn } from "./figures.ts";
import type { World } from "./world.ts";

const SLICES = 10;
const CONNECTIONS = 32;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4_000);
const JOB_CREATION_GOAL = 1.3;
const SYNC_GOAL = 2 / 3;

/** Compares the current code with COMMIT_BEFORE. In that commit, each job made several calls to one D1 database. */
export async function beforeAfter(world: World): Promise<Figure[]> {
  return [await compareJobCreation(world), ...(await compareSync(world))];
}

/** Measures the asynchronous jobs created per second. No consumer runs the jobs. */
async function compareJobCreation(world: World): Promise<Figure> {
  const [ours, before] = [await world.startOurs({ consumes: false }), await world.startBefore({ consumes: false })];
  const body = { url: world.target };
  const rates = await rateInTurn(
    { ours: () => ours.post("/v1/scrape", body, 202), before: () => before.post("/v1/scrape", body, 202) },
    { slices: SLICES, count: Math.ceil(REQUESTS / SLICES), connections: CONNECTIONS },
  );
  await Promise.all([ours.stop(), before.stop()]);
  return {
    what: `async job creation (floor: commit ${COMMIT_BEFORE})`,
    unit: "/s",
    ours: rates.ours.rate,
    floor: rates.before.rate,
    goal: { text: `≥ ${JOB_CREATION_GOAL} × floor`, met: rates.ours.rate >= JOB_CREATION_GOAL * rates.before.rate },
    more: {
      "p50 ms": p50(rates.ours.times),
      "p99 ms": p99(rates.ours.times),
      "before p50 ms": p50(rates.before.times),
      "before p99 ms": p99(rates.before.times),
    },
  };
}

/**
 * Compares the overhead of a synchronous scrape in the current code and in COMMIT_BEFORE. The overhead is the additional
 * time compared with a Worker that only fetches the page and returns its bytes. COMMIT_BEFORE stores the large page's
 * result in R2. The current code stores the results of both pages in the account's object.
 */
async function compareSync(world: World): Promise<Figure[]> {
  const [ours, before, bare] = [await world.startOurs(), await world.startBefore(), await world.startBare()];
  const figures: Figure[] = [];
  for (const [page, url] of [
    ["large page", world.target],
    ["small page", world.trivial],
  ] as const) {
    const body = { url, formats: ["html"] };
    const times = await timeInTurn(
      {
        ours: () => ours.post("/v1/scrape?wait=true", body, 200),
        before: () => before.post("/v1/scrape?wait=true", body, 200),
        bare: () => bare.get(`/fetch?url=${encodeURIComponent(url)}`),
      },
      3 * ROUNDS,
    );
    const bareMs = p50(times.bare);
    const [over, overBefore] = [p50(times.ours) - bareMs, p50(times.before) - bareMs];
    figures.push({
      what: `sync scrape minus bare fetch, ${page} (floor: commit ${COMMIT_BEFORE})`,
      unit: "ms",
      ours: over,
      floor: overBefore,
      goal: { text: "≤ 2/3 of the floor", met: over <= SYNC_GOAL * overBefore },
      more: { "bare fetch ms": bareMs, "total ms": p50(times.ours), "before total ms": p50(times.before) },
    });
  }
  await Promise.all([ours.stop(), before.stop(), bare.stop()]);
  return figures;
}
