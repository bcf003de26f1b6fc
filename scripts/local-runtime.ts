import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type LocalSecrets, localAccountSql } from "./local-state.ts";
import { readMigrations, TABLES_QUERY, toPending, VERSIONS_QUERY } from "./migrations.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** A rate limit that is too high for any measurement to reach. */
const RATE_PER_MINUTE = 1_000_000;

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

type ProductOptions = Partial<V4WorkerOptions> & { bindings: Record<string, string> };

/**
 * Returns the service's Miniflare options from wrangler.toml, with these variables added. Static files are off by
 * default, because with them, the local runtime runs two more Workers for each request. Cloudflare doesn't run them.
 */
export function productOptions(bindings: Record<string, string>, { withAssets = false } = {}): ProductOptions {
  const { assets, ...options } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml")).workerOptions;
  return {
    ...options,
    ...(withAssets && { assets: assets as NonNullable<V4WorkerOptions["assets"]> }),
    bindings: { ...(options.bindings as Record<string, string>), ...bindings },
  } as ProductOptions;
}

/**
 * Starts a bundled Worker in the local runtime, without wrangler's proxy and log. `auxiliaryWorkers` are the Workers it
 * is bound to.
 */
export function startRuntime(
  file: string,
  options: Partial<V4WorkerOptions>,
  { auxiliaryWorkers = [], ...more }: Partial<V4SharedOptions> & { auxiliaryWorkers?: V4WorkerOptions[] } = {},
) {
  const modules = [{ type: "ESModule", path: "index.mjs", contents: readFileSync(file, "utf8") }];
  return new Miniflare(
    convertV4MiniflareOptions({
      logRequests: false,
      handleStructuredLogs: () => {},
      ...more,
      workers: [{ ...options, modules } as V4WorkerOptions, ...auxiliaryWorkers],
    }),
  );
}

type V4SharedOptions = Omit<Parameters<typeof convertV4MiniflareOptions>[0], "workers">;

export { unstable_splitSqlQuery as splitSql } from "wrangler";

/** Migrates the database to the latest version of the schema. Each version is applied in one transaction. */
export async function migrateDatabase(db: Database): Promise<void> {
  const { results: tables } = await db.prepare(TABLES_QUERY).all();
  const { results } =
    tables.length === 0 ? { results: [] } : await db.prepare(VERSIONS_QUERY).all<{ version: number }>();
  const applied = results.map(({ version }) => version);
  for (const { sql } of toPending(readMigrations(PROJECT), applied)) {
    await db.batch(unstable_splitSqlQuery(sql).map((statement) => db.prepare(statement)));
  }
}

/** Runs the statements of `sql` sequentially. */
export async function runStatements(db: Database, sql: string): Promise<void> {
  for (const statement of unstable_splitSqlQuery(sql)) await db.prepare(statement).run();
}

/** Triggers a Worker's cron once. The service's cron opens the Durable Objects of new accounts. */
export async function runCron(runtime: Miniflare, name: string): Promise<void> {
  const worker = await runtime.getWorker(name);
  await worker.scheduled({ cron: "* * * * *" });
}

/**
 * Prepares a service for measurements: creates the schema and the local account with these limits, and opens the
 * account's object.
 */
export async function setUpService(
  runtime: Miniflare,
  name: string,
  { secrets, credits, concurrentJobs }: { secrets: LocalSecrets; credits: number; concurrentJobs?: number },
): Promise<void> {
  const db = await runtime.getD1Database("DB", name);
  await migrateDatabase(db);
  const limits = { monthlyCredits: credits, ...(concurrentJobs === undefined ? {} : { concurrentJobs }) };
  await runStatements(db, localAccountSql({ secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null, ...limits }));
  await runCron(runtime, name);
}
