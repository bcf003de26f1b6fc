import { setTimeout as sleep } from "node:timers/promises";
import type { Receiver } from "../../test/support/receiver.ts";
import { type Figure, p50, p95 } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import type { Running, World } from "./world.ts";

const EVENTS = chooseCount("BENCH_EVENTS", { short: 40, full: 120 });
const EVERY_MS = 100;
const GOAL = 1.5;
const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/**
 * Measures the time from a request to the arrival of its webhook event. Meanwhile, another receiver of the same account
 * never responds to its events. In the floor, both receivers respond.
 */
export async function hangingReceiver(world: World): Promise<Figure[]> {
  const usual = await measure(world, "ok");
  const hanging = await measure(world, "never");
  const [ours, floor] = [p95(hanging.times), p95(usual.times)];
  return [
    {
      what: "webhooks, p95 next to a hanging receiver",
      unit: "ms",
      ours,
      floor,
      goal: { text: `≤ ${GOAL} × floor`, met: ours <= GOAL * floor },
      more: {
        p50: p50(hanging.times),
        "floor p50": p50(usual.times),
        "events sent to the hanging receiver": hanging.others,
      },
    },
  ];
}

async function measure(world: World, behavior: string): Promise<{ times: number[]; others: number }> {
  const running = await world.startOurs();
  const [receiver, other] = world.receivers;
  const round = crypto.randomUUID();
  const sent: Promise<number | null>[] = [];
  for (let i = -5; i < EVENTS; i++) {
    await scrape(running, world.trivial, `${other.origin}/${round}/${behavior}`);
    const arrived = timeEvent(running, world.trivial, receiver, `/${round}-${i}/ok`);
    if (i >= 0) sent.push(arrived);
    await sleep(EVERY_MS);
  }
  const times = await Promise.all(sent);
  await running.stop();
  const lost = times.filter((time) => time === null).length;
  if (lost > 0) throw new Error(`${lost} events did not arrive within ${TIMEOUT_MS / 1_000} seconds.`);
  return { times: times.filter((time) => time !== null), others: other.posts(`/${round}/${behavior}`).length };
}

/** Returns the time (ms) until the event of a new job arrives, or null if it doesn't arrive in time. */
async function timeEvent(running: Running, url: string, receiver: Receiver, path: string): Promise<number | null> {
  const start = Date.now();
  await scrape(running, url, `${receiver.origin}${path}`);
  for (; Date.now() < start + TIMEOUT_MS; await sleep(POLL_MS)) {
    const [post] = receiver.posts(path);
    if (post !== undefined) return post.at - start;
  }
  return null;
}

async function scrape(running: Running, url: string, webhook: string): Promise<void> {
  await running.post("/v1/scrape", { url, webhook_url: webhook }, 202);
}
