// `npm run saturate`: where one account's object saturates in the local runtime, and whether an account with a long
// queue delays another one. SATURATE=object or SATURATE=fairness runs one part; SATURATE_JOBS and FAIRNESS_JOBS set
// their size.
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountRef } from "../../src/model/account.ts";
import { median, percentile, round } from "../figures.ts";
import { type Local, processorMs, saveMeasured, startLocal } from "./local.ts";
import type { FairnessRun, ObjectRun } from "./measured.ts";

const PART = process.env.SATURATE;
const JOBS = Number(process.env.SATURATE_JOBS ?? 5_000);
const QUEUED_JOBS = Number(process.env.FAIRNESS_JOBS ?? 10_000);
const PARALLEL = 64;
const ROUNDS = 5;
const B_JOBS = 20;
/** Long compared with the time that a request takes here. */
const PAGE_MS = 200;
const PATIENCE_MS = 60_000;

interface Created {
  key: string;
  account: AccountRef;
  /** Asynchronous jobs that the plan allows at once. */
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
    console.log(`One account's object, ${PARALLEL} calls at a time; the fastest of ${ROUNDS} rounds`);
    console.table(object);
    saveMeasured({ object });
  }
  if (PART !== "object") {
    const fairness = await measureFairness(local);
    console.log(
      `Fairness: account A (free) has queued ${QUEUED_JOBS} jobs, then account B sends ${B_JOBS}, one at a time`,
    );
    console.table(fairness);
    saveMeasured({ fairness });
    isFair = fairness.mostJobsAhead <= fairness.slotsOfA;
    if (!isFair) console.error("B waited for more jobs than A may run at once.");
  }
} finally {
  await local.stop();
}
process.exit(isFair ? 0 : 1);

async function createAccount({ ask }: Local, plan: string): Promise<Created> {
  return await ask<Created>("/__account", { body: { plan } });
}

async function saturateObject({ ask }: Local): Promise<ObjectRun> {
  const { account } = await createAccount(local, "enterprise");
  const jobs = Math.ceil(JOBS / ROUNDS);
  const before = await ask<number>("/__bytes", { body: { account } });
  const ownMs = { create: 0, claim: 0, finish: 0 };
  for (let i = 0; i < ROUNDS; i++) {
    for (const step of ["create", "claim", "finish"] as const) {
      // Processor time, since other processes take theirs from the wall time.
      const startedAt = processorMs();
      await ask("/__run", { body: { account, jobs, step, waiting: false } });
      ownMs[step] += (processorMs() - startedAt) / (jobs * ROUNDS);
    }
  }
  const after = await ask<number>("/__bytes", { body: { account } });
  const perSecond = async (waiting: boolean) => {
    let fastestMs = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ROUNDS; i++) {
      const startedAt = performance.now();
      await ask("/__call", { body: { account, jobs, parallel: PARALLEL, waiting } });
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
  const besideA = await sendJobs(local, b, "beside");
  return {
    queuedJobs: QUEUED_JOBS,
    slotsOfA: a.slots,
    mostJobsAhead: Math.max(...besideA.map(({ ahead }) => ahead)),
    medianWaitMs: Math.round(median(besideA.map(({ waitMs }) => waitMs))),
    p95WaitMs: Math.round(
      percentile(
        besideA.map(({ waitMs }) => waitMs),
        0.95,
      ),
    ),
    medianWaitAloneMs: Math.round(median(alone.map(({ waitMs }) => waitMs))),
  };
}

async function queueJobs({ ask, page }: Local, { key }: Created): Promise<void> {
  let left = QUEUED_JOBS;
  const work = async () => {
    while (left-- > 0) await ask("/v1/scrape", { key, body: { url: `${page}/a` } });
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** Sends B's jobs one at a time. Returns how long each waited for its run, and for how many of A's jobs. */
async function sendJobs({ ask, page }: Local, { key }: Created, name: string) {
  const waits: { ahead: number; waitMs: number }[] = [];
  for (let i = 0; i < B_JOBS; i++) {
    const path = `/b/${name}/${i}`;
    const { job_id } = await ask<{ job_id: string }>("/v1/scrape", { key, body: { url: `${page}${path}` } });
    const queuedAt = performance.now();
    const visit = await visitOf(path);
    const ahead = visits.filter(({ path: other, at }) => other.endsWith("/a") && at > queuedAt && at < visit.at);
    waits.push({ ahead: ahead.length, waitMs: Math.max(0, visit.at - queuedAt) });
    // The local runtime delivers a batch once the one before has ended, and B's own jobs shouldn't delay each other.
    await ask(`/v1/jobs/${job_id}?wait=30`, { key });
  }
  return waits;
}

async function visitOf(path: string): Promise<{ at: number }> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const visit = visits.find((one) => one.path.endsWith(path));
    if (visit !== undefined) return visit;
    if (performance.now() > deadline) throw new Error(`The job of ${path} wasn't run.`);
    await sleep(5);
  }
}
