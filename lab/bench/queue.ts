import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, load, p50, p99, ROUNDS } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import type { Running, World } from "./world.ts";

const JOBS = chooseCount("BENCH_JOBS", { short: 200, full: 500 });
const CONNECTIONS = 32;
const POLL_MS = 50;
const TIMEOUT_MS = 180_000;
const PAGE = 100;

interface EndedJob {
  created_at: number;
  ended_at: number;
}

interface Side {
  running: Running;
  path: string;
  /** Returns the ended jobs, or null if fewer than `count` jobs have ended. */
  ended: (count: number) => Promise<EndedJob[] | null>;
}

/** Measures asynchronous jobs. The floor is a queue consumer that only fetches the page and updates the job's row. */
export async function queue(world: World): Promise<Figure[]> {
  const body = { url: world.trivial };
  const [ours, bare] = [await world.startOurs(), await world.startBare({ consumes: true })];
  const sides: Record<"ours" | "floor", Side> = {
    ours: { running: ours, path: "/v1/scrape", ended: (count) => readEnded(ours, count) },
    floor: { running: bare, path: "/create", ended: (count) => readBareEnded(bare, count) },
  };
  const single: Record<"ours" | "floor", number[]> = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["ours", "floor"] as const) {
      const side = sides[name];
      await side.running.post(side.path, body, 202);
      const job = (await untilEnded(side, round + 1)).toSorted((a, b) => b.created_at - a.created_at)[0];
      // Uses the service's creation time, because the job may end before the bench receives the 202.
      if (job !== undefined) single[name].push(job.ended_at - job.created_at);
    }
  }
  const bursts = { ours: await burst(sides.ours, body), floor: await burst(sides.floor, body) };
  await Promise.all([ours.stop(), bare.stop()]);
  return [
    {
      what: "queue, from job creation to completion",
      unit: "ms",
      ours: p50(single.ours),
      floor: p50(single.floor),
      more: { p99: p99(single.ours) },
    },
    {
      what: `queue, burst of ${JOBS} jobs`,
      unit: "/s",
      ours: bursts.ours.rate,
      floor: bursts.floor.rate,
      more: { "last job's wait ms": bursts.ours.lastWaitMs, "floor last job's wait ms": bursts.floor.lastWaitMs },
    },
  ];
}

async function untilEnded({ ended }: Side, count: number): Promise<EndedJob[]> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(POLL_MS)) {
    const jobs = await ended(count);
    if (jobs !== null) return jobs;
  }
  throw new Error(`${count} jobs did not end within ${TIMEOUT_MS / 1_000} seconds.`);
}

interface JobList {
  data: { created_at: string; completed_at: string }[];
  pagination: { total: number };
}

async function readEnded(running: Running, count: number): Promise<EndedJob[] | null> {
  const read = async (status: string, offset: number): Promise<JobList> =>
    JSON.parse(await running.get(`/v1/jobs?status=${status}&limit=${PAGE}&offset=${offset}`));
  if ((await read("failed", 0)).pagination.total > 0) throw new Error("A job of the bench failed.");
  const jobs: EndedJob[] = [];
  for (;;) {
    const { data, pagination } = await read("completed", jobs.length);
    if (pagination.total < count) return null;
    const toMs = (time: string) => Date.parse(time);
    jobs.push(...data.map((job) => ({ created_at: toMs(job.created_at), ended_at: toMs(job.completed_at) })));
    if (data.length < PAGE) return jobs;
  }
}

async function readBareEnded(running: Running, count: number): Promise<EndedJob[] | null> {
  const jobs: EndedJob[] = JSON.parse(await running.get("/ended"));
  return jobs.length < count ? null : jobs;
}

async function burst(side: Side, body: Record<string, unknown>): Promise<{ rate: number; lastWaitMs: number }> {
  const start = Date.now();
  await load(() => side.running.post(side.path, body, 202), { count: JOBS, connections: CONNECTIONS });
  const jobs = (await untilEnded(side, ROUNDS + JOBS)).filter(({ created_at }) => created_at >= start);
  const end = Math.max(...jobs.map(({ ended_at }) => ended_at));
  const last = jobs.toSorted((a, b) => b.created_at - a.created_at)[0];
  return {
    rate: jobs.length / ((end - start) / 1_000),
    lastWaitMs: last === undefined ? Number.NaN : last.ended_at - last.created_at,
  };
}
