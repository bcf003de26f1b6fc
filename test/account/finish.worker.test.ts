import { afterEach, describe, expect, it } from "vitest";
import type { JobEnd, NewJob } from "../../src/account/storage/types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { ClaimedJob, Job } from "../../src/model/job";
import { SECOND_MS, SYNC_WAIT_MS } from "../../src/model/limits";
import { newJob, openObject, sqlIn, stubOf } from "../support/account";
import { dropMessages } from "../support/webhooks";

const silent: AccountRef[] = [];

afterEach(async () => {
  // Delete the deliveries, because the alarm would send the remaining ones after a restart of the Durable Object.
  for (const account of silent.splice(0)) await sqlIn(account, "DELETE FROM deliveries");
});

const error = { code: "target_timeout", message: "Too late.", status: 504, retryable: true } as const;
const times = (endedAt: number) => ({ processingTimeMs: 12, endedAt });
const failed = (endedAt = Date.now()): JobEnd => ({ status: "failed", error, ...times(endedAt) });
const completed = (end: Partial<Extract<JobEnd, { status: "completed" }>> = {}): JobEnd => ({
  ...{ status: "completed", result: "{}", extras: null, charge: 1 },
  ...times(Date.now()),
  ...end,
});

/** Opens an account whose deliveries aren't sent. */
async function openSilentObject(settings: Parameters<typeof openObject>[0] = {}): Promise<AccountRef> {
  const account = await openObject(settings);
  await dropMessages(account);
  silent.push(account);
  return account;
}

/** Creates a job whose first run has started. */
async function startJob(account: AccountRef, job: Partial<NewJob> = {}): Promise<Job> {
  const created = newJob(account, job);
  await stubOf(account).createJob(created);
  const claimed = created.waiting
    ? await stubOf(account).get(created)
    : await stubOf(account)
        .claim(created, "token")
        .then((claim) => (claim.kind === "run" ? claim.job : null));
  if (claimed === null) throw new Error("The job doesn't run.");
  const { plan: _, prices: _1, settings: _2, isCrawled: _3, ...shown } = claimed as ClaimedJob;
  return shown;
}

async function eventsOf(account: AccountRef, id: string): Promise<string[]> {
  const rows = await sqlIn<{ event: string }>(account, "SELECT event FROM deliveries WHERE id = ?1", id);
  return rows.map(({ event }) => event);
}

describe("the end of a job", () => {
  it("stores the result, the metadata and the charge of a completed job", async () => {
    const account = await openSilentObject();
    const job = await startJob(account, { credits: 3 });
    const extras = { engine: "google", evidence: ["a"], unverified: ["b"] };
    const end = completed({ charge: 2, extras, outcome: "login", result: '{"a":1}' });
    const ended = {
      ...job,
      ...{ status: "completed", leaseUntil: null, result: '{"a":1}', resultStored: false, extras, creditsUsed: 2 },
      ...{ outcome: "login", error: null, processingTimeMs: 12, endedAt: end.endedAt, expired: false },
      receipt: {
        total: 2,
        lines: [
          { item: "scrape", credits: 3 },
          { item: "refund", credits: -1, reason: "not_used" },
        ],
      },
    };
    expect(await stubOf(account).finish(job, 1, end)).toEqual({ kind: "ended", job: ended });
    expect(await stubOf(account).get(job)).toEqual(ended);
    expect(await sqlIn(account, "SELECT due_at, meta FROM jobs")).toEqual([
      { due_at: null, meta: '{"engine":"google"}' },
    ]);
  });

  it("stores the error of a failed job, which is free", async () => {
    const account = await openSilentObject();
    const job = await startJob(account, { credits: 3 });
    expect(await stubOf(account).finish(job, 1, failed(7))).toEqual({
      kind: "ended",
      job: {
        ...job,
        ...{ status: "failed", leaseUntil: null, result: null, resultStored: false, extras: null, creditsUsed: 0 },
        ...{ outcome: null, error, processingTimeMs: 12, endedAt: 7 },
        receipt: {
          total: 0,
          lines: [
            { item: "scrape", credits: 3 },
            { item: "refund", credits: -3, reason: "target_timeout" },
          ],
        },
      },
    });
    expect(await stubOf(account).inspect()).toMatchObject({ balance: 100_000, reserved: 0, used: 0 });
  });

  it("says that the result is in R2 if the row doesn't contain it, and that the page type is ok by default", async () => {
    const account = await openSilentObject();
    const job = await startJob(account);
    const reply = await stubOf(account).finish(job, 1, completed({ result: null, extras: { evidence: ["a"] } }));
    expect(reply).toMatchObject({
      job: { result: null, resultStored: true, outcome: "ok", extras: { evidence: ["a"] } },
    });
  });

  it("keeps a large request next to the result", async () => {
    const account = await openSilentObject();
    const request = JSON.stringify({ prompt: "x".repeat(3_000) });
    const job = await startJob(account, { request });
    expect(job.request).toBe(request);
    await stubOf(account).finish(job, 1, completed({ extras: { evidence: ["a"] } }));
    expect(await stubOf(account).get(job)).toMatchObject({ request, result: "{}", extras: { evidence: ["a"] } });
  });

  it.each([
    [-1, 0],
    [0, 0],
    [2, 2],
    [4, 3],
  ])("charges %d of 3 reserved credits as %d", async (charge, used) => {
    const account = await openSilentObject({ credits: 10 });
    const job = await startJob(account, { credits: 3 });
    expect(await stubOf(account).finish(job, 1, completed({ charge }))).toMatchObject({ job: { creditsUsed: used } });
    expect(await stubOf(account).inspect()).toMatchObject({ balance: 10 - used, used, reserved: 0 });
  });

  it.each([
    [false, 0],
    [true, 2],
  ])("is free because of its outcome, unless the account pays for that: %s", async (chargeFreeOutcomes, used) => {
    const account = await openObject({ credits: 10, chargeFreeOutcomes });
    const job = await startJob(account, { credits: 3 });
    const end = completed({ charge: 2, outcome: "soft_404", isFree: true });
    expect(await stubOf(account).finish(job, 1, end)).toMatchObject({
      job: { creditsUsed: used, outcome: "soft_404" },
    });
    expect(await sqlIn(account, "SELECT funds, used FROM account")).toEqual([{ funds: 10 - used, used }]);
    expect(await sqlIn(account, "SELECT code, credits FROM usage")).toEqual([{ code: "soft_404", credits: used }]);
  });

  it("is returned again to the run that ended the job, and to no other run", async () => {
    const account = await openSilentObject();
    const object = stubOf(account);
    const done = await startJob(account);
    const first = await object.finish(done, 1, completed());
    expect(first.kind).toBe("ended");
    expect(await object.finish(done, 1, completed({ result: '{"other":1}' }))).toEqual(first);
    expect(await object.finish(done, 1, failed())).toEqual({ kind: "lease_lost" });
    expect(await object.finish(done, 2, completed())).toEqual({ kind: "lease_lost" });

    const wrong = await startJob(account);
    expect((await object.finish(wrong, 1, failed())).kind).toBe("ended");
    expect((await object.finish(wrong, 1, failed())).kind).toBe("ended");
    const other = { ...error, code: "dns_failure" } as const;
    expect(await object.finish(wrong, 1, { ...failed(), error: other } as JobEnd)).toEqual({ kind: "lease_lost" });
    expect(await object.finish(wrong, 1, completed())).toEqual({ kind: "lease_lost" });
  });

  it("isn't accepted for a job that doesn't exist or was requeued", async () => {
    const account = await openSilentObject();
    const unknown = { mode: "live" as const, id: newTaggedId(account.tag) };
    expect(await stubOf(account).finish(unknown, 1, completed())).toEqual({ kind: "lease_lost" });
    const job = await startJob(account);
    await stubOf(account).release(job, 1, { kind: "error" });
    expect(await stubOf(account).finish(job, 1, completed())).toEqual({ kind: "lease_lost" });
    expect(await stubOf(account).get(job)).toMatchObject({ status: "queued" });
  });
});

describe("the event of a job that has ended", () => {
  const webhookUrl = "https://a.example/hook";

  it.each([
    ["is sent for an asynchronous job", false, 1, ["job.completed"]],
    ["isn't sent if the caller gets the result", true, SYNC_WAIT_MS, []],
    ["is sent if the job ends after its caller has stopped waiting", true, SYNC_WAIT_MS + SECOND_MS, ["job.completed"]],
  ])("%s", async (_, waiting, ms, events) => {
    const account = await openSilentObject();
    const job = await startJob(account, { waiting, webhookUrl });
    await stubOf(account).finish(job, 1, completed({ endedAt: job.createdAt + ms }));
    expect(await eventsOf(account, job.id)).toEqual(events);
  });

  it("names the failure, and isn't sent without a webhook URL", async () => {
    const account = await openSilentObject();
    const [withUrl, without] = [await startJob(account, { webhookUrl }), await startJob(account)];
    for (const job of [withUrl, without]) await stubOf(account).finish(job, 1, failed());
    expect(await eventsOf(account, withUrl.id)).toEqual(["job.failed"]);
    expect(await eventsOf(account, without.id)).toEqual([]);
  });

  it("is sent if the caller got a 202 for a job that had already ended", async () => {
    const account = await openSilentObject();
    const job = await startJob(account, { waiting: true, webhookUrl });
    await stubOf(account).finish(job, 1, completed());
    expect(await stubOf(account).detach(job, { accepted: false })).toMatchObject({
      kind: "ended",
      job: { id: job.id },
    });
    expect(await eventsOf(account, job.id)).toEqual([]);
    for (const _ of [1, 2]) await stubOf(account).detach(job, { accepted: true });
    expect(await eventsOf(account, job.id)).toEqual(["job.completed"]);
  });
});

describe("a canceled job", () => {
  it("fails without a charge, and isn't retryable", async () => {
    const account = await openSilentObject({ credits: 10 });
    const job = await startJob(account, { credits: 2 });
    expect(await stubOf(account).cancel(job)).toMatchObject({
      ...{ status: "failed", creditsUsed: 0, processingTimeMs: 0, endedAt: expect.any(Number) },
      error: { code: "cancelled", message: "The job was canceled. Nothing was charged.", retryable: false },
    });
    expect(await stubOf(account).inspect()).toMatchObject({ balance: 10, reserved: 0, processing: 0 });
  });

  it("stays unchanged if it had already ended", async () => {
    const account = await openSilentObject();
    const job = await startJob(account);
    const reply = await stubOf(account).finish(job, 1, completed());
    expect(await stubOf(account).cancel(job)).toEqual(reply.kind === "ended" && reply.job);
    expect(await stubOf(account).cancel({ mode: "live", id: newTaggedId(account.tag) })).toBeNull();
  });

  it("that was waiting for a slot leaves the slots unchanged", async () => {
    const account = await openSilentObject({ concurrentJobs: 1 });
    const object = stubOf(account);
    const [running, waiting] = [await startJob(account), newJob(account)];
    expect(await object.createJob(waiting)).toMatchObject({ next: "wait" });
    await object.cancel(waiting);
    expect(await object.createJob(newJob(account))).toMatchObject({ next: "wait" });
    await object.cancel(running);
    expect(await object.createJob(newJob(account))).toMatchObject({ next: "wait" });
    expect(await object.inspect()).toMatchObject({ queued: 2, processing: 0, reserved: 2 });
  });
});
