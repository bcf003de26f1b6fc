import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { callAccount } from "../../src/account/client";
import { createJob } from "../../src/jobs/create";
import { runJob } from "../../src/jobs/run-job";
import { hashBody, openSecrets, sealSecrets } from "../../src/jobs/secrets";
import type { AccountRef } from "../../src/model/account";
import type { Job } from "../../src/model/job";
import { MAX_ATTEMPTS, MAX_ROW_REQUEST_BYTES } from "../../src/model/limits";
import { toPrices } from "../../src/model/prices";
import { callerOf, expireLease, openObject, sqlIn } from "../support/account";
import { ORIGIN, page } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";

const SECRET = "marked-header-1";
const HEADERS = { headers: { "X-Api-Key": SECRET } };

/** Returns the job's row as stored, with its large fields. */
async function readStored(job: Job): Promise<string> {
  const rows = await sqlIn(job.account, "SELECT * FROM jobs");
  return JSON.stringify([rows, await sqlIn(job.account, "SELECT * FROM payloads")]);
}

async function readSealed({ account }: Job): Promise<unknown> {
  return (await sqlIn(account, "SELECT secrets FROM jobs"))[0]?.secrets;
}

describe("the secrets of a request", () => {
  it("are only stored encrypted, and the run gets them back", async () => {
    const job = await createTestJob(page("article"), { request: HEADERS });
    expect(JSON.parse(job.request ?? "").headers).toEqual({ "X-Api-Key": "[redacted]" });
    expect(await readSealed(job)).toMatch(/^v1\./);
    expect(await readStored(job)).not.toContain(SECRET);
    const claimed = await callAccount(env, job.account, (object) => object.claim(job, "token"));
    if (claimed.kind !== "run") throw new Error(claimed.kind);
    const request = JSON.parse(claimed.job.request ?? "");
    expect(await openSecrets(env, job, request, claimed.job.secrets)).toMatchObject(HEADERS);
  });

  it("aren't in the large request that is stored in R2", async () => {
    const large = { ...HEADERS, prompt: "x".repeat(MAX_ROW_REQUEST_BYTES) };
    const job = await createTestJob(page("article"), { request: large });
    const stored = await (await env.STORE.get(`requests/${job.account.tag}/${job.id}`))?.text();
    expect(stored).toContain("X-Api-Key");
    expect(stored).not.toContain(SECRET);
    expect(await readSealed(job)).toMatch(/^v1\./);
  });

  it("are kept when a run is interrupted, and deleted when the job's attempts are used up", async () => {
    const job = await createTestJob(page("article"), { request: HEADERS });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      expect(await callAccount(env, job.account, (object) => object.claim(job, `token ${attempt}`))).toMatchObject({
        kind: "run",
        job: { secrets: expect.stringMatching(/^v1\./) },
      });
      await expireLease(job.account, job.id);
    }
    expect(await runJob(env, messageOf(job))).toMatchObject({ kind: "failed", job: { secrets: null } });
    expect(await readSealed(job)).toBeNull();
  });

  it("are deleted when the job is canceled", async () => {
    const job = await createTestJob(page("article"), { request: HEADERS });
    await callAccount(env, job.account, (object) => object.cancel(job));
    expect(await readSealed(job)).toBeNull();
  });

  it("can't be opened for another job or with another key, and the error doesn't contain them", async () => {
    const job = await createTestJob(page("article"));
    const sealed = await sealSecrets(env, job, JSON.stringify([[["headers", "X-Api-Key"], SECRET]]));
    const other = { mode: job.mode, id: crypto.randomUUID() };
    const changed = { ...env, ENCRYPTION_KEY: "another key of the service" };
    for (const attempt of [openSecrets(env, other, {}, sealed), openSecrets(changed, job, {}, sealed)]) {
      await expect(attempt).rejects.toMatchObject({
        code: "internal_error",
        message: expect.not.stringContaining(SECRET),
      });
    }
  });

  it("that can't be opened fail the job, and are deleted", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => {});
    const job = await createTestJob(page("article"), { request: HEADERS });
    const outcome = await runJob({ ...env, ENCRYPTION_KEY: "another key of the service" }, messageOf(job));
    lines.mockRestore();
    expect(outcome).toMatchObject({
      kind: "failed",
      job: { error: { message: expect.stringContaining("ENCRYPTION_KEY") } },
    });
    expect(await readSealed(job)).toBeNull();
  });
});

describe("the Idempotency-Key of a request with secrets", () => {
  function create(account: AccountRef, headers: Record<string, string>) {
    return createJob(env, {
      endpoint: "scrape",
      request: { url: "https://example.com/", headers } as never,
      rendered: false,
      prices: toPrices(env),
      plan: { method: "plain", lines: [{ item: "scrape", credits: 1 }] },
      caller: callerOf(account),
      waiting: true,
      origin: ORIGIN,
      idempotencyKey: "once",
      now: Date.now(),
    });
  }

  it("recognizes the same secrets and refuses others", async () => {
    const account = await openObject();
    const { job } = await create(account, { "X-Api-Key": "a" });
    expect(await create(account, { "X-Api-Key": "a" })).toMatchObject({ kind: "repeated", job: { id: job.id } });
    await expect(create(account, { "X-Api-Key": "b" })).rejects.toMatchObject({ code: "idempotency_conflict" });
  });

  it("is stored with a hash that depends on the service's key and on the account", async () => {
    const body = { url: "https://example.com/" };
    const hash = await hashBody(env, "account", body, true);
    expect(await hashBody(env, "account", body, true)).toBe(hash);
    expect(await hashBody(env, "another", body, true)).not.toBe(hash);
    expect(await hashBody({ ...env, ENCRYPTION_KEY: "another key" }, "account", body, true)).not.toBe(hash);
  });
});
