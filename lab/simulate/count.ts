// `npm run lab -- count`: counts the platform calls of one job of each kind, and calculates the cost of 1,000 jobs.
// Runs the built Worker in the local runtime with counting bindings. Fails if a job calls D1 or writes more rows than
// its budget.
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions } from "../../scripts/options.ts";
import { sum } from "../figures.ts";
import { printCosts } from "./costs.ts";
import { processorMs, saveMeasured, startLocal } from "./local.ts";
import type { Counts, JobCounts } from "./measured.ts";

parseOptions(
  `npm run lab -- count

Counts the platform calls of one job, and calculates the price of 1,000 jobs.
COUNT_JOBS is the number of jobs of each kind (default 50).`,
  {},
);

const JOBS = Number(process.env.COUNT_JOBS ?? 50);
const WARM_UP = 5;
const TIMEOUT_MS = 120_000;
const QUIET_MS = 1_000;

interface Kind {
  path: string;
  rendered?: boolean;
  webhook?: boolean;
  /** The maximum number of rows that a job may write in the account's object. */
  budget: number;
  /** The figures of the same job in version 0.1.0 (commit cbd2391), which had one D1 database for all accounts. */
  before: { d1Calls: number; rows: number; usd: number };
}

const KINDS: Record<string, Kind> = {
  "scrape, sync": { path: "/v1/scrape?wait=true", budget: 9, before: { d1Calls: 2, rows: 20, usd: 0.0256 } },
  "scrape, async": { path: "/v1/scrape", budget: 11, before: { d1Calls: 3, rows: 23, usd: 0.0302 } },
  "scrape, async, webhook": {
    path: "/v1/scrape",
    webhook: true,
    budget: 15,
    before: { d1Calls: 7, rows: 43, usd: 0.0516 },
  },
  "scrape, rendered, sync": {
    path: "/v1/scrape?wait=true",
    rendered: true,
    budget: 9,
    before: { d1Calls: 2, rows: 20, usd: 0.0399 },
  },
};

const local = await startLocal({ entry: "counting-worker.ts" });
const problems: string[] = [];
try {
  const jobs: JobCounts[] = [];
  for (const [kind, options] of Object.entries(KINDS)) jobs.push(await measure(kind, options));
  print(jobs);
  saveMeasured({ jobs });
} finally {
  await local.stop();
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

/** Runs WARM_UP jobs without counting, then JOBS jobs. Returns the mean counts of one job. */
async function measure(kind: string, { path, rendered = false, webhook = false, budget }: Kind): Promise<JobCounts> {
  const hook = `/${crypto.randomUUID()}/ok`;
  const body = {
    url: local.page,
    js_render: rendered,
    ...(webhook ? { webhook_url: `${local.receiver.origin}${hook}` } : {}),
  };
  const run = async (jobs: number) => {
    const posted = local.receiver.posts(hook).length;
    await local.request("/__reset");
    for (let i = 0; i < jobs; i++) await local.request(path, { body });
    return await settle(
      ({ calls }) =>
        (calls["Account.finish"] ?? 0) >= jobs && (!webhook || local.receiver.posts(hook).length >= posted + jobs),
    );
  };
  await run(WARM_UP);
  const before = processorMs();
  const counted = await run(JOBS);
  const job = toJobCounts(kind, counted, processorMs() - before);
  // If no other job runs, this job also writes the rows for setting the account's alarm and for running it.
  await runAlarm();
  await run(1);
  await runAlarm();
  const alone = await local.request<Counts>("/__counts");
  if (job.d1Calls > 0) problems.push(`${kind}: a job must not call D1, but made ${job.d1Calls} calls.`);
  if (job.accountRows > budget) problems.push(`${kind}: a job may write ${budget} rows, but wrote ${job.accountRows}.`);
  return { ...job, rowsAlone: sumOf(alone.rows, /^Account: /) };
}

async function runAlarm(): Promise<void> {
  await local.request(`/__alarm?object=${await local.objectName()}`);
}

/** Waits until the jobs have ended and nothing has run for QUIET_MS. */
async function settle(isDone: (counts: Counts) => boolean): Promise<Counts> {
  const deadline = Date.now() + TIMEOUT_MS;
  let quietSince = Number.POSITIVE_INFINITY;
  let last = "";
  for (;;) {
    const counts = await local.request<Counts>("/__counts");
    const now = Date.now();
    const text = JSON.stringify(counts);
    if (counts.running > 0 || !isDone(counts) || text !== last) quietSince = now;
    else if (now - quietSince >= QUIET_MS) return counts;
    if (now > deadline) throw new Error(`The jobs did not end within ${TIMEOUT_MS / 1_000} seconds: ${text}`);
    last = text;
    await sleep(50);
  }
}

function toJobCounts(kind: string, { calls, rows, walls }: Counts, cpuMs: number): Omit<JobCounts, "rowsAlone"> {
  const mean = (total: number) => Math.round((total / JOBS) * 100) / 100;
  const rowsBy = Object.entries(rows).filter(([name]) => name.startsWith("Account: "));
  return {
    kind,
    d1Calls: mean(sumOf(calls, /^D1 (?!summaries|cron)/)),
    verifierCalls: mean(sumOf(calls, /^KeyVerifier\./)),
    accountCalls: mean(sumOf(calls, /^Account\./)),
    browserCalls: mean(sumOf(calls, /^BrowserHost\./)),
    messages: mean(sumOf(calls, /^queue (?!summaries)/)),
    r2Writes: mean(sumOf(calls, /^R2 put$/)),
    r2Reads: mean(sumOf(calls, /^R2 get$/)),
    accountRows: mean(sumOf(rows, /^Account: /)),
    verifierRows: mean(sumOf(rows, /^KeyVerifier: /)),
    rowsBy: Object.fromEntries(rowsBy.map(([name, count]) => [name.replace("Account: ", ""), mean(count)])),
    invocations: mean(sumOf(calls, /^invocation$/)),
    objectMs: mean(sumOf(walls, /^(?:Account|KeyVerifier)\./)),
    cpuMs: mean(cpuMs),
  };
}

function sumOf(counts: Record<string, number>, pattern: RegExp): number {
  return sum(Object.entries(counts).flatMap(([name, count]) => (pattern.test(name) ? count : [])));
}

function print(jobs: JobCounts[]): void {
  console.log(`Calls and rows per job (means of ${JOBS} jobs with a warm key verifier)`);
  console.table(
    jobs.map(({ kind, rowsBy: _, verifierRows, objectMs, cpuMs, invocations, ...counts }) => ({
      kind,
      ...counts,
      "rows before": KINDS[kind]?.before.rows,
      "row budget": KINDS[kind]?.budget,
      verifierRows,
    })),
  );
  console.log("Rows written per job in the account's object, by statement");
  console.table(Object.fromEntries(jobs.map(({ kind, rowsBy }) => [kind, rowsBy])));
  printCosts(jobs);
  const before = Object.entries(KINDS).map(
    ([
      kind,
      {
        before: { usd },
      },
    ]) => [kind, { "US dollars": usd }],
  );
  console.log("US dollars per 1,000 jobs in version 0.1.0, without logs");
  console.table(Object.fromEntries(before));
}
