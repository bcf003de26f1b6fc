import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import { createJob } from "../../src/jobs/create";
import { getOwnJob, readSmallResult } from "../../src/jobs/read-job";
import { submitRequest } from "../../src/jobs/submit";
import type { AccountRef } from "../../src/model/account";
import type { ApiKey } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { toPrices } from "../../src/model/prices";
import { readSmall } from "../../src/store/objects";
import { callerOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";
import { dropMessages } from "../support/webhooks";

async function createCaller(): Promise<ApiKey> {
  return callerOf(await openObject(), { id: crypto.randomUUID(), mode: "test" });
}

interface RequestInput {
  endpoint?: Endpoint;
  body: unknown;
  bindings?: Partial<Env>;
  waiting?: boolean;
  idempotencyKey?: string;
  /** The time (ms) for which the caller waits. */
  waitMs?: number;
}

async function submitFor(
  caller: ApiKey,
  { endpoint = "scrape", body, bindings = {}, waiting = true, idempotencyKey, waitMs = 20_000 }: RequestInput,
) {
  const execution = createExecutionContext();
  const request = validateBody(endpoint, body, { env, mode: caller.mode, origin: ORIGIN, prices: toPrices(env) });
  try {
    return await submitRequest({ ...env, ...bindings }, request, {
      caller,
      origin: ORIGIN,
      idempotencyKey: idempotencyKey ?? null,
      until: waiting ? Date.now() + waitMs : null,
      disconnected: new AbortController().signal,
      waitUntil: (promise) => execution.waitUntil(promise),
    });
  } finally {
    await waitOnExecutionContext(execution);
  }
}

const LARGE = { url: "https://large.test/", formats: ["text"] };

describe("a submitted request", () => {
  it("returns its result from memory, which equals the stored result", async () => {
    const caller = await createCaller();
    const started = await submitFor(caller, { body: { url: "https://example.com/" } });
    if (started.kind !== "completed") throw new Error(started.kind);
    expect(started.data?.markdown).toEqual(expect.any(String));
    expect(started.meta).toMatchObject({ credits_used: 0 });
    const job = await getOwnJob(env, caller.account, { mode: caller.mode, id: started.jobId });
    if (job === null) throw new Error("The job is not there.");
    expect(await readSmallResult(env, job, 1)).toEqual(started.data);
  });

  it("returns a large result as a stored object, which is only read up to the size limit", async () => {
    const caller = await createCaller();
    const started = await submitFor(caller, { body: LARGE });
    if (started.kind !== "stored") throw new Error(started.kind);
    const { size } = started.object;
    expect(size).toBeGreaterThan(1_000_000);
    const data = JSON.parse(await readSmall(started.object, size));
    const job = await getOwnJob(env, caller.account, { mode: caller.mode, id: started.jobId });
    if (job === null) throw new Error("The job is not there.");
    expect(await readSmallResult(env, job, size)).toEqual(data);
    expect(await readSmallResult(env, job, size - 1)).toBe("too large");
    await env.STORE.delete(`results/${caller.account.tag}/${job.id}/${job.run}`);
    expect(await readSmallResult(env, job, size)).toBeNull();
  });

  it("throws the job's error with the job's id if the job failed", async () => {
    const caller = await createCaller();
    await expect(submitFor(caller, { body: { url: "https://blocked.test/" } })).rejects.toMatchObject({
      code: "blocked_by_target",
      status: 502,
      retryable: true,
      jobId: expect.any(String),
    });
  });

  it("returns the same job for an equal asynchronous request", async () => {
    const caller = await createCaller();
    const input = { body: { url: "https://example.com/" }, waiting: false, idempotencyKey: "once" };
    const [first, second] = [await submitFor(caller, input), await submitFor(caller, input)];
    if (first.kind !== "accepted" || second.kind !== "accepted") throw new Error(`${first.kind}, ${second.kind}`);
    expect(second.job.id).toBe(first.job.id);
    const reached = await submitFor(caller, { ...input, waiting: true });
    expect(reached).toMatchObject({ kind: "completed", jobId: first.job.id });
  });

  it("returns the job, not an error, if the stored result can't be read", async () => {
    const caller = await createCaller();
    const broken = new Proxy(env.STORE, {
      get: (store, name) => {
        if (name === "get") throw new Error("The store is down.");
        const value = Reflect.get(store, name);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
    const started = await submitFor(caller, { body: LARGE, bindings: { STORE: broken } });
    if (started.kind !== "accepted") throw new Error(started.kind);
    expect(await getOwnJob(env, caller.account, started.job)).toMatchObject({ status: "completed" });
  });
});

describe("a repeated request with the same Idempotency-Key", () => {
  const body = { url: "https://example.com/", webhook_url: "https://a.example/" };

  /** Creates a job whose caller waits, as the first request would. The job doesn't run. */
  async function createWaiting(caller: ApiKey) {
    const request = validateBody("scrape", body, { env, mode: caller.mode, origin: ORIGIN, prices: toPrices(env) });
    const created = await createJob(env, {
      ...{ ...request, waiting: true, caller, origin: ORIGIN, idempotencyKey: "once", now: Date.now() },
    });
    return created.job;
  }

  const eventsOf = async (account: AccountRef) => await sqlIn(account, "SELECT event FROM deliveries");
  const end = { ...({ status: "completed", result: "{}", extras: null, charge: 0 } as const), processingTimeMs: 1 };

  it("gets the webhook event if it is asynchronous, although the first caller still waits", async () => {
    const caller = await createCaller();
    await dropMessages(caller.account);
    const job = await createWaiting(caller);
    const repeated = await submitFor(caller, { body, waiting: false, idempotencyKey: "once" });
    expect(repeated).toMatchObject({ kind: "accepted", job: { id: job.id } });
    expect(await stubOf(caller.account).get(job)).toMatchObject({ waiting: false });
    await stubOf(caller.account).finish(job, 1, { ...end, endedAt: Date.now() });
    expect(await eventsOf(caller.account)).toEqual([{ event: "job.completed" }]);
    await sqlIn(caller.account, "DELETE FROM deliveries");
  });

  it("gets the result if it is synchronous and the job ends in time", async () => {
    const caller = await createCaller();
    const job = await createWaiting(caller);
    const repeated = submitFor(caller, { body, idempotencyKey: "once" });
    await stubOf(caller.account).finish(job, 1, { ...end, result: '{"a":1}', endedAt: Date.now() });
    expect(await repeated).toMatchObject({ kind: "completed", jobId: job.id, data: { a: 1 } });
    expect(await eventsOf(caller.account)).toEqual([]);
  });

  it("gets a 202 if it is synchronous and the job doesn't end in time, and then the event", async () => {
    const caller = await createCaller();
    const job = await createWaiting(caller);
    const repeated = await submitFor(caller, { body, idempotencyKey: "once", waitMs: 100 });
    expect(repeated).toMatchObject({ kind: "accepted", job: { id: job.id } });
    expect(await stubOf(caller.account).get(job)).toMatchObject({ waiting: false });
  });

  it("gets the error of a job that failed", async () => {
    const caller = await createCaller();
    const job = await createWaiting(caller);
    await stubOf(caller.account).cancel(job);
    const repeated = submitFor(caller, { body, idempotencyKey: "once" });
    await expect(repeated).rejects.toMatchObject({ code: "cancelled", jobId: job.id, retryable: false });
  });

  it("gets no data if retention has deleted the result", async () => {
    const caller = await createCaller();
    const job = await createWaiting(caller);
    await stubOf(caller.account).finish(job, 1, { ...end, result: null, endedAt: Date.now() });
    expect(await submitFor(caller, { body, idempotencyKey: "once" })).toMatchObject({ kind: "completed", data: null });
  });
});

describe("a job", () => {
  it("isn't found by another account, in another mode or with an invalid id", async () => {
    const caller = await createCaller();
    const started = await submitFor(caller, { body: { url: "https://example.com/" } });
    if (started.kind !== "completed") throw new Error(started.kind);
    const key = { id: started.jobId, mode: caller.mode };
    expect(await getOwnJob(env, caller.account, key)).toMatchObject({ id: started.jobId });
    expect(await getOwnJob(env, await openObject(), key)).toBeNull();
    expect(await getOwnJob(env, caller.account, { ...key, mode: "live" })).toBeNull();
    expect(await getOwnJob(env, caller.account, { ...key, id: "' OR 1" })).toBeNull();
  });
});
