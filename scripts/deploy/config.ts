import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { toText } from "../../src/lib/env.ts";
import type { Jurisdiction } from "../../src/model/account.ts";
import { describeInvalidVariables } from "../../src/model/variables.ts";
import { describeUnknownVariable, SECRETS } from "../known-variables.ts";
import { checkPlacement, isTable, type Queues, toQueues } from "./platform-settings.ts";
import type { DataLocation, Settings } from "./settings.ts";

/** The parts of a configuration of wrangler that the deployment reads or replaces. */
export interface DeployConfig {
  name: string;
  account_id?: string;
  compatibility_date?: string;
  vars: Record<string, string>;
  d1_databases: { database_name: string; database_id?: string }[];
  r2_buckets: { bucket_name: string; jurisdiction?: string }[];
  queues: Queues;
  ai?: { binding: string };
  analytics_engine_datasets?: { binding: string; dataset: string }[];
}

/** The form that the names of Workers, buckets and queues have in common. */
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** The names of buckets have 3 to 63 characters. The names of queues, which begin with the Worker's name, have up to 63. */
const [MIN_NAME_CHARS, MAX_RESOURCE_CHARS] = [3, 63];

/**
 * Returns the configuration of an environment: wrangler.toml with the environment's names and the operator's settings.
 * Null is the default environment. The names of the database, the bucket and the queues begin with the Worker's name.
 * Throws if a name or a setting is invalid.
 */
export function toConfig(project: string, environment: string | null, settings: Settings): DeployConfig {
  const base: DeployConfig = experimental_readRawConfig({ config: join(project, "wrangler.toml") }).rawConfig;
  const name = toName(base, environment, settings);
  const rename = renamer({ from: base.name, to: name, environment });
  checkRegion(settings);
  checkPlacement(settings);
  const { jurisdiction } = settings;
  const queues = toQueues(base.queues, settings);
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
      producers: queues.producers.map((producer) => ({ ...producer, queue: rename(producer.queue) })),
      consumers: queues.consumers.map(({ dead_letter_queue: dead, ...consumer }) => ({
        ...consumer,
        queue: rename(consumer.queue),
        ...(dead === undefined ? {} : { dead_letter_queue: rename(dead) }),
      })),
    },
  };
}

/** The locations within each jurisdiction. */
const LOCATIONS_WITHIN: Record<Jurisdiction, DataLocation[]> = {
  eu: ["weur", "eeur"],
  us: ["wnam", "enam"],
  fedramp: ["wnam", "enam"],
};

/** Throws if the location is outside the jurisdiction. Browsers would then run outside the jurisdiction. */
function checkRegion({ location, jurisdiction }: Settings): void {
  if (location === null || jurisdiction === null || LOCATIONS_WITHIN[jurisdiction].includes(location)) return;
  const usable = LOCATIONS_WITHIN[jurisdiction].join(" or ");
  throw new Error(
    `The location ${location} isn't in the jurisdiction ${jurisdiction}. Use the location ${usable}, or omit it.`,
  );
}

function toName(base: DeployConfig, environment: string | null, { wrangler, file }: Settings): string {
  if (environment !== null && !NAME.test(environment))
    throw new Error(`--env must have lowercase letters, digits and hyphens, but is '${environment}'.`);
  const usual = environment === null ? process.env.WRANGLER_CI_OVERRIDE_NAME : `${base.name}-${environment}`;
  const name: unknown = wrangler.name ?? usual ?? base.name;
  const suffixes = [...base.queues.producers, ...base.queues.consumers].map(({ queue }) =>
    queue.startsWith(base.name) ? queue.length - base.name.length : 0,
  );
  const max = MAX_RESOURCE_CHARS - Math.max(...suffixes);
  if (typeof name === "string" && NAME.test(name) && name.length >= MIN_NAME_CHARS && name.length <= max) return name;
  const hint = wrangler.name === undefined && environment !== null ? `Use a shorter --env, or set` : "Set";
  throw new Error(
    `The Worker's name must have ${MIN_NAME_CHARS} to ${max} lowercase letters, digits and hyphens, but is '${name}'. \
${hint} another 'name' in ${file}.`,
  );
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

/** A country in each location. Browsers have a country instead of a location. */
const COUNTRIES: Record<DataLocation, string> = {
  wnam: "US",
  enam: "US",
  weur: "DE",
  eeur: "PL",
  apac: "SG",
  oc: "AU",
};

/** Returns the Worker's variables. Throws for an invalid value, and for an unknown variable, which may be misspelled. */
function toVars(base: DeployConfig, { wrangler, location, jurisdiction, file }: Settings): Record<string, string> {
  const given: unknown = wrangler.vars ?? {};
  if (!isTable(given)) throw new Error(`${file}: vars must be a table, which begins with the line [vars].`);
  const secret = Object.keys(given).find((name) => SECRETS.includes(name));
  if (secret !== undefined)
    throw new Error(`${file}: ${secret} is a secret. Set it with 'npx wrangler secret put ${secret}'.`);
  const unknown = describeUnknownVariable(Object.keys(given), Object.keys(base.vars));
  if (unknown !== null) throw new Error(`${file}: ${unknown}`);
  const near = location === null ? {} : { ACCOUNT_LOCATION: location, BROWSER_LOCATION: COUNTRIES[location] };
  const values = Object.entries<unknown>({
    ...base.vars,
    // A location in wrangler.toml is the operator's choice.
    ...Object.fromEntries(Object.entries(near).filter(([name]) => !base.vars[name])),
    ...(jurisdiction === null ? {} : { JURISDICTION: jurisdiction }),
    ...given,
  });
  const vars = Object.fromEntries(values.map(([name, value]) => [name, toVariable(name, value, file)]));
  const [problem] = describeInvalidVariables(vars);
  if (problem !== undefined) throw new Error(`${file}: ${problem}`);
  // The variable doesn't move the database and the bucket.
  if (toText(vars.JURISDICTION) !== jurisdiction)
    throw new Error(
      `${file}: set 'jurisdiction' before the first table instead of the variable JURISDICTION. It also applies to the database and the bucket.`,
    );
  return vars;
}

/** Returns a variable as text. The Worker parses all variables from text, but TOML also has numbers and booleans. */
function toVariable(name: string, value: unknown, file: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`${file}: the variable ${name} must be text in quotation marks.`);
}
