import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { toKeyPeriod } from "../../src/account/credits/credit-limits";
import type { CreateReply, Gone, NewJob } from "../../src/account/storage/types";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

/** Creates jobs of a key with a limit of 10 credits, and completes them with the full charge. */
async function spend(
  account: AccountRef,
  count: number,
  job: Partial<NewJob> = {},
): Promise<(CreateReply | Gone)["kind"][]> {
  const kinds: (CreateReply | Gone)["kind"][] = [];
  for (let i = 0; i < count; i++) {
    const created = newJob(account, { creditLimit: 10, waiting: true, ...job });
    kinds.push((await stubOf(account).createJob(created)).kind);
    const times = { processingTimeMs: 1, endedAt: Date.now() };
    const end = { status: "completed", result: "{}", extras: null, charge: created.credits, ...times } as const;
    await stubOf(account).finish(created, 1, end);
  }
  return kinds;
}

const create = (account: AccountRef, job: Partial<NewJob> = {}) =>
  stubOf(account).createJob(newJob(account, { creditLimit: 10, ...job }));

describe("the credit limit of a key", () => {
  it("is never exceeded by concurrent requests, and failed jobs release their part", async () => {
    const account = await openObject();
    const jobs = Array.from({ length: 20 }, () => newJob(account, { creditLimit: 10, credits: 3 }));
    const replies = await Promise.all(jobs.map((job) => stubOf(account).createJob(job)));
    const created = replies.filter(({ kind }) => kind === "created");
    expect(created).toHaveLength(3);
    const { end } = toKeyPeriod(Date.now(), Date.now());
    expect(replies).toContainEqual({ kind: "key_limit", limit: 10, used: 0, reserved: 9, resetsAt: end });
    const [first] = created;
    if (first?.kind !== "created") throw new Error(first?.kind);
    await stubOf(account).cancel(first.job);
    expect((await create(account, { credits: 4 })).kind).toBe("created");
    expect((await create(account, { credits: 1 })).kind).toBe("key_limit");
  });

  it("counts charged credits also after a restart, and applies only to its key", async () => {
    const account = await openObject();
    expect(await spend(account, 9)).not.toContain("key_limit");
    expect((await create(account)).kind).toBe("created");
    await evictDurableObject(objectOf(account));
    expect(await create(account)).toMatchObject({ kind: "key_limit", limit: 10, used: 9, reserved: 1 });
    expect((await create(account, { keyId: "other" })).kind).toBe("created");
    expect((await create(account, { creditLimit: null })).kind).toBe("created");
    expect((await create(account, { creditLimit: 12 })).kind).toBe("created");
    expect((await create(account, { mode: "test", credits: 0 })).kind).toBe("created");
  });

  it("counts only the jobs of the present period, and resets with the period", async () => {
    const createdAt = Date.now() - 45 * DAY_MS;
    const account = await openObject({ createdAt });
    await spend(account, 10);
    expect((await create(account)).kind).toBe("key_limit");
    const before = new Date(toKeyPeriod(createdAt, Date.now()).start - DAY_MS).toISOString().slice(0, 10);
    await sqlIn(account, "UPDATE usage SET date = ?1", before);
    await evictDurableObject(objectOf(account));
    expect(await stubOf(account).keyCredits()).toMatchObject({ used: {} });
    expect((await create(account)).kind).toBe("created");
  });

  it("has a period of whole days that contains the present time", () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
    const created = Date.parse("2026-01-31T17:30:00Z");
    expect(toKeyPeriod(created, Date.parse("2026-02-28T00:00:00Z"))).toEqual({
      start: day("2026-02-28"),
      end: day("2026-03-31"),
    });
    expect(toKeyPeriod(created, created)).toEqual({ start: day("2026-01-31"), end: day("2026-02-28") });
  });
});
