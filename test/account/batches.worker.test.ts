import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewBatch, NewPage } from "../../src/account/batches/batch-types";
import { newTaggedId, toSiblingId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Batch } from "../../src/model/batch";
import type { JobKey } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";

interface PageInput {
  credits: number;
  rendered: boolean;
}

/** Opens an account whose queue messages are dropped, so that only the test runs its jobs. */
async function openSilent(settings: Parameters<typeof openObject>[0]): Promise<AccountRef> {
  const account = await openObject(settings);
  const silent = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue;
  await runInDurableObject(objectOf(account), (instance) => {
    (instance as unknown as { env: Env }).env = { ...env, JOBS: silent, RENDERS: silent, WEBHOOKS: silent };
  });
  return account;
}

function newBatch(account: AccountRef, inputs: readonly PageInput[], more: Partial<NewBatch> = {}): NewBatch {
  const pages = inputs.map(
    ({ credits, rendered }, index): NewPage => ({
      number: index + 1,
      url: `https://example.com/${index + 1}`,
      overrides: {},
      secrets: null,
      rendered,
      credits,
      plan: { method: "plain" as const, lines: [{ item: "scrape", credits }] },
    }),
  );
  const { credits = 0, rendered = false } = inputs[0] ?? {};
  return {
    ...{
      mode: "live",
      id: newTaggedId(account.tag),
      kind: "batch",
      keyId: "key",
      creditLimit: null,
      endpoint: "scrape",
    },
    ...{ request: "{}", defaults: {}, secrets: null, origin: ORIGIN, webhookUrl: null, pageEvents: false },
    ...{ labels: null, pages, prices: toPrices({}), first: { credits, rendered }, idempotency: null, ...more },
  };
}

type JobRow = {
  id: string;
  batch_id: string;
  page: number;
  rendered: number;
  credits: number;
  credits_used: number;
  due_at: number | null;
};

async function readJobs(account: AccountRef): Promise<JobRow[]> {
  return await sqlIn<JobRow>(
    account,
    "SELECT id, batch_id, page, rendered, credits, credits_used, due_at FROM jobs WHERE batch_id IS NOT NULL ORDER BY id",
  );
}

async function finish(account: AccountRef, id: string, end: "ok" | "free" | "failed"): Promise<void> {
  const object = stubOf(account);
  const key = { mode: "live", id } as const;
  const claim = await object.claim(key, crypto.randomUUID());
  if (claim.kind !== "run") return;
  const times = { processingTimeMs: 1, endedAt: Date.now() };
  const error = { code: "dns_failure", message: "No address.", status: 502, retryable: true } as const;
  await object.finish(
    key,
    claim.job.run,
    end === "failed"
      ? { status: "failed", error, ...times }
      : {
          status: "completed",
          result: "{}",
          extras: null,
          charge: claim.job.credits,
          isFree: end === "free",
          ...times,
        },
  );
}

async function finishClaimed(account: AccountRef, { mode, id }: JobKey): Promise<void> {
  const end = { status: "completed", result: "{}", extras: null, charge: 1, processingTimeMs: 1 } as const;
  await stubOf(account).finish({ mode, id }, 1, { ...end, endedAt: Date.now() });
}

async function readBatch(account: AccountRef, id: string): Promise<Batch> {
  const reply = await stubOf(account).getBatch({ mode: "live", id });
  if (reply.kind !== "batch") throw new Error(reply.kind);
  return reply.batch;
}

const pageInput = fc.record({ credits: fc.integer({ min: 1, max: 3 }), rendered: fc.boolean() });
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("finish" as const),
      which: fc.nat(),
      end: fc.constantFrom("ok" as const, "free" as const, "failed" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancelBatch" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancelJob" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("resume" as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("adjust" as const), amount: fc.integer({ min: 1, max: 6 }) }) },
);

describe("random batches with failing pages, cancellations and low balances", () => {
  it("add up: counts, credits, slots, one job per page, one event per end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(pageInput, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 3, max: 25 }),
        fc.integer({ min: 1, max: 4 }),
        async (batches, steps, credits, concurrency) => {
          const account = await openSilent({ credits, concurrentJobs: concurrency, concurrentRenders: concurrency });
          const object = stubOf(account);
          await object.createEndpoint({
            ...{ mode: "live", id: newTaggedId(account.tag), url: "https://example.org/hook", secret: "x" },
            events: ["batch.completed"],
          });
          const created: string[] = [];
          for (const inputs of batches) {
            const batch = newBatch(account, inputs);
            if ((await object.createBatch(batch)).kind === "created") created.push(batch.id);
          }
          let added = 0;
          let ends = 0;
          const limit = Math.max(1, concurrency - 1);
          const check = async () => {
            const running = (await readJobs(account)).filter(({ due_at }) => due_at !== null);
            expect(running.length).toBeLessThanOrEqual(limit);
            expect(running.filter(({ rendered }) => rendered === 1).length).toBeLessThanOrEqual(limit);
            return running;
          };
          for (const [index, each] of steps.entries()) {
            const running = await check();
            const job = "which" in each ? running[each.which % Math.max(1, running.length)] : undefined;
            const id = "which" in each ? created[each.which % Math.max(1, created.length)] : undefined;
            if (each.kind === "finish" && job) await finish(account, job.id, each.end);
            if (each.kind === "cancelJob" && job) await object.cancel({ mode: "live", id: job.id });
            if (each.kind === "cancelBatch" && id) await object.cancelBatch({ mode: "live", id });
            if (each.kind === "adjust") {
              await object.adjust({ key: String(index), amount: each.amount });
              added += each.amount;
            }
            if (each.kind === "resume" && id && (await object.resumeBatch({ mode: "live", id })).kind === "resumed")
              ends++;
          }
          for (let running = await check(); running.length > 0; running = await check())
            for (const { id } of running) await finish(account, id, "ok");

          const jobs = await readJobs(account);
          expect(new Set(jobs.map(({ batch_id, page }) => `${batch_id} ${page}`)).size).toBe(jobs.length);
          for (const id of created) {
            const { counts, credits: sums, endedAt } = await readBatch(account, id);
            const own = jobs.filter(({ batch_id }) => batch_id === id);
            const used = own.reduce((sum, { credits_used }) => sum + credits_used, 0);
            expect(endedAt).not.toBeNull();
            expect([counts.pending, counts.running, counts.completed + counts.failed]).toEqual([0, 0, counts.total]);
            expect(Object.values(counts.byCode).reduce((sum, count) => sum + count, 0)).toBe(counts.total);
            expect(sums).toEqual({
              reserved: 0,
              used,
              givenBack: own.reduce((sum, each) => sum + each.credits, 0) - used,
            });
          }
          const usage = await object.usage({ mode: "live", since: "2026-01-01" });
          if ("kind" in usage) throw new Error(usage.kind);
          const charged = jobs.reduce((sum, { credits_used }) => sum + credits_used, 0);
          expect([usage.balance, usage.reserved]).toEqual([credits + added - charged, 0]);
          const [sent] = await sqlIn<{ events: number }>(account, "SELECT COUNT(*) AS events FROM deliveries");
          expect(sent?.events).toBe(created.length + ends);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("several batches", () => {
  it("start their pages in turn", async () => {
    const account = await openSilent({ concurrentJobs: 5 });
    const pages = Array.from({ length: 6 }, () => ({ credits: 1, rendered: false }));
    const [a, b] = [newBatch(account, pages), newBatch(account, pages)];
    for (const batch of [a, b]) await stubOf(account).createBatch(batch);
    const running = async () =>
      await Promise.all([a, b].map(async ({ id }) => (await readBatch(account, id)).counts.running));
    expect(await running()).toEqual([4, 0]);
    for (const { id } of (await readJobs(account)).slice(0, 2)) await finish(account, id, "ok");
    expect(await running()).toEqual([2, 2]);
  });

  it("take turns if there is one slot for all of them", async () => {
    const account = await openSilent({ concurrentJobs: 1 });
    const pages = Array.from({ length: 3 }, () => ({ credits: 1, rendered: false }));
    const batches = [newBatch(account, pages), newBatch(account, pages), newBatch(account, pages)];
    for (const batch of batches) await stubOf(account).createBatch(batch);
    const started: number[] = [];
    for (let i = 0; i < 9; i++) {
      const [running] = (await readJobs(account)).filter(({ due_at }) => due_at !== null);
      if (running === undefined) throw new Error("No page is running.");
      started.push(batches.findIndex(({ id }) => id === running.batch_id));
      await finish(account, running.id, "ok");
    }
    expect(started).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  it("leave a slot to other jobs, and wait while the account is suspended", async () => {
    const account = await openSilent({ concurrentJobs: 3 });
    const batch = newBatch(
      account,
      Array.from({ length: 4 }, () => ({ credits: 1, rendered: false })),
    );
    await stubOf(account).createBatch(batch);
    expect((await readBatch(account, batch.id)).counts.running).toBe(2);
    const settings = {
      version: 2,
      plan: "enterprise",
      monthlyCredits: 100,
      concurrentJobs: 3,
      concurrentRenders: 3,
    } as const;
    const more = { grantsEnabled: true, chargeFreeOutcomes: false, dailyCredits: null };
    await stubOf(account).update({ ...settings, ...more, suspendedAt: 1 });
    for (const { id } of await readJobs(account)) await finish(account, id, "ok");
    expect((await readBatch(account, batch.id)).counts).toMatchObject({ completed: 2, running: 0, pending: 2 });
    await stubOf(account).update({ ...settings, ...more, version: 3, suspendedAt: null });
    expect((await readBatch(account, batch.id)).counts).toMatchObject({ running: 2, pending: 0 });
  });
});

describe("searches that use all slots of the plan", () => {
  it.each([
    ["plain", "plain", true],
    ["rendered", "rendered", true],
    ["plain", "rendered", false],
  ])("%s: their %s pages start one at a time (%s)", async (search, page, starts) => {
    const account = await openSilent({ concurrentJobs: 2, concurrentRenders: 2 });
    const object = stubOf(account);
    const searches = [0, 1].map(() => newJob(account, { endpoint: "serp", rendered: search === "rendered" }));
    for (const job of searches) await object.createJob(job);
    for (const job of searches) await object.claim(job, job.id);
    const renders = [0, 1].map(() => newJob(account, { rendered: true, waiting: true }));
    for (const job of renders) await object.createJob(job);
    const other = newJob(account);
    await object.createJob(other);
    const inputs = [0, 1, 2].map(() => ({ credits: 1, rendered: page === "rendered" }));
    const batches = searches.map(({ id }) => newBatch(account, inputs, { id: toSiblingId(id) }));
    for (const batch of batches) await object.createBatch(batch);
    for (let round = 0; round < 3; round++) {
      const running = (await readJobs(account)).filter(({ due_at }) => due_at !== null);
      expect(running.map(({ batch_id }) => batch_id)).toEqual(starts ? batches.map(({ id }) => id) : []);
      for (const { id } of running) await finish(account, id, "ok");
    }
    expect(await object.get(other)).toMatchObject({ status: "queued", attempts: 0 });
    for (const job of searches) await finishClaimed(account, job);
    expect(await object.claim(other, "other")).toMatchObject({ kind: "run" });
    const ended = (await readBatch(account, batches[0]?.id ?? "")).endedAt;
    expect(ended === null).toBe(!starts);
  });

  it("cancel their pages if they fail", async () => {
    const account = await openSilent({ concurrentJobs: 2 });
    const job = newJob(account, { endpoint: "serp" });
    await stubOf(account).createJob(job);
    await stubOf(account).claim(job, "token");
    const inputs = [0, 1, 2].map(() => ({ credits: 1, rendered: false }));
    const batch = newBatch(account, inputs, { id: toSiblingId(job.id) });
    await stubOf(account).createBatch(batch);
    const error = { code: "job_timeout", message: "Too long.", status: 504, retryable: true } as const;
    await stubOf(account).finish(job, 1, { status: "failed", error, processingTimeMs: 1, endedAt: Date.now() });
    const cancelled = { status: "failed", error: { code: "cancelled" }, counts: { running: 0, failed: 3 } };
    expect(await readBatch(account, batch.id)).toMatchObject(cancelled);
    expect(await stubOf(account).usage({ mode: "live", since: "2020-01-01" })).toMatchObject({ reserved: 0 });
  });
});

describe("a batch with more free slots than one transaction may use", () => {
  const pages = Array.from({ length: 60 }, () => ({ credits: 1, rendered: false }));

  it("starts all pages in these slots", async () => {
    const account = await openSilent({ concurrentJobs: 51 });
    const batch = newBatch(account, pages);
    await stubOf(account).createBatch(batch);
    await expect.poll(async () => (await readJobs(account)).length).toBe(50);
    expect(await stubOf(account).getBatch(batch)).toMatchObject({ batch: { counts: { running: 50, pending: 10 } } });
  });

  it("is cancelled in one call, and by the alarm if the call was interrupted", async () => {
    const account = await openSilent({ concurrentJobs: 51 });
    const [first, second] = [newBatch(account, pages), newBatch(account, pages)];
    const cancelled = {
      status: "failed",
      counts: { running: 0, pending: 0, failed: 60 },
      error: { code: "cancelled" },
    };
    await stubOf(account).createBatch(first);
    await expect.poll(async () => (await readJobs(account)).length).toBe(50);
    expect(await stubOf(account).cancelBatch(first)).toMatchObject({ batch: cancelled });
    await stubOf(account).createBatch(second);
    await expect.poll(async () => (await readJobs(account)).length).toBe(100);
    // The state after the first transaction of a call.
    await sqlIn(account, "UPDATE batches SET code = 'cancelled', due_at = 1 WHERE id = ?1", second.id);
    expect(await stubOf(account).getBatch(second)).toMatchObject({ batch: { status: "processing", error: null } });
    for (let alarm = 0; alarm < 2; alarm++) await runInDurableObject(objectOf(account), (object) => object.alarm());
    expect(await stubOf(account).getBatch(second)).toMatchObject({ batch: cancelled });
  });
});

describe("a batch of a key with a credit limit", () => {
  it("stops at the limit, and continues with a higher one", async () => {
    const account = await openSilent({});
    const batch = newBatch(
      account,
      Array.from({ length: 3 }, () => ({ credits: 1, rendered: false })),
      { creditLimit: 2 },
    );
    await stubOf(account).createBatch(batch);
    for (const { id } of await readJobs(account)) await finish(account, id, "ok");
    expect(await readBatch(account, batch.id)).toMatchObject({
      status: "failed",
      error: { code: "insufficient_credits", message: expect.stringContaining("the credit limit of the API key") },
    });
    const resume = (creditLimit: number) =>
      stubOf(account).resumeBatch({ mode: "live", id: batch.id, owner: { keyId: "key", creditLimit } });
    expect(await resume(2)).toMatchObject({ kind: "refused" });
    expect(await resume(3)).toMatchObject({ kind: "resumed" });
    expect((await readBatch(account, batch.id)).counts.running).toBe(1);
  });
});

describe("a batch of a key whose credit limit is removed", () => {
  it("continues after the old limit once the key was used without one", async () => {
    const account = await openSilent({ concurrentJobs: 3 });
    const pages = Array.from({ length: 4 }, () => ({ credits: 1, rendered: false }));
    const batch = newBatch(account, pages, { creditLimit: 2 });
    await stubOf(account).createBatch(batch);
    const job = {
      mode: "live",
      keyId: "key",
      endpoint: "scrape",
      credits: 1,
      rendered: false,
      waiting: false,
    } as const;
    expect(await stubOf(account).checkJob({ ...job, creditLimit: null })).toMatchObject({ kind: "possible" });
    for (const { id } of await readJobs(account)) await finish(account, id, "ok");
    expect((await readBatch(account, batch.id)).counts).toMatchObject({ completed: 2, running: 2, failed: 0 });
  });
});

describe("a batch whose key is revoked", () => {
  it("returns its running pages, and continues with all pages of another key", async () => {
    const account = await openSilent({ concurrentJobs: 31 });
    const pages = Array.from({ length: 40 }, () => ({ credits: 1, rendered: false }));
    const batch = newBatch(account, pages, { secrets: "sealed" });
    await stubOf(account).createBatch(batch);
    await expect.poll(async () => (await readJobs(account)).length).toBe(30);
    for (const { id } of (await readJobs(account)).slice(0, 2)) await finish(account, id, "ok");
    expect(await stubOf(account).keyWork("key")).toMatchObject({ jobs: 30, batches: 1 });
    const stop = { keyId: "key", reason: "revoked_api_key" } as const;
    expect(await stubOf(account).stopKey(stop)).toEqual({ kind: "stopped", cancelled: 30 });
    expect(await readBatch(account, batch.id)).toMatchObject({
      status: "failed",
      error: { code: "revoked_api_key" },
      counts: { total: 40, completed: 2, failed: 38, byCode: { ok: 2, revoked_api_key: 38 } },
    });
    expect(await stubOf(account).stopKey(stop)).toEqual({ kind: "stopped", cancelled: 0 });
    const owner = { keyId: "other", creditLimit: null };
    expect(await stubOf(account).resumeBatch({ mode: "live", id: batch.id, owner })).toMatchObject({ kind: "resumed" });
    for (let ended = 2; ended < 40; ) {
      const running = (await readJobs(account)).filter(({ due_at }) => due_at !== null);
      for (const { id } of running) await finish(account, id, "ok");
      ended += running.length;
    }
    expect(await readBatch(account, batch.id)).toMatchObject({
      status: "completed",
      keyId: "other",
      counts: { completed: 40, failed: 0, byCode: { ok: 40 } },
      credits: { used: 40, reserved: 0 },
    });
  });

  it("is stopped by the alarm if the call was interrupted", async () => {
    const account = await openSilent({ concurrentJobs: 31 });
    const batch = newBatch(
      account,
      Array.from({ length: 40 }, () => ({ credits: 1, rendered: false })),
    );
    await stubOf(account).createBatch(batch);
    await expect.poll(async () => (await readJobs(account)).length).toBe(30);
    await sqlIn(account, "UPDATE batches SET code = 'revoked_api_key', due_at = 1 WHERE id = ?1", batch.id);
    for (let alarm = 0; alarm < 2; alarm++) await runInDurableObject(objectOf(account), (object) => object.alarm());
    expect(await readBatch(account, batch.id)).toMatchObject({
      status: "failed",
      error: { code: "revoked_api_key" },
      counts: { running: 0, failed: 40 },
    });
  });
});

describe("a batch whose last page ends while its key's work is being stopped", () => {
  it("is completed", async () => {
    const account = await openSilent({});
    const batch = newBatch(account, [{ credits: 1, rendered: false }]);
    await stubOf(account).createBatch(batch);
    // The first transaction of `stopKey` has stopped the batch, and has canceled other jobs.
    await sqlIn(account, "UPDATE batches SET code = 'revoked_api_key' WHERE id = ?1", batch.id);
    for (const { id } of await readJobs(account)) await finish(account, id, "ok");
    await stubOf(account).stopKey({ keyId: "key", reason: "revoked_api_key" });
    expect(await readBatch(account, batch.id)).toMatchObject({ status: "completed", error: null });
  });
});

describe("the secrets of a batch", () => {
  it("are deleted when it ends, but not while it can be resumed", async () => {
    const account = await openSilent({ credits: 1 });
    const pages = Array.from({ length: 2 }, () => ({ credits: 1, rendered: false }));
    const batch = newBatch(account, pages, { secrets: "sealed" });
    await stubOf(account).createBatch(batch);
    const read = async () =>
      (await sqlIn<{ secrets: string | null }>(account, "SELECT secrets FROM batches"))[0]?.secrets;
    for (const { id } of await readJobs(account)) await finish(account, id, "ok");
    expect(await read()).toBe("sealed");
    await stubOf(account).cancelBatch({ mode: "live", id: batch.id });
    expect(await read()).toBeNull();
  });
});

it.each(["batch", "crawl"] as const)("a canceled %s says what was canceled", async (kind) => {
  const account = await openSilent({});
  const batch = newBatch(account, [{ credits: 1, rendered: false }], { kind });
  await stubOf(account).createBatch(batch);
  await stubOf(account).cancelBatch({ mode: "live", id: batch.id });
  const { error } = await readBatch(account, batch.id);
  expect(error?.message).toBe(`The ${kind} was canceled. Unfinished pages aren't charged.`);
});

it("accepts pages with the largest requests and secrets", async () => {
  const account = await openSilent({});
  const batch = newBatch(
    account,
    Array.from({ length: 25 }, () => ({ credits: 1, rendered: false })),
  );
  // JSON doubles the size of quotes.
  const large = { overrides: { a: '"'.repeat(30_000) }, secrets: "s".repeat(350_000) };
  const pages = batch.pages.map((each) => ({ ...each, ...large }));
  expect(await stubOf(account).createBatch({ ...batch, pages })).toMatchObject({
    kind: "created",
    batch: { counts: { total: 25 } },
  });
});
