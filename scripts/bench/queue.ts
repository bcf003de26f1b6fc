import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, load, p50, p99, ROUNDS } from "./figures.ts";
import type { Running, World } from "./world.ts";

const JOBS = Number(process.env.BENCH_JOBS ?? 500);
const CONNECTIONS = 32;
const LOOK_MS = 50;
const PATIENCE_MS = 180_000;

/** Asynchronous jobs through the queue, beside a Worker that fetches the page and ends the row, and nothing else. */
export async function queue(world: World): Promise<Figure[]> {
  const body = { url: world.trivial };
  const sides = {
    ours: { running: await world.startOurs(), path: "/v1/scrape" },
    floor: { running: await world.startBare({ consumes: true }), path: "/admit" },
  };
  const alone: Record<"ours" | "floor", number[]> = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["ours", "floor"] as const) {
      const { running, path } = sides[name];
      await running.post(path, body, 202);
      const [job] = await ended(running, round + 1);
      // From the admission: it may end before the 202 has arrived here.
      if (job !== undefined) alone[name].push(job.ended_at - job.created_at);
    }
  }
  const bursts = {
    ours: await burst(sides.ours.running, sides.ours.path, body),
    floor: await burst(sides.floor.running, sides.floor.path, body),
  };
  await Promise.all([sides.ours.running.stop(), sides.floor.running.stop()]);
  return [
    {
      what: "queue, from admission to completed",
      unit: "ms",
      ours: p50(alone.ours),
      floor: p50(alone.floor),
      more: { p99: p99(alone.ours) },
    },
    {
      what: `queue, ${JOBS} jobs at once`,
      unit: "/s",
      ours: bursts.ours.rate,
      floor: bursts.floor.rate,
      more: { "last wait ms": bursts.ours.lastWaitMs, "floor last wait ms": bursts.floor.lastWaitMs },
    },
  ];
}

interface EndedJob {
  created_at: number;
  ended_at: number;
}

/** The rows once this many have ended, the latest first. */
async function ended({ database }: Running, count: number): Promise<EndedJob[]> {
  const db = await database();
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const { results } = await db
      .prepare("SELECT status, created_at, ended_at FROM jobs WHERE ended_at IS NOT NULL ORDER BY id DESC")
      .all<EndedJob & { status: string }>();
    if (results.some(({ status }) => status !== "completed")) throw new Error("A job failed.");
    if (results.length >= count) return results;
  }
  throw new Error(`${count} jobs have not ended in ${PATIENCE_MS / 1_000} s.`);
}

async function burst(
  running: Running,
  path: string,
  body: Record<string, unknown>,
): Promise<{ rate: number; lastWaitMs: number }> {
  const start = Date.now();
  await load(() => running.post(path, body, 202), { count: JOBS, connections: CONNECTIONS });
  const jobs = (await ended(running, ROUNDS + JOBS)).filter(({ created_at }) => created_at >= start);
  const end = Math.max(...jobs.map(({ ended_at }) => ended_at));
  const last = jobs.toSorted((a, b) => b.created_at - a.created_at)[0];
  return {
    rate: jobs.length / ((end - start) / 1_000),
    lastWaitMs: last === undefined ? Number.NaN : last.ended_at - last.created_at,
  };
}
