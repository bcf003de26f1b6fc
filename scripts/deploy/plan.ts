import { type Migration, toPending } from "../migrations.ts";
import type { Rule, Wanted } from "./wanted.ts";

/** What is in the account. */
export interface Found {
  /** By its name. Null: there is no database. */
  databaseId: string | null;
  /** The versions of the schema that were applied to it. */
  versions: number[];
  /** Null: there is no bucket. */
  rules: Rule[] | null;
  queues: string[];
  /** Names; the values can't be read. */
  secrets: string[];
}

export type Step =
  | { kind: "create database" }
  | { kind: "name database"; id: string }
  | { kind: "create bucket" }
  | { kind: "create queue"; queue: string }
  | { kind: "migrate"; migration: Migration }
  | { kind: "set rule"; rule: Rule; replaces: boolean }
  | { kind: "deploy"; secrets: string[] }
  | { kind: "look" };

export const NOTHING: Found = { databaseId: null, versions: [], rules: null, queues: [], secrets: [] };

/** The steps from what is there to what should be, in their order. Throws when wrangler.toml names another database. */
export function toPlan(wanted: Wanted, found: Found): Step[] {
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
    { kind: "look" },
  ];
}

function toDatabaseSteps({ database }: Wanted, { databaseId }: Found): Step[] {
  if (databaseId === null) return [{ kind: "create database" }];
  return database.id === null ? [{ kind: "name database", id: databaseId }] : [];
}

function toRuleSteps(wanted: Rule[], found: Rule[]): Step[] {
  return wanted.flatMap((rule): Step[] => {
    const present = found.find(({ name }) => name === rule.name);
    if (present?.prefix === rule.prefix && present.days === rule.days) return [];
    return [{ kind: "set rule", rule, replaces: present !== undefined }];
  });
}

function otherDatabase({ database }: Wanted, { databaseId }: Found): string {
  const there = databaseId === null ? "no database of that name" : `it with the id ${databaseId}`;
  return `wrangler.toml names the database ${database.name} with the id ${database.id}, but this account has ${there}. Log in to the other account, or put the right id into wrangler.toml.`;
}

/** What a step does, for those who have to say yes to it. */
export function describe(step: Step, wanted: Wanted): string {
  switch (step.kind) {
    case "create database":
      return `create the D1 database ${wanted.database.name}, and write its id into wrangler.toml`;
    case "name database":
      return `write the id of the D1 database ${wanted.database.name}, ${step.id}, into wrangler.toml`;
    case "create bucket":
      return `create the R2 bucket ${wanted.bucket}`;
    case "create queue":
      return `create the queue ${step.queue}`;
    case "migrate":
      return `apply ${step.migration.file}: version ${step.migration.version} of the database`;
    case "set rule":
      return `${step.replaces ? "change" : "add"} the bucket's rule ${step.rule.name}: delete what lies under ${step.rule.prefix} after ${step.rule.days} days`;
    case "deploy":
      return step.secrets.length === 0
        ? `deploy the Worker ${wanted.worker}; its secrets stay as they are`
        : `deploy the Worker ${wanted.worker}, with random values for the secrets that it hasn't got: ${step.secrets.join(", ")}`;
    case "look":
      return "see that the service answers at its address";
  }
}
