import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { NewBatch } from "../../src/account/batches/batch-types";
import type { JobEnd, NewJob } from "../../src/account/storage/types";
import { previewPages } from "../../src/jobs/batches";
import { createJob } from "../../src/jobs/create";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { type ErrorCode, MAX_MODEL_FAILURES } from "../../src/model/errors";
import type { JobKey } from "../../src/model/job";
import { DAY_MS } from "../../src/model/limits";
import { toPrices } from "../../src/model/prices";
import type { RunPlan } from "../../src/model/run-plan";
import { callerOf, newJob, objectOf, openObject, recordJobMessages, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/origin";

const WITH_MODEL: RunPlan = { method: "plain", model: "a-model", lines: [{ item: "parse", credits: 1 }] };
const WITHOUT_MODEL: RunPlan = { method: "plain", lines: [{ item: "parse", credits: 1, reason: "no_model" }] };

/** Runs a job, which fails with this code. */
async function fail(account: AccountRef, key: JobKey, code: ErrorCode): Promise<void> {
  const error = { code, message: "It failed.", status: 422, retryable: false };
  const end: JobEnd = { status: "failed", error, processingTimeMs: 1, endedAt: Date.now() };
  await stubOf(account).claim(key, "token");
  await stubOf(account).finish(key, 1, end);
}

const create = async (account: AccountRef, job: Partial<NewJob> = {}) =>
  (await stubOf(account).createJob(newJob(account, { endpoint: "parse", plan: WITH_MODEL, ...job }))).kind;

/** Creates ten jobs, which then fail with this code. */
async function failTen(account: AccountRef, code: ErrorCode, more: Partial<NewJob> = {}): Promise<void> {
  const jobs = Array.from({ length: MAX_MODEL_FAILURES }, () =>
    newJob(account, { endpoint: "parse", plan: WITH_MODEL, ...more, ...(more.id && { id: yesterday(account) }) }),
  );
  for (const job of jobs) expect(await create(account, job)).toBe("created");
  for (const job of jobs) await fail(account, job, code);
}

/** Returns the id of a job that was created a day ago. */
function yesterday(account: AccountRef): string {
  const start = toIdStart(Date.now() - DAY_MS);
  return start + newTaggedId(account.tag).slice(start.length);
}

const toMidnight = () => Date.parse(`${new Date().toISOString().slice(0, 10)}T24:00:00Z`);

describe("jobs that fail because of a model's answer", () => {
  it("are followed by a refusal of jobs with a model until midnight (UTC)", async () => {
    const account = await openObject();
    const early = newJob(account, { plan: WITH_MODEL, idempotency: { key: "key", bodyHash: "hash" } });
    expect(await create(account, early)).toBe("created");
    for (let i = 0; i < MAX_MODEL_FAILURES; i++) {
      const job = newJob(account, { plan: WITH_MODEL, waiting: i % 3 === 0 });
      expect(await create(account, job)).toBe("created");
      await fail(account, job, i % 2 === 0 ? "schema_mismatch" : "model_refused");
    }
    const job = newJob(account, { plan: WITH_MODEL });
    const refusal = { kind: "model_limit", resetsAt: toMidnight() };
    expect(await stubOf(account).createJob(job)).toEqual(refusal);
    expect(await stubOf(account).createJob({ ...job, waiting: true })).toEqual(refusal);
    expect(await stubOf(account).checkJob(job)).toEqual(refusal);
    expect(await create(account, { plan: WITHOUT_MODEL })).toBe("created");
    expect(await create(account, { mode: "test" })).toBe("created");
    expect(await create(account, { ...early, id: newTaggedId(account.tag) })).toBe("repeated");
    expect(await create(await openObject())).toBe("created");
  });

  it("are counted again by a new instance of the object", async () => {
    const account = await openObject();
    await failTen(account, "schema_mismatch");
    expect(await create(account)).toBe("model_limit");
    await evictDurableObject(objectOf(account));
    expect(await create(account)).toBe("model_limit");
    await sqlIn(account, "DELETE FROM jobs WHERE code IS NOT NULL");
    // The instance doesn't count again for each job.
    expect(await create(account)).toBe("model_limit");
  });

  it("don't count if they called no model, have another error, or were created on another day or in test mode", async () => {
    const account = await openObject();
    await failTen(account, "schema_mismatch", { plan: WITHOUT_MODEL });
    await failTen(account, "model_failed");
    await failTen(account, "schema_mismatch", { mode: "test" });
    await failTen(account, "schema_mismatch", { id: "yesterday" });
    expect(await create(account)).toBe("created");
    await failTen(account, "schema_mismatch");
    expect(await create(account)).toBe("model_limit");
  });

  it("are the reason of a 429 with the time until midnight, also for a dry run of a batch", async () => {
    const account = await openObject();
    await failTen(account, "model_refused");
    const caller = callerOf(account);
    const refused = createJob(env, {
      ...{ caller, endpoint: "parse", request: { url: "https://example.com/" }, rendered: false, waiting: false },
      ...{ origin: ORIGIN, idempotencyKey: null, now: Date.now(), prices: toPrices({}), plan: WITH_MODEL },
    });
    const error = {
      code: "rate_limited",
      status: 429,
      message: expect.stringMatching(
        /^Today \(UTC\), 10 jobs .* because of a model's answer \(`schema_mismatch` or `model_refused`\)\. .* at \S+T00:00:00/,
      ),
      hint: expect.stringContaining("strategy: page"),
    };
    await expect(refused).rejects.toMatchObject(error);
    const { headers } = await refused.catch((reason) => reason);
    const seconds = (toMidnight() - Date.now()) / 1_000;
    expect(Number(headers["Retry-After"])).toBeGreaterThan(seconds - 5);
    expect(Number(headers["Retry-After"])).toBeLessThanOrEqual(seconds + 5);
    const preview = { caller, endpoint: "parse" as const, pages: 1, creditsMax: 1 };
    const first = { rendered: false, credits: 1 };
    await expect(previewPages(env, { ...preview, first: { ...first, plan: WITH_MODEL } })).rejects.toMatchObject(error);
    const cheap = await previewPages(env, { ...preview, first: { ...first, plan: WITHOUT_MODEL } });
    expect(cheap).toMatchObject({ pages: 1 });
  });

  it("stop a batch, which can be resumed after midnight", async () => {
    const account = await openObject({ concurrentJobs: 5 });
    const sent = await recordJobMessages(account);
    const price = { rendered: false, credits: 1, plan: WITH_MODEL };
    const pages = Array.from({ length: 40 }, (_, i) => ({
      ...{ number: i + 1, url: `https://example.com/${i}`, overrides: {}, secrets: null, ...price },
    }));
    const id = newTaggedId(account.tag);
    const batch: NewBatch = {
      ...{ mode: "live", id, kind: "batch", keyId: "key", creditLimit: null, endpoint: "parse", request: "{}" },
      ...{ defaults: {}, secrets: null, origin: ORIGIN, webhookUrl: null, pageEvents: false, labels: null },
      ...{ pages, prices: toPrices({}), first: price, idempotency: null },
    };
    const { createBatch, getBatch, resumeBatch } = stubOf(account);
    expect((await createBatch(batch)).kind).toBe("created");
    for (const [, message] of sent) await fail(account, { mode: "live", id: message.job }, "schema_mismatch");
    const reply = await getBatch({ mode: "live", id });
    if (reply.kind !== "batch") throw new Error(reply.kind);
    expect(reply.batch.error).toMatchObject({ code: "rate_limited", message: expect.stringContaining("resume") });
    const { schema_mismatch: failed = 0, rate_limited: notStarted = 0 } = reply.batch.counts.byCode;
    expect(failed).toBeGreaterThanOrEqual(MAX_MODEL_FAILURES);
    expect(failed).toBeLessThan(MAX_MODEL_FAILURES + 5);
    expect(failed + notStarted).toBe(40);
    expect(await createBatch({ ...batch, id: newTaggedId(account.tag) })).toMatchObject({ kind: "model_limit" });
    expect(await resumeBatch({ mode: "live", id })).toMatchObject({
      kind: "refused",
      refusal: { kind: "model_limit" },
    });
    // The jobs of yesterday don't count.
    await sqlIn(account, "UPDATE jobs SET id = ?1 || substr(id, 14)", toIdStart(Date.now() - DAY_MS).slice(0, 13));
    await evictDurableObject(objectOf(account));
    expect((await resumeBatch({ mode: "live", id })).kind).toBe("resumed");
  });
});
