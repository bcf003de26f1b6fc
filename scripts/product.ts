// The functions that read the service's configuration with wrangler. Wrangler needs 150 MB of memory, so `npm start`
// calls these functions in another process (scripts/prepare.ts).
import { join, resolve } from "node:path";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { migrateDatabase, runCron, runStatements, type SchemaVersion } from "./local-runtime.ts";
import { LOCAL_VARIABLES, type LocalSecrets, localAccountStatements } from "./local-state.ts";
import { readMigrations } from "./migrations.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** A rate limit that is too high for any measurement to reach. */
const RATE_PER_MINUTE = 1_000_000;

export type ProductOptions = Partial<V4WorkerOptions> & { bindings: Record<string, string> };

/**
 * Returns the service's Miniflare options from wrangler.toml, with the variables of the local runtime and these. Static files are off by
 * default, because with them, the local runtime runs two more Workers for each request. Cloudflare doesn't run them.
 */
export function productOptions(bindings: Record<string, string>, { withAssets = false } = {}): ProductOptions {
  const { assets, ...options } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml")).workerOptions;
  return {
    ...options,
    ...(withAssets && { assets: assets as NonNullable<V4WorkerOptions["assets"]> }),
    bindings: { ...(options.bindings as Record<string, string>), ...LOCAL_VARIABLES, ...bindings },
  } as ProductOptions;
}

/** Returns the statements of each version of the D1 schema, in order. */
export function readSchema(): SchemaVersion[] {
  return readMigrations(PROJECT).map(({ version, sql }) => ({ version, statements: unstable_splitSqlQuery(sql) }));
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
  await migrateDatabase(db, readSchema());
  const limits = { monthlyCredits: credits, ...(concurrentJobs === undefined ? {} : { concurrentJobs }) };
  await runStatements(
    db,
    localAccountStatements({ secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null, ...limits }),
  );
  await runCron(runtime, name);
}
