import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { startRuntime } from "../../scripts/local-runtime.ts";
import { CRAWL_LIMIT_MAX, MAX_BATCH_REQUESTS, MAX_REDELIVERIES, USAGE_RANGE_MAX_DAYS } from "../../src/model/limits.ts";
import { type Figure, p50 } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import { PROJECT, type World } from "./world.ts";

const JOBS = chooseCount("BENCH_LARGE_JOBS", { short: 20_000, full: 100_000 });
const CALLS = chooseCount("BENCH_CALLS", { short: 3, full: 7 });
/** The maximum time of a transaction. While it runs, the account's other calls wait. */
const GOAL_MS = 20;
const DAY_MS = 86_400_000;
const TAG = "0123456789";
const KEY = `0199b2be-03f6-7b1c-a6c2-${"2".padStart(12, "0")}`;
/** The numbers of rows of the full account, besides its jobs. */
const USAGE_KEYS = 20;
const DELIVERIES = 50_000;
const SLOTS = { concurrentJobs: 250, concurrentRenders: 100 };
const LARGE_TEXT = "x".repeat(60_000);
const PRICES = { scrape: 1, rendering: 1, parse: 5, parseWithoutModel: 5, serp: 2, map: 1 };
const PLAN = { method: "plain", lines: [{ item: "scrape", credits: 1 }] };
const JOB_END = {
  status: "completed",
  result: LARGE_TEXT,
  extras: { evidence: { title: LARGE_TEXT } },
  charge: 1,
  processingTimeMs: 100,
  endedAt: Date.now(),
};

/**
 * Measures the transactions of an account with 100,000 jobs, 50,000 deliveries, a full usage table, a batch of 1,000
 * pages and a crawl of 10,000, with the largest inputs that the limits allow. Each figure is the median of several calls,
 * for the longest transaction of the call.
 */
export async function transactions(_: World): Promise<Figure[]> {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "transactions-"));
  const file = join(folder, "worker.mjs");
  await bundle(join(PROJECT, "lab/bench/large-account-worker.ts"), file);
  const runtime = startRuntime(file, {
    name: "transactions",
    compatibilityDate: "2026-10-01",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { ACCOUNT: { className: "LargeAccount", useSQLite: true } },
    queueProducers: { JOBS: "jobs", RENDERS: "renders", WEBHOOKS: "webhooks", SUMMARIES: "summaries" },
    r2Buckets: ["STORE"],
    bindings: { ACCOUNT_INLINE_BYTES: "2e9", ACCOUNT_ARCHIVE_BYTES: "5e9", ACCOUNT_MAX_BYTES: "8e9" },
  });
  const origin = await runtime.ready;
  try {
    const account = new MeasuredAccount(origin);
    await account.fill();
    return await measureAll(account);
  } finally {
    await runtime.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One transaction of a call: its time (ms), its SQL statements and the rows and index entries that they wrote. */
export interface MeasuredTransaction {
  ms: number;
  statements: number;
  rowsWritten: number;
}

type Row = Record<string, string | number | null>;

class MeasuredAccount {
  readonly until = Date.now();
  readonly #origin: URL;
  #ids = 0;
  #version = 1;

  constructor(origin: URL) {
    this.#origin = origin;
  }

  async call<Reply>(method: string, ...args: unknown[]): Promise<Reply> {
    const response = await fetch(this.#origin, { method: "POST", body: JSON.stringify({ method, args }) });
    if (!response.ok) throw new Error(`${method} failed with status ${response.status}: ${await response.text()}`);
    return (await response.json()) as Reply;
  }

  async run(query: string, ...values: unknown[]): Promise<Row[]> {
    return await this.call<Row[]>("run", query, ...values);
  }

  /** Aborts the object, so that it reads its totals again. */
  async restart(): Promise<void> {
    await this.call("restart").catch(() => undefined);
  }

  async measure(method: string, ...args: unknown[]) {
    return await this.call<{ reply: unknown; transactions: MeasuredTransaction[] }>("measure", method, args);
  }

  /** Returns a new id. Later ids are higher. */
  id(): string {
    this.#ids++;
    const at = Date.now().toString(16).padStart(12, "0");
    const count = this.#ids.toString(16).padStart(6, "0");
    return `${at.slice(0, 8)}-${at.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3)}-00${TAG}`;
  }

  settings(change: object = {}) {
    return {
      version: this.#version++,
      plan: "enterprise",
      monthlyCredits: 1_000_000_000,
      suspendedAt: null,
      ...SLOTS,
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
      ...change,
    };
  }

  async fill(): Promise<void> {
    const account = { id: "large", tag: TAG, object: "large", jurisdiction: null };
    await this.call("open", { account, createdAt: this.until - 40 * DAY_MS, settings: this.settings() });
    await this.call("fill", { from: 0, count: JOBS, total: JOBS, until: this.until });
    await this.call("complete");
    await this.run("DELETE FROM usage");
    await this.run(
      `WITH RECURSIVE day(d) AS (SELECT 0 UNION ALL SELECT d + 1 FROM day WHERE d < ${USAGE_RANGE_MAX_DAYS - 1}),
         key(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM key WHERE k < ${USAGE_KEYS}),
         code(code, failed) AS (VALUES ('ok', 0), ('login', 0), ('soft_404', 0), ('target_timeout', 1), ('dns_failure', 1))
       INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
       SELECT 'live', date(?1 / 1000 - d * 86400, 'unixepoch'), printf('0199b2be-03f6-7b1c-a6c2-%012x', k), value, code,
         failed, 50, 50, '{"48":7,"52":7,"56":7,"60":7,"64":7,"66":7,"68":7,"70":7,"72":7,"74":7,"76":7,"78":7}'
       FROM day, key, json_each('["scrape","parse","serp"]'), code`,
      this.until,
    );
    await this.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DELIVERIES})
       INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, attempts, created_at, attempt)
       SELECT 'live', printf('0199b2be-03f6-7b1c-a6c2-%012x', i), NULL, 'job.completed', 'default',
         'https://receiver.example/hook', 'receiver.example', 'https://api.example', iif(i % 5 = 0, 'abandoned', 'succeeded'),
         json_array(json_object('at', ?1, 'status_code', 500, 'duration_ms', 30, 'error', 'e', 'response', hex(zeroblob(500)))),
         ?1 - (${DELIVERIES} - i) * 10, 1 FROM n`,
      this.until - DAY_MS,
    );
    await this.call("webhook", "live", { kind: "set", url: "https://receiver.example/hook", secret: "sealed" }).catch(
      () => undefined,
    );
    await this.endUnfinished();
  }

  /** Ends all jobs and batches without any effect, and removes unfinished deliveries. */
  async endUnfinished(): Promise<void> {
    await this.run(
      `UPDATE jobs SET status = 'completed', waits = 0, due_at = NULL, lease_until = NULL, outcome = 'ok',
         ended_at = created_at + 100, receipt = '{"total":1,"lines":[]}' WHERE due_at IS NOT NULL OR waits = 1`,
    );
    await this.run(
      "UPDATE batches SET status = 'completed', ended_at = created_at, due_at = NULL WHERE ended_at IS NULL",
    );
    await this.run("DELETE FROM deliveries WHERE stage IS NOT NULL");
    await this.restart();
  }

  /** Ends all jobs, and deletes all batches. */
  async deleteBatches(): Promise<void> {
    await this.run("DELETE FROM batches");
    await this.run("DELETE FROM batch_pages");
    await this.endUnfinished();
  }

  newJob(change: object = {}) {
    return {
      mode: "live",
      id: this.id(),
      keyId: KEY,
      endpoint: "scrape",
      request: JSON.stringify({ url: "https://shop.example/", body: LARGE_TEXT }),
      subject: `https://shop.example/${"a".repeat(2_000)}`,
      rendered: false,
      waiting: false,
      webhookUrl: null,
      origin: "https://api.example",
      credits: 1,
      plan: PLAN,
      prices: PRICES,
      creditLimit: 1_000_000,
      labels: {
        tags: Array.from({ length: 20 }, (_, i) => `tag-${i}`),
        metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, `value-${i}`])),
      },
      requestId: this.id(),
      createdAt: Date.now(),
      idempotency: { key: this.id(), bodyHash: "a".repeat(64) },
      ...change,
    };
  }

  newPages(from: number, count: number) {
    return Array.from({ length: count }, (_, i) => ({
      number: from + i,
      url: `https://shop.example/${from + i}/${"a".repeat(1_000)}`,
      overrides: { metadata: { order: `order ${from + i}`, text: "x".repeat(1_000) } },
      secrets: `sealed ${from + i}`,
      rendered: false,
      credits: 1,
      plan: PLAN,
    }));
  }

  newBatch(change: object = {}) {
    return {
      mode: "live",
      id: this.id(),
      kind: "batch",
      keyId: KEY,
      creditLimit: 1_000_000,
      endpoint: "scrape",
      request: JSON.stringify({ url: "https://shop.example/", body: LARGE_TEXT }),
      defaults: { formats: ["markdown"], text: "x".repeat(2_000) },
      secrets: null,
      origin: "https://api.example",
      webhookUrl: "https://receiver.example/hook",
      pageEvents: true,
      labels: null,
      pages: this.newPages(1, MAX_BATCH_REQUESTS),
      prices: PRICES,
      first: { rendered: false, credits: 1 },
      requestId: this.id(),
      idempotency: { key: this.id(), bodyHash: "a".repeat(64) },
      ...change,
    };
  }

  /** Creates a batch of 1,000 pages that uses all slots. Returns its key. */
  async startBatch(change: object = {}): Promise<{ mode: string; id: string }> {
    await this.deleteBatches();
    const { mode, id, ...batch } = this.newBatch(change);
    await this.call("createBatch", { mode, id, ...batch });
    return { mode, id };
  }

  /** Creates a job that runs, with this token. Returns its key. */
  async startJob(change: object = {}): Promise<{ mode: string; id: string }> {
    const { mode, id, ...job } = this.newJob(change);
    await this.call("createJob", { mode, id, ...job });
    const key = { mode, id };
    await this.call("claim", key, "token");
    return key;
  }
}

/** A measured call: prepares it, and returns the method and its arguments. */
type Prepare = (account: MeasuredAccount) => Promise<[method: string, ...args: unknown[]]>;

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const makeDue = "UPDATE jobs SET due_at = 1, lease_until = 1 WHERE due_at IS NOT NULL";

/** The calls with the largest inputs. */
const WORK: Record<string, Prepare> = {
  createJob: async (account) => ["createJob", account.newJob()],
  "createJob, a caller waits": async (account) => ["createJob", account.newJob({ waiting: true })],
  checkJob: async (account) => ["checkJob", account.newJob()],
  claim: async (account) => {
    const job = account.newJob();
    await account.call("createJob", job);
    return ["claim", { mode: job.mode, id: job.id }, "token"];
  },
  renew: async (account) => ["renew", await account.startJob(), 1],
  release: async (account) => ["release", await account.startJob(), 1, { kind: "error" }],
  detach: async (account) => ["detach", await account.startJob({ waiting: true }), { accepted: true }],
  cancel: async (account) => ["cancel", await account.startJob()],
  "finish, 60 KB": async (account) => ["finish", await account.startJob(), 1, JOB_END],
  "finish, waiting jobs take the slots": async (account) => {
    await account.endUnfinished();
    await account.call("update", account.settings({ concurrentJobs: 1 }));
    const key = await account.startJob();
    for (let i = 0; i < 60; i++) await account.call("createJob", account.newJob());
    await account.run("UPDATE account SET concurrent_jobs = 250");
    return ["finish", key, 1, JOB_END];
  },
  "createBatch, 1,000 pages with 2 MB": async (account) => {
    await account.deleteBatches();
    return ["createBatch", account.newBatch()];
  },
  "createBatch, 1,000 URLs": async (account) => {
    await account.deleteBatches();
    const pages = account.newPages(1, MAX_BATCH_REQUESTS);
    const small = { url: "https://shop.example/", overrides: {}, secrets: null };
    return ["createBatch", account.newBatch({ pages: pages.map((page) => ({ ...page, ...small })) })];
  },
  "cancelBatch, all slots": async (account) => ["cancelBatch", await account.startBatch()],
  "update, higher limits": async (account) => {
    await account.endUnfinished();
    await account.call("update", account.settings({ concurrentJobs: 1 }));
    await account.startBatch();
    return ["update", account.settings()];
  },
  "finish of a page": async (account) => {
    const { id } = await account.startBatch();
    const [job] = await account.run("SELECT mode, id FROM jobs WHERE batch_id = ?1 LIMIT 1", id);
    await account.call("claim", job, "token");
    return ["finish", job, 1, JOB_END, { token: "token", pages: [] }];
  },
  "resumeBatch, 1,000 pages": async (account) => {
    const key = await account.startBatch({ pages: account.newPages(1, MAX_BATCH_REQUESTS) });
    await account.run(
      `UPDATE batches SET status = 'failed', code = 'insufficient_credits', error = '{}', ended_at = 1, due_at = NULL
       WHERE id = ?1`,
      key.id,
    );
    await account.endUnfinished();
    return ["resumeBatch", key];
  },
  "startPages, 100 pages": async (account) => {
    const key = await account.startBatch({ kind: "crawl", pages: [] });
    return ["startPages", key, account.newPages(1, 100)];
  },
  "listPages, 20 results of 60 KB": async (account) => {
    const key = await account.startBatch();
    await account.run(
      `INSERT OR REPLACE INTO payloads (mode, id, result, evidence) SELECT mode, id, ?2, ?2 FROM jobs WHERE batch_id = ?1
       LIMIT 50`,
      ...[key.id, JSON.stringify({ text: LARGE_TEXT })],
    );
    return ["listPages", { ...key, after: 0, limit: 20, isFull: true }];
  },
  "listPageLines of a crawl of 10,000 pages, no match": async (account) => {
    const key = await account.startBatch({ kind: "crawl", pages: account.newPages(1, MAX_BATCH_REQUESTS) });
    await account.run(
      `INSERT INTO batch_pages (mode, batch_id, number, url, rendered, credits, plan, job_id)
       SELECT 'live', ?1, ${MAX_BATCH_REQUESTS} + row_number() OVER (), 'https://shop.example/', 0, 1, '{}', id
       FROM jobs WHERE batch_id IS NULL LIMIT ${CRAWL_LIMIT_MAX - MAX_BATCH_REQUESTS}`,
      key.id,
    );
    return ["listPageLines", { ...key, after: 0, limit: 25, code: "payment_required" }];
  },
  "listBatches, 50": async (account) => {
    await account.deleteBatches();
    for (let i = 0; i < 50; i++) await account.call("createBatch", account.newBatch({ kind: "crawl", pages: [] }));
    return ["listBatches", { mode: "live", limit: 50 }];
  },
  "getBatch, 1,000 pages": async (account) => ["getBatch", await account.startBatch()],
  [`usage of ${USAGE_RANGE_MAX_DAYS} days`]: async ({ until }) => [
    "usage",
    { mode: "live", since: day(until - (USAGE_RANGE_MAX_DAYS - 1) * DAY_MS), groupBy: ["day", "key"] },
  ],
  "overview of 30 days": async ({ until }) => [
    "overview",
    { mode: "live", since: day(until - 29 * DAY_MS), latest: 5, errors: 5 },
  ],
  keyCredits: async () => ["keyCredits"],
  "list after a restart": async (account) => {
    await account.restart();
    return ["list", { mode: "live", limit: 100, offset: 10_000 }];
  },
  "list, text without matches": async () => ["list", { mode: "live", limit: 100, offset: 0, text: "no such text" }],
  "listLines, all failed jobs": async () => [
    "listLines",
    { mode: "live", limit: 25, offset: 10_000, status: "failed", includesPages: true },
  ],
  "get, 60 KB": async (account) => {
    const key = await account.startJob();
    await account.call("finish", key, 1, JOB_END);
    return ["get", key];
  },
  locate: async (account) => ["locate", account.id()],
  inspect: async () => ["inspect"],
  "redeliverAll, 1,000": async (account) => {
    await account.endUnfinished();
    const { until } = account;
    const filter = { mode: "live", status: "all", endpointId: null, since: 0, until, limit: MAX_REDELIVERIES };
    return ["redeliverAll", filter];
  },
  "listDeliveries, succeeded": async () => [
    "listDeliveries",
    { mode: "live", status: "succeeded", limit: 100, offset: 10_000 },
  ],
  "discardResults, 100": async (account) => {
    await account.run(
      "UPDATE jobs SET temporary = 1 WHERE id IN (SELECT id FROM jobs WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 500)",
    );
    await account.run(
      "INSERT OR REPLACE INTO temporary_results (mode, id, due_at) SELECT mode, id, 9e15 FROM jobs WHERE temporary = 1",
    );
    const rows = await account.run("SELECT id FROM jobs WHERE temporary = 1 LIMIT 100");
    return ["discardResults", "live", rows.map(({ id }) => id)];
  },
  "sealedValues of pages": async (account) => {
    await account.startBatch();
    return ["sealedValues", { source: 5, after: "" }];
  },
  "replaceSealedValues, 20": async (account) => {
    await account.startBatch();
    const { values } = await account.call<{ values: object[] }>("sealedValues", { source: 5, after: "" });
    return ["replaceSealedValues", values.map((value) => ({ value, sealed: "sealed again" }))];
  },
  "alarm, 249 lost jobs": async (account) => {
    await account.startBatch();
    await account.run(makeDue);
    return ["alarm"];
  },
  "alarm, 100 due deliveries": async (account) => {
    await account.endUnfinished();
    await account.run(
      `UPDATE deliveries SET status = 'pending', stage = 'scheduled', due_at = 1, next_attempt_at = 1 WHERE id IN
         (SELECT id FROM deliveries WHERE status = 'abandoned' LIMIT 100)`,
    );
    return ["alarm"];
  },
  "alarm, archiving": async (account) => {
    await account.endUnfinished();
    await account.run(
      `UPDATE jobs SET id = printf('%08x-%04x-', ?1 >> 16, ?1 & 65535) || substr(id, 15), created_at = ?1
       WHERE id IN (SELECT id FROM jobs WHERE id > '018' ORDER BY id LIMIT 2500)`,
      account.until - 402 * DAY_MS,
    );
    await account.run("UPDATE account SET maintenance_at = 1, archived_before = ''");
    await account.run("DELETE FROM archives");
    return ["alarm"];
  },
  "erase, the first call": async (account) => {
    await account.call("update", account.settings());
    await account.startBatch();
    await account.call("update", account.settings({ suspendedAt: 1 }));
    return ["erase"];
  },
};

async function measureAll(account: MeasuredAccount): Promise<Figure[]> {
  const only = process.env.BENCH_WORK?.split(";");
  const figures: Figure[] = [];
  for (const [what, prepare] of Object.entries(WORK)) {
    if (only !== undefined && !only.some((part) => what.startsWith(part))) continue;
    const longest: MeasuredTransaction[] = [];
    let count = 0;
    for (let call = 0; call <= CALLS; call++) {
      const [method, ...args] = await prepare(account);
      const { transactions: ran } = await account.measure(method, ...args);
      count = ran.length;
      // The first call warms up the code.
      if (call > 0)
        longest.push(
          ran.reduce((most, each) => (each.ms >= most.ms ? each : most), { ms: 0, statements: 0, rowsWritten: 0 }),
        );
    }
    const ms = longest.map((each) => each.ms);
    const ours = p50(ms);
    const [{ statements = 0, rowsWritten = 0 } = {}] = longest;
    figures.push({
      what,
      unit: "ms",
      ours,
      floor: null,
      goal: { text: `≤ ${GOAL_MS} ms`, met: ours <= GOAL_MS },
      more: {
        min: Math.min(...ms),
        max: Math.max(...ms),
        transactions: count,
        statements,
        "rows written": rowsWritten,
      },
    });
  }
  return figures;
}
