// `npm run lab -- saturate`: measures the maximum load of one account's Durable Object in the local runtime, and
// whether an account with a long queue delays another account. SATURATE=object or SATURATE=fairness runs only one part.
// SATURATE_JOBS and FAIRNESS_JOBS set the number of jobs.
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions } from "../../scripts/options.ts";
import type { AccountRef } from "../../src/model/account.ts";
import { median, percentile, round } from "../figures.ts";
import { type Local, processorMs, saveMeasured, startLocal } from "./local.ts";
import type { FairnessRun, ObjectRun } from "./measured.ts";

parseOptions(
  `npm run lab -- saturate

Finds the maximum load of one account's Durable Object, and measures how much
other accounts are delayed. Environment variables:
  SATURATE         object or fairness, to run only one part
  SATURATE_JOBS    the number of jobs for the object (default 5000)
  FAIRNESS_JOBS    the number of queued jobs (default 10000)`,
  {},
);

const PART = process.env.SATURATE;
const JOBS = Number(process.env.SATURATE_JOBS ?? 5_000);
const QUEUED_JOBS = Number(process.env.FAIRNESS_JOBS ?? 10_000);
const PARALLEL = 64;
const ROUNDS = 5;
const B_JOBS = 20;
/** The response time of the target site. It is long compared with a request to the service. */
const PAGE_MS = 200;
const TIMEOUT_MS = 60_000;

interface Created {
  key: string;
  account: AccountRef;
  /** The plan's limit of concurrent asynchronous jobs. */
  slots: number;
}

const visits: { path: string; at: number }[] = [];
const local = await startLocal({
  entry: "driving-worker.ts",
  pageMs: PAGE_MS,
  onVisit: ({ url = "" }) => visits.push({ path: url, at: performance.now() }),
});
let isFair = true;
try {
  if (PART !== "fairness") {
    const object = await saturateObject(local);
    console.log(`One account's object: ${PARALLEL} parallel calls, fastest of ${ROUNDS} rounds`);
    console.table(object);
    saveMeasured({ object });
  }
  if (PART !== "object") {
    const fairness = await measureFairness(local);
    console.log(
      `Fairness: account A (free) has ${QUEUED_JOBS} queued jobs, and account B sends ${B_JOBS} jobs, one at a time`,
    );
    console.table(fairness);
    saveMeasured({ fairness });
    isFair = fairness.mostJobsAhead <= fairness.slotsOfA;
    if (!isFair) console.error("A job of B waited for more of A's jobs than A's limit of concurrent jobs.");
  }
} finally {
  await local.stop();
}
process.exit(isFair ? 0 : 1);

async function createAccount({ request }: Local, plan: string): Promise<Created> {
  return await request<Created>("/__account", { body: { plan } });
}

async function saturateObject({ request }: Local): Promise<ObjectRun> {
  const { account } = await createAccount(local, "enterprise");
  const jobs = Math.ceil(JOBS / ROUNDS);
  const before = await request<number>("/__bytes", { body: { account } });
  const ownMs = { create: 0, claim: 0, finish: 0 };
  for (let i = 0; i < ROUNDS; i++) {
    for (const step of ["create", "claim", "finish"] as const) {
      // Measures CPU time, because other processes of the machine affect the wall time.
      const startedAt = processorMs();
      await request("/__run", { body: { account, jobs, step, waiting: false } });
      ownMs[step] += (processorMs() - startedAt) / (jobs * ROUNDS);
    }
  }
  const after = await request<number>("/__bytes", { body: { account } });
  const perSecond = async (waiting: boolean) => {
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ROUNDS; i++) {
      const startedAt = performance.now();
      await request("/__call", { body: { account, jobs, parallel: PARALLEL, waiting } });
      fastestMs = Math.min(fastestMs, performance.now() - startedAt);
    }
    return Math.round((jobs * 1_000) / fastestMs);
  };
  return {
    createMs: round(ownMs.create),
    claimMs: round(ownMs.claim),
    finishMs: round(ownMs.finish),
    syncJobsPerSecond: await perSecond(true),
    asyncJobsPerSecond: await perSecond(false),
    bytesPerJob: Math.round((after - before) / (jobs * ROUNDS)),
  };
}

async function measureFairness(local: Local): Promise<FairnessRun> {
  const a = await createAccount(local, "free");
  const b = await createAccount(local, "enterprise");
  const alone = await sendJobs(local, b, "alone");
  await queueJobs(local, a);
  const withA = await sendJobs(local, b, "with-a");
  return {
    queuedJobs: QUEUED_JOBS,
    slotsOfA: a.slots,
    mostJobsAhead: Math.max(...withA.map(({ ahead }) => ahead)),
    medianWaitMs: Math.round(median(withA.map(({ waitMs }) => waitMs))),
    p95WaitMs: Math.round(
      percentile(
        withA.map(({ waitMs }) => waitMs),
        0.95,
      ),
    ),
    medianWaitAloneMs: Math.round(median(alone.map(({ waitMs }) => waitMs))),
  };
}

async function queueJobs({ request, page }: Local, { key }: Created): Promise<void> {
  let left = QUEUED_JOBS;
  const work = async () => {
    while (left-- > 0) await request("/v1/scrape", { key, body: { url: `${page}/a` } });
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/**
 * Sends B's jobs one at a time. Returns for each job its waiting time and the number of A's jobs that started before
 * it.
 */
async function sendJobs({ request, page }: Local, { key }: Created, name: string) {
  const waits: { ahead: number; waitMs: number }[] = [];
  for (let i = 0; i < B_JOBS; i++) {
    const path = `/b/${name}/${i}`;
    const { job_id } = await request<{ job_id: string }>("/v1/scrape", { key, body: { url: `${page}${path}` } });
    const queuedAt = performance.now();
    const visit = await waitForVisit(path);
    const ahead = visits.filter(({ path: other, at }) => other.endsWith("/a") && at > queuedAt && at < visit.at);
    waits.push({ ahead: ahead.length, waitMs: Math.max(0, visit.at - queuedAt) });
    // Waits until the job has ended, because the local runtime delivers a batch only after the previous batch has
    // ended. B's own jobs would otherwise delay each other.
    await request(`/v1/jobs/${job_id}?wait=30`, { key });
  }
  return waits;
}

async function waitForVisit(path: string): Promise<{ at: number }> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const visit = visits.find((one) => one.path.endsWith(path));
    if (visit !== undefined) return visit;
    if (performance.now() > deadline)
      throw new Error(`The job for ${path} did not start within ${TIMEOUT_MS / 1_000} seconds.`);
    await sleep(5);
  }
}
