import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../test/support/loopback.ts";
import type { Assumed } from "./deployment.ts";
import { type Local, PROJECT, type Running } from "./local.ts";
import type { JobCounts } from "./measured.ts";
import type { Seen } from "./observe.ts";
import { processorMs } from "./processor.ts";
import { exponential } from "./random.ts";
import type { Written } from "./written.ts";

const LOOK_MS = 250;
const PATIENCE_MS = 120_000;

export interface Loaded {
  jobs: Seen[];
  /** The share of one processor that the local runtime took while they came. */
  processor: number;
  /** What each call to the database took on this machine beside the time that is assumed, ms. */
  ownMs: number[];
}

/** The service, with a database and a page that take the times that are assumed. */
export interface SlowService {
  /** Jobs that come then (ms from now), whatever became of those before; until the last of them is over. */
  load: (mode: JobCounts["mode"], arrivals: number[]) => Promise<Loaded>;
  stop: () => Promise<void>;
}

export async function startSlow(local: Local, assumed: Assumed, random: () => number): Promise<SlowService> {
  const article = readFileSync(join(PROJECT, "scripts", "bench", "article.html"));
  const server = createServer(async (_, response) => {
    await sleep(exponential(random, assumed.pageMs));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(article);
  });
  // A connection that is ended just when it is used again would be a failure of the site.
  server.keepAliveTimeout = PATIENCE_MS;
  const site = await listen(server);
  const service = await local.start({
    entry: "slow-worker.ts",
    hosts: [new URL(site.origin).host],
    bindings: { SLOW_READ_MS: String(assumed.d1ReadMs), SLOW_WRITE_MS: String(assumed.d1WriteMs) },
    jobsBatch: assumed.jobsBatch,
  });
  return {
    load: (mode, arrivals) => load(local, service, { mode, arrivals, page: `${site.origin}/` }),
    stop: async () => {
      await service.stop();
      site.close();
    },
  };
}

interface Sent {
  id: string;
  cameAt: number;
  answeredAt: number;
}

async function load(
  local: Local,
  service: Running,
  { mode, arrivals, page }: { mode: JobCounts["mode"]; arrivals: number[]; page: string },
): Promise<Loaded> {
  const hook = `/${crypto.randomUUID()}/ok`;
  const path = mode === "sync" ? "/v1/scrape?wait=true" : "/v1/scrape";
  const body = { url: page, ...(mode === "async, webhook" ? { webhook_url: `${local.receiver.origin}${hook}` } : {}) };
  const before = processorMs();
  const startedAt = Date.now();
  const post = async (at: number): Promise<Sent> => {
    await sleep(startedAt + at - Date.now());
    const cameAt = Date.now();
    const { job_id: id } = await service.post(path, body);
    return { id, cameAt, answeredAt: Date.now() };
  };
  const sending = Promise.all(arrivals.map(post));
  await sleep(arrivals.at(-1));
  const processor = (processorMs() - before) / (Date.now() - startedAt);
  const sent = await sending;
  await settle(service, startedAt);
  const written = (await (await fetch(service.url("/__written"))).json()) as Written[];
  // The last one of each row: of a job its end, of a delivery how it went.
  const lastWrites = (table: string) =>
    new Map(written.filter((one) => one.table === table).map(({ id, at }) => [id, at]));
  const ends = lastWrites("jobs");
  const records = lastWrites("deliveries");
  const posts = new Map(local.receiver.posts(hook).map(({ at, headers }) => [headers["x-webhook-id"], at]));
  const jobs = sent.map(({ id, cameAt, answeredAt }) => {
    const endedAt = known(ends, id);
    if (mode === "sync") return { cameAt, answeredAt, finishedAt: endedAt };
    if (mode === "async") return { cameAt, answeredAt: endedAt, finishedAt: endedAt };
    return { cameAt, answeredAt: known(posts, id), finishedAt: known(records, id) };
  });
  return { jobs, processor, ownMs: written.map((one) => one.ownMs) };
}

function known(times: Map<string | undefined, number>, id: string): number {
  const at = times.get(id);
  if (at === undefined) throw new Error(`Nobody saw when the job ${id} was over.`);
  return at;
}

/** Until every job is over, each as it should be. */
async function settle(service: Running, since: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while ((await (await fetch(service.url(`/__open?since=${since}`))).json()) !== 0) {
    if (Date.now() > deadline) throw new Error("Jobs of this load aren't over.");
    await sleep(LOOK_MS);
  }
  const db = await service.database();
  const bad = await db
    .prepare(
      `SELECT (SELECT COUNT(*) FROM jobs WHERE status <> 'completed')
         + (SELECT COUNT(*) FROM deliveries WHERE status <> 'succeeded') AS bad`,
    )
    .first<number>("bad");
  if (bad !== 0) throw new Error(`${bad} jobs or deliveries failed.`);
}
