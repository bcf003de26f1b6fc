import { toPositiveNumber } from "../../src/lib/env.ts";
import { RETENTION_DAYS_DEFAULT } from "../../src/model/limits.ts";
import { type Migration, readMigrations } from "../migrations.ts";
import { type DeployConfig, toConfig } from "./config.ts";
import { type Region, readSettings, type Settings } from "./settings.ts";

/** A lifecycle rule of the bucket. R2 deletes objects whose key starts with `prefix` after `days` days. */
export interface Rule {
  name: string;
  prefix: string;
  days: number;
}

/** The resources that an environment needs, as wrangler.toml, the settings, schema.sql and migrations/ define them. */
export interface Wanted {
  /** Null for the default environment. */
  environment: string | null;
  settings: Settings;
  /** The settings that the command line adds. The deployment stores them in the settings file. */
  newRegion: Region | null;
  /** The configuration that wrangler deploys. */
  config: DeployConfig;
  worker: string;
  accountId: string | null;
  /** `id` is null unless wrangler.toml has one. Wrangler finds the database by its name. */
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

/** The secrets that the service needs. */
const REQUIRED_SECRETS = ["SIGNING_SECRET", "ENCRYPTION_KEY"];
/** The optional secret that holds the admin API token. */
export const ADMIN_TOKEN = "ADMIN_TOKEN";
/** The secret that holds the jurisdiction of the stored data. A later deployment without these settings keeps it. */
export const DATA_JURISDICTION = "DATA_JURISDICTION";

const PREFIXES = ["results", "screenshots", "requests", "captures"];
/** The file of a request is deleted when its job ends. A job can wait for days if the account has many. */
const FILES_RULE: Rule = { name: "files", prefix: "files/", days: 7 };

export interface Choice {
  environment: string | null;
  /** The region that the command line gives. */
  region: Region;
}

/** Reads wrangler.toml, the settings and the migrations. Throws if a setting is invalid. */
export function readWanted(project: string, { environment, region }: Choice): Wanted {
  const stored = readSettings(project, environment);
  const settings = { ...stored, ...withoutNulls(region) };
  const isNew = settings.location !== stored.location || settings.jurisdiction !== stored.jurisdiction;
  const config = toConfig(project, environment, settings);
  const { vars, queues } = config;
  const [database] = config.d1_databases;
  const [bucket] = config.r2_buckets;
  if (database === undefined || bucket === undefined)
    throw new Error("wrangler.toml must have a database and a bucket.");
  const names = [...queues.producers, ...queues.consumers].map(({ queue }) => queue);
  const days = toPositiveNumber(String(vars.RETENTION_DAYS ?? ""), RETENTION_DAYS_DEFAULT);
  return {
    environment,
    settings,
    newRegion: isNew ? { location: settings.location, jurisdiction: settings.jurisdiction } : null,
    config,
    worker: config.name,
    accountId: config.account_id ?? null,
    database: { name: database.database_name, id: database.database_id ?? null },
    bucket: bucket.bucket_name,
    queues: [...new Set(names)],
    // Each account's Durable Object deletes its expired objects. Two days later, the bucket's rules delete objects that
    // no account refers to.
    rules: [...PREFIXES.map((name) => ({ name, prefix: `${name}/`, days: Math.ceil(days) + 2 })), FILES_RULE],
    // A build in Workers Builds has no private file in which it could store the token.
    secrets: [
      ...REQUIRED_SECRETS,
      ...(process.env.WORKERS_CI === "1" ? [] : [ADMIN_TOKEN]),
      ...(settings.jurisdiction === null ? [] : [DATA_JURISDICTION]),
    ],
    migrations: readMigrations(project),
    publicUrl: String(vars.PUBLIC_URL ?? "").trim() || null,
    compatibilityDate: config.compatibility_date ?? "",
  };
}

function withoutNulls(region: Region): Partial<Region> {
  return Object.fromEntries(Object.entries(region).filter(([, value]) => value !== null));
}
