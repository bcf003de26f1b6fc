import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startRuntime } from "../../scripts/local-runtime.ts";
import { type Figure, p50, p99, time } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import { PROJECT, type World } from "./world.ts";

const JOBS = chooseCount("BENCH_LARGE_JOBS", { short: 100_000, full: 1_000_000 });
const PORTION = 50_000;
const CALLS = 15;
/** The maximum time over the floor of one call. */
const GOAL_MS = 50;
/** The maximum time of a page of an account with 100,000 jobs. */
const PAGE_GOAL_MS = 300;
const RARE_KEY = `0199b2be-03f6-7b1c-a6c2-${"9".padStart(12, "0")}`;
const KEY = RARE_KEY.replace(/9$/, "2");
const DAY_MS = 86_400_000;

/**
 * Measures queries of an account with 1,000,000 jobs from 30 days: pages of the job list with each filter, the overview
 * and single jobs. BENCH_LARGE_JOBS sets the number of jobs. The floor is a call that does nothing. The difference is the query's time and the time for transferring the
 * reply.
 */
export async function largeAccount(_: World): Promise<Figure[]> {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "large-account-"));
  const file = join(folder, "worker.mjs");
  await bundle(join(PROJECT, "lab/bench/large-account-worker.ts"), file);
  const runtime = startRuntime(file, {
    name: "large-account",
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { ACCOUNT: { className: "LargeAccount", useSQLite: true } },
    bindings: { ACCOUNT_INLINE_BYTES: "2e9", ACCOUNT_ARCHIVE_BYTES: "5e9", ACCOUNT_MAX_BYTES: "8e9" },
  });
  const origin = await runtime.ready;
  const call: Call = async (method, ...args) => {
    const response = await fetch(origin, { method: "POST", body: JSON.stringify({ method, args }) });
    if (!response.ok)
      if (!response.ok) throw new Error(`${method} failed with status ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  try {
    const until = Date.now();
    await fill(call, until);
    return await measure(call, until);
  } finally {
    await runtime.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Call = (method: string, ...args: unknown[]) => Promise<unknown>;

async function fill(call: Call, until: number): Promise<void> {
  const account = { id: "large", tag: "0123456789", object: "large", jurisdiction: null };
  const settings = {
    version: 1,
    plan: "enterprise",
    monthlyCredits: 1_000_000,
    suspendedAt: null,
    concurrentJobs: 0,
    concurrentRenders: 0,
    grantsEnabled: true,
  };
  await call("open", { account, createdAt: until - 40 * DAY_MS, settings });
  for (let from = 0; from < JOBS; from += PORTION)
    await call("fill", { from, count: Math.min(PORTION, JOBS - from), total: JOBS, until });
  await call("complete");
}

async function measure(call: Call, until: number): Promise<Figure[]> {
  const { bytes, ids } = (await call("describe", [3_000, Math.floor(JOBS / 2), JOBS - 1])) as {
    bytes: number;
    ids: string[];
  };
  const [recent, middle, oldest] = ids;
  const page = { mode: "live", limit: 20, offset: 0 };
  const filters: Record<string, object> = {
    "no filter": {},
    "offset 10,000": { offset: 10_000 },
    "100 jobs with results": { limit: 100, offset: 2_500 },
    "a cursor in the middle": { cursor: middle },
    queued: { status: "queued" },
    processing: { status: "processing" },
    completed: { status: "completed" },
    "completed, offset 10,000": { status: "completed", offset: 10_000 },
    failed: { status: "failed" },
    "failed, offset 10,000": { status: "failed", offset: 10_000 },
    "failed, endpoint": { status: "failed", endpoint: "serp" },
    endpoint: { endpoint: "serp" },
    "rare endpoint, completed": { endpoint: "parse", status: "completed" },
    key: { keyId: KEY },
    "rare key": { keyId: RARE_KEY },
    "key, completed": { keyId: KEY, status: "completed" },
    code: { code: "target_timeout" },
    "rare code": { code: "tls_failure" },
    "outcome login": { outcome: "login" },
    "outcome ok": { outcome: "ok" },
    "date range": { since: until - 20 * DAY_MS, until: until - 10 * DAY_MS },
    "text with many matches": { text: "NEWSLETTER" },
    "text with few matches": { text: "shop-77." },
    "text without matches": { text: "no such text" },
    "text without matches, failed": { text: "no such text", status: "failed" },
    "text without matches, code": { text: "no such text", code: "target_timeout" },
    "text without matches, key": { text: "no such text", keyId: KEY },
    "text without matches, endpoint": { text: "no such text", endpoint: "scrape" },
    "common tag": { tags: ["nightly"] },
    "metadata that few jobs have": { metadata: { shop: "77" } },
    "metadata that one job has": { metadata: { order: "1200" } },
    "metadata that no job has": { metadata: { order: "none" } },
    "tag and metadata that no job has": { tags: ["nightly"], metadata: { order: "none" } },
    "rare key, other code": { keyId: RARE_KEY, code: "tls_failure" },
    "date range, code": { since: until - 20 * DAY_MS, until: until - 10 * DAY_MS, code: "target_timeout" },
    "date range, key, text without matches": {
      since: until - 20 * DAY_MS,
      until: until - 10 * DAY_MS,
      keyId: KEY,
      text: "no such text",
    },
  };
  const calls: [string, () => Promise<unknown>][] = [
    ["usage of 31 days", () => call("usage", { mode: "live", since: toDate(until - 31 * DAY_MS) })],
    ["overview", () => call("overview", { mode: "live", since: toDate(until - 29 * DAY_MS), latest: 5, errors: 5 })],
    ["one job, recent", () => call("get", { mode: "live", id: recent })],
    ["one job, oldest", () => call("get", { mode: "live", id: oldest })],
  ];
  const floor = p50(await times(() => call("wake")));
  const figures: Figure[] = [];
  const first = await timeAfterRestart(call, page);
  const { goal: _, ...restarted } = toFigure("first list after a restart", [first], floor, bytes);
  figures.push(restarted);
  const search = () => call("list", { ...page, text: "no such text" });
  const during = await timesDuring(search, () => call("get", { mode: "live", id: recent }));
  figures.push(toFigure("one job, during a search", during, floor, bytes));
  for (const [what, work] of calls) figures.push(toFigure(what, await times(work), floor, bytes));
  for (const [name, filter] of Object.entries(filters)) {
    const api = await times(() => call("list", { ...page, ...filter }));
    const dashboard = await times(() => call("listLines", { ...page, ...filter, limit: 25 }));
    for (const [what, measured] of [
      [`page of the API: ${name}`, api],
      [`page of the dashboard: ${name}`, dashboard],
    ] as const) {
      const goal = { text: `< ${PAGE_GOAL_MS} ms`, met: Math.max(...measured) < PAGE_GOAL_MS };
      figures.push({ ...toFigure(what, measured, floor, bytes), ...(JOBS > 100_000 ? {} : { goal }) });
    }
  }
  return figures;
}

/**
 * Measures the first list after a restart. Its time includes the object's startup, which reads the unfinished jobs and
 * all job counts.
 */
async function timeAfterRestart(call: Call, page: object): Promise<number> {
  await call("restart").catch(() => undefined);
  return await time(() => call("list", page));
}

/** Measures calls of `work`, one after another, while `other` runs. */
async function timesDuring(other: () => Promise<unknown>, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < CALLS; round++) {
    let isRunning = true;
    const running = other().finally(() => {
      isRunning = false;
    });
    while (isRunning) measured.push(await time(work));
    await running;
  }
  return measured;
}

async function times(work: () => Promise<unknown>): Promise<number[]> {
  await work();
  const measured: number[] = [];
  for (let i = 0; i < CALLS; i++) measured.push(await time(work));
  return measured;
}

function toFigure(what: string, measured: number[], floor: number, bytes: number): Figure {
  const ours = p50(measured);
  return {
    what: `${JOBS.toLocaleString("en")} jobs (${Math.round(bytes / 1e6)} MB), ${what}`,
    unit: "ms",
    ours,
    floor,
    goal: { text: `< ${GOAL_MS} ms over the floor`, met: ours - floor < GOAL_MS },
    more: { min: Math.min(...measured), p99: p99(measured) },
  };
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
