import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runJob } from "../../src/jobs/run-job";
import { awaitSlot, detachCaller, runSync } from "../../src/jobs/submit";
import type { Job, JobMessage } from "../../src/model/job";
import { newJob, openObject, stubOf, withFailingAccounts } from "../support/account";
import { page, querySite } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";

async function getJob(job: Job) {
  return await stubOf(job.account).get(job);
}

async function isWaiting(job: Job): Promise<boolean> {
  return (await getJob(job))?.waiting === true;
}

/** Returns bindings with a fake queue `jobs`. It only records the ids of the sent jobs. */
function recordingQueue(): { bindings: Env; sent: string[] } {
  const sent: string[] = [];
  const JOBS = { send: async ({ job }: JobMessage) => void sent.push(job) } as unknown as Queue;
  return { bindings: { ...env, JOBS }, sent };
}

describe("a caller who waits", () => {
  it("gets the result when the job ends", async () => {
    const job = await createTestJob(page("article"), { waiting: true });
    const ended = await runSync(env, job, {
      until: Date.now() + 20_000,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(ended).toMatchObject({ kind: "completed", end: { meta: { credits_used: 1 } } });
    expect(await isWaiting(job)).toBe(true);
  });

  it("gets no result after the deadline; the run continues, and the job becomes asynchronous", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await createTestJob(url, { waiting: true });
    const late: Promise<unknown>[] = [];
    const ended = await runSync(bindings, job, {
      until: Date.now() + 500,
      disconnected: new AbortController().signal,
      waitUntil: (promise) => void late.push(promise),
    });
    expect(ended).toBeNull();
    expect(await isWaiting(job)).toBe(false);
    await querySite("release", url);
    await Promise.all(late);
    expect(await getJob(job)).toMatchObject({ status: "completed", attempts: 1 });
    expect(sent).toEqual([]);
  });

  it("leaves the job to the queue if the run hasn't ended some time after the 202", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await createTestJob(url, { waiting: true });
    const late: Promise<unknown>[] = [];
    const ended = await runSync(bindings, job, {
      until: Date.now() + 300,
      handoverAfterMs: 300,
      disconnected: new AbortController().signal,
      waitUntil: (promise) => void late.push(promise),
    });
    expect(ended).toBeNull();
    expect(await getJob(job)).toMatchObject({ status: "processing", run: 1 });
    await Promise.all(late);
    expect(sent).toEqual([job.id]);
    expect(await getJob(job)).toMatchObject({ status: "queued", waiting: false, attempts: 0 });
    await querySite("release", url);
  });

  it("can disconnect without ending the job: the run is handed over to the queue and doesn't count as an attempt", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await createTestJob(url, { waiting: true });
    const caller = new AbortController();
    const late: Promise<unknown>[] = [];
    const outcome = runSync(bindings, job, {
      until: Date.now() + 60_000,
      handoverAfterMs: 500,
      disconnected: caller.signal,
      waitUntil: (promise) => void late.push(promise),
    });
    await expect.poll(() => querySite("hits", url)).toBe(1);
    caller.abort();
    await expect.poll(() => isWaiting(job)).toBe(false);
    expect(await getJob(job)).toMatchObject({ status: "processing", run: 1 });
    await expect.poll(() => sent).toEqual([job.id]);
    expect(await getJob(job)).toMatchObject({ status: "queued", run: 1, attempts: 0 });
    // Run the job as the queue consumer would.
    const again = runJob(env, messageOf(job));
    await expect.poll(() => querySite("hits", url)).toBe(2);
    await querySite("release", url);
    expect((await again).kind).toBe("completed");
    expect(await outcome).toMatchObject({ kind: "job", job: { status: "completed", run: 2, attempts: 1 } });
  });

  it("still gets the result if an error requeued the job and another run ended it", async () => {
    const { bindings, sent } = recordingQueue();
    const job = await createTestJob(`${page("large")}?words=20000`, { waiting: true });
    const STORE = { put: async () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
    const outcome = runSync({ ...bindings, STORE }, job, {
      until: Date.now() + 20_000,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    await expect.poll(() => sent).toEqual([job.id]);
    await env.JOBS.send(messageOf(job));
    expect(await outcome).toMatchObject({ kind: "job", job: { status: "completed", run: 2, attempts: 2 } });
  });

  it("gets no webhook event if another run ended the job in time", async () => {
    const job = await createTestJob(page("article"), { waiting: true, request: { webhook_url: "https://a.example/" } });
    await stubOf(job.account).release(job, 1, { kind: "handover" });
    expect((await runJob(env, messageOf(job))).kind).toBe("completed");
    expect(await stubOf(job.account).listDeliveries({ mode: "live", limit: 1, offset: 0 })).toMatchObject({ total: 0 });
  });

  it("gets no result if the account can't be reached at the end", async () => {
    const job = await createTestJob(page("article"), { waiting: true });
    const bindings = withFailingAccounts((method) => (method === "finish" || method === "release" ? "before" : null));
    const reached = await runSync(bindings, job, {
      until: Date.now() + 500,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(reached).toBeNull();
    expect(await getJob(job)).toMatchObject({ status: "processing", run: 1 });
  });

  it("waits for a slot, and runs the job when a slot is free", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const first = newJob(account, { rendered: true, waiting: true });
    await stubOf(account).createJob(first);
    const second = await stubOf(account).createJob(newJob(account, { rendered: true, waiting: true }));
    if (second.kind !== "created") throw new Error(second.kind);
    const slot = awaitSlot(env, second.job as Job, {
      until: Date.now() + 20_000,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    await stubOf(account).cancel(first);
    expect(await slot).toMatchObject({ kind: "run", job: { id: second.job.id, run: 1 } });
  });

  it("gets the result of a job that ends just before the wait is over", async () => {
    const url = page("held");
    const job = await createTestJob(url, { waiting: true });
    const ended = await runSync(cancelingAccounts(job), job, {
      until: Date.now() + 200,
      handoverAfterMs: 0,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(ended).toMatchObject({ kind: "job", job: { id: job.id, error: { code: "cancelled" } } });
    await querySite("release", url);
  });

  it("gets the error if the run fails", async () => {
    const job = await createTestJob(page("reset"), { waiting: true });
    const ended = await runSync(env, job, {
      until: Date.now() + 20_000,
      disconnected: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(ended).toMatchObject({ kind: "job", job: { id: job.id, status: "failed", creditsUsed: 0 } });
  });

  it("who has already disconnected leaves the job to the queue", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await createTestJob(url, { waiting: true });
    const late: Promise<unknown>[] = [];
    const outcome = runSync(bindings, job, {
      until: Date.now() + 1_000,
      handoverAfterMs: 0,
      disconnected: AbortSignal.abort(),
      waitUntil: (promise) => void late.push(promise),
    });
    expect(await outcome).toBeNull();
    await Promise.all(late);
    expect(sent).toEqual([job.id]);
    expect(await getJob(job)).toMatchObject({ status: "queued", waiting: false, attempts: 0 });
    await querySite("release", url);
  });
});

/** Returns bindings in which the job is canceled just before its caller is detached. */
function cancelingAccounts(job: Job): Env {
  const wrap = (stub: DurableObjectStub) =>
    new Proxy(stub, {
      get: (_, method) => {
        return async (...args: unknown[]) => {
          if (method === "detach") await stubOf(job.account).cancel(job);
          return await Reflect.get(stubOf(job.account), method)(...args);
        };
      },
    });
  return { ...env, ACCOUNT: { getByName: (name: string) => wrap(env.ACCOUNT.getByName(name)) } } as unknown as Env;
}

describe("a caller who waits for a slot", () => {
  const never = () => new AbortController().signal;

  async function createWaiting(webhookUrl: string | null = null): Promise<Job> {
    const account = await openObject({ concurrentRenders: 0 });
    const created = await stubOf(account).createJob(newJob(account, { rendered: true, waiting: true, webhookUrl }));
    if (created.kind !== "created") throw new Error(created.kind);
    return created.job as Job;
  }

  it("gets none if no slot becomes free in time, and the job becomes asynchronous", async () => {
    const job = await createWaiting();
    const slot = await awaitSlot(env, job, { until: Date.now() + 100, disconnected: never(), waitUntil: () => {} });
    expect(slot).toBeNull();
    expect(await getJob(job)).toMatchObject({ status: "queued", waiting: false });
  });

  it("gets a job that ended meanwhile", async () => {
    for (const bindings of [() => env as Env, cancelingAccounts]) {
      const job = await createWaiting();
      const isCanceledAtEnd = bindings === cancelingAccounts;
      const until = Date.now() + (isCanceledAtEnd ? 100 : 60_000);
      const slot = awaitSlot(bindings(job), job, { until, disconnected: never(), waitUntil: () => {} });
      if (!isCanceledAtEnd) await stubOf(job.account).cancel(job);
      expect(await slot).toMatchObject({ kind: "ended", job: { id: job.id, status: "failed" } });
    }
  });

  it("makes the job asynchronous by disconnecting", async () => {
    const job = await createWaiting();
    const caller = new AbortController();
    const late: Promise<unknown>[] = [];
    const waitUntil = (promise: Promise<unknown>) => void late.push(promise);
    const slot = awaitSlot(env, job, { until: Date.now() + 1_000, disconnected: caller.signal, waitUntil });
    caller.abort();
    await expect.poll(() => isWaiting(job)).toBe(false);
    expect(late).toHaveLength(1);
    expect(await slot).toBeNull();
  });
});

describe("a caller who stopped waiting", () => {
  it("is detached although the first calls fail", async () => {
    const job = await createTestJob(page("article"), { waiting: true });
    let failures = 2;
    await detachCaller(
      withFailingAccounts(() => (failures-- > 0 ? "before" : null)),
      job,
      { accepted: true },
    );
    expect(failures).toBe(-1);
    expect(await isWaiting(job)).toBe(false);
  });
});
