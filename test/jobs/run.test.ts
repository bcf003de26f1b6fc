import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { consume } from "../../src/jobs/consumer";
import { Handover, runClaimedJob, runJob } from "../../src/jobs/run";
import type { JobMessage } from "../../src/model/job";
import { LEASE_MS, MAX_RUNS } from "../../src/model/limits";
import { getAccount } from "../../src/store/accounts";
import { claimJob, releaseJob } from "../../src/store/job-runs";
import { getJob } from "../../src/store/jobs";
import { openResult } from "../../src/store/objects";
import { ask, page } from "../support/client";
import { admitJob } from "../support/jobs";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

afterEach(() => vi.useRealTimers());

/** The bindings with a database of which some statements fail: before they reach it, or after it has done them. */
function withFailingDatabase(fails: (sql: string) => "before" | "after" | null): Env {
  const prepare = (sql: string) => {
    const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
      new Proxy(statement, {
        get: (target, name) => {
          if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
          if (name !== "run" && name !== "first" && name !== "all") return Reflect.get(target, name);
          return async (...args: []) => {
            const when = fails(sql);
            if (when === "before") throw new Error("D1_ERROR: the database is down");
            const answer = await (target[name] as (...args: []) => Promise<unknown>)(...args);
            if (when === "after") throw new Error("D1_ERROR: the connection was lost");
            return answer;
          };
        },
      });
    return wrap(env.DB.prepare(sql));
  };
  return { ...env, DB: { prepare, batch: env.DB.batch.bind(env.DB) } as unknown as D1Database };
}

async function deliver(bindings: Env, jobId: string, queue = "jobs") {
  const batch = createMessageBatch<JobMessage>(queue, [
    { id: "message", timestamp: new Date(), attempts: 1, body: { jobId } },
  ]);
  const ctx = createExecutionContext();
  const retry = vi.spyOn(batch.messages[0] as Message<JobMessage>, "retry");
  await consume(batch, bindings);
  const { explicitAcks } = await getQueueResult(batch, ctx);
  return { explicitAcks, retries: retry.mock.calls.map(([options]) => options?.delaySeconds) };
}

describe("a claim", () => {
  it("is won by one of many at once", async () => {
    const { id } = await admitJob(page("article"));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimJob(env.DB, id, Date.now())));
    expect(claims.filter((claim) => claim.kind === "run")).toHaveLength(1);
    expect(claims.filter((claim) => claim.kind === "leased")).toHaveLength(7);
  });

  it("waits for a lease to run out, and then takes the job", async () => {
    const { id } = await admitJob(page("article"));
    const now = Date.now();
    await claimJob(env.DB, id, now);
    expect(await claimJob(env.DB, id, now + LEASE_MS - 1)).toEqual({ kind: "leased", until: now + LEASE_MS });
    expect(await claimJob(env.DB, id, now + LEASE_MS)).toMatchObject({ kind: "run", job: { run: 2, countedRuns: 2 } });
  });
});

describe("a run", () => {
  it("that lost its lease ends nothing and overwrites nothing", async () => {
    const url = page("held");
    const { id } = await admitJob(url);
    const slow = runJob(env, id);
    await expect.poll(() => ask("hits", url)).toBe(1);
    // Its worker is thought dead: another takes the job and ends it.
    await env.DB.prepare("UPDATE jobs SET lease_until = 0 WHERE id = ?1").bind(id).run();
    const quick = await claimJob(env.DB, id, Date.now());
    expect(quick.kind).toBe("run");
    await ask("release", url);
    expect(await slow).toEqual({ kind: "lease_lost" });
    expect(await getJob(env.DB, id)).toMatchObject({ status: "processing", run: 2, result: null });
  });

  it("that dies after storing its result is done again, and the later result counts", async () => {
    const { id } = await admitJob(`${page("large")}?words=10000`);
    const broken = withFailingDatabase((sql) =>
      sql.includes("'completed'") || sql.includes("'queued', lease") ? "before" : null,
    );
    await expect(runJob(broken, id)).rejects.toThrow("the database is down");
    expect(await (await openResult(env.STORE, id, 1))?.text()).toContain("word");
    expect(await getJob(env.DB, id)).toMatchObject({ status: "processing", run: 1 });
    await env.DB.prepare("UPDATE jobs SET lease_until = 0 WHERE id = ?1").bind(id).run();
    expect((await runJob(env, id)).kind).toBe("completed");
    expect(await getJob(env.DB, id)).toMatchObject({ status: "completed", run: 2, resultStored: true, creditsUsed: 1 });
    expect(await (await openResult(env.STORE, id, 2))?.text()).toContain("word");
  });

  it("whose end was written although the database threw has ended the job", async () => {
    const { id } = await admitJob(page("article"));
    const broken = withFailingDatabase((sql) =>
      sql.startsWith("UPDATE jobs SET status = 'completed'") ? "after" : null,
    );
    expect((await runJob(broken, id)).kind).toBe("completed");
    expect(await getJob(env.DB, id)).toMatchObject({ status: "completed", run: 1 });
  });

  it("that has an accident is queued again at once, three times, and then the job has failed", async () => {
    const { id } = await admitJob(page("article"));
    for (let i = 1; i < MAX_RUNS; i++) {
      const outcome = await runJob({ ...env, STORE: brokenStore() }, await withLargeResult(id));
      expect(outcome).toMatchObject({ kind: "requeued" });
      expect(await getJob(env.DB, id)).toMatchObject({ status: "queued", countedRuns: i, leaseUntil: null });
    }
    expect(await runJob({ ...env, STORE: brokenStore() }, id)).toEqual({ kind: "ended" });
    const job = await getJob(env.DB, id);
    expect(job).toMatchObject({ status: "failed", creditsUsed: 0, error: { code: "internal_error" } });
    expect(job?.error?.message).not.toContain("R2 is down");
  });

  it("that is handed over doesn't count", async () => {
    const url = page("held");
    const { id } = await admitJob(url);
    const handover = new AbortController();
    const claim = await claimJob(env.DB, id, Date.now());
    if (claim.kind !== "run") throw new Error(claim.kind);
    const running = runClaimedJob(env, claim.job, handover.signal);
    await expect.poll(() => ask("hits", url)).toBe(1);
    handover.abort(new Handover("The caller left."));
    expect(await running).toEqual({ kind: "requeued", delayMs: 0 });
    expect(await getJob(env.DB, id)).toMatchObject({ status: "queued", run: 1, countedRuns: 0 });
    await ask("release", url);
  });

  it("of a job that has had its runs fails it, whoever let the last one die", async () => {
    const { id } = await admitJob(page("article"));
    await useUpRuns(id);
    expect(await runJob(env, id)).toEqual({ kind: "ended" });
    expect(await getJob(env.DB, id)).toMatchObject({ status: "failed", error: { code: "internal_error" } });
  });

  it("renews its lease, and stops when that is refused", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const url = page("held");
    const { id } = await admitJob(url);
    const running = runJob(env, id);
    await expect.poll(() => ask("hits", url)).toBe(1);
    const before = (await getJob(env.DB, id))?.leaseUntil ?? 0;
    await vi.advanceTimersByTimeAsync(20_000);
    await expect.poll(async () => (await getJob(env.DB, id))?.leaseUntil).toBeGreaterThan(before);
    await releaseJob(env.DB, { id, run: 1, counts: true, wakeAt: 0 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await running).toEqual({ kind: "lease_lost" });
    await ask("release", url);
  });
});

describe("a message", () => {
  it("that is delivered twice runs the job once", async () => {
    const url = page("article");
    const { id } = await admitJob(url);
    const [first, second] = [await deliver(env, id), await deliver(env, id)];
    expect([first?.explicitAcks, second?.explicitAcks]).toEqual([["message"], ["message"]]);
    expect(await ask("hits", url)).toBe(1);
    expect(await getJob(env.DB, id)).toMatchObject({ status: "completed", run: 1 });
  });

  it("of a job that somebody holds comes again when the lease is over", async () => {
    const { id } = await admitJob(page("article"));
    await claimJob(env.DB, id, Date.now());
    const { retries } = await deliver(env, id);
    expect(retries).toHaveLength(1);
    expect(retries[0]).toBeGreaterThan(50);
    expect(retries[0]).toBeLessThanOrEqual(60);
  });

  it("counts nothing when the database fails before the claim", async () => {
    const { id } = await admitJob(page("article"));
    const { retries, explicitAcks } = await deliver(
      withFailingDatabase(() => "before"),
      id,
    );
    expect([retries.length, explicitAcks.length]).toEqual([1, 0]);
    expect(await getJob(env.DB, id)).toMatchObject({ status: "queued", run: 0, countedRuns: 0 });
    await deliver(env, id);
    expect(await getJob(env.DB, id)).toMatchObject({ status: "completed", run: 1 });
  });

  it("of a job that is not there is let go", async () => {
    expect((await deliver(env, "00000000-0000-7000-8000-000000000000")).explicitAcks).toEqual(["message"]);
  });

  describe("that the queue gave up on", () => {
    function recordingQueue() {
      const sent: unknown[] = [];
      return { sent, JOBS: { send: async (body: unknown) => void sent.push(body) } as unknown as Queue };
    }

    it("ends a job that has had its runs, with its credits back and its event pushed", async () => {
      const hook = receiver("200");
      const { id, accountId } = await admitJob(page("article"), { request: { webhook_url: hook } });
      const before = await getAccount(env.DB, accountId);
      await useUpRuns(id);
      const { sent, JOBS } = recordingQueue();
      expect((await deliver({ ...env, JOBS }, id, "jobs-dead")).explicitAcks).toEqual(["message"]);
      expect(sent).toEqual([]);
      expect(await getJob(env.DB, id)).toMatchObject({
        status: "failed",
        creditsUsed: 0,
        error: { code: "internal_error" },
      });
      expect(await getAccount(env.DB, accountId)).toMatchObject({
        balance: (before?.balance ?? 0) + 1,
        reserved: (before?.reserved ?? 0) - 1,
      });
      const [post] = await expectPosts(hook, 1);
      expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.failed", job_id: id });
      expect((await deliver({ ...env, JOBS }, id, "jobs-dead")).explicitAcks).toEqual(["message"]);
      expect(await getAccount(env.DB, accountId)).toMatchObject({ reserved: (before?.reserved ?? 0) - 1 });
    });

    it("is sent again while the job has runs left", async () => {
      const { id } = await admitJob(page("article"));
      const { sent, JOBS } = recordingQueue();
      expect((await deliver({ ...env, JOBS }, id, "jobs-dead")).explicitAcks).toEqual(["message"]);
      expect(sent).toEqual([{ jobId: id }]);
      expect(await getJob(env.DB, id)).toMatchObject({ status: "queued", countedRuns: 0 });
    });

    it("doesn't end a job whose last run is under way", async () => {
      const { id } = await admitJob(page("article"));
      await useUpRuns(id);
      await env.DB.prepare("UPDATE jobs SET lease_until = ?2 WHERE id = ?1")
        .bind(id, Date.now() + LEASE_MS)
        .run();
      const { sent, JOBS } = recordingQueue();
      await deliver({ ...env, JOBS }, id, "jobs-dead");
      expect(sent).toEqual([{ jobId: id }]);
      expect(await getJob(env.DB, id)).toMatchObject({ status: "processing", run: MAX_RUNS });
    });

    it("comes again when the database can't be asked", async () => {
      const { id } = await admitJob(page("article"));
      await useUpRuns(id);
      const { retries } = await deliver(
        withFailingDatabase(() => "before"),
        id,
        "jobs-dead",
      );
      expect(retries).toHaveLength(1);
      expect(await getJob(env.DB, id)).toMatchObject({ status: "processing" });
    });

    it("is let go when its job has ended, or was never there", async () => {
      const { id } = await admitJob(page("article"));
      await runJob(env, id);
      const { sent, JOBS } = recordingQueue();
      for (const one of [id, "00000000-0000-7000-8000-000000000000"]) {
        expect((await deliver({ ...env, JOBS }, one, "renders-dead")).explicitAcks).toEqual(["message"]);
      }
      expect(sent).toEqual([]);
      expect(await getJob(env.DB, id)).toMatchObject({ status: "completed" });
    });
  });
});

describe("a request too large for a row", () => {
  it("lies in the store and is run from there", async () => {
    const { id } = await admitJob(page("article"), { request: { padding: "x".repeat(70_000) } });
    const job = await getJob(env.DB, id);
    expect(job?.request).toBeNull();
    expect(await env.STORE.get(`requests/${id}`).then((object) => object?.text())).toContain("padding");
  });
});

function brokenStore(): R2Bucket {
  return { put: async () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
}

/** Every run that the job may have died. */
async function useUpRuns(id: string): Promise<void> {
  for (let i = 0; i < MAX_RUNS; i++) {
    await claimJob(env.DB, id, Date.now());
    await env.DB.prepare("UPDATE jobs SET lease_until = 0 WHERE id = ?1").bind(id).run();
  }
}

/** From now on the job's page is too large for its row, so that the store is needed. */
async function withLargeResult(id: string): Promise<string> {
  const request = JSON.stringify({ url: `${page("large")}?words=10000`, formats: ["text"], js_render: false });
  await env.DB.prepare("UPDATE jobs SET request = ?2 WHERE id = ?1").bind(id, request).run();
  return id;
}
