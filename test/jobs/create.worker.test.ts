import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type CreateJobInput, createJob } from "../../src/jobs/create";
import type { AccountRef } from "../../src/model/account";
import type { Job } from "../../src/model/job";
import { MAX_ROW_REQUEST_BYTES } from "../../src/model/limits";
import { toPrices } from "../../src/model/prices";
import {
  callerOf,
  objectOf,
  openObject,
  recordJobMessages,
  stubOf,
  withFailingAccounts,
  withSilentJobs,
} from "../support/account";
import { ORIGIN } from "../support/client";

/** A request that is too large for the account's object. The service stores it in R2. */
const LARGE = { url: "https://example.com/", prompt: "x".repeat(MAX_ROW_REQUEST_BYTES) };

function toInput(account: AccountRef, request: CreateJobInput["request"]): CreateJobInput {
  return {
    endpoint: "scrape",
    request,
    rendered: false,
    prices: toPrices(env),
    plan: { method: "plain", lines: [{ item: "scrape", credits: 1 }] },
    caller: callerOf(account),
    waiting: true,
    origin: ORIGIN,
    idempotencyKey: "once",
    now: Date.now(),
  };
}

async function listStoredRequests(account: AccountRef): Promise<string[]> {
  const { objects } = await env.STORE.list({ prefix: `requests/${account.tag}/` });
  return objects.map(({ key }) => key);
}

it("stores a large request in R2 with its job", async () => {
  const account = await openObject();
  const { job } = await createJob(env, toInput(account, LARGE));
  expect(await listStoredRequests(account)).toEqual([`requests/${account.tag}/${job.id}`]);
});

it("deletes the stored request of a job that the balance doesn't allow", async () => {
  const account = await openObject({ credits: 0 });
  await expect(createJob(env, toInput(account, LARGE))).rejects.toMatchObject({ code: "insufficient_credits" });
  expect(await listStoredRequests(account)).toEqual([]);
});

it("deletes the stored request of a repeated request, but not that of the existing job", async () => {
  const account = await openObject();
  const { job } = await createJob(env, toInput(account, LARGE));
  expect(await createJob(env, toInput(account, LARGE))).toMatchObject({ kind: "repeated", job: { id: job.id } });
  const changed = { ...LARGE, url: "https://example.com/other" };
  await expect(createJob(env, toInput(account, changed))).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(await listStoredRequests(account)).toEqual([`requests/${account.tag}/${job.id}`]);
});

it("returns the job of a request from before the parameter 'render', whose body had a default", async () => {
  const account = await openObject();
  const { job } = await createJob(env, toInput(account, { ...SMALL, js_render: false } as typeof SMALL));
  expect(await createJob(env, toInput(account, SMALL))).toMatchObject({ kind: "repeated", job: { id: job.id } });
  const changed = { ...SMALL, render: "auto" } as typeof SMALL;
  await expect(createJob(env, toInput(account, changed))).rejects.toMatchObject({ code: "idempotency_conflict" });
});

const SMALL = { url: "https://example.com/" };

describe("a new job", () => {
  it.each<[string, Partial<CreateJobInput>, Partial<Job>]>([
    ["of a URL", {}, { subject: SMALL.url, credits: 1, webhookUrl: null, mode: "live" }],
    ["of a query", { endpoint: "serp", request: { query: "tides" } }, { endpoint: "serp", subject: "tides" }],
    ["of neither", { endpoint: "parse", request: {} }, { endpoint: "parse", subject: null }],
    ["of a long URL", { request: { url: "x".repeat(3_000) } }, { subject: "x".repeat(2_048) }],
    [
      "with a webhook",
      { request: { ...SMALL, webhook_url: "https://a.example/" } },
      { webhookUrl: "https://a.example/" },
    ],
    [
      "with rendering",
      { rendered: true, plan: { method: "browser" as const, lines: [{ item: "scrape", credits: 2 }] } },
      { rendered: true, credits: 2 },
    ],
    ["without a waiting caller", { waiting: false }, { waiting: false, status: "queued" }],
    ["with a waiting caller", {}, { waiting: true, status: "processing" }],
    ["from another origin", { origin: "https://other.example" }, { origin: "https://other.example" }],
  ])("%s", async (_, more, expected) => {
    const account = await openObject();
    const input = { ...toInput(account, SMALL), ...more };
    const created = await createJob(withSilentJobs(env), input);
    expect(created).toMatchObject({ kind: "new", next: "run", job: { ...expected, account, keyId: "key" } });
    expect(created.job.request).toBe(JSON.stringify(input.request));
    expect(created.job.id.endsWith(account.tag)).toBe(true);
  });

  it("of a test key is free", async () => {
    const account = await openObject({ credits: 0 });
    const input = { ...toInput(account, SMALL), caller: callerOf(account, { mode: "test" }) };
    expect(await createJob(env, input)).toMatchObject({ job: { mode: "test", credits: 0 } });
  });

  it.each([
    [0, true],
    [1, false],
  ])("with a request of 60 KiB plus %d bytes is in the row: %s", async (more, fits) => {
    const account = await openObject();
    // The letter ü has two bytes.
    const rest = MAX_ROW_REQUEST_BYTES - JSON.stringify({ url: "" }).length - 20_000;
    const { job } = await createJob(env, toInput(account, { url: "ü".repeat(10_000) + "x".repeat(rest + more) }));
    expect([job.request !== null, (await listStoredRequests(account)).length]).toEqual([fits, fits ? 0 : 1]);
  });

  it.each([
    [false, "jobs"],
    [true, "renders"],
  ])("is sent to its queue if it can start and no caller waits (rendered: %s)", async (rendered, queue) => {
    const account = await openObject({ concurrentJobs: 1 });
    const sent = await recordJobMessages(account);
    const create = async (waiting: boolean) =>
      await createJob(env, { ...toInput(account, SMALL), rendered, waiting, idempotencyKey: null });
    await create(true);
    expect(sent).toEqual([]);
    const { job } = await create(false);
    expect(sent).toEqual([[queue, { kind: "job", account, mode: "live", job: job.id }]]);
    expect(await create(false)).toMatchObject({ kind: "new", next: "wait" });
    expect(sent).toHaveLength(1);
  });

  it("is created although its queue fails", async () => {
    const account = await openObject();
    const sent = await recordJobMessages(account, { fails: true });
    expect(await createJob(env, { ...toInput(account, SMALL), waiting: false })).toMatchObject({ kind: "new" });
    expect(sent).toHaveLength(1);
  });

  it("is created once if the reply was lost", async () => {
    const account = await openObject({ credits: 2 });
    let failures = 1;
    const lost = withFailingAccounts((method) => (method === "createJob" && failures-- > 0 ? "after" : null));
    const sent = await recordJobMessages(account);
    const { job } = await createJob(lost, { ...toInput(account, SMALL), waiting: false, idempotencyKey: null });
    // The first call may have ended before it sent the message, so the second call sends it again.
    expect(sent.map(([, message]) => message.job)).toEqual([job.id, job.id]);
    expect(await stubOf(account).inspect()).toMatchObject({ reserved: 1 });
  });

  it("with the same Idempotency-Key is the existing one, in any order of the members", async () => {
    const account = await openObject();
    const { job } = await createJob(env, toInput(account, { url: SMALL.url, webhook_url: "https://a.example/" }));
    const same = await createJob(env, toInput(account, { webhook_url: "https://a.example/", url: SMALL.url }));
    expect(same).toMatchObject({ kind: "repeated", job: { id: job.id } });
  });
});

describe("a job that can't be created", () => {
  it.each([
    ["suspended", { suspendedAt: 5 }, {}, { code: "account_suspended", status: 403 }],
    [
      "without credits",
      { credits: 0 },
      {},
      { code: "insufficient_credits", message: expect.stringContaining("costs 1 ") },
    ],
    ["full", {}, { ACCOUNT_MAX_BYTES: "1" }, { code: "unavailable", headers: { "Retry-After": "3600" } }],
  ])("because the account is %s", async (_, settings, limits, expected) => {
    const account = await openObject(settings);
    await runInDurableObject(objectOf(account), (object) => Reflect.set(object, "env", { ...env, ...limits }));
    await expect(createJob(env, toInput(account, SMALL))).rejects.toMatchObject(expected);
  });

  it("because the account doesn't exist or can't be reached", async () => {
    const account = await openObject();
    const unknown = { ...account, object: crypto.randomUUID() };
    await expect(createJob(env, toInput(unknown, SMALL))).rejects.toMatchObject({
      ...{ code: "invalid_api_key", status: 401, headers: { "WWW-Authenticate": "Bearer" } },
    });
    const unreachable = withFailingAccounts(() => "before");
    await expect(createJob(unreachable, toInput(account, LARGE))).rejects.toMatchObject({ code: "unavailable" });
    // The job may exist, so its request stays.
    expect(await listStoredRequests(account)).toHaveLength(1);
  });
});
