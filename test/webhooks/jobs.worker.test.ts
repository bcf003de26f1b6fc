import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runClaimedJob, runJob } from "../../src/jobs/run-job";
import { detachCaller, runSync } from "../../src/jobs/submit";
import { expireLease, sqlIn, withFailingAccounts } from "../support/account";
import { createAccount, createClient, page, querySite, read, refOf, waitForAllJobs } from "../support/client";
import { completeJob } from "../support/complete-job";
import { createTestJob, messageOf } from "../support/jobs";
import {
  bodyOf,
  deliveryOf,
  expectAttempts,
  expectPosts,
  listDeliveries,
  postsTo,
  readDelivery,
  receiver,
} from "../support/webhooks";

describe("the webhook of a job", () => {
  it("is called for a job of the API, and the delivery is listed with its attempt", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const { job_id } = await read(await client.call("POST", "/v1/scrape", { url: page("article"), webhook_url: url }));
    await expectPosts(url, 1);
    await expectAttempts(await deliveryOf(client, job_id), 1);
    expect(await listDeliveries(client)).toEqual([
      {
        id: job_id,
        job_id,
        event: "job.completed",
        endpoint_id: null,
        url,
        status: "succeeded",
        attempts: [
          {
            at: expect.stringMatching(/Z$/),
            status_code: 204,
            duration_ms: expect.any(Number),
            error: null,
            response: null,
            url,
            request_headers: expect.objectContaining({ "X-Webhook-ID": job_id, "X-Webhook-Attempt": "1" }),
          },
        ],
        delayed_by: null,
        next_attempt_at: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("says what kind of page the job got", async () => {
    const client = await createClient();
    const url = receiver("ok");
    const job = await completeJob(await refOf(client.accountId), "paywall", { webhookUrl: url });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ job_id: job.id, meta: { credits_used: 0, outcome: "paywall" } });
  });

  it("is the request's URL or else the account's URL of the mode", async () => {
    const accountId = await createAccount();
    const live = await createClient({ accountId });
    const test = await createClient({ accountId, mode: "test" });
    const [general, own] = [receiver("ok"), receiver("ok")];
    await live.call("PUT", "/v1/webhooks", { url: general });
    const body = { url: page("article"), formats: ["text"] };
    const first = await read(await live.call("POST", "/v1/scrape", body));
    const [post] = await expectPosts(general, 1);
    expect(post?.headers["x-webhook-id"]).toBe(first.job_id);
    await live.call("POST", "/v1/scrape", { ...body, webhook_url: own });
    await expectPosts(own, 1);
    const mocked = await read(await test.call("POST", "/v1/scrape", body));
    await live.call("PUT", "/v1/webhooks", { url: null });
    const quiet = await read(await live.call("POST", "/v1/scrape", body));
    await waitForAllJobs();
    expect(await readDelivery(await deliveryOf(test, mocked.job_id, "test"))).toBeNull();
    expect(await readDelivery(await deliveryOf(live, quiet.job_id))).toBeNull();
    expect(await postsTo(general)).toHaveLength(1);
  });

  it("is called for a test key's job", async () => {
    const client = await createClient({ mode: "test" });
    const url = receiver("ok");
    await client.call("POST", "/v1/serp", { query: "harbours", webhook_url: url });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ endpoint: "serp", meta: { credits_used: 0 } });
  });

  it("isn't called when the caller waits for the result", async () => {
    const client = await createClient();
    const { job_id } = await read(await client.scrape({ url: page("article"), webhook_url: receiver("ok") }));
    expect(await readDelivery(await deliveryOf(client, job_id))).toBeNull();
  });

  it("is called if the job ended too late for its caller", async () => {
    const [target, url] = [page("held"), receiver("ok")];
    const job = await createTestJob(target, { waiting: true, request: { webhook_url: url } });
    const late: Promise<unknown>[] = [];
    const waiting = {
      until: Date.now() + 300,
      disconnected: new AbortController().signal,
      waitUntil: (promise: Promise<unknown>) => void late.push(promise),
    };
    expect(await runSync(env, job, waiting)).toBeNull();
    await querySite("release", target);
    await Promise.all(late);
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.completed", job_id: job.id });
  });

  it("is called if the caller's Worker died and another run ended the job", async () => {
    const url = receiver("ok");
    const job = await createTestJob(page("article"), { waiting: true, request: { webhook_url: url } });
    await expireLease(job.account, job.id);
    await runJob(env, messageOf(job));
    await expectPosts(url, 1);
  });

  it("is called if the caller's Worker died after the job was requeued", async () => {
    const url = receiver("ok");
    const job = await createTestJob(page("article"), { waiting: true, request: { webhook_url: url } });
    const requeue =
      "UPDATE jobs SET status = 'queued', lease_until = NULL, created_at = created_at - 61000 WHERE id = ?1";
    await sqlIn(job.account, requeue, job.id);
    await runJob(env, messageOf(job));
    await expectPosts(url, 1);
  });

  it("is called if the caller disconnected before the run started", async () => {
    const [target, url] = [page("held"), receiver("ok")];
    const job = await createTestJob(target, { waiting: true, request: { webhook_url: url } });
    const late: Promise<unknown>[] = [];
    const reached = runSync(env, job, {
      until: Date.now() + 10_000,
      disconnected: AbortSignal.abort(),
      waitUntil: (promise) => void late.push(promise),
    });
    const readWaiting = () => sqlIn(job.account, "SELECT waiting FROM jobs WHERE id = ?1", job.id);
    await expect.poll(readWaiting).toEqual([{ waiting: 0 }]);
    await querySite("release", target);
    await reached;
    await Promise.all(late);
    await expectPosts(url, 1);
  });

  it("is called if the caller got a 202 although the job had already ended", async () => {
    const url = receiver("ok");
    const job = await createTestJob(page("article"), { waiting: true, request: { webhook_url: url } });
    await runClaimedJob(env, job);
    expect(await readDelivery(job)).toBeNull();
    let failures = 2;
    const shaky = withFailingAccounts((method) => (method === "detach" && failures-- > 0 ? "before" : null));
    await detachCaller(shaky, job, { accepted: true });
    await expectPosts(url, 1);
    await detachCaller(env, job, { accepted: true });
    await expectAttempts(job, 1);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it("is called if an equal asynchronous request gets a 202 while the first caller waits", async () => {
    const client = await createClient();
    const [target, webhook_url] = [page("held"), receiver("ok")];
    const body = { url: target, webhook_url };
    const init = { headers: { "idempotency-key": "the same key" } };
    const waiting = client.call("POST", "/v1/scrape?wait=true", body, init);
    await expect.poll(() => querySite("hits", target)).toBe(1);
    const repeated = await client.call("POST", "/v1/scrape", body, init);
    expect(repeated.status).toBe(202);
    await querySite("release", target);
    const [post] = await expectPosts(webhook_url, 1);
    expect((await read(await waiting)).job_id).toBe(post?.headers["x-webhook-id"]);
  });

  it("is called if the job's attempts are used up", async () => {
    const url = receiver("ok");
    const job = await createTestJob(page("article"), { request: { webhook_url: url } });
    const useUp = "UPDATE jobs SET status = 'processing', run = 3, attempts = 3, lease_until = 1 WHERE id = ?1";
    await sqlIn(job.account, useUp, job.id);
    await runJob(env, messageOf(job));
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.failed", error: { code: "internal_error" } });
  });

  it("is called once if the job ends repeatedly", async () => {
    const url = receiver("ok");
    const job = await createTestJob(page("article"), { request: { webhook_url: url } });
    await Promise.all([1, 2, 3].map(() => runJob(env, messageOf(job))));
    await runJob(env, messageOf(job));
    await expectAttempts(job, 1);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it.each([
    "http://example.com/hook",
    "https://127.0.0.1/x",
    "https://10.1.2.3/",
    "https://localhost:9/",
    "https://[::1]/",
    "https://metadata.google.internal/",
    "https://user:pw@example.com/",
    "https://api.extraction.example/v1/jobs",
    "ftp://example.com/",
    "not a url",
  ])("is refused when the job is created: %s", async (webhook_url) => {
    const client = await createClient();
    const refused = await client.call("POST", "/v1/scrape", { url: page("article"), webhook_url });
    expect([refused.status, (await read(refused)).error]).toMatchObject([
      400,
      { code: "invalid_request", details: [{ path: "webhook_url" }] },
    ]);
    const setting = await client.call("PUT", "/v1/webhooks", { url: webhook_url });
    expect([setting.status, (await read(setting)).error]).toMatchObject([
      400,
      { code: "invalid_request", details: [{ path: "url" }] },
    ]);
  });
});
