import { type Migration, toPending } from "../migrations.ts";
import type { Rule, Wanted } from "./wanted.ts";

/** The existing resources of the Cloudflare account. */
export interface AccountState {
  /** The id of the database with the configured name. Null if there is no such database. */
  databaseId: string | null;
  /** The schema versions that are applied to the database. */
  versions: number[];
  /** The bucket's lifecycle rules. Null if there is no bucket. */
  rules: Rule[] | null;
  queues: string[];
  /** The names of the Worker's secrets. Cloudflare doesn't return their values. */
  secrets: string[];
}

export type Step =
  | { kind: "create database" }
  | { kind: "write database id"; id: string }
  | { kind: "create bucket" }
  | { kind: "create queue"; queue: string }
  | { kind: "migrate"; migration: Migration }
  | { kind: "set rule"; rule: Rule; replaces: boolean }
  | { kind: "deploy"; secrets: string[] }
  | { kind: "check health" };

export const EMPTY_ACCOUNT: AccountState = { databaseId: null, versions: [], rules: null, queues: [], secrets: [] };

/** Returns the steps that the account still needs, in order. Throws if wrangler.toml has the id of another database. */
export function toPlan(wanted: Wanted, found: AccountState): Step[] {
  const { database } = wanted;
  if (database.id !== null && database.id !== found.databaseId) throw new Error(otherDatabase(wanted, found));
  return [
    ...toDatabaseSteps(wanted, found),
    ...(found.rules === null ? [{ kind: "create bucket" } as const] : []),
    ...wanted.queues
      .filter((queue) => !found.queues.includes(queue))
      .map((queue) => ({ kind: "create queue", queue }) as const),
    ...toPending(wanted.migrations, found.versions).map((migration) => ({ kind: "migrate", migration }) as const),
    ...toRuleSteps(wanted.rules, found.rules ?? []),
    { kind: "deploy", secrets: wanted.secrets.filter((name) => !found.secrets.includes(name)) },
    { kind: "check health" },
  ];
}

function toDatabaseSteps({ database }: Wanted, { databaseId }: AccountState): Step[] {
  if (databaseId === null) return [{ kind: "create database" }];
  return database.id === null ? [{ kind: "write database id", id: databaseId }] : [];
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

/** Returns a description of the step. The operator reads it and confirms the step. */
export function describe(step: Step, wanted: Wanted): string {
  switch (step.kind) {
    case "create database":
      return `create the D1 database ${wanted.database.name}, and write its id into wrangler.toml`;
    case "write database id":
      return `write the id of the D1 database ${wanted.database.name}, ${step.id}, into wrangler.toml`;
    case "create bucket":
      return `create the R2 bucket ${wanted.bucket}`;
    case "create queue":
      return `create the queue ${step.queue}`;
    case "migrate":
      return `apply ${step.migration.file} (version ${step.migration.version} of the database schema)`;
    case "set rule":
      return `${step.replaces ? "change" : "add"} the bucket's lifecycle rule ${step.rule.name}: \
delete objects under ${step.rule.prefix} after ${step.rule.days} days`;
    case "deploy":
      return step.secrets.length === 0
        ? `deploy the Worker ${wanted.worker} and keep its secrets`
        : `deploy the Worker ${wanted.worker} with random values for its missing secrets: ${step.secrets.join(", ")}`;
    case "check health":
      return "check that the service responds";
  }
}
