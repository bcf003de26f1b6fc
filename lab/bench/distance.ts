import { type Figure, p50, p99, ROUNDS, timeInTurn } from "./figures.ts";
import type { World } from "./world.ts";

const AWAY_MS = 100;
const NEAR_ENOUGH_MS = 3;
/** Timers in the local runtime can be late by this many milliseconds. */
const TOLERANCE_MS = 10;
/** The bench calculates the 99th percentile of synchronous requests, which needs more rounds than a median. */
const SYNC_ROUNDS = 10 * ROUNDS;

/**
 * Adds 100 ms to each call to D1, then to each call to the account's object, and compares the times with a run without
 * delays. A request with a warm key verifier calls D1 only for deny lists that are older than 30 seconds. An asynchronous request makes one call to the
 * account's object, and a synchronous request makes two.
 */
export async function distance(world: World): Promise<Figure[]> {
  return [...(await measureDatabase(world)), ...(await measureObject(world))];
}

async function measureDatabase(world: World): Promise<Figure[]> {
  const [near, away] = [await world.startOurs(), await world.startOurs({ d1AwayMs: AWAY_MS })];
  const body = { url: world.trivial };
  const times = await timeInTurn(
    {
      away: () => away.post("/v1/scrape?wait=true", body, 200),
      near: () => near.post("/v1/scrape?wait=true", body, 200),
    },
    SYNC_ROUNDS,
  );
  await Promise.all([near.stop(), away.stop()]);
  const text = `≤ ${NEAR_ENOUGH_MS} ms over the floor`;
  return [
    { name: "p50", of: p50 },
    { name: "p99", of: p99 },
  ].map(({ name, of }) => {
    const [ours, floor] = [of(times.away), of(times.near)];
    const goal = { text, met: ours - floor <= NEAR_ENOUGH_MS };
    return { what: `D1 calls delayed by ${AWAY_MS} ms, sync scrape, ${name}`, unit: "ms", ours, floor, goal };
  });
}

async function measureObject(world: World): Promise<Figure[]> {
  const [near, away] = [await world.startOurs(), await world.startOurs({ accountAwayMs: AWAY_MS })];
  const body = { url: world.trivial };
  const figures: Figure[] = [];
  for (const { name, path, status, calls } of [
    { name: "sync", path: "/v1/scrape?wait=true", status: 200, calls: 2 },
    // Measures the asynchronous requests last, because their jobs keep running after the responses.
    { name: "async", path: "/v1/scrape", status: 202, calls: 1 },
  ]) {
    const times = await timeInTurn({
      away: () => away.post(path, body, status),
      near: () => near.post(path, body, status),
    });
    const [ours, floor] = [p50(times.away), p50(times.near)];
    figures.push({
      what: `account's object calls delayed by ${AWAY_MS} ms, ${name} scrape`,
      unit: "ms",
      ours,
      floor,
      goal: {
        text: `${calls * AWAY_MS} ms over the floor (± ${TOLERANCE_MS})`,
        met: Math.abs(ours - floor - calls * AWAY_MS) <= TOLERANCE_MS,
      },
      more: { "over the floor ms": ours - floor },
    });
  }
  await Promise.all([near.stop(), away.stop()]);
  return figures;
}
