import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweep } from "../../src/jobs/sweep";
import { newId } from "../../src/lib/id";
import { DAY_MS, FIRST_WAKE_MS, LEASE_MS, MINUTE_MS } from "../../src/limits";
import { getAccount, insertAccount } from "../../src/store/accounts";
import { claimJob } from "../../src/store/job-runs";
import { expireResults } from "../../src/store/job-sweep";
import { getJob } from "../../src/store/jobs";
import { putRequest, putResult } from "../../src/store/objects";
import { createAccount, createClient, page, read } from "../support/client";

async function insertJobs(count: number, createdAt: number, rendered = 0): Promise<string[]> {
  const accountId = await createAccount();
  const ids = Array.from({ length: count }, newId);
  const statement = env.DB.prepare(
    `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, origin, credits, created_at, wake_at)
     VALUES (?1, ?2, 'key', 'live', 'scrape', 'queued', '{}', ?3, 0, 'https://x', 1, ?4, ?5)`,
  );
  await env.DB.batch(ids.map((id) => statement.bind(id, accountId, rendered, createdAt, createdAt + FIRST_WAKE_MS)));
  return ids;
}

/** Queues that write down what is sent to them. */
function recordingQueues() {
  const sent = { jobs: [] as string[], renders: [] as string[] };
  const queue = (name: "jobs" | "renders") =>
    ({
      sendBatch: async (messages: { body: { jobId: string } }[]) => {
        expect(messages.length).toBeLessThanOrEqual(100);
        sent[name].push(...messages.map((message) => message.body.jobId));
      },
    }) as unknown as Queue;
  return { sent, bindings: { ...env, JOBS: queue("jobs"), RENDERS: queue("renders") } as Env };
}

describe("the sweep", () => {
  it("sends again what got lost, each to its queue, and leaves alone what isn't due", async () => {
    const now = Date.now();
    const lost = await insertJobs(1, now - FIRST_WAKE_MS);
    const lostRender = await insertJobs(1, now - FIRST_WAKE_MS, 1);
    const fresh = await insertJobs(1, now);
    const { sent, bindings } = recordingQueues();
    await sweep(bindings, now);
    expect(sent.jobs).toContain(lost[0]);
    expect(sent.renders).toEqual(lostRender);
    expect(sent.jobs).not.toContain(fresh[0]);
  });

  it("finds a run that died by its lease", async () => {
    const now = Date.now();
    const [id = ""] = await insertJobs(1, now);
    await claimJob(env.DB, id, now);
    const { sent, bindings } = recordingQueues();
    await sweep(bindings, now + LEASE_MS - 1);
    expect(sent.jobs).not.toContain(id);
    await sweep(bindings, now + LEASE_MS);
    expect(sent.jobs).toContain(id);
  });

  it("is calm under a backlog: a bounded number a run, and each job ever more seldom", async () => {
    const start = Date.now() + DAY_MS;
    const ids = new Set(await insertJobs(1_200, start));
    const { sent, bindings } = recordingQueues();
    const sends = () => sent.jobs.filter((id) => ids.has(id)).length;
    await sweep(bindings, start + FIRST_WAKE_MS);
    expect(sent.jobs.length).toBeLessThanOrEqual(500);
    for (let minute = 3; minute <= 60; minute++) await sweep(bindings, start + minute * MINUTE_MS);
    // At 2, 4 (+4), 10 (+8), 26 … minutes: an hour sends each job a handful of times, not sixty.
    expect(sends()).toBeGreaterThanOrEqual(ids.size);
    expect(sends()).toBeLessThanOrEqual(ids.size * 5);
  });

  it("does its other parts when one fails, and says that one failed", async () => {
    const now = Date.now();
    await insertJobs(1, now - FIRST_WAKE_MS);
    const id = crypto.randomUUID();
    await insertAccount(env.DB, {
      id,
      name: "Due",
      plan: "free",
      ratePerMinute: null,
      monthlyCredits: null,
      createdAt: now,
    });
    const broken = { sendBatch: async () => Promise.reject(new Error("the queue is down")) } as unknown as Queue;
    await expect(sweep({ ...env, JOBS: broken }, now)).rejects.toThrow("A part of the sweep failed");
    expect(await getAccount(env.DB, id)).toMatchObject({ balance: 500 });
  });

  it("forgets keys that no list shows any more", async () => {
    const client = await createClient({ revoked: true });
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    await sweep(recordingQueues().bindings, Date.now());
    expect(await env.DB.prepare("SELECT 1 FROM api_keys WHERE id = ?1").bind(client.keyId).first()).toBeNull();
  });

  it("lets results go when their time is over, and keeps the job", async () => {
    const { scrape, call } = await createClient();
    const small = await read(await scrape({ url: page("article") }));
    const large = await read(await scrape({ url: `${page("large")}?words=10000`, formats: ["text"] }));
    const soon = Date.now() + 29 * DAY_MS;
    await sweep(recordingQueues().bindings, soon);
    expect((await getJob(env.DB, small.job_id))?.result).not.toBeNull();
    expect((await env.STORE.list({ prefix: `results/${large.job_id}` })).objects).toHaveLength(1);
    await sweep(recordingQueues().bindings, soon + 2 * DAY_MS);
    expect((await env.STORE.list({ prefix: `results/${large.job_id}` })).objects).toHaveLength(0);
    for (const { job_id } of [small, large]) {
      expect(await read(await call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ status: "completed", result: null });
    }
  });

  it("finds what lies in the store without a job that it could go with", async () => {
    const now = Date.now();
    // As when the service dies between the request and its row.
    const never = newId();
    await putRequest(env.STORE, never, "{}");
    // As when it dies between the row that lets its result go and the result.
    const [gone = ""] = await insertJobs(1, now);
    await putResult(env.STORE, gone, 1, "{}");
    await env.DB.prepare(
      "UPDATE jobs SET status = 'completed', run = 1, result_stored = 1, ended_at = ?2 WHERE id = ?1",
    )
      .bind(gone, now - 31 * DAY_MS)
      .run();
    expect((await expireResults(env.DB, now - 30 * DAY_MS, 500)).map(({ id }) => id)).toContain(gone);

    const keys = [`requests/${never}`, `results/${gone}/1`];
    const areThere = async () =>
      (await Promise.all(keys.map((key) => env.STORE.head(key)))).map((found) => found !== null);
    await sweep(recordingQueues().bindings, now + 30 * DAY_MS);
    expect(await areThere()).toEqual([true, true]);
    await sweep(recordingQueues().bindings, now + 31 * DAY_MS + MINUTE_MS);
    expect(await areThere()).toEqual([false, false]);
  });
});
