// `npm run count`: what one job of each kind asks of the platform. The built Worker in the local runtime with every call
// counted, against stand-ins on loopback. Counts don't depend on the machine; processor time and SQLite's own hardly do.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngines } from "../../test/support/engines/server.ts";
import { startModels } from "../../test/support/models.ts";
import { growth } from "./growth.ts";
import { openLocal, PROJECT } from "./local.ts";
import type { JobCounts, Measured, StatementCounts } from "./measured.ts";
import { processorMs } from "./processor.ts";
import { replay } from "./replay.ts";
import type { Statement } from "./statement.ts";

const JOBS = Number(process.env.COUNT_JOBS ?? 10);
const WARM_UP = 3;
const PATIENCE_MS = 120_000;
const RETENTION_MS = 31 * 24 * 60 * 60 * 1_000;

const local = await openLocal();
const article = readFileSync(join(PROJECT, "scripts", "bench", "article.html"));
const site = createServer((_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(article);
}).listen(0, "127.0.0.1");
await once(site, "listening");
const target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
const models = await startModels();
const engines = await startEngines();
const schema = readFileSync(join(PROJECT, "schema.sql"), "utf8");

const hosts = [target, models.origin, engines.origins.google, engines.origins.bing].map((url) => new URL(url).host);
const bodies: Record<string, { path: string; body: Record<string, unknown> }> = {
  "scrape, plain": { path: "/v1/scrape", body: { url: target } },
  "scrape, rendered": { path: "/v1/scrape", body: { url: target, js_render: true } },
  "scrape, screenshot": { path: "/v1/scrape", body: { url: target, formats: ["markdown", "screenshot"] } },
  parse: { path: "/v1/parse", body: { url: target, prompt: "The headline. [[good count]]" } },
  "serp, plain (Bing)": { path: "/v1/serp", body: { query: "harbour cranes [[good count]]", engine: "bing" } },
  "serp, rendered (Google)": { path: "/v1/serp", body: { query: "harbour cranes [[good count]]", engine: "google" } },
};

const service = await local.start({
  entry: "counting-worker.ts",
  hosts,
  bindings: {
    OPENAI_API_KEY: "count",
    OPENAI_BASE_URL: `${models.origin}/v1`,
    SERP_GOOGLE_ORIGIN: engines.origins.google,
    SERP_BING_ORIGIN: engines.origins.bing,
  },
});
const trace: Statement[] = [];
try {
  const jobs: JobCounts[] = [];
  for (const [kind, { path, body }] of Object.entries(bodies)) {
    jobs.push(await measure(kind, "sync", `${path}?wait=true`, body));
    jobs.push(await measure(kind, "async", path, body));
    jobs.push(
      await measure(kind, "async, webhook", path, { ...body, webhook_url: `${local.receiver.origin}/count/ok` }),
    );
  }
  const poll = await countPoll();
  const cron = await countCronRuns();
  const measured: Measured = {
    command: "npm run count",
    pageBytes: article.byteLength,
    jobs,
    poll,
    sqliteMs: replay(local.setUp, trace),
    growth: growth(schema),
    cron,
  };
  print(measured);
  writeFileSync(join(import.meta.dirname, "measured.json"), `${JSON.stringify(measured, null, 2)}\n`);
} finally {
  await service.stop();
  site.close();
  for (const each of [models, engines]) each.close();
  await local.close();
}
process.exit(0);

/** The mean of some jobs, one after the other, each with its delivery, after some that nobody counts. */
async function measure(
  kind: string,
  mode: JobCounts["mode"],
  path: string,
  body: Record<string, unknown>,
): Promise<JobCounts> {
  for (let i = 0; i < WARM_UP; i++) await ask(path, body);
  const warm = await take();
  trace.push(...warm.statements);
  const before = processorMs();
  for (let i = 0; i < JOBS; i++) await ask(path, body);
  const cpuMs = (processorMs() - before) / JOBS;
  const { statements, calls, walls } = await take();
  trace.push(...statements);
  // What a key's record costs comes once a minute, however many jobs there are.
  const own = statements.filter(({ sql }) => !sql.includes("api_keys"));
  const keyCalls = statements.length - own.length;
  const each = (count: number) => Math.round((count / JOBS) * 100) / 100;
  const sum = (pick: (statement: Statement) => number) => each(own.reduce((total, one) => total + pick(one), 0));
  const matching = (pattern: RegExp) =>
    Object.entries(calls).reduce((total, [name, count]) => total + (pattern.test(name) ? count : 0), 0);
  console.error(kind, mode, Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, each(count)])));
  return {
    kind,
    mode,
    d1Calls: Object.fromEntries(
      ["fetch", "queue", "WebhookDelivery"].map((by) => [by, each(calls[`${by}: D1 call`] ?? 0)]),
    ),
    statements: toStatementCounts(own, JOBS),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    rowsWritten: sum(({ rowsWritten }) => rowsWritten),
    keyStatements: keyCalls,
    objectCalls: each(matching(/^call /)),
    objectRowsWritten: each(matching(/: storage (put|delete|setAlarm|deleteAlarm|deleteAll)\b(?! held| changing)/)),
    objectRowsRead: each(matching(/: storage (get|getAlarm)\b/)),
    objectMs: Object.fromEntries(Object.entries(walls).map(([name, ms]) => [name, each(ms)])),
    messages: each(matching(/^queue (send|sendBatch)$/)),
    r2Writes: each(matching(/^R2 put$/)),
    r2Reads: each(matching(/^R2 get$/)),
    invocations: each(matching(/^invocation /)),
    cpuMs: each(cpuMs * JOBS),
  };
}

function toStatementCounts(statements: Statement[], over: number): StatementCounts[] {
  const each = (count: number) => Math.round((count / over) * 100) / 100;
  const byKind = Object.groupBy(statements, ({ by, sql }) => `${by}: ${toLabel(sql)}`);
  return Object.entries(byKind).map(([what, same = []]) => ({
    what,
    times: each(same.length),
    rowsRead: each(same.reduce((total, { rowsRead }) => total + rowsRead, 0)),
    rowsWritten: each(same.reduce((total, { rowsWritten }) => total + rowsWritten, 0)),
  }));
}

/** `UPDATE jobs (completed)`: what is written to which table, and the first thing that is set. */
function toLabel(sql: string): string {
  const words = sql.replace(/\s+/g, " ").trim();
  const [, verb, table] = /^(INSERT INTO|UPDATE|DELETE FROM|SELECT .*? FROM) (\w+)/.exec(words) ?? [];
  const [, column, status] = /SET (\w+) = (?:'(\w+)')?/.exec(words) ?? [];
  return `${verb?.split(" ")[0] ?? words.slice(0, 20)} ${table ?? ""}${column === undefined ? "" : ` (${status ?? column})`}`;
}

async function ask(path: string, body: Record<string, unknown>): Promise<void> {
  const since = Date.now() - 1;
  await service.post(path, body);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const open = await (await fetch(service.url(`/__open?since=${since}`))).json();
    if (open === 0) return;
    if (Date.now() > deadline) throw new Error(`A job of ${path} isn't over.`);
    await sleep(20);
  }
}

async function take(): Promise<{
  statements: Statement[];
  calls: Record<string, number>;
  walls: Record<string, number>;
}> {
  const response = await fetch(service.url("/__take"));
  return (await response.json()) as Awaited<ReturnType<typeof take>>;
}

/** One look at a job that has ended. */
async function countPoll(): Promise<Measured["poll"]> {
  const init = { headers: local.headers };
  const list = (await (await fetch(service.url("/v1/jobs?limit=1"), init)).json()) as { data: { job_id: string }[] };
  await take();
  await (await fetch(service.url(`/v1/jobs/${list.data[0]?.job_id}`), init)).text();
  const { statements, calls } = await take();
  return {
    d1Calls: calls["fetch: D1 call"] ?? 0,
    rowsRead: statements.reduce((total, { rowsRead }) => total + rowsRead, 0),
    objectCalls: calls["call KeyVerifier.verify"] ?? 0,
  };
}

async function countCronRuns(): Promise<Measured["cron"]> {
  const count = async (at: number) => {
    await (await fetch(service.url(`/__cron?at=${at}`))).text();
    return toStatementCounts((await take()).statements, 1);
  };
  const db = await service.database();
  const jobs = (await db.prepare("SELECT COUNT(*) AS jobs FROM jobs").first<number>("jobs")) ?? 0;
  // The first one has the pushes of a new account to do.
  await count(Date.now());
  return { idle: await count(Date.now()), retention: await count(Date.now() + RETENTION_MS), jobs };
}

function print({ jobs, poll, sqliteMs, growth: grown, cron }: Measured): void {
  console.table(
    jobs.map(({ statements: _, d1Calls, objectMs: __, ...job }) => ({
      ...job,
      d1Calls: Object.values(d1Calls).reduce((total, calls) => total + calls, 0),
    })),
  );
  console.log(poll);
  console.table(sqliteMs);
  console.log(grown);
  console.table(cron.idle);
  console.table(cron.retention);
}
