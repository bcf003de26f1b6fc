import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { NewJob } from "../../src/account/storage/types";
import { changeAccount } from "../../src/directory/accounts";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { newJob, openObject, stubOf } from "../support/account";
import { call } from "../support/admin";
import { createClient, page, read, readEnded } from "../support/client";

const END = { status: "completed", result: "{}", extras: null, processingTimeMs: 1, endedAt: Date.now() } as const;
const create = async (account: AccountRef, job: Partial<NewJob> = {}) =>
  await stubOf(account).createJob(newJob(account, job));

describe("the daily limit of an account", () => {
  it("is never exceeded by concurrent requests of several keys, and failed jobs release their part", async () => {
    const account = await openObject({ dailyCredits: 10 });
    const jobs = Array.from({ length: 8 }, (_, i) => ({ keyId: `key-${i}`, credits: 3 }));
    const replies = await Promise.all(jobs.map((job) => create(account, job)));
    const created = replies.filter(({ kind }) => kind === "created");
    expect(created).toHaveLength(3);
    const resetsAt = Date.parse(`${new Date().toISOString().slice(0, 10)}T24:00:00Z`);
    expect(replies).toContainEqual({ kind: "daily_limit", limit: 10, used: 0, reserved: 9, resetsAt });
    const [first] = created;
    if (first?.kind !== "created") throw new Error(first?.kind);
    await stubOf(account).cancel(first.job);
    expect((await create(account, { credits: 4 })).kind).toBe("created");
    expect((await create(account, { credits: 1 })).kind).toBe("daily_limit");
    expect((await create(account, { credits: 0, mode: "test" })).kind).toBe("created");
  });

  it("counts the charged credits of the day", async () => {
    const account = await openObject({ dailyCredits: 10 });
    const job = newJob(account, { credits: 9 });
    await stubOf(account).createJob(job);
    await stubOf(account).claim(job, "token");
    await stubOf(account).finish(job, 1, { ...END, charge: 9 });
    expect(await create(account, { credits: 2 })).toMatchObject({ kind: "daily_limit", used: 9, reserved: 0 });
    expect((await create(account, { credits: 1 })).kind).toBe("created");
  });

  it("doesn't count jobs that were created before midnight (UTC) and have ended", async () => {
    const account = await openObject({ dailyCredits: 10 });
    const start = toIdStart(Date.now() - DAY_MS);
    const id = start + newTaggedId(account.tag).slice(start.length);
    const job = newJob(account, { id, credits: 10 });
    await stubOf(account).createJob(job);
    await stubOf(account).claim(job, "token");
    // While the job runs, its reserved credits count.
    expect(await create(account, { credits: 1 })).toMatchObject({ kind: "daily_limit", used: 0, reserved: 10 });
    await stubOf(account).finish(job, 1, { ...END, charge: 10 });
    expect((await create(account, { credits: 10 })).kind).toBe("created");
    expect((await create(account, { credits: 1 })).kind).toBe("daily_limit");
  });

  it("refuses requests with 402 until it is removed", async () => {
    const client = await createClient();
    const path = `/accounts/${client.accountId}`;
    expect((await call("PATCH", path, { daily_credits: 1 })).data).toMatchObject({ daily_credits: 1 });
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    const refused = await client.scrape({ url: page("article") });
    const { error } = await read(refused);
    expect([refused.status, error.code]).toEqual([402, "insufficient_credits"]);
    expect(error.message).toContain("The account has used 1 of 1 credits today.");
    expect((await call("PATCH", path, { daily_credits: 0 })).status).toBe(400);
    await changeAccount(env, {
      ...{ accountId: client.accountId, actor: "operator", now: Date.now() },
      change: { dailyCredits: null },
    });
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
  });

  it("stops a batch until the limit is raised", async () => {
    const client = await createClient();
    await call("PATCH", `/accounts/${client.accountId}`, { daily_credits: 1 });
    const requests = Array.from({ length: 3 }, () => ({ url: page("article") }));
    const response = await client.call("POST", "/v1/batch", { endpoint: "scrape", requests });
    const id = response.headers.get("location")?.split("/").at(-1);
    const batch = await readEnded(client, `/v1/batch/${id}`);
    expect(batch.error).toMatchObject({
      code: "insufficient_credits",
      message: expect.stringContaining("daily limit"),
    });
  });
});
