import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { TABLES_QUERY, toPending, VERSIONS_QUERY } from "./migrations.ts";

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The statements of one version of the D1 schema. */
export interface SchemaVersion {
  version: number;
  statements: string[];
}

/**
 * Starts a bundled Worker in the local runtime, without wrangler's proxy and log. `auxiliaryWorkers` are the Workers it
 * is bound to.
 */
export function startRuntime(file: string, options: Partial<V4WorkerOptions>, more: RuntimeOptions = {}): Miniflare {
  return new Miniflare(toMiniflareOptions(file, options, more));
}

/** Returns the options of the local runtime. They contain the code of the bundle. */
export function toMiniflareOptions(
  file: string,
  options: Partial<V4WorkerOptions>,
  { auxiliaryWorkers = [], ...more }: RuntimeOptions = {},
) {
  const modules = [{ type: "ESModule", path: "index.mjs", contents: readFileSync(file, "utf8") }];
  return convertV4MiniflareOptions({
    logRequests: false,
    handleStructuredLogs: () => {},
    ...more,
    workers: [{ ...options, modules } as V4WorkerOptions, ...auxiliaryWorkers],
  });
}

type RuntimeOptions = Partial<Omit<Parameters<typeof convertV4MiniflareOptions>[0], "workers">> & {
  auxiliaryWorkers?: V4WorkerOptions[];
};

/** Migrates the database to the latest version of `schema`. Each version is applied in one transaction. */
export async function migrateDatabase(db: Database, schema: SchemaVersion[]): Promise<void> {
  const { results: tables } = await db.prepare(TABLES_QUERY).all();
  const { results } =
    tables.length === 0 ? { results: [] } : await db.prepare(VERSIONS_QUERY).all<{ version: number }>();
  const applied = results.map(({ version }) => version);
  for (const { statements } of toPending(schema, applied)) {
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/** Runs the statements sequentially. */
export async function runStatements(db: Database, statements: string[]): Promise<void> {
  for (const statement of statements) await db.prepare(statement).run();
}

/** Triggers a Worker's cron once. The service's cron opens the Durable Objects of new accounts. */
export async function runCron(runtime: Miniflare, name: string): Promise<void> {
  const worker = await runtime.getWorker(name);
  await worker.scheduled({ cron: "* * * * *" });
}
