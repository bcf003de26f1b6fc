import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { verify } from "@octokit/webhooks-methods";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../../src/cron";
import { MINUTE_MS, SECOND_MS } from "../../src/model/limits";
import { getDelivery, recordProgress } from "../../src/store/deliveries";
import { readSettings } from "../../src/webhooks/settings";
import { createAccount, createClient, page, read } from "../support/client";
import {
  alarmOf,
  bodyOf,
  downDatabase,
  endJob,
  expectAttempts,
  expectPosts,
  keptBy,
  postsTo,
  readSecret,
  receiver,
  replaceDatabase,
  ring,
} from "../support/webhooks";

// The clock stands unless a test lets time go by; the runtime's timers go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const noHints = {
  ...env,
  WEBHOOK_DELIVERY: {
    getByName: () => {
      throw new Error("the object can't be reached");
    },
  },
} as unknown as Env;

describe("a delivery", () => {
  it("brings the result, signed over its bytes, to where the request said", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const id = await endJob(url, { accountId: client.accountId });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toEqual({
      event: "job.completed",
      job_id: id,
      status: "completed",
      endpoint: "scrape",
      result: { text: expect.stringContaining("kept since 1899") },
      meta: {
        processing_time_ms: expect.any(Number),
        credits_used: 1,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        completed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    expect(post).toMatchObject({
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": env.USER_AGENT,
        "x-webhook-id": id,
        "x-webhook-attempt": "1",
      },
    });
    const signature = post?.headers["x-webhook-signature"] ?? "";
    expect(await verify(await readSecret(client), bodyOf(post), signature)).toBe(true);
    expect(post?.headers).not.toHaveProperty("x-webhook-signature-previous");
  });

  it("brings the error of a job that failed", async () => {
    const url = receiver("ok");
    const id = await endJob(url, { url: `${page("status")}?code=404` });
    const [post] = await expectPosts(url, 1);
    const body = JSON.parse(bodyOf(post));
    expect(body).toMatchObject({
      event: "job.failed",
      status: "failed",
      error: { code: "target_http_error", message: expect.stringContaining("404") },
      meta: { credits_used: 0 },
    });
    expect(body).not.toHaveProperty("result");
    expect(await expectAttempts(id, 1)).toMatchObject({ event: "job.failed", status: "succeeded" });
  });

  it("is tried five times, after 30 s, 2 min, 10 min and 1 h, with the same id and bytes, and then given up", async () => {
    const url = receiver("fail");
    const id = await endJob(url);
    const pauses = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
    for (const [i, pause] of pauses.entries()) {
      const { attempts, status, nextAttemptAt } = await expectAttempts(id, i + 1);
      const { at = 0, duration_ms } = attempts[i] ?? {};
      expect(status).toBe("pending");
      expect(await alarmOf(id)).toBe(at + (duration_ms ?? 0) + pause);
      expect(nextAttemptAt).toBe(await alarmOf(id));
      await ring(id);
    }
    const delivery = await expectAttempts(id, 5);
    expect(delivery).toMatchObject({ status: "abandoned", nextAttemptAt: null });
    expect(delivery.attempts[4]).toMatchObject({
      status_code: 500,
      error: "The receiver answered with status 500.",
      response: "answer 5",
    });
    const posts = await postsTo(url);
    expect(posts.map((post) => post.headers["x-webhook-attempt"])).toEqual(["1", "2", "3", "4", "5"]);
    expect(new Set(posts.map((post) => post.headers["x-webhook-id"]))).toEqual(new Set([id]));
    expect(new Set(posts.map((post) => post.body)).size).toBe(1);
    expect((await keptBy(id)).size).toBe(0);
    expect(await alarmOf(id)).toBeNull();
  });

  it("ends with the first attempt that is taken", async () => {
    const url = `${receiver("fail")}?times=2`;
    const id = await endJob(url);
    for (const count of [1, 2]) {
      await expectAttempts(id, count);
      await ring(id);
    }
    expect(await expectAttempts(id, 3)).toMatchObject({ status: "succeeded", nextAttemptAt: null });
    expect((await keptBy(id)).size).toBe(0);
  });

  it("sends the same bytes even if the job's row has changed meanwhile", async () => {
    const url = `${receiver("fail")}?times=1`;
    const id = await endJob(url);
    await expectAttempts(id, 1);
    await env.DB.prepare("UPDATE jobs SET processing_time_ms = 123456 WHERE id = ?1").bind(id).run();
    await ring(id);
    const [first, second] = await expectPosts(url, 2);
    expect(second?.body).toBe(first?.body);
    await expectAttempts(id, 2);
  });

  it("is given up at once when the receiver is gone for good", async () => {
    const url = receiver("gone");
    const id = await endJob(url);
    expect(await expectAttempts(id, 1)).toMatchObject({ status: "abandoned", attempts: [{ status_code: 410 }] });
  });

  it("doesn't follow a redirect", async () => {
    const url = receiver("redirect");
    const id = await endJob(url);
    const { attempts, status } = await expectAttempts(id, 1);
    expect([status, attempts[0]?.status_code, attempts[0]?.error]).toEqual([
      "pending",
      301,
      "The receiver answered with a redirect (301), which isn't followed.",
    ]);
    expect(await postsTo(url.replace("redirect", "ok"))).toEqual([]);
  });

  it("says what was wrong when no answer came", async () => {
    const id = await endJob(receiver("hangup"));
    const { attempts } = await expectAttempts(id, 1);
    expect(attempts[0]).toMatchObject({ status_code: null, error: expect.stringMatching(/connection to localhost/) });
  });

  it("takes no more of an endless answer than it needs", async () => {
    const url = receiver("endless");
    const id = await endJob(url);
    const { attempts, status } = await expectAttempts(id, 1);
    expect([status, attempts[0]?.response?.length]).toEqual(["succeeded", 1024]);
  });

  it("isn't sent where it may not go any more, whatever admission said", async () => {
    const id = await endJob("https://10.1.2.3/hook");
    const { attempts } = await expectAttempts(id, 1);
    expect(attempts[0]).toMatchObject({ status_code: null, error: "Not sent: 10.1.2.3 is a private address." });
  });

  it("isn't sent in the clear", async () => {
    const id = await endJob(receiver("ok"), { bindings: noHints });
    await env.DB.prepare("UPDATE deliveries SET url = 'http://example.com/hook' WHERE id = ?1").bind(id).run();
    await env.WEBHOOK_DELIVERY.getByName(id).start(id, 1);
    const { attempts } = await expectAttempts(id, 1);
    expect(attempts[0]?.error).toBe("Not sent: The URL must begin with https://.");
  });

  it("keeps a kilobyte of an answer that isn't text", async () => {
    const id = await endJob(receiver("binary"));
    const { attempts } = await expectAttempts(id, 1);
    expect(new TextEncoder().encode(attempts[0]?.response ?? "").byteLength).toBeLessThanOrEqual(1024);
  });

  it("leaves a result over 1 MB to the job", async () => {
    const url = receiver("ok");
    await endJob(url, { url: `${page("large")}?words=300000` });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.completed", result: null, result_truncated: true });
  });
});

describe("whatever fails on our side", () => {
  it("a delivery whose start got lost is found by the cron, and begun once", async () => {
    const url = receiver("ok");
    const id = await endJob(url, { bindings: noHints });
    expect(await getDelivery(env.DB, id)).toMatchObject({ status: "pending", attempts: [] });
    const now = Date.now();
    await runCron(env, now + MINUTE_MS - 1);
    expect(await postsTo(url)).toEqual([]);
    await runCron(env, now + MINUTE_MS);
    await expectPosts(url, 1);
    await expectAttempts(id, 1);
  });

  it("a second start of one that has ended sends nothing", async () => {
    const url = receiver("ok");
    const id = await endJob(url);
    await expectAttempts(id, 1);
    await expect.poll(async () => (await keptBy(id)).size).toBe(0);
    await env.WEBHOOK_DELIVERY.getByName(id).start(id, 1);
    await expect.poll(async () => (await keptBy(id)).size).toBe(0);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it("an alarm that rings again sends nothing again", async () => {
    const url = receiver("fail");
    const id = await endJob(url);
    await expectAttempts(id, 1);
    for (const early of [29_000, 1]) await ring(id, { early });
    expect(await postsTo(url)).toHaveLength(1);
    await ring(id);
    await expectPosts(url, 2);
    await expectAttempts(id, 2);
  });

  it("an object that dies during an attempt doesn't send it again at once, nor counts it as the receiver's failure", async () => {
    const url = receiver("fail");
    const id = await endJob(url);
    const { attempts } = await expectAttempts(id, 1);
    await ring(id);
    await expectAttempts(id, 2);
    // As it stood while the second was under way.
    await runInDurableObject(env.WEBHOOK_DELIVERY.getByName(id), (_, state) => {
      const round = state.storage.kv.get<{ nextAt: number }>("round");
      state.storage.kv.put("round", { ...round, attempts, begunAt: Date.now(), nextAt: Date.now() + 150_000 });
    });
    await ring(id, { early: 60_000 });
    expect((await getDelivery(env.DB, id))?.attempts[1]?.error).toContain("interrupted on our side");
    expect(await postsTo(url)).toHaveLength(2);
    for (let count = 3; count <= 6; count++) {
      await ring(id);
      await expectAttempts(id, count);
    }
    expect((await getDelivery(env.DB, id))?.status).toBe("abandoned");
    const numbers = (await postsTo(url)).map((post) => post.headers["x-webhook-attempt"]);
    expect(numbers).toEqual(["1", "2", "2", "3", "4", "5"]);
  });

  it("a database that is down for minutes takes no attempt from the receiver", async () => {
    const url = `${receiver("fail")}?times=1`;
    const id = await endJob(url);
    const before = await expectAttempts(id, 1);
    const repair = await replaceDatabase(id, downDatabase);
    for (let minutes = 0; minutes < 8; minutes++) await ring(id);
    expect(Date.now() - (before.nextAttemptAt ?? 0)).toBeGreaterThan(5 * MINUTE_MS);
    expect(await postsTo(url)).toHaveLength(1);
    await repair();
    await ring(id);
    expect(await expectAttempts(id, 2)).toMatchObject({ status: "succeeded" });
  });

  it("an outcome that couldn't be written to the database is written later, and nothing is sent again for that", async () => {
    const url = `${receiver("fail")}?times=1`;
    const id = await endJob(url);
    await expectAttempts(id, 1);
    // Reads are answered, writes are not.
    const readOnly = {
      prepare: (sql: string) => {
        if (/^\s*UPDATE/.test(sql)) throw new Error("D1 takes no writes");
        return env.DB.prepare(sql);
      },
    } as unknown as D1Database;
    const repair = await replaceDatabase(id, readOnly);
    await ring(id);
    await expectPosts(url, 2);
    await ring(id);
    expect(await getDelivery(env.DB, id)).toMatchObject({ status: "pending", attempts: [{}] });
    await repair();
    await ring(id);
    expect(await getDelivery(env.DB, id)).toMatchObject({ status: "succeeded", attempts: [{}, {}] });
    expect(await postsTo(url)).toHaveLength(2);
    expect((await keptBy(id)).size).toBe(0);
  });

  it("what never can be signed is given up after a day, and says so", async () => {
    const client = await createClient();
    await readSecret(client);
    await env.DB.prepare("UPDATE webhooks SET secret = 'v1.AAAAAAAAAAAAAAAA.AAAA' WHERE account_id = ?1")
      .bind(client.accountId)
      .run();
    const url = receiver("ok");
    const id = await endJob(url, { accountId: client.accountId });
    const unprepared = async () => ((await keptBy(id)).get("round") as { unprepared: unknown } | undefined)?.unprepared;
    await expect.poll(unprepared).toMatchObject({ times: 1 });
    // Once in a while is no day: each attempt that could be made begins it anew.
    vi.setSystemTime(Date.now() + 23 * 60 * MINUTE_MS);
    await ring(id);
    expect(await getDelivery(env.DB, id)).toMatchObject({ status: "pending" });
    vi.setSystemTime(Date.now() + 2 * 60 * MINUTE_MS);
    await ring(id);
    await ring(id);
    expect(await getDelivery(env.DB, id)).toMatchObject({
      status: "abandoned",
      attempts: [{ error: expect.stringContaining("could not be prepared") }],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a rotation heals what a changed ENCRYPTION_KEY made unreadable", async () => {
    const client = await createClient();
    const owner = { accountId: client.accountId, mode: "live" as const };
    await readSettings({ ...env, ENCRYPTION_KEY: "the key before this one" }, owner, Date.now());
    const url = receiver("ok");
    const id = await endJob(url, { accountId: client.accountId });
    const reading = await client.call("GET", "/v1/webhooks");
    expect([reading.status, (await read(reading)).error]).toMatchObject([
      503,
      { code: "unavailable", message: expect.stringContaining("/v1/webhooks/rotate") },
    ]);
    const setting = await client.call("PUT", "/v1/webhooks", { url });
    expect(setting.status).toBe(503);
    const rotated = await read(await client.call("POST", "/v1/webhooks/rotate"));
    expect(rotated.data).toMatchObject({ url: null, previous_secret_expires_at: null });
    await ring(id);
    const [post] = await expectPosts(url, 1);
    const signature = post?.headers["x-webhook-signature"] ?? "";
    expect(await verify(rotated.data.secret ?? "", bodyOf(post), signature)).toBe(true);
    await expectAttempts(id, 1);
  });

  it("a result that isn't in the store is waited for", async () => {
    const url = receiver("ok");
    const id = await endJob(url, { url: `${page("large")}?words=10000`, bindings: noHints });
    const json = await (await env.STORE.get(`results/${id}/1`))?.text();
    await env.STORE.delete(`results/${id}/1`);
    await env.WEBHOOK_DELIVERY.getByName(id).start(id, 1);
    await expect.poll(async () => (await keptBy(id)).get("round")).toMatchObject({ unprepared: { times: 1 } });
    await env.STORE.put(`results/${id}/1`, json ?? "");
    await ring(id);
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post)).result.text).toContain("word word");
    await expectAttempts(id, 1);
  });

  it("a result whose time is over isn't sold as an empty one", async () => {
    const url = receiver("ok");
    const id = await endJob(url, { bindings: noHints });
    await env.DB.prepare("UPDATE jobs SET result = NULL, expired = 1 WHERE id = ?1").bind(id).run();
    await env.WEBHOOK_DELIVERY.getByName(id).start(id, 1);
    expect(await expectAttempts(id, 1)).toMatchObject({
      status: "abandoned",
      attempts: [{ error: "Not sent: the result was kept for its time, and is gone." }],
    });
    expect(await postsTo(url)).toEqual([]);
  });

  it("a write that comes too late doesn't reopen what has ended", async () => {
    const id = await endJob(receiver("ok"));
    const { attempts } = await expectAttempts(id, 1);
    await recordProgress(env.DB, { id, round: 1, status: "pending", attempts: [], nextAttemptAt: Date.now() });
    expect(await getDelivery(env.DB, id)).toMatchObject({ status: "succeeded", attempts });
  });

  it("an answer that has begun is kept before the rest of it is read", async () => {
    const url = receiver("drip-body");
    const id = await endJob(url);
    const round = async () => (await keptBy(id)).get("round");
    await expect.poll(round).toMatchObject({ status: "succeeded", attempts: [{ status_code: 200, response: null }] });
    const { attempts } = await expectAttempts(id, 1);
    expect(attempts[0]?.response).toMatch(/^\.+$/);
  });

  it("a receiver that is down keeps nobody else's delivery", async () => {
    const accountId = await createAccount();
    const slow = receiver("never");
    await Promise.all(Array.from({ length: 8 }, () => endJob(slow, { accountId })));
    await expectPosts(slow, 8);
    const quick = receiver("ok");
    const id = await endJob(quick, { accountId });
    expect(await expectAttempts(id, 1)).toMatchObject({ status: "succeeded" });
    expect(
      await env.DB.prepare("SELECT COUNT(*) FROM deliveries WHERE url = ?1 AND attempts <> '[]'")
        .bind(slow)
        .first("COUNT(*)"),
    ).toBe(0);
  });
});
