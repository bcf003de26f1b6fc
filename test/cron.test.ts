import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../src/cron";
import { changeAccount } from "../src/directory/accounts";
import { runJob } from "../src/jobs/run";
import { sha256Hex } from "../src/lib/crypto";
import { newId } from "../src/lib/id";
import { CRON_PART_MS, DAY_MS, FIRST_WAKE_MS, LEASE_MS, MINUTE_MS, ORPHAN_AFTER_MS } from "../src/model/limits";
import { getAccount, insertAccount } from "../src/store/accounts";
import { claimJob } from "../src/store/job-runs";
import { getJob } from "../src/store/jobs";
import { putRequest, putResult, putScreenshot } from "../src/store/objects";
import { createAccount, createClient, page, read } from "./support/client";
import { admitJob } from "./support/jobs";
import { insertJobs, recordingQueues } from "./support/lost";
import { endJob, expectPosts, postsTo, receiver } from "./support/webhooks";

/** Verifiers that can't be reached. */
const KEY_VERIFIER = {
  getByName: () => ({ refresh: () => Promise.reject(new Error("the verifier is down")) }),
} as unknown as Env["KEY_VERIFIER"];

afterEach(() => vi.useRealTimers());

describe("the cron", () => {
  it("sends again what got lost, each to its queue, and leaves alone what isn't due", async () => {
    const now = Date.now();
    const lost = await insertJobs(1, now - FIRST_WAKE_MS);
    const lostRender = await insertJobs(1, now - FIRST_WAKE_MS, 1);
    const fresh = await insertJobs(1, now);
    const { sent, bindings } = recordingQueues();
    await runCron(bindings, now);
    expect(sent.jobs).toContain(lost[0]);
    expect(sent.renders).toEqual(lostRender);
    expect(sent.jobs).not.toContain(fresh[0]);
  });

  it("finds a run that died by its lease", async () => {
    const now = Date.now();
    const [id = ""] = await insertJobs(1, now);
    await claimJob(env.DB, id, now);
    const { sent, bindings } = recordingQueues();
    await runCron(bindings, now + LEASE_MS - 1);
    expect(sent.jobs).not.toContain(id);
    await runCron(bindings, now + LEASE_MS);
    expect(sent.jobs).toContain(id);
  });

  it("is calm under a backlog: a bounded number a run, and each job ever more seldom", async () => {
    const start = Date.now() + DAY_MS;
    const ids = new Set(await insertJobs(1_200, start));
    const { sent, bindings } = recordingQueues();
    const sends = () => sent.jobs.filter((id) => ids.has(id)).length;
    await runCron(bindings, start + FIRST_WAKE_MS);
    expect(sent.jobs.length).toBeLessThanOrEqual(500);
    for (let minute = 3; minute <= 60; minute++) await runCron(bindings, start + minute * MINUTE_MS);
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
    await expect(runCron({ ...env, JOBS: broken }, now)).rejects.toThrow("A part of the cron failed");
    expect(await getAccount(env.DB, id)).toMatchObject({ balance: 500 });
  });

  it("forgets keys that no list shows any more", async () => {
    const client = await createClient({ revoked: true });
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    await runCron(recordingQueues().bindings, Date.now());
    expect(await env.DB.prepare("SELECT 1 FROM api_keys WHERE id = ?1").bind(client.keyId).first()).toBeNull();
  });

  it("invalidates a deleted key, and tries again if the verifier can't be reached", async () => {
    const client = await createClient({ revoked: true });
    expect((await client.call("GET", "/v1/usage")).status).toBe(401);
    const hash = await sha256Hex(client.secret);
    const gate = env.KEY_VERIFIER.getByName(hash);
    const held = () => runInDurableObject(gate, async (_, state) => (await state.storage.list()).size);
    expect(await held()).toBe(1);
    await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(client.keyId).run();
    const { bindings } = recordingQueues();
    const now = Date.now();
    await runCron({ ...bindings, KEY_VERIFIER }, now);
    await runCron({ ...bindings, KEY_VERIFIER }, now + MINUTE_MS);
    expect(await held()).toBe(1);
    await runCron(bindings, now + 2 * MINUTE_MS);
    expect(await held()).toBe(0);
  });

  it("invalidates the keys of a changed account if that failed at first", async () => {
    const client = await createClient();
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    const now = Date.now();
    const change = { accountId: client.accountId, change: { suspendedAt: now }, actor: "operator", now };
    await changeAccount({ ...env, KEY_VERIFIER }, change);
    expect((await client.call("GET", "/v1/usage")).status).toBe(200);
    await runCron(recordingQueues().bindings, now + MINUTE_MS);
    expect((await client.call("GET", "/v1/usage")).status).toBe(403);
  });

  it("starts a delivery whose object couldn't be told of it", async () => {
    const hook = receiver("200");
    const WEBHOOK_DELIVERY = {
      getByName: () => ({ start: () => Promise.reject(new Error("the object is down")) }),
    } as unknown as Env["WEBHOOK_DELIVERY"];
    await endJob(hook, { bindings: { ...env, WEBHOOK_DELIVERY } });
    expect(await postsTo(hook)).toEqual([]);
    await runCron(recordingQueues().bindings, Date.now() + MINUTE_MS);
    await expectPosts(hook, 1);
  });

  it("sends to one queue what the other can't take", async () => {
    const now = Date.now();
    const [lost = ""] = await insertJobs(1, now - FIRST_WAKE_MS, 1);
    await insertJobs(1, now - FIRST_WAKE_MS);
    const { sent, bindings } = recordingQueues();
    const JOBS = { sendBatch: () => Promise.reject(new Error("the queue is down")) } as unknown as Queue;
    await expect(runCron({ ...bindings, JOBS }, now)).rejects.toThrow("A part of the cron failed");
    expect(sent.renders).toContain(lost);
  });

  it("leaves a part behind that hangs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const now = Date.now();
    const [lost = ""] = await insertJobs(1, now - FIRST_WAKE_MS, 1);
    await insertJobs(1, now - FIRST_WAKE_MS);
    await env.STORE.put(`requests/${newId()}`, "{}");
    const { sent, bindings } = recordingQueues();
    const STORE = { list: () => new Promise(() => undefined) } as unknown as R2Bucket;
    const run = runCron({ ...bindings, STORE }, now).catch((error) => error as Error);
    let over = false;
    void run.then(() => (over = true));
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(CRON_PART_MS);
      expect(over).toBe(true);
    });
    expect(await run).toMatchObject({ message: "A part of the cron failed." });
    expect(sent.renders).toContain(lost);
  });

  it("deletes the request of an admission that died before its job, and no other", async () => {
    const request = { padding: "x".repeat(70_000) };
    const DB = { batch: () => Promise.reject(new Error("the database is down")), prepare: env.DB.prepare.bind(env.DB) };
    const stored = async () => (await env.STORE.list({ prefix: "requests/" })).objects.map(({ key }) => key);
    const before = await stored();
    const accountId = await createAccount();
    await expect(
      admitJob(page("article"), { accountId, request, bindings: { ...env, DB: DB as unknown as D1Database } }),
    ).rejects.toThrow("the database is down");
    const [orphan = ""] = (await stored()).filter((key) => !before.includes(key));
    const { id } = await admitJob(page("article"), { request });
    const { bindings } = recordingQueues();
    const now = Date.now();
    await runCron(bindings, now + ORPHAN_AFTER_MS - MINUTE_MS);
    expect(await stored()).toContain(orphan);
    await runCron(bindings, now + ORPHAN_AFTER_MS + MINUTE_MS);
    expect(await stored()).not.toContain(orphan);
    expect(await stored()).toContain(`requests/${id}`);
  });

  it("deletes such a request also when the cron did not run for a month", async () => {
    const orphan = `requests/${newId()}`;
    await env.STORE.put(orphan, "{}");
    const { bindings } = recordingQueues();
    await runCron(bindings, Date.now() + 30 * DAY_MS);
    expect(await env.STORE.head(orphan)).not.toBeNull();
    await runCron(bindings, Date.now() + 32 * DAY_MS);
    expect(await env.STORE.head(orphan)).toBeNull();
  });

  it("deletes every object of a job that ended long ago, also when the store failed at first", async () => {
    const { id } = await admitJob(page("article"));
    await putRequest(env.STORE, id, "{}");
    await env.DB.prepare("UPDATE jobs SET run = 40 WHERE id = ?1").bind(id).run();
    for (const run of [1, 17, 40]) await putResult(env.STORE, id, run, "{}");
    await putScreenshot(env.STORE, id, 39, new Uint8Array(1));
    await runJob(env, id);
    const { bindings } = recordingQueues();
    const later = Date.now() + 31 * DAY_MS;
    const STORE = Object.assign(Object.create(env.STORE), {
      delete: () => Promise.reject(new Error("the store is down")),
      list: env.STORE.list.bind(env.STORE),
    });
    await expect(runCron({ ...bindings, STORE }, later)).rejects.toThrow("A part of the cron failed");
    await runCron(bindings, later + MINUTE_MS);
    const left = await env.STORE.list();
    expect(left.objects.filter(({ key }) => key.includes(id))).toEqual([]);
    expect(await getJob(env.DB, id)).toMatchObject({ status: "completed", result: null });
  });

  it("lets results go when their time is over, and keeps the job", async () => {
    const { scrape, call } = await createClient();
    const small = await read(await scrape({ url: page("article") }));
    const large = await read(await scrape({ url: `${page("large")}?words=10000`, formats: ["text"] }));
    const soon = Date.now() + 29 * DAY_MS;
    await runCron(recordingQueues().bindings, soon);
    expect((await getJob(env.DB, small.job_id))?.result).not.toBeNull();
    expect((await env.STORE.list({ prefix: `results/${large.job_id}` })).objects).toHaveLength(1);
    await runCron(recordingQueues().bindings, soon + 2 * DAY_MS);
    expect((await env.STORE.list({ prefix: `results/${large.job_id}` })).objects).toHaveLength(0);
    for (const { job_id } of [small, large]) {
      expect(await read(await call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ status: "completed", result: null });
    }
  });
});
