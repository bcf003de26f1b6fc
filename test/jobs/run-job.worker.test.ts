import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callAccount } from "../../src/account/client";
import { Handover, runClaimedJob, runJob } from "../../src/jobs/run-job";
import type { Job, JobMessage } from "../../src/model/job";
import { MAX_ATTEMPTS } from "../../src/model/limits";
import { consumeBatch } from "../../src/queue";
import { openResult } from "../../src/store/objects";
import { expireLease, openObject, sqlIn, stubOf, withFailingAccounts } from "../support/account";
import { page, querySite } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function getJob(job: Job): Promise<Job | null> {
  return await callAccount(env, job.account, (account) => account.get(job));
}

async function claim(job: Job, token: string = crypto.randomUUID()) {
  return await callAccount(env, job.account, (account) => account.claim(job, token));
}

async function deliver(bindings: Env, job: Job, queue = "jobs") {
  const batch = createMessageBatch<JobMessage>(queue, [
    { id: "message", timestamp: new Date(), attempts: 1, body: messageOf(job) },
  ]);
  const ctx = createExecutionContext();
  const retry = vi.spyOn(batch.messages[0] as Message<JobMessage>, "retry");
  await consumeBatch(batch, bindings, ctx);
  const { explicitAcks } = await getQueueResult(batch, ctx);
  return { explicitAcks, retries: retry.mock.calls.map(([options]) => options?.delaySeconds) };
}

describe("a claim", () => {
  it("succeeds for only one of several concurrent consumers", async () => {
    const job = await createTestJob(page("article"));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(job)));
    expect(claims.filter(({ kind }) => kind === "run")).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === "leased")).toHaveLength(7);
  });

  it("returns the same run for the same token, and requires an expired lease for another token", async () => {
    const job = await createTestJob(page("article"));
    await claim(job, "first");
    expect(await claim(job, "first")).toMatchObject({ kind: "run", job: { run: 1, attempts: 1 } });
    expect(await claim(job, "second")).toMatchObject({ kind: "leased" });
    await expireLease(job.account, job.id);
    expect(await claim(job, "second")).toMatchObject({ kind: "run", job: { run: 2, attempts: 2 } });
  });
});

describe("a run", () => {
  it("that lost its lease doesn't end or change the job", async () => {
    const url = page("held");
    const job = await createTestJob(url);
    const slow = runJob(env, messageOf(job));
    await expect.poll(() => querySite("hits", url)).toBe(1);
    // Lets the lease expire. Another run then claims the job.
    await expireLease(job.account, job.id);
    expect((await claim(job)).kind).toBe("run");
    await querySite("release", url);
    expect(await slow).toEqual({ kind: "lease_lost" });
    expect(await getJob(job)).toMatchObject({ status: "processing", run: 2, result: null });
  });

  it("that dies after storing its result is repeated, and the later result counts", async () => {
    const job = await createTestJob(`${page("large")}?words=20000`);
    const broken = withFailingAccounts((method) => (method === "finish" || method === "release" ? "before" : null));
    await expect(runJob(broken, messageOf(job))).rejects.toThrow("can't be reached");
    expect(await (await openResult(env.STORE, job.id, 1))?.text()).toContain("word");
    expect(await getJob(job)).toMatchObject({ status: "processing", run: 1 });
    await expireLease(job.account, job.id);
    expect((await runJob(env, messageOf(job))).kind).toBe("completed");
    expect(await getJob(job)).toMatchObject({ status: "completed", run: 2, resultStored: true, creditsUsed: 1 });
    expect(await (await openResult(env.STORE, job.id, 2))?.text()).toContain("word");
  });

  it("charges once if its end was written but the reply was lost", async () => {
    const job = await createTestJob(page("article"));
    let calls = 0;
    const broken = withFailingAccounts((method) => (method === "finish" && calls++ === 0 ? "after" : null), {
      retryable: true,
    });
    expect((await runJob(broken, messageOf(job))).kind).toBe("completed");
    expect(await getJob(job)).toMatchObject({ status: "completed", run: 1 });
    expect(await sqlIn(job.account, "SELECT used FROM account")).toEqual([{ used: 1 }]);
  });

  it.each(["before", "after"] as const)(
    "completes its job if the call that ends it fails once, %s its effect",
    async (when) => {
      const job = await createTestJob(page("article"));
      let calls = 0;
      const broken = withFailingAccounts((method) => (method === "finish" && calls++ === 0 ? when : null));
      expect((await runJob(broken, messageOf(job))).kind).toBe("completed");
      expect(await getJob(job)).toMatchObject({ status: "completed", run: 1, creditsUsed: 1 });
    },
  );

  it("never fails its job because the account can't be reached", async () => {
    const job = await createTestJob(page("article"));
    const broken = withFailingAccounts((method) => (method === "finish" ? "before" : null));
    expect((await runJob(broken, messageOf(job))).kind).toBe("requeued");
    expect(await getJob(job)).toMatchObject({ status: "queued", error: null });
    expect((await runJob(env, messageOf(job))).kind).toBe("completed");
  });

  it("requeues its job after an unexpected error, until the third attempt fails the job", async () => {
    const job = await createTestJob(`${page("large")}?words=20000`);
    const bindings = { ...env, STORE: brokenStore() };
    const lines = vi.spyOn(console, "error").mockImplementation(() => {});
    for (let i = 1; i < MAX_ATTEMPTS; i++) {
      expect(await runJob(bindings, messageOf(job))).toMatchObject({ kind: "requeued" });
      expect(await getJob(job)).toMatchObject({ status: "queued", attempts: i, leaseUntil: null });
    }
    expect(await runJob(bindings, messageOf(job))).toMatchObject({ kind: "failed" });
    const ended = await getJob(job);
    expect(ended).toMatchObject({ status: "failed", creditsUsed: 0, error: { code: "internal_error" } });
    expect(ended?.error?.message).not.toContain("R2 is down");
    const logged = lines.mock.calls.map(([line]) => JSON.parse(line)).filter(({ event }) => event === "run_failed");
    lines.mockRestore();
    expect(logged.map(({ level, run, job_id }) => [level, run, job_id])).toEqual(
      [1, 2, 3].map((run) => ["error", run, job.id]),
    );
  });

  it("that is handed over doesn't count as an attempt", async () => {
    const url = page("held");
    const job = await createTestJob(url);
    const handover = new AbortController();
    const claimed = await claim(job);
    if (claimed.kind !== "run") throw new Error(claimed.kind);
    const running = runClaimedJob(env, claimed.job, { handover: handover.signal });
    await expect.poll(() => querySite("hits", url)).toBe(1);
    handover.abort(new Handover("The caller left."));
    expect(await running).toEqual({ kind: "requeued", delayMs: 0 });
    expect(await getJob(job)).toMatchObject({ status: "queued", run: 1, attempts: 0 });
    await querySite("release", url);
  });

  it("fails its job if no browser was free for an hour", async () => {
    const job = await createTestJob(page("article"));
    const release = async () => {
      await claim(job);
      const run = (await getJob(job))?.run ?? 0;
      return await stubOf(job.account).release(job, run, { kind: "no_capacity", retryAfterMs: 15_000 });
    };
    expect(await release()).toEqual({ kind: "requeued", delayMs: 15_000 });
    expect(await getJob(job)).toMatchObject({ status: "queued", attempts: 0 });
    await sqlIn(job.account, "UPDATE jobs SET no_capacity_since = no_capacity_since - 3600000");
    expect(await release()).toMatchObject({ kind: "ended", job: { error: { code: "unavailable" } } });
  });

  it("releases the lock for large pages at its end", async () => {
    // The clock stands still, because a lock that isn't released expires after ten seconds.
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let i = 0; i < 2; i++) {
      const job = await createTestJob(`${page("large")}?words=250000`, { request: { formats: ["text"] } });
      expect(await runJob(env, messageOf(job))).toMatchObject({ kind: "completed" });
    }
  });

  it("fails its job with job_timeout, without a retry, after five minutes", { retry: 0 }, async () => {
    const timeout = new AbortController();
    // No other timeout ends the run.
    const never = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (ms === 300_000 ? timeout : never).signal);
    const url = page("held");
    const job = await createTestJob(url);
    const running = runJob(env, messageOf(job));
    await expect.poll(() => querySite("hits", url)).toBe(1);
    timeout.abort(new DOMException("The time is up.", "TimeoutError"));
    expect(await running).toMatchObject({ kind: "failed", job: { id: job.id } });
    expect(await getJob(job)).toMatchObject({
      ...{ status: "failed", attempts: 1, creditsUsed: 0 },
      error: { code: "job_timeout", retryable: true },
    });
    await querySite("release", url);
  });

  it("fails a job whose attempts are used up", async () => {
    const job = await createTestJob(page("article"));
    await useUpAttempts(job);
    expect(await runJob(env, messageOf(job))).toMatchObject({ kind: "failed" });
    expect(await getJob(job)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
  });

  it("renews its lease, and stops if a renewal is refused", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const url = page("held");
    const job = await createTestJob(url);
    const running = runJob(env, messageOf(job));
    await expect.poll(() => querySite("hits", url)).toBe(1);
    const before = (await getJob(job))?.leaseUntil ?? 0;
    await vi.advanceTimersByTimeAsync(20_000);
    await expect.poll(async () => (await getJob(job))?.leaseUntil).toBeGreaterThan(before);
    await stubOf(job.account).release(job, 1, { kind: "error" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await running).toEqual({ kind: "lease_lost" });
    await querySite("release", url);
  });

  it("of a canceled job stops at its next renewal, and the credits are released", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const url = page("held");
    const job = await createTestJob(url);
    const running = runJob(env, messageOf(job));
    await expect.poll(() => querySite("hits", url)).toBe(1);
    expect(await stubOf(job.account).cancel(job)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await running).toEqual({ kind: "lease_lost" });
    expect(await sqlIn(job.account, "SELECT funds, used FROM account")).toEqual([{ funds: 100_000, used: 0 }]);
    await querySite("release", url);
  });
});

describe("the outcome of a run", () => {
  it("is stored with the charge and the duration, and logged without content", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    const job = await createTestJob(page("article"));
    const outcome = await runJob(env, messageOf(job));
    if (outcome.kind !== "completed") throw new Error(outcome.kind);
    const ended = await getJob(job);
    expect(ended).toMatchObject({ status: "completed", creditsUsed: 1, resultStored: false, run: 1 });
    expect(JSON.parse(ended?.result ?? "")).toEqual(outcome.end.data);
    expect(outcome.end.meta).toEqual({
      ...{ ...ended?.extras, processing_time_ms: ended?.processingTimeMs, credits_used: 1 },
      receipt: { total: 1, lines: [{ item: "scrape", credits: 1 }] },
    });
    const logged = lines.mock.calls.map(([line]) => JSON.parse(line)).find(({ event }) => event === "job");
    lines.mockRestore();
    expect(logged).toEqual({
      ...{ level: "info", event: "job", job_id: job.id, account_id: job.account.id, mode: "live", endpoint: "scrape" },
      host: new URL(page("article")).hostname,
      ...{ rendered: false, status: "completed", outcome: "ok", runs: 1, processing_ms: ended?.processingTimeMs },
      ...{ queue_ms: expect.any(Number), credits: 1 },
    });
    expect(logged.queue_ms).toBe(Math.max(0, (ended?.endedAt ?? 0) - job.createdAt - (ended?.processingTimeMs ?? 0)));
  });

  it("is the error of the endpoint, which isn't retried and not charged", async () => {
    const job = await createTestJob(page("reset"));
    const outcome = await runJob(env, messageOf(job));
    expect(outcome).toMatchObject({ kind: "failed", job: { id: job.id, attempts: 1, creditsUsed: 0 } });
    const { error, status } = (await getJob(job)) as Job;
    expect([status, error]).toEqual(["failed", outcome.kind === "failed" && outcome.job.error]);
    expect(error?.status).toBeGreaterThanOrEqual(500);
  });

  it("is stored in R2 if the account's storage is large", async () => {
    const job = await createTestJob(page("article"));
    const claimed = await claim(job);
    if (claimed.kind !== "run") throw new Error(claimed.kind);
    expect(
      (await runClaimedJob(env, { ...claimed.job, settings: { ...claimed.job.settings, isStorageLarge: true } })).kind,
    ).toBe("completed");
    expect(await getJob(job)).toMatchObject({ result: null, resultStored: true });
    expect(await (await openResult(env.STORE, job.id, 1))?.text()).toContain("Tide tables");
  });

  it("is stored in R2 if the request leaves no room in the row", async () => {
    const job = await createTestJob(page("article"), { request: { padding: "x".repeat(61_200) } });
    expect(job.request).not.toBeNull();
    const { request, ...rest } = job;
    const claimed = await claim(job);
    if (claimed.kind !== "run") throw new Error(claimed.kind);
    // The endpoint doesn't accept the padding, so the run gets a request of the same length.
    const { padding: _, ...valid } = JSON.parse(request ?? "");
    const spaced = JSON.stringify(valid) + " ".repeat((request?.length ?? 0) - JSON.stringify(valid).length);
    expect((await runClaimedJob(env, { ...rest, ...claimed.job, request: spaced })).kind).toBe("completed");
    expect(await getJob(job)).toMatchObject({ resultStored: true });
  });

  it("of a large result isn't kept in memory", async () => {
    const job = await createTestJob(`${page("large")}?words=250000`);
    expect(await runJob(env, messageOf(job))).toMatchObject({ kind: "completed", end: { data: null } });
  });

  it("of a job that has ended or is running elsewhere is that of no run", async () => {
    const job = await createTestJob(page("article"));
    await claim(job);
    expect(await runJob(env, messageOf(job))).toEqual({ kind: "leased", until: expect.any(Number) });
    await stubOf(job.account).cancel(job);
    expect(await runJob(env, messageOf(job))).toEqual({ kind: "ended" });
  });
});

describe("a message", () => {
  it("that is delivered twice runs the job once", async () => {
    const url = page("article");
    const job = await createTestJob(url);
    const [first, second] = [await deliver(env, job), await deliver(env, job)];
    expect([first.explicitAcks, second.explicitAcks]).toEqual([["message"], ["message"]]);
    expect(await querySite("hits", url)).toBe(1);
    expect(await getJob(job)).toMatchObject({ status: "completed", run: 1 });
  });

  it("is retried after the lease if another run has the job", async () => {
    const job = await createTestJob(page("article"));
    await claim(job);
    const { retries } = await deliver(env, job);
    expect(retries).toHaveLength(1);
    expect(retries[0]).toBeGreaterThan(50);
    expect(retries[0]).toBeLessThanOrEqual(60);
  });

  it("doesn't count an attempt if the account can't be reached before the claim", async () => {
    const job = await createTestJob(page("article"));
    const { retries, explicitAcks } = await deliver(
      withFailingAccounts(() => "before"),
      job,
    );
    expect([retries.length, explicitAcks.length]).toEqual([1, 0]);
    expect(await getJob(job)).toMatchObject({ status: "queued", run: 0, attempts: 0 });
    await deliver(env, job);
    expect(await getJob(job)).toMatchObject({ status: "completed", run: 1 });
  });

  it("for an unknown job or account is acknowledged, and creates nothing", async () => {
    const job = await createTestJob(page("article"));
    expect((await deliver(env, { ...job, id: "00000000-0000-7000-8000-000000000000" })).explicitAcks).toEqual([
      "message",
    ]);
    const unknown = { ...job.account, object: crypto.randomUUID() };
    expect((await deliver(env, { ...job, account: unknown })).explicitAcks).toEqual(["message"]);
    expect(await sqlIn(unknown, "SELECT name FROM sqlite_master WHERE name NOT LIKE '_cf%'")).toEqual([]);
  });

  it("in a dead-letter queue wakes the account", async () => {
    const job = await createTestJob(page("article"));
    expect((await deliver(env, job, "jobs-dead")).explicitAcks).toEqual(["message"]);
    expect(
      (
        await deliver(
          withFailingAccounts(() => "before"),
          job,
          "renders-dead",
        )
      ).retries,
    ).toHaveLength(1);
    expect(await getJob(job)).toMatchObject({ status: "queued", attempts: 0 });
  });
});

describe("a request too large for a row", () => {
  it("is stored in R2", async () => {
    const job = await createTestJob(page("article"), { request: { padding: "x".repeat(70_000) } });
    expect(job.request).toBeNull();
    const stored = await env.STORE.get(`requests/${job.account.tag}/${job.id}`);
    expect(await stored?.text()).toContain("padding");
  });

  it("is deleted if the job isn't created", async () => {
    const account = await openObject({ credits: 0 });
    await expect(createTestJob(page("article"), { account, request: { padding: "x".repeat(70_000) } })).rejects.toThrow(
      "the balance is 0",
    );
    expect((await env.STORE.list({ prefix: `requests/${account.tag}/` })).objects).toEqual([]);
  });
});

function brokenStore(): R2Bucket {
  return { put: async () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
}

/** Claims the job and lets its lease expire until its attempts are used up. */
async function useUpAttempts(job: Job): Promise<void> {
  for (let i = 0; i < MAX_ATTEMPTS; i++) {
    await claim(job);
    await expireLease(job.account, job.id);
  }
}
