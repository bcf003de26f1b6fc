import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { AccountRef } from "../../src/model/account";
import { newJob, openObject, stubOf } from "../support/account";
import { createClient, page, refOf } from "../support/client";

/** Sets lower storage limits for the account's Durable Object, until it is evicted from memory. */
async function lowerLimits(account: AccountRef, bounds: Record<string, string>): Promise<void> {
  await runInDurableObject(env.ACCOUNT.getByName(account.object), (object) => {
    Reflect.set(object, "env", { ...env, ...bounds });
  });
}

describe("an account whose storage is too large", () => {
  it("stores every result in R2", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    await lowerLimits(account, { ACCOUNT_INLINE_BYTES: "1" });
    const scraped = await client.scrape({ url: page("article") });
    const { job_id, data } = await scraped.json<{ job_id: string; data: unknown }>();
    expect(await env.STORE.head(`results/${account.tag}/${job_id}/1`)).not.toBeNull();
    expect(await (await client.call("GET", `/v1/jobs/${job_id}`)).json()).toMatchObject({ result: data });
  });

  it("refuses new jobs, and still runs its existing jobs", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    const object = stubOf(account);
    const job = newJob(account);
    await object.createJob(job);
    await lowerLimits(account, { ACCOUNT_MAX_BYTES: "1" });
    const refused = await client.scrape({ url: page("article") });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await refused.json()).toMatchObject({ error: { code: "unavailable", retryable: true } });
    expect(await object.claim(job, "token")).toMatchObject({ kind: "run" });
    expect(await object.release(job, 1, { kind: "handover" })).toMatchObject({ kind: "requeued" });
    expect(await object.claim(job, "again")).toMatchObject({ kind: "run" });
    const error = { code: "target_timeout", message: "Too late.", status: 504, retryable: true } as const;
    const end = { status: "failed", error, processingTimeMs: 1, endedAt: Date.now() } as const;
    expect(await object.finish(job, 2, end)).toMatchObject({ kind: "ended" });
    expect(await object.inspect()).toMatchObject({ storageLevel: "full" });
  });

  it("uses less storage after rows were deleted", async () => {
    const account = await openObject();
    const sizes = await runInDurableObject(env.ACCOUNT.getByName(account.object), (_, { storage }) => {
      const { sql } = storage;
      const before = sql.databaseSize;
      for (let i = 0; i < 200; i++) {
        sql.exec("INSERT INTO payloads (mode, id, result) VALUES ('live', ?, ?)", `${i}`, "x".repeat(10_000));
      }
      const full = sql.databaseSize;
      sql.exec("DELETE FROM payloads");
      return { before, full, after: sql.databaseSize };
    });
    expect(sizes.full).toBeGreaterThan(sizes.before + 1_500_000);
    expect(sizes.after).toBeLessThan(sizes.before + 100_000);
  });
});
