import { env } from "cloudflare:workers";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../src/model/limits";
import { readSettings } from "../../src/webhooks/settings";
import { openObject, sqlIn } from "../support/account";
import { page } from "../support/client";
import {
  bodyOf,
  dropMessages,
  dueAt,
  endJob,
  expectAttempts,
  expectPosts,
  fireAlarm,
  postsTo,
  receiver,
} from "../support/webhooks";

// Fakes only the date, which stands still until a test moves it. The runtime's timers run normally.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("a delivery", () => {
  it("posts the result to the request's webhook URL, with a signature of its bytes", async () => {
    const account = await openObject();
    const url = receiver("ok");
    const { id } = await endJob(url, { account });
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
        receipt: { total: 1, lines: [{ item: "scrape", credits: 1 }] },
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        completed_at: expect.stringMatching(/^\d{4}-.*Z$/),
        outcome: "ok",
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
    const { secret } = await readSettings(env, { account, mode: "live" }, Date.now());
    expect(await verify(secret, bodyOf(post), signature)).toBe(true);
    expect(post?.headers).not.toHaveProperty("x-webhook-signature-previous");
  });

  it("posts the error of a failed job", async () => {
    const url = receiver("ok");
    const delivery = await endJob(url, { url: `${page("status")}?code=404` });
    const [post] = await expectPosts(url, 1);
    const body = JSON.parse(bodyOf(post));
    expect(body).toMatchObject({
      event: "job.failed",
      status: "failed",
      error: { code: "target_http_error", message: expect.stringContaining("404") },
      meta: { credits_used: 0 },
    });
    expect(body).not.toHaveProperty("result");
    expect(await expectAttempts(delivery, 1)).toMatchObject({ event: "job.failed", status: "succeeded" });
  });

  it("is sent five times, with delays of 30 s, 2 min, 10 min and 1 h and the same id and bytes, then abandoned", async () => {
    const url = receiver("fail");
    const delivery = await endJob(url);
    const delays = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
    for (const [i, delay] of delays.entries()) {
      const { attempts, status, nextAttemptAt } = await expectAttempts(delivery, i + 1);
      const { at = 0, duration_ms } = attempts[i] ?? {};
      expect(status).toBe("pending");
      // The object counts the delay from the report of the attempt, which follows its end.
      expect(nextAttemptAt).toBeGreaterThanOrEqual(at + (duration_ms ?? 0) + delay);
      expect(nextAttemptAt).toBeLessThan(at + (duration_ms ?? 0) + delay + 10 * SECOND_MS);
      expect(await dueAt(delivery)).toBe(nextAttemptAt);
      await fireAlarm(delivery);
    }
    const abandoned = await expectAttempts(delivery, 5);
    expect(abandoned).toMatchObject({ status: "abandoned", nextAttemptAt: null });
    expect(abandoned.attempts[4]).toMatchObject({
      status_code: 500,
      error: "The receiver responded with status 500.",
      response: "response 5",
    });
    const posts = await postsTo(url);
    expect(posts.map((post) => post.headers["x-webhook-attempt"])).toEqual(["1", "2", "3", "4", "5"]);
    expect(new Set(posts.map((post) => post.headers["x-webhook-id"]))).toEqual(new Set([delivery.id]));
    expect(new Set(posts.map((post) => post.body)).size).toBe(1);
    // In Standard Webhooks, the id stays the same, and each attempt signs its own time.
    expect(new Set(posts.map((post) => post.headers["webhook-id"]))).toEqual(new Set([delivery.id]));
    const { secret } = await readSettings(env, delivery, Date.now());
    for (const [i, post] of posts.entries()) {
      const sentAt = new Date(Math.floor((abandoned.attempts[i]?.at ?? 0) / SECOND_MS) * SECOND_MS);
      expect(post.headers["webhook-timestamp"]).toBe(String(sentAt.getTime() / SECOND_MS));
      expect(post.headers["webhook-signature"]).toBe(new Webhook(secret).sign(delivery.id, sentAt, bodyOf(post)));
    }
    expect(await dueAt(delivery)).toBeNull();
  });

  it("ends with the first attempt that succeeds", async () => {
    const delivery = await endJob(`${receiver("fail")}?times=2`);
    for (const count of [1, 2]) {
      await expectAttempts(delivery, count);
      await fireAlarm(delivery);
    }
    expect(await expectAttempts(delivery, 3)).toMatchObject({ status: "succeeded", nextAttemptAt: null });
    expect(await dueAt(delivery)).toBeNull();
  });

  it("is abandoned immediately after a 410 response", async () => {
    const delivery = await endJob(receiver("gone"));
    expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "abandoned", attempts: [{ status_code: 410 }] });
  });

  it("doesn't follow a redirect", async () => {
    const url = receiver("redirect");
    const { attempts, status } = await expectAttempts(await endJob(url), 1);
    expect([status, attempts[0]?.status_code, attempts[0]?.error]).toEqual([
      "pending",
      301,
      "The receiver responded with a redirect (301). Redirects aren't followed.",
    ]);
    expect(await postsTo(url.replace("redirect", "ok"))).toEqual([]);
  });

  it("logs the error if there was no response", async () => {
    const { attempts } = await expectAttempts(await endJob(receiver("hangup")), 1);
    expect(attempts[0]).toMatchObject({ status_code: null, error: expect.stringMatching(/connection to localhost/) });
  });

  it("reads only the beginning of an endless response", async () => {
    const delivery = await endJob(receiver("endless"));
    const response = async () => (await expectAttempts(delivery, 1)).attempts[0]?.response;
    await expect.poll(async () => (await response())?.length).toBe(1024);
    expect(await expectAttempts(delivery, 1)).toMatchObject({ status: "succeeded" });
  });

  it("records the status before the body is read completely", async () => {
    const delivery = await endJob(receiver("drip-body"));
    const { status, attempts } = await expectAttempts(delivery, 1);
    expect([status, attempts[0]?.status_code, attempts[0]?.response]).toEqual(["succeeded", 200, null]);
    const response = async () => (await expectAttempts(delivery, 1)).attempts[0]?.response;
    await expect.poll(response).toMatch(/^\.+$/);
  });

  it("logs at most 1 KB of a response that isn't text", async () => {
    const delivery = await endJob(receiver("binary"));
    const response = async () => (await expectAttempts(delivery, 1)).attempts[0]?.response;
    await expect.poll(response).not.toBeNull();
    expect(new TextEncoder().encode((await response()) ?? "").byteLength).toBeLessThanOrEqual(1024);
  });

  it("isn't sent to a private address, even if the URL was accepted before", async () => {
    const { attempts } = await expectAttempts(await endJob("https://10.1.2.3/hook"), 1);
    expect(attempts[0]).toMatchObject({ status_code: null, error: "Not sent: 10.1.2.3 is a private address." });
  });

  it("isn't sent over plain http", async () => {
    const account = await openObject();
    const restore = await dropMessages(account);
    const delivery = await endJob(receiver("ok"), { account });
    await sqlIn(account, "UPDATE deliveries SET url = 'http://example.com/hook'");
    await restore();
    await fireAlarm(delivery);
    const { attempts } = await expectAttempts(delivery, 1);
    expect(attempts[0]?.error).toBe("Not sent: The URL must begin with https://.");
  });

  it("omits a result over 1 MB", async () => {
    const url = receiver("ok");
    await endJob(url, { url: `${page("large")}?words=300000` });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.completed", result: null, result_truncated: true });
  });
});
