import { expect, describe as group, it } from "vitest";
import { type AccountState, describe, EMPTY_ACCOUNT, toPlan } from "../../scripts/deploy/plan.ts";
import { NO_DATABASE_ID, type Wanted, withDatabaseId } from "../../scripts/deploy/wanted.ts";

const migrations = [
  { version: 1, file: "schema.sql", sql: "CREATE TABLE accounts (id TEXT)" },
  { version: 2, file: "migrations/0002_names.sql", sql: "ALTER TABLE accounts ADD COLUMN name TEXT" },
];
const rule = { name: "results", prefix: "results/", days: 31 };
const wanted: Wanted = {
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
  secrets: ["SIGNING_SECRET", "ENCRYPTION_KEY", "PROXIES"],
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
    const always = ["deploy the Worker extraction and keep its secrets", "check that the service responds"];
    expect(plan).toEqual([...steps, ...always]);
  });

  it("creates the Worker's missing secrets", () => {
    expect(toPlan(wanted, { ...complete, secrets: ["ENCRYPTION_KEY"] })).toContainEqual({
      kind: "deploy",
      secrets: ["SIGNING_SECRET"],
    });
  });

  it("uses an existing database of that name if wrangler.toml has no database id", () => {
    expect(toPlan(unnamed, complete)[0]).toEqual({ kind: "write database id", id: "id-1" });
    expect(toPlan(unnamed, EMPTY_ACCOUNT)[0]).toEqual({ kind: "create database" });
  });

  it.each([null, "id-2"])("refuses a database whose id differs from wrangler.toml: %s", (databaseId) => {
    expect(() => toPlan(wanted, { ...complete, databaseId })).toThrow(
      "wrangler.toml names the database data with the id id-1",
    );
  });
});

group("wrangler.toml", () => {
  const toml = `[[d1_databases]]\ndatabase_id = "${NO_DATABASE_ID}" # here\npreview_database_id = "${NO_DATABASE_ID}"\n`;

  it("gets the database's id and isn't changed otherwise", () => {
    expect(withDatabaseId(toml, { from: null, to: "id-1" })).toBe(
      `[[d1_databases]]\ndatabase_id = "id-1" # here\npreview_database_id = "${NO_DATABASE_ID}"\n`,
    );
  });

  it("isn't changed if the database's entry is ambiguous or missing", () => {
    expect(() => withDatabaseId(toml + toml, { from: null, to: "id-1" })).toThrow("exactly one database_id");
    expect(() => withDatabaseId("", { from: null, to: "id-1" })).toThrow("exactly one database_id");
  });
});
