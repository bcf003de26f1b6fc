import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runJob } from "../../src/jobs/run";
import { runSync } from "../../src/jobs/sync";
import { getJob } from "../../src/store/jobs";
import { ask, page } from "../support/client";
import { admitJob } from "../support/jobs";

async function isWaiting(id: string): Promise<boolean> {
  return (await env.DB.prepare("SELECT waiting FROM jobs WHERE id = ?1").bind(id).first("waiting")) === 1;
}

/** The queue of the tests: what is sent to it, instead of being run at once. */
function recordingQueue(): { bindings: Env; sent: string[] } {
  const sent: string[] = [];
  const JOBS = { send: async ({ jobId }: { jobId: string }) => void sent.push(jobId) } as unknown as Queue;
  return { bindings: { ...env, JOBS }, sent };
}

describe("a caller who waits", () => {
  it("gets the job as it ended", async () => {
    const job = await admitJob(page("article"), { waiting: true });
    const ended = await runSync(env, job, {
      until: Date.now() + 20_000,
      hangUp: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(ended).toMatchObject({ kind: "completed", end: { meta: { credits_used: 1 } } });
    expect(await isWaiting(job.id)).toBe(true);
  });

  it("gets nothing after the time is over; the run goes on, and the job is an asynchronous one", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await admitJob(url, { waiting: true });
    const late: Promise<unknown>[] = [];
    const ended = await runSync(bindings, job, {
      until: Date.now() + 500,
      hangUp: new AbortController().signal,
      waitUntil: (promise) => void late.push(promise),
    });
    expect(ended).toBeNull();
    expect(await isWaiting(job.id)).toBe(false);
    await ask("release", url);
    await Promise.all(late);
    expect(await getJob(env.DB, job.id)).toMatchObject({ status: "completed", countedRuns: 1 });
    expect(sent).toEqual([]);
  });

  it("who hangs up doesn't stop the job: before the platform does, the queue has it, and the run doesn't count", async () => {
    const { bindings, sent } = recordingQueue();
    const url = page("held");
    const job = await admitJob(url, { waiting: true });
    const caller = new AbortController();
    const late: Promise<unknown>[] = [];
    const answer = runSync(bindings, job, {
      until: Date.now() + 60_000,
      handoverAfterMs: 500,
      hangUp: caller.signal,
      waitUntil: (promise) => void late.push(promise),
    });
    await expect.poll(() => ask("hits", url)).toBe(1);
    caller.abort();
    await expect.poll(() => isWaiting(job.id)).toBe(false);
    expect(await getJob(env.DB, job.id)).toMatchObject({ status: "processing", run: 1 });
    await expect.poll(() => sent).toEqual([job.id]);
    expect(await getJob(env.DB, job.id)).toMatchObject({ status: "queued", run: 1, countedRuns: 0 });
    // What the queue would do now.
    const again = runJob(env, job.id);
    await expect.poll(() => ask("hits", url)).toBe(2);
    await ask("release", url);
    expect((await again).kind).toBe("completed");
    expect(await answer).toMatchObject({ kind: "job", job: { status: "completed", run: 2, countedRuns: 1 } });
  });

  it("still gets the result when an accident sent the job to the queue and somebody ended it there", async () => {
    const { bindings, sent } = recordingQueue();
    const job = await admitJob(`${page("large")}?words=10000`, { waiting: true });
    const STORE = { put: async () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
    const answer = runSync({ ...bindings, STORE }, job, {
      until: Date.now() + 20_000,
      hangUp: new AbortController().signal,
      waitUntil: () => {},
    });
    await expect.poll(() => sent).toEqual([job.id]);
    await env.JOBS.send({ jobId: job.id });
    expect(await answer).toMatchObject({ kind: "job", job: { status: "completed", run: 2, countedRuns: 2 } });
  });

  it("is told of the job, not of an accident, when the database fails at the end", async () => {
    const url = page("article");
    const job = await admitJob(url, { waiting: true });
    const DB = new Proxy(env.DB, {
      get: (target, name) => {
        if (name !== "prepare") return Reflect.get(target, name);
        return (sql: string) => {
          if (sql.startsWith("UPDATE jobs SET status =")) throw new Error("D1_ERROR: the database is down");
          return target.prepare(sql);
        };
      },
    });
    const reached = await runSync({ ...env, DB }, job, {
      until: Date.now() + 500,
      hangUp: new AbortController().signal,
      waitUntil: () => {},
    });
    expect(reached).toBeNull();
    expect(await getJob(env.DB, job.id)).toMatchObject({ status: "processing", run: 1 });
  });
});
