import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/account/storage/migrations";
import type { AccountRef } from "../../src/model/account";
import { readVersion } from "../../src/store/object-schema";
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

describe("the tables of an account's Durable Object", () => {
  it("are created in the latest version", async () => {
    expect(await versionOf(await openObject())).toBe(MIGRATIONS.length);
  });

  it("are upgraded with their rows when the object starts with a later version of the code", async () => {
    const account = await openObject({ credits: 10 });
    await runOneJob(account);
    const versions = MIGRATIONS as string[];
    versions.push("ALTER TABLE jobs ADD COLUMN later TEXT; CREATE TABLE later (id INTEGER PRIMARY KEY);");
    try {
      await evictDurableObject(objectOf(account));
      await runOneJob(account);
      expect(await versionOf(account)).toBe(versions.length);
      expect(await stubOf(account).list({ mode: "live", limit: 10, offset: 0 })).toMatchObject({ total: 2 });
      expect(await sqlIn(account, "SELECT later FROM jobs")).toEqual([{ later: null }, { later: null }]);
      expect(await sqlIn(account, "SELECT * FROM later")).toEqual([]);
    } finally {
      versions.pop();
    }
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
