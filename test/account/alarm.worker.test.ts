import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runJob } from "../../src/jobs/run-job";
import type { AccountRef } from "../../src/model/account";
import type { Job, JobMessage } from "../../src/model/job";
import { expireLease, newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

/** Runs the alarm. Returns the ids of the jobs whose queue messages it sent. */
async function runAlarm(account: AccountRef): Promise<string[]> {
  const sent: string[] = [];
  const sendBatch = async (messages: { body: JobMessage }[]) => void sent.push(...messages.map(({ body }) => body.job));
  await runInDurableObject(objectOf(account), async (object) => {
    const bindings = (object as unknown as { env: Env }).env;
    const queue = { sendBatch } as unknown as Queue;
    (object as unknown as { env: Env }).env = { ...bindings, JOBS: queue, RENDERS: queue };
    await object.alarm();
    (object as unknown as { env: Env }).env = bindings;
  });
  return sent;
}

async function makeDue(account: AccountRef): Promise<void> {
  await sqlIn(account, "UPDATE jobs SET due_at = 0 WHERE due_at IS NOT NULL");
}

async function alarmAt(account: AccountRef): Promise<number | null> {
  return await runInDurableObject(objectOf(account), (_, { storage }) => storage.getAlarm());
}

describe("the alarm of an account", () => {
  it("resends a lost message, with increasing delays", async () => {
    const account = await openObject();
    const job = newJob(account);
    await stubOf(account).createJob(job);
    expect(await runAlarm(account)).toEqual([]);
    const delays: number[] = [];
    for (let i = 0; i < 3; i++) {
      await makeDue(account);
      expect(await runAlarm(account)).toEqual([job.id]);
      const [row] = await sqlIn<{ due_at: number }>(account, "SELECT due_at FROM jobs");
      delays.push(Math.round(((row?.due_at ?? 0) - Date.now()) / 60_000));
    }
    expect(delays).toEqual([2, 4, 8]);
  });

  it("requeues a job whose run died, and fails the job after its last attempt", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account);
    await object.createJob(job);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await object.claim(job, `token ${attempt}`)).toMatchObject({ kind: "run", job: { run: attempt } });
      await expireLease(account, job.id);
      expect(await runAlarm(account)).toEqual(attempt < 3 ? [job.id] : []);
    }
    expect(await object.get(job)).toMatchObject({
      status: "failed",
      creditsUsed: 0,
      error: { code: "internal_error" },
    });
    expect(await sqlIn(account, "SELECT funds FROM account")).toEqual([{ funds: 100_000 }]);
  });

  it("returns the same reply to a repeated release", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account);
    await object.createJob(job);
    await object.claim(job, "token");
    for (const _ of [1, 2]) {
      const reply = await object.release(job, 1, { kind: "no_capacity", retryAfterMs: 60_000 });
      expect(reply).toMatchObject({ kind: "requeued" });
      expect(reply.kind === "requeued" && reply.delayMs).toBeGreaterThan(50_000);
    }
    expect(await object.claim(job, "other token")).toMatchObject({ kind: "run", job: { run: 2, attempts: 1 } });
    expect(await object.release(job, 1, { kind: "error" })).toEqual({ kind: "lease_lost" });
  });

  it("frees the slot of a job that failed after its caller disconnected", async () => {
    const account = await openObject({ concurrentJobs: 1 });
    const object = stubOf(account);
    const job = newJob(account, { waiting: true });
    await object.createJob(job);
    for (const run of [1, 2]) {
      await object.release(job, run, { kind: "error" });
      await object.claim(job, `token ${run}`);
    }
    await expireLease(account, job.id);
    await runAlarm(account);
    expect(await object.get(job)).toMatchObject({ status: "failed" });
    expect(await object.createJob(newJob(account))).toMatchObject({ next: "run" });
  });

  it("makes a job asynchronous if its caller disconnected and its run died", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account, { waiting: true });
    await object.createJob(job);
    await expireLease(account, job.id);
    expect(await runAlarm(account)).toEqual([job.id]);
    expect(await object.get(job)).toMatchObject({ status: "queued", waiting: false });
  });

  it("handles at most 100 jobs, and fires again within seconds if more are due", async () => {
    const account = await openObject();
    await Promise.all(Array.from({ length: 130 }, () => stubOf(account).createJob(newJob(account))));
    await makeDue(account);
    expect(await runAlarm(account)).toHaveLength(100);
    expect(await alarmAt(account)).toBeLessThan(Date.now() + 2_000);
    expect(await runAlarm(account)).toHaveLength(30);
  });

  it("is set again by the first call after a restart if it was deleted", async () => {
    const account = await openObject();
    const object = stubOf(account);
    await object.createJob(newJob(account));
    await runInDurableObject(objectOf(account), (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(objectOf(account));
    await object.wake();
    expect(await alarmAt(account)).toBeLessThan(Date.now() + 3 * 60_000);
  });

  it("is set again by wake() if it was deleted", async () => {
    const account = await openObject();
    await stubOf(account).createJob(newJob(account));
    await runInDurableObject(objectOf(account), (_, { storage }) => storage.deleteAlarm());
    await stubOf(account).wake();
    expect(await alarmAt(account)).toBeLessThan(Date.now() + 60_000);
  });

  it("doesn't throw if its work fails, and fires again", async () => {
    const account = await openObject();
    const job = newJob(account);
    await stubOf(account).createJob(job);
    await makeDue(account);
    const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
    await sqlIn(account, "ALTER TABLE jobs RENAME TO hidden");
    expect(await runDurableObjectAlarm(objectOf(account))).toBe(true);
    expect(await alarmAt(account)).toBeLessThan(Date.now() + 60_000);
    quiet.mockRestore();
    await sqlIn(account, "ALTER TABLE hidden RENAME TO jobs");
    expect(await runAlarm(account)).toEqual([job.id]);
  });

  it("starts a waiting job when another job runs out of attempts", async () => {
    const account = await openObject({ concurrentJobs: 1 });
    const object = stubOf(account);
    const [first, second] = [newJob(account), newJob(account)];
    for (const job of [first, second]) await object.createJob(job);
    for (let i = 0; i < 3; i++) {
      await object.claim(first, `token ${i}`);
      await expireLease(account, first.id);
      if (i < 2) await runAlarm(account);
    }
    expect(await runAlarm(account)).toEqual([second.id]);
  });
});

describe("an object that was never opened", () => {
  it("returns gone to every call, and creates no table", async () => {
    const account = { id: "nobody", tag: "0000000000", object: crypto.randomUUID(), jurisdiction: null };
    const object = stubOf(account);
    const job = newJob(account);
    expect(await object.createJob(job)).toEqual({ kind: "gone" });
    expect(await object.claim(job, "token")).toEqual({ kind: "gone" });
    expect(await object.get(job)).toBeNull();
    expect(await runJob(env, { account, mode: job.mode, job: job.id })).toEqual({ kind: "ended" });
    expect(await sqlIn(account, "SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")).toEqual([]);
  });
});

describe("a caller who waits for the end of a job", () => {
  it("gets the job as soon as it ends", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account);
    await object.createJob(job);
    const waiting = object.get(job, 30_000) as unknown as Promise<Job>;
    await object.cancel(job);
    expect(await waiting).toMatchObject({ status: "failed" });
  });
});

describe("the summary of an account", () => {
  it("is sent when the account is woken, with the time of its next alarm", async () => {
    const account = await openObject();
    await stubOf(account).wake();
    const nextDueAt: unknown[] = [];
    await runInDurableObject(objectOf(account), async (instance) => {
      const holder = instance as unknown as { env: Env };
      const bindings = holder.env;
      const send = async (summary: { nextDueAt: number | null }) => void nextDueAt.push(summary.nextDueAt);
      holder.env = { ...bindings, SUMMARIES: { send } as unknown as Queue };
      await instance.alarm();
      holder.env = bindings;
    });
    expect(nextDueAt).toEqual([null]);
  });

  it("is sent 15 minutes after the first job, and every 15 minutes while the account is in use", async () => {
    const account = await openObject({ credits: 10 });
    const object = stubOf(account);
    const job = newJob(account, { credits: 2 });
    await object.createJob(job);
    const [first] = await sqlIn<{ maintenance_at: number }>(account, "SELECT maintenance_at FROM account");
    expect((first?.maintenance_at ?? 0) - Date.now()).toBeGreaterThan(14 * 60_000);
    const summaries: unknown[] = [];
    const send = async (message: unknown) => void summaries.push(message);
    await sqlIn(account, "UPDATE account SET maintenance_at = 0");
    await runInDurableObject(objectOf(account), async (instance) => {
      const holder = instance as unknown as { env: Env };
      const bindings = holder.env;
      holder.env = { ...bindings, SUMMARIES: { send } as unknown as Queue };
      await instance.alarm();
      holder.env = bindings;
    });
    expect(summaries).toMatchObject([
      { kind: "account", accountId: account.id, balance: 8, reserved: 2, queued: 1, processing: 0, used: 0 },
    ]);
    const [next] = await sqlIn<{ maintenance_at: number }>(account, "SELECT maintenance_at FROM account");
    expect((next?.maintenance_at ?? 0) - Date.now()).toBeGreaterThan(14 * 60_000);
  });
});
