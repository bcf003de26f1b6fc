// The operator's settings of one environment: deploy.toml, or deploy.<environment>.toml. Git ignores these files.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { JURISDICTIONS, type Jurisdiction } from "../../src/model/account.ts";

/** The locations that D1, R2 and Durable Objects all support. */
const LOCATIONS = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;
export type DataLocation = (typeof LOCATIONS)[number];

/** The region of the data. Cloudflare can't change it after the database and the bucket are created. */
export interface Region {
  location: DataLocation | null;
  jurisdiction: Jurisdiction | null;
}

/** The settings of wrangler.toml that an operator may replace. Tables are merged, all other values are replaced. */
const WRANGLER_SETTINGS = [
  "name",
  "account_id",
  "route",
  "routes",
  "workers_dev",
  "preview_urls",
  "vars",
  "send_email",
  "limits",
  "placement",
  "queues",
  "observability",
  "logpush",
  "tail_consumers",
] as const;

export interface Settings extends Region {
  /** The file's path, relative to the project. */
  file: string;
  /** True to always bind Workers AI, and false to never bind it. Null to bind it if no model provider has a key. */
  workersAi: boolean | null;
  /** The settings that replace those of wrangler.toml. */
  wrangler: { name?: unknown; account_id?: string; vars?: unknown; placement?: unknown; queues?: unknown };
}

/** Reads the settings of an environment. Null is the default environment. Throws if a setting is unknown or invalid. */
export function readSettings(project: string, environment: string | null): Settings {
  const file = environment === null ? "deploy.toml" : `deploy.${environment}.toml`;
  const path = join(project, file);
  const raw = existsSync(path) ? readToml(path, file) : {};
  const { location = null, jurisdiction = null, workers_ai: workersAi = null, ...wrangler } = raw;
  const unknown = Object.keys(wrangler).filter((name) => !WRANGLER_SETTINGS.some((known) => known === name));
  if (unknown.length > 0) {
    const known = [...WRANGLER_SETTINGS, "location", "jurisdiction", "workers_ai"].join(", ");
    throw new Error(`${file} has the unknown setting ${unknown.join(", ")}. It may contain ${known}.`);
  }
  if (workersAi !== null && typeof workersAi !== "boolean")
    throw new Error(`${file}: workers_ai must be true or false.`);
  const { send_email: senders } = wrangler;
  if (senders !== undefined && !(Array.isArray(senders) && senders.length === 1 && senders[0]?.name === "EMAIL"))
    throw new Error(`${file}: send_email must have one binding, with the name EMAIL.`);
  return { file, workersAi, ...readRegion({ location, jurisdiction }, (name) => `${file}: ${name}`), wrangler };
}

/** Parses a TOML file. Throws an error with the file's name and the position of a mistake. */
function readToml(path: string, file: string): Record<string, unknown> {
  try {
    return { ...experimental_readRawConfig({ config: path }).rawConfig };
  } catch (error) {
    const { message, line, column } = error as Error & { line?: number; column?: number };
    const at = line === undefined ? "" : ` in line ${line}, column ${column}`;
    throw new Error(`${file} can't be read: ${message.split("\n")[0]}${at}.`, { cause: error });
  }
}

/** Checks the region of a settings file or of the command line. `toLabel` names a value in errors. */
export function readRegion(
  { location, jurisdiction }: Record<keyof Region, unknown>,
  toLabel: (name: keyof Region) => string,
): Region {
  return {
    location: readOne(toLabel("location"), LOCATIONS, location),
    jurisdiction: readOne(toLabel("jurisdiction"), JURISDICTIONS, jurisdiction),
  };
}

function readOne<Value extends string>(name: string, values: readonly Value[], given: unknown): Value | null {
  if (given === null || given === undefined) return null;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new Error(`${name} must be one of ${values.join(", ")}, but is '${given}'.`);
  return found;
}

/** Adds the region to the settings file, so that the next deployments use it too. Keeps the rest of the file. */
export function storeRegion(project: string, file: string, region: Region): void {
  const path = join(project, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const kept = text.replace(/^(?:location|jurisdiction)\s*=.*\n?/gm, "");
  const lines = Object.entries(region).flatMap(([name, value]) => (value === null ? [] : [`${name} = "${value}"\n`]));
  // These lines must come before the file's first table.
  writeFileSync(path, `${lines.join("")}${kept}`);
}
