import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type LocalSecrets, localAccountSql } from "./local-state.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** More than a measurement can ask for. */
const RATE_PER_MINUTE = 1_000_000;

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

type ProductOptions = Partial<V4WorkerOptions> & { bindings: Record<string, string> };

/**
 * The product's options from wrangler.toml with these variables. Static files are left out unless they are asked for: the local
 * runtime runs two Workers to look for them before ours, in each request. The platform doesn't.
 */
export function productOptions(bindings: Record<string, string>, { withAssets = false } = {}): ProductOptions {
  const { assets, ...options } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml")).workerOptions;
  return {
    ...options,
    ...(withAssets && { assets: assets as NonNullable<V4WorkerOptions["assets"]> }),
    bindings: { ...(options.bindings as Record<string, string>), ...bindings },
  } as ProductOptions;
}

/** Starts a bundled Worker in the local runtime, without wrangler's proxy and log. `beside` holds the Workers that it is bound to. */
export function startRuntime(
  file: string,
  options: Partial<V4WorkerOptions>,
  { beside = [], ...more }: Partial<V4SharedOptions> & { beside?: V4WorkerOptions[] } = {},
) {
  const modules = [{ type: "ESModule", path: "index.mjs", contents: readFileSync(file, "utf8") }];
  return new Miniflare(
    convertV4MiniflareOptions({
      logRequests: false,
      handleStructuredLogs: () => {},
      ...more,
      workers: [{ ...options, modules } as V4WorkerOptions, ...beside],
    }),
  );
}

type V4SharedOptions = Omit<Parameters<typeof convertV4MiniflareOptions>[0], "workers">;

export { unstable_splitSqlQuery as splitSql } from "wrangler";

/** The statements of schema.sql. */
export function schemaStatements(): string[] {
  return unstable_splitSqlQuery(readFileSync(join(PROJECT, "schema.sql"), "utf8"));
}

/** What makes the database: the schema, and the local account with so many credits more. */
export function setUpStatements(secrets: LocalSecrets, credits: number): string[] {
  const account = localAccountSql({ secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null });
  return unstable_splitSqlQuery(
    `${readFileSync(join(PROJECT, "schema.sql"), "utf8")}
     ${account}
     INSERT INTO ledger (account_id, kind, balance_change, created_at) VALUES ('local', 'adjustment', ${credits}, 0)`,
  );
}

export async function setUpDatabase(db: Database, statements: string[]): Promise<void> {
  for (const statement of statements) await db.prepare(statement).run();
}
