import { evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AccountSettings, NewJob } from "../../src/account/storage/types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS, FIRST_WAKE_MS, LEASE_MS, MAX_ATTEMPTS, SYNC_WAIT_MS } from "../../src/model/limits";
import { expireLease, newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";

afterEach(() => vi.useRealTimers());

/** Stops the clock. Returns the time (Unix ms). */
function stopClock(): number {
  vi.useFakeTimers({ toFake: ["Date"] });
  return Date.now();
}

async function create(account: AccountRef, job: Partial<NewJob> = {}) {
  const reply = await stubOf(account).createJob(newJob(account, job));
  if (reply.kind !== "created") throw new Error(`The reply is ${reply.kind}.`);
  return reply;
}

async function dueAt(account: AccountRef, id: string): Promise<number | null> {
  const [row] = await sqlIn<{ due_at: number | null }>(account, "SELECT due_at FROM jobs WHERE id = ?1", id);
  return row?.due_at ?? null;
}

describe("a new job", () => {
  it.each([
    ["an asynchronous request is queued", false],
    ["a synchronous request is already claimed", true],
  ])("of %s", async (_, waiting) => {
    const account = await openObject({ concurrentRenders: 7 });
    const now = stopClock();
    const input = newJob(account, {
      ...{
        mode: "test",
        endpoint: "serp",
        request: '{"query":"a"}',
        subject: "a",
        rendered: true,
        waiting,
        credits: 4,
      },
      ...{ webhookUrl: "https://a.example/", keyId: "other", createdAt: now - 5_000 },
    });
    const { job } = await create(account, input);
    expect(job).toEqual({
      ...{
        account,
        mode: "test",
        id: input.id,
        keyId: "other",
        endpoint: "serp",
        subject: "a",
        rendered: true,
        waiting,
      },
      ...{ request: '{"query":"a"}', webhookUrl: "https://a.example/", origin: ORIGIN, credits: 4, createdAt: now },
      ...{ status: waiting ? "processing" : "queued", run: waiting ? 1 : 0, attempts: waiting ? 1 : 0 },
      ...{ leaseUntil: waiting ? now + LEASE_MS : null, secrets: null },
      labels: null,
      ...{ result: null, resultStored: false, extras: null, creditsUsed: 0, outcome: null, error: null },
      ...{
        plan: input.plan,
        prices: input.prices,
        settings: { concurrentRenders: 7, isStorageLarge: false, keepsCaptures: false },
        isCrawled: false,
        receipt: null,
        requestId: null,
        processingTimeMs: null,
        endedAt: null,
        expired: false,
        batchId: null,
        page: null,
      },
      ...{ isTemporary: false },
    });
    expect(await dueAt(account, input.id)).toBe(now + (waiting ? LEASE_MS : FIRST_WAKE_MS));
  });

  it.each([2_048, 2_049])("contains its request of %d characters", async (length) => {
    const account = await openObject();
    const request = `"${"x".repeat(length - 2)}"`;
    const { job } = await create(account, { request });
    expect(await stubOf(account).get(job)).toMatchObject({ request });
    const large = await sqlIn(account, "SELECT id FROM payloads");
    expect(large).toHaveLength(length > 2_048 ? 1 : 0);
  });

  it("that waits for a slot is due when its caller stops waiting, and never if it has no caller", async () => {
    const account = await openObject({ concurrentJobs: 0, concurrentRenders: 0 });
    const now = stopClock();
    const [first, second] = [
      await create(account, { rendered: true, waiting: true }),
      await create(account, { rendered: true }),
    ];
    expect([first.next, second.next]).toEqual(["wait", "wait"]);
    expect(await dueAt(account, first.job.id)).toBe(now + SYNC_WAIT_MS);
    expect(await dueAt(account, second.job.id)).toBeNull();
    expect(first.job).toMatchObject({ status: "queued", run: 0, leaseUntil: null });
  });

  it("is inserted once if the call is repeated", async () => {
    const account = await openObject({ concurrentJobs: 1, credits: 10 });
    for (const next of ["run", "wait"]) {
      const job = newJob(account, { credits: 2 });
      for (const _ of [1, 2]) expect(await stubOf(account).createJob(job)).toMatchObject({ kind: "created", next });
    }
    expect(await stubOf(account).inspect()).toMatchObject({ balance: 6, reserved: 4, queued: 2 });
  });

  it("is refused while the account is suspended", async () => {
    const account = await openObject({ suspendedAt: 5 });
    expect(await stubOf(account).createJob(newJob(account))).toEqual({ kind: "suspended" });
  });

  it("is refused if it costs more than the balance, and may use the whole balance", async () => {
    const account = await openObject({ credits: 5 });
    await create(account, { credits: 2 });
    const reply = await stubOf(account).createJob(newJob(account, { credits: 4 }));
    expect(reply).toEqual({ kind: "insufficient_credits", balance: 3 });
    await create(account, { credits: 3 });
    await create(account, { credits: 0 });
  });
});

describe("an Idempotency-Key", () => {
  const key = (bodyHash = "a", value = "once") => ({ idempotency: { key: value, bodyHash } });

  it("returns the existing job of the same mode and endpoint, unless the body differs", async () => {
    const account = await openObject();
    const reply = async (job: Partial<NewJob>) => await stubOf(account).createJob(newJob(account, job));
    const { job } = await create(account, key());
    expect(await reply(key())).toMatchObject({ kind: "repeated", job: { id: job.id } });
    expect(await reply(key("b"))).toEqual({ kind: "conflict" });
    for (const other of [key("a", "twice"), { mode: "test", ...key("b") }, { endpoint: "serp", ...key("b") }, {}]) {
      expect(await reply(other as Partial<NewJob>)).toMatchObject({ kind: "created" });
    }
  });

  it("is forgotten after 24 hours", async () => {
    const account = await openObject();
    const { job } = await create(account, key());
    const createdAt = (ms: number) => sqlIn(account, "UPDATE idempotency_keys SET created_at = ?1", Date.now() - ms);
    await createdAt(DAY_MS - 60_000);
    expect(await stubOf(account).createJob(newJob(account, key("b")))).toEqual({ kind: "conflict" });
    await createdAt(DAY_MS);
    const next = await create(account, key("b"));
    expect(next.job.id).not.toBe(job.id);
    expect(await stubOf(account).createJob(newJob(account, key("b")))).toMatchObject({ job: { id: next.job.id } });
  });

  it("still returns its job while the account is suspended or has no credits", async () => {
    const account = await openObject({ credits: 1 });
    const { job } = await create(account, key());
    const settings = {
      version: 2,
      plan: "pro",
      monthlyCredits: 1,
      suspendedAt: 5,
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
    } as const;
    await stubOf(account).update({ ...settings, concurrentJobs: 1, concurrentRenders: 1 } satisfies AccountSettings);
    expect(await stubOf(account).createJob(newJob(account, key()))).toMatchObject({ job: { id: job.id } });
  });
});

describe("a claim", () => {
  it("starts the next run with a lease of 60 seconds", async () => {
    const account = await openObject();
    const { job } = await create(account);
    const now = stopClock();
    expect(await stubOf(account).claim(job, "a")).toMatchObject({
      kind: "run",
      job: { status: "processing", run: 1, attempts: 1, leaseUntil: now + LEASE_MS },
    });
    expect(await dueAt(account, job.id)).toBe(now + LEASE_MS);
    expect(await stubOf(account).claim(job, "b")).toEqual({ kind: "leased", until: now + LEASE_MS });
    vi.setSystemTime(now + LEASE_MS - 1);
    expect((await stubOf(account).claim(job, "b")).kind).toBe("leased");
    vi.setSystemTime(now + LEASE_MS);
    expect(await stubOf(account).claim(job, "b")).toMatchObject({ kind: "run", job: { run: 2, attempts: 2 } });
  });

  it("of a job that has ended or doesn't exist returns gone", async () => {
    const account = await openObject();
    const { job } = await create(account);
    await stubOf(account).cancel(job);
    expect(await stubOf(account).claim(job, "a")).toEqual({ kind: "gone" });
    expect(await stubOf(account).claim({ ...job, mode: "test" }, "a")).toEqual({ kind: "gone" });
  });

  it("fails the job if its attempts are used up", async () => {
    const account = await openObject();
    const { job } = await create(account);
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      expect((await stubOf(account).claim(job, `${i}`)).kind).toBe("run");
      await expireLease(account, job.id);
    }
    expect(await stubOf(account).claim(job, "last")).toMatchObject({
      kind: "ended",
      job: { status: "failed", run: 3, creditsUsed: 0, error: { code: "internal_error" } },
    });
  });

  it.each([
    [SYNC_WAIT_MS - 1, true],
    [SYNC_WAIT_MS, false],
  ])("of a requeued job %d ms after its creation keeps its caller: %s", async (ms, waiting) => {
    const account = await openObject({ concurrentJobs: 1 });
    const now = stopClock();
    const { job } = await create(account, { waiting: true });
    await stubOf(account).release(job, 1, { kind: "handover" });
    vi.setSystemTime(now + ms);
    expect(await stubOf(account).claim(job, "a")).toMatchObject({ job: { waiting } });
    // Only an asynchronous job uses a slot.
    expect((await create(account)).next).toBe(waiting ? "run" : "wait");
  });
});

describe("a renewal of the lease", () => {
  it("extends it by 60 seconds, even if it has expired", async () => {
    const account = await openObject();
    const { job } = await create(account, { waiting: true });
    const now = stopClock();
    for (const ms of [30_000, 30_000 + LEASE_MS + 1]) {
      vi.setSystemTime(now + ms);
      expect(await stubOf(account).renew(job, 1)).toBe(true);
      expect(await stubOf(account).get(job)).toMatchObject({ leaseUntil: now + ms + LEASE_MS });
      expect(await dueAt(account, job.id)).toBe(now + ms + LEASE_MS);
    }
  });

  it("is refused for another run, and for a job that is queued, ended or unknown", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const { job } = await create(account, { waiting: true });
    expect(await object.renew(job, 2)).toBe(false);
    expect(await object.renew({ ...job, mode: "test" }, 1)).toBe(false);
    await object.release(job, 1, { kind: "handover" });
    expect(await object.renew(job, 1)).toBe(false);
    await object.cancel(job);
    expect(await object.renew(job, 1)).toBe(false);
  });
});

describe("a release", () => {
  it("after an error delays the next run, and fails the job after the last attempt", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const { job } = await create(account);
    const now = stopClock();
    for (const [run, delayMs] of [
      [1, 5_000],
      [2, 10_000],
    ] as const) {
      await object.claim(job, `${run}`);
      expect(await object.release(job, run, { kind: "error" })).toEqual({ kind: "requeued", delayMs });
      expect(await object.get(job)).toMatchObject({ status: "queued", attempts: run, leaseUntil: null });
      expect(await dueAt(account, job.id)).toBe(now + delayMs + FIRST_WAKE_MS);
    }
    await object.claim(job, "3");
    expect(await object.release(job, 3, { kind: "error" })).toMatchObject({
      kind: "ended",
      job: { status: "failed", error: { code: "internal_error" } },
    });
  });

  it.each([
    [{ kind: "handover" } as const, 0],
    [{ kind: "no_capacity", retryAfterMs: 15_000 } as const, 15_000],
  ])("by %j doesn't count as an attempt", async (reason, delayMs) => {
    const account = await openObject();
    const object = stubOf(account);
    const { job } = await create(account);
    for (let run = 1; run <= MAX_ATTEMPTS + 1; run++) {
      await object.claim(job, `${run}`);
      expect(await object.release(job, run, reason)).toMatchObject({ kind: "requeued", delayMs });
      expect(await object.get(job)).toMatchObject({ status: "queued", run, attempts: 0 });
    }
  });

  it("waits longer and longer while no browser is free, and runs last when the hour is over", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const { job } = await create(account);
    const start = stopClock();
    const release = async (run: number, minute: number, retryAfterMs = 15_000) => {
      vi.setSystemTime(start + minute * 60_000);
      await object.claim(job, `${run}`);
      const reply = await object.release(job, run, { kind: "no_capacity", retryAfterMs });
      return reply.kind === "requeued" ? reply.delayMs / 60_000 : reply.kind;
    };
    expect(await release(1, 0)).toBe(0.25);
    expect(await release(2, 1)).toBe(0.5);
    // 120,001 ms. Half of it isn't an integer.
    expect(await release(3, 2 + 1 / 60_000)).toBe(1);
    expect(await release(4, 4)).toBe(2);
    expect(await release(5, 10)).toBe(5);
    expect(await release(6, 40)).toBe(5);
    expect(await release(7, 40, 7 * 60_000)).toBe(7);
    expect(await release(8, 57)).toBe(3);
    expect(await release(9, 60)).toBe("ended");
  });

  it("starts a new hour without a free browser if a run has ended for another reason", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const { job } = await create(account);
    const now = stopClock();
    const release = async (run: number, kind: "no_capacity" | "handover") => {
      await object.claim(job, `${run}`);
      const reason = kind === "handover" ? { kind } : { kind, retryAfterMs: 0 };
      return (await object.release(job, run, reason)).kind;
    };
    expect(await release(1, "no_capacity")).toBe("requeued");
    expect(await release(2, "handover")).toBe("requeued");
    vi.setSystemTime(now + 60 * 60_000);
    expect(await release(3, "no_capacity")).toBe("requeued");
    vi.setSystemTime(now + 120 * 60_000 - 1);
    expect(await release(4, "no_capacity")).toBe("requeued");
    vi.setSystemTime(now + 120 * 60_000);
    expect(await release(5, "no_capacity")).toBe("ended");
  });

  it("is refused for another run, and for a job that waits for a slot, has ended or is unknown", async () => {
    const account = await openObject({ concurrentJobs: 0 });
    const object = stubOf(account);
    const waits = (await create(account)).job;
    expect(await object.release(waits, 0, { kind: "error" })).toEqual({ kind: "lease_lost" });
    const { job } = await create(account, { waiting: true });
    expect(await object.release(job, 2, { kind: "error" })).toEqual({ kind: "lease_lost" });
    await object.cancel(job);
    expect(await object.release(job, 1, { kind: "error" })).toEqual({ kind: "lease_lost" });
    const unknown = { mode: "live" as const, id: newTaggedId(account.tag) };
    expect(await object.release(unknown, 1, { kind: "error" })).toEqual({ kind: "lease_lost" });
  });
});

describe("a job whose caller stopped waiting", () => {
  it("becomes asynchronous and uses a slot", async () => {
    const account = await openObject({ concurrentJobs: 1 });
    const { job } = await create(account, { waiting: true });
    for (const _ of [1, 2]) expect(await stubOf(account).detach(job, { accepted: true })).toEqual({ kind: "detached" });
    expect(await stubOf(account).get(job)).toMatchObject({ waiting: false, status: "processing" });
    expect((await create(account)).next).toBe("wait");
    await stubOf(account).cancel(job);
    expect((await create(account)).next).toBe("wait");
  });

  it("is unknown to another account", async () => {
    const account = await openObject();
    const unknown = { mode: "live" as const, id: newTaggedId(account.tag) };
    expect(await stubOf(account).detach(unknown, { accepted: true })).toEqual({ kind: "gone" });
    expect(await stubOf(account).awaitSlot(unknown, Date.now() + 30_000)).toEqual({ kind: "gone" });
  });
});

it("the totals of unfinished jobs are the same after a restart", async () => {
  const account = await openObject({ credits: 100, concurrentJobs: 2, concurrentRenders: 2 });
  const object = stubOf(account);
  const jobs = [{ waiting: true }, { waiting: true, rendered: true }, { rendered: true }, { rendered: true }, {}, {}];
  for (const [i, job] of jobs.entries()) await create(account, { ...job, credits: i + 1 });
  const before = await object.inspect();
  expect(before).toMatchObject({ balance: 79, reserved: 21, queued: 4, processing: 2 });
  await evictDurableObject(objectOf(account));
  expect(await object.inspect()).toEqual({ ...before, storageBytes: expect.any(Number) });
  expect((await create(account, { rendered: true, waiting: true })).next).toBe("wait");
  expect((await create(account)).next).toBe("wait");
});
