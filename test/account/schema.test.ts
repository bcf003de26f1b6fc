import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/account/migrations";
import { readVersion } from "../../src/account/schema";
import type { AccountRef } from "../../src/model/account";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

async function versionOf(account: AccountRef): Promise<number> {
  return await runInDurableObject(objectOf(account), (_, { storage }) => readVersion(storage));
}

/** Runs a job from its creation to its end. */
async function runOneJob(account: AccountRef): Promise<void> {
  const object = stubOf(account);
  const job = newJob(account, { idempotency: { key: crypto.randomUUID(), bodyHash: "hash" } });
  expect(await object.createJob(job)).toMatchObject({ kind: "created" });
  expect(await object.claim(job, "token")).toMatchObject({ kind: "run" });
  const end = {
    status: "completed",
    result: "{}",
    extras: null,
    charge: 1,
    processingTimeMs: 1,
    endedAt: Date.now(),
  } as const;
  expect(await object.finish(job, 1, end)).toMatchObject({ kind: "ended", job: { creditsUsed: 1 } });
}

/** Reverts the migration that added webhook endpoints. */
function removeWebhookEndpoints(sql: SqlStorage): void {
  for (const index of ["deliveries_by_job", "deliveries_abandoned_by_time"]) sql.exec(`DROP INDEX ${index}`);
  for (const table of ["webhook_endpoints", "webhook_alerts"]) sql.exec(`DROP TABLE ${table}`);
  for (const column of ["endpoint_id", "payload", "redelivered_at"]) {
    sql.exec(`ALTER TABLE deliveries DROP COLUMN ${column}`);
  }
  sql.exec("ALTER TABLE webhooks DROP COLUMN events");
  sql.exec("ALTER TABLE jobs DROP COLUMN webhook_endpoint_id");
}

describe("the tables of an account's Durable Object", () => {
  it("are created in the latest version", async () => {
    expect(await versionOf(await openObject())).toBe(MIGRATIONS.length);
  });

  it("are upgraded from the first version with their rows", async () => {
    const account = await openObject({ credits: 10 });
    await runOneJob(account);
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      storage.sql.exec("ALTER TABLE account DROP COLUMN daily_credits");
      storage.sql.exec("ALTER TABLE jobs DROP COLUMN request_id");
      storage.sql.exec("DROP TABLE recent_abandoned");
      storage.sql.exec("ALTER TABLE usage DROP COLUMN recent");
      storage.sql.exec("DROP TABLE captures");
      storage.sql.exec("DROP TABLE temporary_results");
      storage.sql.exec("ALTER TABLE jobs DROP COLUMN temporary");
      storage.sql.exec("ALTER TABLE account DROP COLUMN keep_captures");
      storage.sql.exec("DROP TABLE usage_alerts");
      storage.sql.exec("DROP INDEX jobs_labeled");
      storage.sql.exec("DROP INDEX jobs_by_batch");
      storage.sql.exec("DROP TABLE batches");
      storage.sql.exec("DROP TABLE batch_pages");
      storage.sql.exec("ALTER TABLE jobs DROP COLUMN page");
      storage.sql.exec("ALTER TABLE account DROP COLUMN added");
      storage.sql.exec("ALTER TABLE jobs DROP COLUMN secrets");
      storage.sql.exec("ALTER TABLE account DROP COLUMN charge_free_outcomes");
      removeWebhookEndpoints(storage.sql);
      storage.kv.put("schema_version", 1);
    });
    await evictDurableObject(objectOf(account));
    await runOneJob(account);
    expect(await stubOf(account).list({ mode: "live", limit: 10, offset: 0 })).toMatchObject({ total: 2 });
    const rows = await sqlIn(account, "SELECT funds, used, charge_free_outcomes AS charged FROM account");
    expect(rows).toEqual([{ funds: 8, used: 2, charged: 0 }]);
    expect(await versionOf(account)).toBe(MIGRATIONS.length);
  });

  it("work with the code of the previous version after a rollback", async () => {
    const account = await openObject({ credits: 10 });
    await runOneJob(account);
    // Simulates a later version that adds a column, a table and an index.
    await sqlIn(account, "ALTER TABLE jobs ADD COLUMN later TEXT");
    await sqlIn(account, "CREATE TABLE later (id INTEGER PRIMARY KEY)");
    await sqlIn(account, "CREATE INDEX jobs_later ON jobs (later) WHERE later IS NOT NULL");
    await runInDurableObject(objectOf(account), (_, { storage }) =>
      storage.kv.put("schema_version", MIGRATIONS.length + 1),
    );
    await evictDurableObject(objectOf(account));
    await runOneJob(account);
    expect(await stubOf(account).list({ mode: "live", limit: 10, offset: 0 })).toMatchObject({ total: 2 });
    expect(await sqlIn(account, "SELECT funds, used FROM account")).toEqual([{ funds: 8, used: 2 }]);
    expect(await versionOf(account)).toBe(MIGRATIONS.length + 1);
  });
});
