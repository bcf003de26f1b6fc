import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Job, JobMessage } from "../../src/model/job";
import { consumeBatch } from "../../src/queue";
import { stubOf, withFailingAccounts } from "../support/account";
import { page } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";

afterEach(() => vi.useRealTimers());

/** Delivers the messages in one batch. Returns what happened to each of them: `ack`, or the delay (s) of its retry. */
async function deliver(jobs: Job[], { bindings = env as Env, queue = "jobs", attempts = 1 } = {}) {
  const batch = createMessageBatch<JobMessage>(
    queue,
    jobs.map((job) => ({ id: job.id, timestamp: new Date(), attempts, body: messageOf(job) })),
  );
  const outcomes = new Map<string, "ack" | number | undefined>();
  for (const message of batch.messages) {
    vi.spyOn(message, "ack").mockImplementation(() => void outcomes.set(message.id, "ack"));
    vi.spyOn(message, "retry").mockImplementation((options) => void outcomes.set(message.id, options?.delaySeconds));
  }
  await consumeBatch(batch, bindings, createExecutionContext());
  return jobs.map(({ id }) => outcomes.get(id));
}

describe("a batch of messages", () => {
  it("acknowledges each ended job, and retries the others separately", async () => {
    const [done, running, ended] = [
      await createTestJob(page("article")),
      await createTestJob(page("article")),
      await createTestJob(page("article")),
    ];
    vi.useFakeTimers({ toFake: ["Date"] });
    await stubOf(running.account).claim(running, "token");
    await stubOf(ended.account).cancel(ended);
    const [first, second, third] = await deliver([done, running, ended]);
    // The lease of the running job ends in 60 seconds.
    expect([first, second, third]).toEqual(["ack", 60, "ack"]);
    expect(await stubOf(done.account).get(done)).toMatchObject({ status: "completed" });
  });

  it("retries a requeued job after its delay", async () => {
    const job = await createTestJob(`${page("large")}?words=20000`);
    const STORE = { put: () => Promise.reject(new Error("R2 is down.")) } as unknown as R2Bucket;
    expect(await deliver([job], { bindings: { ...env, STORE } })).toEqual([5]);
    expect(await deliver([job], { bindings: { ...env, STORE } })).toEqual([10]);
    expect(await deliver([job], { bindings: { ...env, STORE } })).toEqual(["ack"]);
  });

  it.each([
    [1, 2],
    [9, 512],
    [10, 900],
    [100, 900],
  ])("after %d attempts, retries a job whose account can't be reached in %d seconds", async (attempts, delay) => {
    const job = await createTestJob(page("article"));
    const bindings = withFailingAccounts(() => "before");
    expect(await deliver([job], { bindings, attempts })).toEqual([delay]);
  });

  it("from a dead-letter queue only wakes the account", async () => {
    const job = await createTestJob(page("article"));
    const called: string[] = [];
    const bindings = withFailingAccounts((method) => {
      called.push(method);
      return null;
    });
    for (const queue of ["jobs-dead", "renders-dead"])
      expect(await deliver([job], { bindings, queue })).toEqual(["ack"]);
    expect(called).toEqual(["wake", "wake"]);
    const failing = withFailingAccounts(() => "before");
    expect(await deliver([job], { bindings: failing, queue: "jobs-dead" })).toEqual([900]);
  });
});
