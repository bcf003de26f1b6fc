import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { toFetchVia } from "../../src/model/fetch-via.ts";
import { toRenderMethod } from "../../src/model/render-method.ts";
import type { DataLocation, Settings } from "./settings.ts";

/** The parts of a configuration of wrangler that the deployment reads or replaces. */
export interface DeployConfig {
  name: string;
  account_id?: string;
  compatibility_date?: string;
  vars: Record<string, unknown>;
  d1_databases: { database_name: string; database_id?: string }[];
  r2_buckets: { bucket_name: string; jurisdiction?: string }[];
  queues: { producers: { queue: string }[]; consumers: { queue: string; dead_letter_queue?: string }[] };
  ai?: { binding: string };
  analytics_engine_datasets?: { binding: string; dataset: string }[];
}

const ENVIRONMENT = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
/** A Worker's name is part of its host name, whose labels have at most 63 characters. */
const MAX_NAME_CHARS = 63;

/**
 * Returns the configuration of an environment: wrangler.toml with the environment's names and the operator's settings.
 * Null is the default environment. The names of the database, the bucket and the queues begin with the Worker's name.
 * Throws if a name or a setting is invalid.
 */
export function toConfig(project: string, environment: string | null, settings: Settings): DeployConfig {
  const base: DeployConfig = experimental_readRawConfig({ config: join(project, "wrangler.toml") }).rawConfig;
  const name = toName(base, environment, settings);
  const rename = renamer({ from: base.name, to: name, environment });
  const { jurisdiction } = settings;
  return {
    ...merge(base, settings.wrangler),
    name,
    vars: toVars(base, settings),
    d1_databases: base.d1_databases.map(({ database_id, ...database }) => ({
      ...database,
      // "Deploy to Cloudflare" writes the id of the default environment's database into wrangler.toml.
      ...(database_id === undefined || environment !== null ? {} : { database_id }),
      database_name: rename(database.database_name),
    })),
    r2_buckets: base.r2_buckets.map((bucket) => ({
      ...bucket,
      bucket_name: rename(bucket.bucket_name),
      ...(jurisdiction === null ? {} : { jurisdiction }),
    })),
    queues: {
      producers: base.queues.producers.map((producer) => ({ ...producer, queue: rename(producer.queue) })),
      consumers: base.queues.consumers.map(({ dead_letter_queue: dead, ...consumer }) => ({
        ...consumer,
        queue: rename(consumer.queue),
        ...(dead === undefined ? {} : { dead_letter_queue: rename(dead) }),
      })),
    },
  };
}

function toName(base: DeployConfig, environment: string | null, { wrangler, file }: Settings): string {
  if (environment !== null && !ENVIRONMENT.test(environment))
    throw new Error(`--env must have lowercase letters, digits and hyphens, but is '${environment}'.`);
  const usual = environment === null ? process.env.WRANGLER_CI_OVERRIDE_NAME : `${base.name}-${environment}`;
  const name = wrangler.name ?? usual ?? base.name;
  if (name === "" || name.length > MAX_NAME_CHARS)
    throw new Error(`The Worker's name must have 1 to ${MAX_NAME_CHARS} characters. Set 'name' in ${file}.`);
  return name;
}

/**
 * Returns a function that replaces the Worker's name at the start of a resource's name. If an operator changed the
 * resource's name in wrangler.toml, it appends the environment instead.
 */
function renamer({ from, to, environment }: { from: string; to: string; environment: string | null }) {
  return (name: string): string => {
    if (name === from || name.startsWith(`${from}-`)) return `${to}${name.slice(from.length)}`;
    return environment === null ? name : `${name}-${environment}`;
  };
}

/** Merges tables of the settings into those of wrangler.toml. All other settings replace the value of wrangler.toml. */
function merge(base: object, settings: object): object {
  const merged = Object.entries(settings).map(([key, value]) => {
    const old: unknown = Reflect.get(base, key);
    return [key, isTable(old) && isTable(value) ? merge(old, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

/**
 * The variables that differ on Cloudflare. Its browsers can't reach a private network. They only cost while they run, and
 * by default only one account uses a browser at a time, so there are more of them.
 */
const ON_CLOUDFLARE = { BROWSER_NETWORK: "public", BROWSERS: "10" };

/** A country in each location. Browsers have a country instead of a location. */
const COUNTRIES: Record<DataLocation, string> = {
  wnam: "US",
  enam: "US",
  weur: "DE",
  eeur: "PL",
  apac: "SG",
  oc: "AU",
};

/**
 * Returns the Worker's variables. Throws for an invalid FETCH_VIA or RENDER_METHOD, and for an unknown variable, which
 * may be misspelled.
 */
function toVars(base: DeployConfig, { wrangler, location, jurisdiction, file }: Settings) {
  const given = wrangler.vars ?? {};
  const unknown = Object.keys(given).find((name) => !(name in base.vars));
  if (unknown !== undefined)
    throw new Error(`${file}: the service has no variable ${unknown}. docs/configuration.md lists all variables.`);
  const vars: Record<string, unknown> = {
    ...base.vars,
    ...ON_CLOUDFLARE,
    ...(location === null ? {} : { ACCOUNT_LOCATION: location, BROWSER_LOCATION: COUNTRIES[location] }),
    ...(jurisdiction === null ? {} : { JURISDICTION: jurisdiction }),
    ...given,
  };
  toFetchVia(String(vars.FETCH_VIA));
  toRenderMethod(String(vars.RENDER_METHOD));
  return vars;
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
