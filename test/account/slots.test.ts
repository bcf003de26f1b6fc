import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { JobEnd } from "../../src/account/storage/types";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

const done: JobEnd = { status: "completed", result: "{}", extras: null, charge: 0, processingTimeMs: 1, endedAt: 0 };
const render = { rendered: true, waiting: true };

it("a job for which no browser was free for an hour fails", async () => {
  const account = await openObject();
  const job = newJob(account, { rendered: true });
  const object = stubOf(account);
  await object.createJob(job);
  const release = async (run: number) => {
    await object.claim(job, `token ${run}`);
    return await object.release(job, run, { kind: "no_capacity", retryAfterMs: 15_000 });
  };
  expect(await release(1)).toMatchObject({ kind: "requeued" });
  await sqlIn(account, "UPDATE jobs SET no_capacity_since = no_capacity_since - 1800000");
  expect(await release(2)).toMatchObject({ kind: "requeued" });
  await sqlIn(account, "UPDATE jobs SET no_capacity_since = no_capacity_since - 1800000");
  expect(await release(3)).toMatchObject({ kind: "ended", job: { error: { code: "unavailable" } } });
});

describe("the plan's concurrency", () => {
  it("makes asynchronous jobs wait, and starts the oldest one when another job ends", async () => {
    const account = await openObject({ concurrentJobs: 2 });
    const object = stubOf(account);
    const jobs = Array.from({ length: 4 }, () => newJob(account));
    const replies = [];
    for (const job of jobs) replies.push(await object.createJob(job));
    expect(replies.map((reply) => reply.kind === "created" && reply.next)).toEqual(["run", "run", "wait", "wait"]);
    const [first, , third] = jobs;
    if (first === undefined || third === undefined) throw new Error("There are no jobs.");
    expect(await object.claim(third, "token")).toEqual({ kind: "gone" });
    await object.claim(first, "token");
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    expect(await sqlIn(account, "SELECT id FROM jobs WHERE waits = 1")).toEqual([{ id: jobs[3]?.id }]);
  });

  it("doesn't limit synchronous plain jobs", async () => {
    const account = await openObject({ concurrentJobs: 0, concurrentRenders: 0 });
    const reply = await stubOf(account).createJob(newJob(account, { waiting: true }));
    expect(reply).toMatchObject({ kind: "created", next: "run", job: { status: "processing", run: 1 } });
  });

  it("doesn't make plain jobs wait behind a waiting render", async () => {
    const account = await openObject({ concurrentJobs: 5, concurrentRenders: 0 });
    const object = stubOf(account);
    expect(await object.createJob(newJob(account, { rendered: true }))).toMatchObject({ next: "wait" });
    expect(await object.createJob(newJob(account))).toMatchObject({ next: "run" });
  });

  it("doesn't make a synchronous render wait behind asynchronous renders that need a job slot", async () => {
    const account = await openObject({ concurrentJobs: 0, concurrentRenders: 1 });
    const object = stubOf(account);
    const busy = newJob(account, { rendered: true, waiting: true });
    await object.createJob(busy);
    for (let i = 0; i < 25; i++) await object.createJob(newJob(account, { rendered: true }));
    const last = newJob(account, { rendered: true, waiting: true });
    await object.createJob(last);
    const slot = object.awaitSlot(last, Date.now() + 30_000);
    await object.finish(busy, 1, { ...done, endedAt: Date.now() });
    expect(await slot).toMatchObject({ kind: "run", job: { id: last.id } });
  });

  it("doesn't start a synchronous job whose caller isn't waiting for a slot", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const object = stubOf(account);
    const [first, second] = [0, 1].map(() => newJob(account, { rendered: true, waiting: true }));
    if (first === undefined || second === undefined) throw new Error("There are no jobs.");
    await object.createJob(first);
    await object.createJob(second);
    const reading = object.get(second, 1_000);
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    expect(await reading).toMatchObject({ status: "queued" });
  });

  it("gives a free slot to a caller who waits for one", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const object = stubOf(account);
    const [first, second] = [0, 1].map(() => newJob(account, { rendered: true, waiting: true }));
    if (first === undefined || second === undefined) throw new Error("There are no jobs.");
    await object.createJob(first);
    expect(await object.createJob(second)).toMatchObject({ next: "wait", job: { status: "queued" } });
    const waiting = object.awaitSlot(second, Date.now() + 30_000);
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    expect(await waiting).toMatchObject({ kind: "run", job: { status: "processing", run: 1 } });
    // Callers repeat the call if its reply was lost. The repeated call returns the same run.
    expect(await object.awaitSlot(second, Date.now() + 30_000)).toMatchObject({ kind: "run", job: { run: 1 } });
  });

  it("makes a render asynchronous if its caller gets no slot in time", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const object = stubOf(account);
    const [first, second] = [0, 1].map(() => newJob(account, { rendered: true, waiting: true }));
    if (first === undefined || second === undefined) throw new Error("There are no jobs.");
    await object.createJob(first);
    await object.createJob(second);
    expect(await object.awaitSlot(second, Date.now())).toMatchObject({ kind: "waits" });
    expect(await object.detach(second, { accepted: false })).toEqual({ kind: "detached" });
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    expect(await object.claim(second, "token")).toMatchObject({ kind: "run", job: { waiting: false } });
  });

  it("starts a render whose caller disconnected before it could use the free slot", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const object = stubOf(account);
    const [first, second] = [newJob(account, render), newJob(account, render)];
    await object.createJob(first);
    await object.createJob(second);
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    await object.detach(second, { accepted: true });
    expect(await object.claim(second, "token")).toMatchObject({ kind: "run", job: { waiting: false } });
  });

  it("counts a render as an asynchronous job once its caller's time is over", async () => {
    const account = await openObject({ concurrentRenders: 1, concurrentJobs: 0 });
    const object = stubOf(account);
    const [first, second] = [newJob(account, render), newJob(account, render)];
    await object.createJob(first);
    await object.createJob(second);
    await sqlIn(account, "UPDATE jobs SET created_at = 0 WHERE id = ?1", second.id);
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    expect(await object.claim(second, "token")).toEqual({ kind: "gone" });
  });

  it("limits the renders that have become asynchronous", async () => {
    const account = await openObject({ concurrentRenders: 2, concurrentJobs: 1 });
    const object = stubOf(account);
    const [first, second, third, last] = [render, render, render, {}].map((job) => newJob(account, job));
    if (!first || !second || !third || !last) throw new Error("There are no jobs.");
    for (const job of [first, second, third]) await object.createJob(job);
    await sqlIn(account, "UPDATE jobs SET created_at = 0 WHERE id = ?1", third.id);
    await object.finish(first, 1, { ...done, endedAt: Date.now() });
    // The third job's caller has stopped waiting, so this job uses the only job slot.
    expect(await object.createJob(last)).toMatchObject({ next: "wait" });
    expect(await object.claim(third, "token")).toMatchObject({ kind: "run", job: { waiting: false } });
    await object.finish(third, 1, { ...done, endedAt: Date.now() });
    expect(await object.claim(last, "token")).toMatchObject({ kind: "run" });
    expect(await object.createJob(newJob(account))).toMatchObject({ next: "wait" });
  });

  it("starts waiting jobs when the limits are raised", async () => {
    const account = await openObject({ concurrentJobs: 0 });
    const object = stubOf(account);
    await object.createJob(newJob(account));
    const settings = { version: 2, plan: "pro", monthlyCredits: 10, suspendedAt: null } as const;
    await object.update({
      ...settings,
      concurrentJobs: 25,
      concurrentRenders: 10,
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
    });
    expect(await sqlIn(account, "SELECT waits FROM jobs")).toEqual([{ waits: 0 }]);
  });

  it("is restored from the rows after a restart", async () => {
    const account = await openObject({ concurrentJobs: 1 });
    await stubOf(account).createJob(newJob(account));
    await evictDurableObject(objectOf(account));
    expect(await stubOf(account).createJob(newJob(account))).toMatchObject({ next: "wait" });
  });
});
