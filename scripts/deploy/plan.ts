import { PROVIDER_NAMES, toVariable } from "../../src/models/provider-names.ts";
import { type Migration, toPending } from "../migrations.ts";
import { DATA_JURISDICTION, type Rule, type Wanted } from "./wanted.ts";

/** The existing resources of the Cloudflare account. */
export interface AccountState {
  /** The id of the database with the configured name. Null if there is no such database. */
  databaseId: string | null;
  /** The database's jurisdiction. Null if it has none, and undefined if it isn't known. */
  jurisdiction?: string | null | undefined;
  /** The schema versions that are applied to the database. */
  versions: number[];
  /** The bucket's lifecycle rules. Null if there is no bucket. */
  rules: Rule[] | null;
  queues: string[];
  /** True if a Worker with the configured name exists. */
  hasWorker: boolean;
  /** The names of the Worker's secrets. Cloudflare doesn't return their values. */
  secrets: string[];
}

export type Step =
  | { kind: "create database" }
  | { kind: "create bucket" }
  | { kind: "create queue"; queue: string }
  | { kind: "migrate"; migration: Migration }
  | { kind: "set rule"; rule: Rule; replaces: boolean }
  /**
   * `secrets` are the missing secrets. `workersAi` is true if the Worker gets the Workers AI binding. `replaces` is true if
   * a Worker of this name exists without its database, so that it may belong to another project.
   */
  | { kind: "deploy"; secrets: string[]; workersAi: boolean; replaces: boolean }
  | { kind: "check health" };

export const EMPTY_ACCOUNT: AccountState = {
  databaseId: null,
  versions: [],
  rules: null,
  queues: [],
  hasWorker: false,
  secrets: [],
};

/**
 * Returns the steps that the account still needs, in order. Throws if wrangler.toml has the id of another database, or if
 * the region differs from the one that the data already has.
 */
export function toPlan(wanted: Wanted, found: AccountState): Step[] {
  const { database, newRegion } = wanted;
  if (database.id !== null && database.id !== found.databaseId) throw new Error(otherDatabase(wanted, found));
  if (newRegion !== null && (found.databaseId !== null || found.rules !== null)) throw new Error(otherRegion(wanted));
  const { jurisdiction } = found;
  if (jurisdiction !== undefined && jurisdiction !== wanted.settings.jurisdiction)
    throw new Error(otherJurisdiction(wanted, jurisdiction));
  return [
    ...(found.databaseId === null ? [{ kind: "create database" } as const] : []),
    ...(found.rules === null ? [{ kind: "create bucket" } as const] : []),
    ...wanted.queues
      .filter((queue) => !found.queues.includes(queue))
      .map((queue) => ({ kind: "create queue", queue }) as const),
    ...toPending(wanted.migrations, found.versions).map((migration) => ({ kind: "migrate", migration }) as const),
    ...toRuleSteps(wanted.rules, found.rules ?? []),
    toDeployStep(wanted, found),
    { kind: "check health" },
  ];
}

/** Returns the deploy step. Without a setting, Workers AI is bound if no other model provider has a key. */
function toDeployStep({ secrets, settings }: Wanted, found: AccountState): Step {
  const keys: string[] = PROVIDER_NAMES.map((name) => toVariable(name, "API_KEY"));
  // If the database was deleted, the secret may have the jurisdiction of the deleted data.
  const kept = found.databaseId === null ? found.secrets.filter((name) => name !== DATA_JURISDICTION) : found.secrets;
  return {
    kind: "deploy",
    secrets: secrets.filter((name) => !kept.includes(name)),
    replaces: found.hasWorker && found.databaseId === null,
    workersAi: settings.workersAi ?? !found.secrets.some((name) => keys.includes(name)),
  };
}

function toRuleSteps(wanted: Rule[], found: Rule[]): Step[] {
  return wanted.flatMap((rule): Step[] => {
    const present = found.find(({ name }) => name === rule.name);
    if (present?.prefix === rule.prefix && present.days === rule.days) return [];
    return [{ kind: "set rule", rule, replaces: present !== undefined }];
  });
}

function otherDatabase({ database }: Wanted, { databaseId }: AccountState): string {
  const actual = databaseId === null ? "has no database of that name" : `has it with the id ${databaseId}`;
  return `wrangler.toml names the database ${database.name} with the id ${database.id}, but this account ${actual}. \
Log in to the account that has the database, or correct the id in wrangler.toml.`;
}

function otherRegion({ database, bucket, settings }: Wanted): string {
  return `The database ${database.name} or the bucket ${bucket} already exists, and Cloudflare can't change its region. \
Omit --location and --jurisdiction, or deploy a new environment with --env. ${settings.file} has the region that applies.`;
}

function otherJurisdiction({ database, settings }: Wanted, jurisdiction: string | null): string {
  const [actual, setting] =
    jurisdiction === null
      ? ["has no jurisdiction", "Remove 'jurisdiction'"]
      : [`is in the jurisdiction ${jurisdiction}`, `Write the line jurisdiction = "${jurisdiction}" at the start`];
  const given = settings.jurisdiction === null ? "has none" : `has ${settings.jurisdiction}`;
  return `The database ${database.name} ${actual}, but ${settings.file} ${given}. \
With another jurisdiction, the service would not find its objects. ${setting}${jurisdiction === null ? " from" : " of"} ${settings.file}.`;
}

/** Returns a description of the step. The operator reads it and confirms the step. */
export function describe(step: Step, wanted: Wanted): string {
  switch (step.kind) {
    case "create database":
      return `create the D1 database ${wanted.database.name}${toPlace(wanted)}`;
    case "create bucket":
      return `create the R2 bucket ${wanted.bucket}${toPlace(wanted)}`;
    case "create queue":
      return `create the queue ${step.queue}`;
    case "migrate":
      return `apply ${step.migration.file} (version ${step.migration.version} of the database schema)`;
    case "set rule":
      return `${step.replaces ? "change" : "add"} the bucket's lifecycle rule ${step.rule.name}: \
delete objects under ${step.rule.prefix} after ${step.rule.days} days`;
    case "deploy": {
      const model = step.workersAi ? ", and Workers AI as a model for parse" : "";
      const other = step.replaces ? ", which replaces an existing Worker that has no database," : "";
      return step.secrets.length === 0
        ? `deploy the Worker ${wanted.worker}${other} with its existing secrets${model}`
        : `deploy the Worker ${wanted.worker}${other} with values for its missing secrets (${step.secrets.join(", ")})${model}`;
    }
    case "check health":
      return "check that the service responds";
  }
}

function toPlace({ settings: { location, jurisdiction } }: Wanted): string {
  if (jurisdiction !== null) return ` in the jurisdiction ${jurisdiction}`;
  return location === null ? "" : ` in the location ${location}`;
}
