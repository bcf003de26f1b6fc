import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { toPositiveNumber } from "../../src/lib/env.ts";
import { RETENTION_DAYS_DEFAULT } from "../../src/model/limits.ts";
import { type Migration, readMigrations } from "../migrations.ts";

/** A lifecycle rule of the bucket: what lies under `prefix` is deleted after `days`. */
export interface Rule {
  name: string;
  prefix: string;
  days: number;
}

/** What the service needs in the account, by wrangler.toml, schema.sql and migrations/. */
export interface Wanted {
  worker: string;
  accountId: string | null;
  database: { name: string; id: string | null };
  bucket: string;
  queues: string[];
  rules: Rule[];
  secrets: string[];
  migrations: Migration[];
  /** Where the service is reached, when that isn't the address that wrangler tells. */
  publicUrl: string | null;
  compatibilityDate: string;
}

/** Stands in wrangler.toml until there is a database. */
export const NO_DATABASE_ID = "00000000-0000-0000-0000-000000000000";

/** The secret of the admin API. The service also runs without it, so wrangler.toml doesn't require it. */
export const ADMIN_TOKEN = "ADMIN_TOKEN";

const PREFIXES = ["results", "screenshots", "requests"];

/** Throws when wrangler.toml lacks what the service needs. */
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
    // The accounts delete what is due. The bucket's rules delete what no account knows of, two days later.
    rules: PREFIXES.map((name) => ({ name, prefix: `${name}/`, days: Math.ceil(days) + 2 })),
    secrets: [...(secrets?.required ?? []), ADMIN_TOKEN],
    migrations: readMigrations(project),
    publicUrl: String(vars.PUBLIC_URL ?? "").trim() || null,
    compatibilityDate: config.compatibility_date ?? "",
  };
}

/** wrangler.toml with the database's id. Throws where there isn't exactly one to be replaced. */
export function withDatabaseId(toml: string, { from, to }: { from: string | null; to: string }): string {
  const line = new RegExp(`^(database_id\\s*=\\s*)"${from ?? NO_DATABASE_ID}"`, "gm");
  if (toml.match(line)?.length !== 1) throw new Error(`wrangler.toml has no single database_id to be set to ${to}.`);
  return toml.replace(line, `$1"${to}"`);
}
