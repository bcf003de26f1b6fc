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

interface Asked {
  endpoint?: Endpoint;
  body: unknown;
  bindings?: Partial<Env>;
  waiting?: boolean;
  idempotencyKey?: string;
}

async function startFor(
  caller: ApiKey,
  { endpoint = "scrape", body, bindings = {}, waiting = true, idempotencyKey }: Asked,
) {
  const execution = createExecutionContext();
  const work = validateBody(endpoint, body, { env, mode: caller.mode, origin: ORIGIN });
  try {
    return await submitRequest({ ...env, ...bindings }, work, {
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

describe("work that is started", () => {
  it("is answered with its result from memory, and read back as the same", async () => {
    const caller = await createCaller();
    const started = await startFor(caller, { body: { url: "https://example.com/" } });
    if (started.kind !== "completed") throw new Error(started.kind);
    expect(started.data?.markdown).toEqual(expect.any(String));
    expect(started.meta).toMatchObject({ credits_used: 0 });
    const job = await getOwnJob(env, caller.account, { mode: caller.mode, id: started.jobId });
    if (job === null) throw new Error("The job is not there.");
    expect(await readSmallResult(env, job, 1)).toEqual(started.data);
  });

  it("is answered with a large result as it lies in the store, which is read no further than wanted", async () => {
    const caller = await createCaller();
    const started = await startFor(caller, { body: LARGE });
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

  it("is refused with the error and the id of its job when that failed", async () => {
    const caller = await createCaller();
    await expect(startFor(caller, { body: { url: "https://blocked.test/" } })).rejects.toMatchObject({
      code: "blocked_by_target",
      status: 502,
      retryable: true,
      jobId: expect.any(String),
    });
  });

  it("is a job that goes on for a caller who doesn't wait, and the same one for an equal request", async () => {
    const caller = await createCaller();
    const asked = { body: { url: "https://example.com/" }, waiting: false, idempotencyKey: "once" };
    const [first, second] = [await startFor(caller, asked), await startFor(caller, asked)];
    if (first.kind !== "accepted" || second.kind !== "accepted") throw new Error(`${first.kind}, ${second.kind}`);
    expect(second.job.id).toBe(first.job.id);
    const reached = await startFor(caller, { ...asked, waiting: true });
    expect(reached).toMatchObject({ kind: "completed", jobId: first.job.id });
  });

  it("is a job, not an error, when its result can't be read once it is there", async () => {
    const caller = await createCaller();
    const broken = new Proxy(env.STORE, {
      get: (store, name) => {
        if (name === "get") throw new Error("The store is down.");
        const value = Reflect.get(store, name);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
    const started = await startFor(caller, { body: LARGE, bindings: { STORE: broken } });
    if (started.kind !== "accepted") throw new Error(started.kind);
    expect(await getOwnJob(env, caller.account, started.job)).toMatchObject({ status: "completed" });
  });
});

describe("a job", () => {
  it("isn't there for another account or mode, nor under an id that is none", async () => {
    const caller = await createCaller();
    const started = await startFor(caller, { body: { url: "https://example.com/" } });
    if (started.kind !== "completed") throw new Error(started.kind);
    const key = { id: started.jobId, mode: caller.mode };
    expect(await getOwnJob(env, caller.account, key)).toMatchObject({ id: started.jobId });
    expect(await getOwnJob(env, await openObject(), key)).toBeNull();
    expect(await getOwnJob(env, caller.account, { ...key, mode: "live" })).toBeNull();
    expect(await getOwnJob(env, caller.account, { ...key, id: "' OR 1" })).toBeNull();
  });
});
