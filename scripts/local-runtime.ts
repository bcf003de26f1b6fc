import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type LocalSecrets, localAccountSql } from "./local-state.ts";

const PROJECT = resolve(import.meta.dirname, "..");
/** More than a measurement can ask for. */
const RATE_PER_MINUTE = 1_000_000;

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The product as wrangler.toml has it, but for these variables and its static files. */
export function productOptions(bindings: Record<string, string>): Partial<V4WorkerOptions> {
  // The local runtime looks for files with two Workers of its own before ours, in each request. The platform has its own
  // way for that.
  const { assets: _, ...options } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml")).workerOptions;
  return { ...options, bindings: { ...(options.bindings as Record<string, string>), ...bindings } };
}

/** A bundled Worker in the local runtime, without wrangler's proxy and log. */
export function startRuntime(file: string, options: Partial<V4WorkerOptions>, more: Partial<MiniflareOptions> = {}) {
  const modules = [{ type: "ESModule", path: "index.mjs", contents: readFileSync(file, "utf8") }];
  return new Miniflare({
    ...convertV4MiniflareOptions({ workers: [{ ...options, modules } as V4WorkerOptions] }),
    handleStructuredLogs: () => {},
    ...more,
  } as MiniflareOptions);
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
