import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { toPositiveNumber } from "../../src/lib/env.ts";
import { RETENTION_DAYS_DEFAULT } from "../../src/model/limits.ts";
import { type Migration, readMigrations } from "../migrations.ts";

/** A lifecycle rule of the bucket. R2 deletes objects whose key starts with `prefix` after `days` days. */
export interface Rule {
  name: string;
  prefix: string;
  days: number;
}

/** The resources that the service needs, as wrangler.toml, schema.sql and migrations/ define them. */
export interface Wanted {
  worker: string;
  accountId: string | null;
  database: { name: string; id: string | null };
  bucket: string;
  queues: string[];
  rules: Rule[];
  secrets: string[];
  migrations: Migration[];
  /** The variable PUBLIC_URL. Null if it isn't set. The deployment then uses the address that wrangler reports. */
  publicUrl: string | null;
  compatibilityDate: string;
}

/** wrangler.toml has this placeholder until the database is created. */
export const NO_DATABASE_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The secret that holds the admin API token. wrangler.toml doesn't require it, because the service also runs without
 * it.
 */
export const ADMIN_TOKEN = "ADMIN_TOKEN";

const PREFIXES = ["results", "screenshots", "requests"];

/**
 * Reads wrangler.toml and the migrations. Throws if wrangler.toml doesn't name the Worker, its database and its bucket.
 */
export function readWanted(project: string): Wanted {
  const config = unstable_readConfig({ config: join(project, "wrangler.toml") }, { hideWarnings: true });
  const { vars, queues, secrets } = config;
  const [database] = config.d1_databases;
  const [bucket] = config.r2_buckets;
  const names = [...(queues.producers ?? []), ...(queues.consumers ?? [])].map(({ queue }) => queue);
  const days = toPositiveNumber(String(vars.RETENTION_DAYS ?? ""), RETENTION_DAYS_DEFAULT);
  if (config.name === undefined || database?.database_name === undefined || bucket?.bucket_name === undefined)
    throw new Error("wrangler.toml must name the Worker, its database and its bucket.");
  const id = database.database_id;
  return {
    worker: config.name,
    accountId: config.account_id ?? null,
    database: { name: database.database_name, id: id === undefined || id === NO_DATABASE_ID ? null : id },
    bucket: bucket.bucket_name,
    queues: [...new Set(names)],
    // Each account's Durable Object deletes its expired objects. Two days later, the bucket's rules delete objects that
    // no account refers to.
    rules: PREFIXES.map((name) => ({ name, prefix: `${name}/`, days: Math.ceil(days) + 2 })),
    secrets: [...(secrets?.required ?? []), ADMIN_TOKEN],
    migrations: readMigrations(project),
    publicUrl: String(vars.PUBLIC_URL ?? "").trim() || null,
    compatibilityDate: config.compatibility_date ?? "",
  };
}

/**
 * Returns the text of wrangler.toml with the database's id. Throws if there isn't exactly one `database_id` to replace.
 */
export function withDatabaseId(toml: string, { from, to }: { from: string | null; to: string }): string {
  const line = new RegExp(`^(database_id\\s*=\\s*)"${from ?? NO_DATABASE_ID}"`, "gm");
  if (toml.match(line)?.length !== 1)
    throw new Error(
      `wrangler.toml must have exactly one database_id "${from ?? NO_DATABASE_ID}" to replace with "${to}".`,
    );
  return toml.replace(line, `$1"${to}"`);
}
