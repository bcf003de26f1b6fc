import { expect, describe as group, it } from "vitest";
import { type AccountState, describe, EMPTY_ACCOUNT, toPlan } from "../../scripts/deploy/plan.ts";
import type { Wanted } from "../../scripts/deploy/wanted.ts";

const migrations = [
  { version: 1, file: "schema.sql", sql: "CREATE TABLE accounts (id TEXT)" },
  { version: 2, file: "migrations/0002_names.sql", sql: "ALTER TABLE accounts ADD COLUMN name TEXT" },
];
const rule = { name: "results", prefix: "results/", days: 31 };
const settings = { file: "deploy.toml", location: null, jurisdiction: null, workersAi: null, wrangler: {} };
const wanted: Wanted = {
  environment: null,
  settings,
  newRegion: null,
  config: {
    name: "extraction",
    vars: {},
    d1_databases: [],
    r2_buckets: [],
    queues: { producers: [], consumers: [] },
  },
  worker: "extraction",
  accountId: null,
  database: { name: "data", id: "id-1" },
  bucket: "store",
  queues: ["jobs", "renders"],
  rules: [rule],
  secrets: ["SIGNING_SECRET", "ENCRYPTION_KEY"],
  migrations,
  publicUrl: null,
  compatibilityDate: "2026-10-01",
};
const complete: AccountState = {
  databaseId: "id-1",
  versions: [1, 2],
  rules: [rule],
  queues: ["jobs", "renders"],
  hasWorker: true,
  secrets: ["SIGNING_SECRET", "ENCRYPTION_KEY", "OPENAI_API_KEY"],
};
const unnamed = { ...wanted, database: { name: "data", id: null } };

group("the plan of a deployment", () => {
  it.each<{ name: string; found: Partial<AccountState>; steps: string[] }>([
    { name: "nothing is missing", found: {}, steps: [] },
    { name: "a queue is missing", found: { queues: ["jobs"] }, steps: ["create the queue renders"] },
    {
      name: "the bucket is missing",
      found: { rules: null },
      steps: [
        "create the R2 bucket store",
        "add the bucket's lifecycle rule results: delete objects under results/ after 31 days",
      ],
    },
    {
      name: "the lifecycle rule has a different number of days",
      found: { rules: [{ ...rule, days: 8 }] },
      steps: ["change the bucket's lifecycle rule results: delete objects under results/ after 31 days"],
    },
    {
      name: "the lifecycle rule is disabled",
      found: { rules: [{ ...rule, days: Number.NaN }] },
      steps: ["change the bucket's lifecycle rule results: delete objects under results/ after 31 days"],
    },
    { name: "the bucket also has other rules", found: { rules: [rule, { ...rule, name: "mine" }] }, steps: [] },
    {
      name: "the database lacks a version",
      found: { versions: [1] },
      steps: ["apply migrations/0002_names.sql (version 2 of the database schema)"],
    },
    {
      name: "the database is empty",
      found: { versions: [] },
      steps: [
        "apply schema.sql (version 1 of the database schema)",
        "apply migrations/0002_names.sql (version 2 of the database schema)",
      ],
    },
  ])("when $name", ({ found, steps }) => {
    const plan = toPlan(wanted, { ...complete, ...found }).map((step) => describe(step, wanted));
    const always = ["deploy the Worker extraction with its existing secrets", "check that the service responds"];
    expect(plan).toEqual([...steps, ...always]);
  });

  it("creates the Worker's missing secrets", () => {
    expect(toPlan(wanted, { ...complete, secrets: ["ENCRYPTION_KEY", "OPENAI_API_KEY"] })).toContainEqual({
      kind: "deploy",
      secrets: ["SIGNING_SECRET"],
      workersAi: false,
      replaces: false,
    });
  });

  it("sets the jurisdiction of the data again if the database was deleted, and keeps it otherwise", () => {
    const inEurope = { ...unnamed, secrets: ["SIGNING_SECRET", "DATA_JURISDICTION"] };
    const secrets = inEurope.secrets;
    expect(toPlan(inEurope, { ...EMPTY_ACCOUNT, hasWorker: true, secrets })).toContainEqual(
      expect.objectContaining({ kind: "deploy", secrets: ["DATA_JURISDICTION"] }),
    );
    expect(toPlan(inEurope, { ...complete, secrets })).toContainEqual(
      expect.objectContaining({ kind: "deploy", secrets: [] }),
    );
  });

  it("says that it replaces a Worker whose database doesn't exist, because it may be another project's", () => {
    const steps = toPlan(unnamed, { ...EMPTY_ACCOUNT, hasWorker: true });
    expect(steps.map((step) => describe(step, unnamed)).join("\n")).toContain(
      "deploy the Worker extraction, which replaces an existing Worker that has no database, with values for its missing secrets",
    );
  });

  it.each([
    { secrets: [], setting: null, workersAi: true },
    { secrets: ["OPENAI_API_KEY"], setting: null, workersAi: false },
    { secrets: ["ANTHROPIC_API_KEY"], setting: null, workersAi: false },
    { secrets: ["ANTHROPIC_API_KEY"], setting: true, workersAi: true },
    { secrets: [], setting: false, workersAi: false },
  ])("binds Workers AI if no model provider has a key, unless there is a setting: %j", (test) => {
    const steps = toPlan({ ...wanted, settings: { ...settings, workersAi: test.setting } }, { ...complete, ...test });
    expect(steps).toContainEqual(expect.objectContaining({ kind: "deploy", workersAi: test.workersAi }));
    const shown = steps.map((step) => describe(step, wanted)).join("\n");
    expect(shown.includes("Workers AI as a model for parse")).toBe(test.workersAi);
  });

  it("uses an existing database of that name if wrangler.toml has no database id", () => {
    expect(toPlan(unnamed, complete)).not.toContainEqual({ kind: "create database" });
    expect(toPlan(unnamed, EMPTY_ACCOUNT)[0]).toEqual({ kind: "create database" });
  });

  it.each([null, "id-2"])("refuses a database whose id differs from wrangler.toml: %s", (databaseId) => {
    expect(() => toPlan(wanted, { ...complete, databaseId })).toThrow(
      "wrangler.toml names the database data with the id id-1",
    );
  });

  it("refuses a new region for existing data", () => {
    const moved = { ...unnamed, newRegion: { location: "weur", jurisdiction: null } } as const;
    const message = "The database data or the bucket store already exists, and Cloudflare can't change its region.";
    expect(() => toPlan(moved, complete)).toThrow(message);
    expect(() => toPlan(moved, { ...EMPTY_ACCOUNT, rules: [] })).toThrow(message);
    expect(toPlan(moved, EMPTY_ACCOUNT)[0]).toEqual({ kind: "create database" });
  });
});
