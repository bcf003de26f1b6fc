import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import { getOwnJob, readSmallResult } from "../../src/jobs/read";
import { submitRequest } from "../../src/jobs/submit";
import type { ApiKey } from "../../src/model/api-key";
import type { Endpoint } from "../../src/model/endpoint";
import { readSmall } from "../../src/store/objects";
import { callerOf, openObject } from "../support/account";
import { ORIGIN } from "../support/client";

async function createCaller(): Promise<ApiKey> {
  return callerOf(await openObject(), { id: crypto.randomUUID(), mode: "test" });
}

interface RequestInput {
  endpoint?: Endpoint;
  body: unknown;
  bindings?: Partial<Env>;
  waiting?: boolean;
  idempotencyKey?: string;
}

async function submitFor(
  caller: ApiKey,
  { endpoint = "scrape", body, bindings = {}, waiting = true, idempotencyKey }: RequestInput,
) {
  const execution = createExecutionContext();
  const request = validateBody(endpoint, body, { env, mode: caller.mode, origin: ORIGIN });
  try {
    return await submitRequest({ ...env, ...bindings }, request, {
      caller,
      origin: ORIGIN,
      idempotencyKey: idempotencyKey ?? null,
      until: waiting ? Date.now() + 20_000 : null,
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
