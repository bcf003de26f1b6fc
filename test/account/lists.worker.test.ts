import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { JobFilter } from "../../src/account/storage/types";
import { sleep } from "../../src/lib/clock";
import { toIdTime } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { AppError } from "../../src/model/errors";
import type { Job } from "../../src/model/job";
import { DAY_MS } from "../../src/model/limits";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { listJobLines, listJobs } from "../support/jobs";

/** Creates a job in every status for each combination of key and endpoint. Returns the jobs, newest first. */
async function makeJobs(account: AccountRef): Promise<Job[]> {
  const object = stubOf(account);
  const ends = ["ok", "login", "dns_failure", "target_timeout", "processing", "queued", "waiting"] as const;
  const ids: string[] = [];
  for (const end of ends) {
    for (const keyId of ["first", "second"]) {
      for (const endpoint of ["scrape", "serp"] as const) {
        const subject = `https://${end.replace("_", "-")}.example/${endpoint === "scrape" ? "Page" : "page"}`;
        const labels = keyId === "first" ? { tags: [keyId, endpoint], metadata: { end } } : null;
        const rendered = end === "waiting" && keyId === "first";
        const job = newJob(account, { keyId, endpoint, subject, rendered, labels });
        ids.push(job.id);
        await object.createJob(job);
        if (end === "waiting" || end === "queued") continue;
        const claim = await object.claim(job, "token");
        if (claim.kind !== "run") throw new Error(`The job is ${claim.kind}.`);
        if (end === "processing") continue;
        const times = { processingTimeMs: 100, endedAt: Date.now() };
        const { message, status, retryable } = new AppError("dns_failure", "It failed.");
        await object.finish(
          job,
          claim.job.run,
          end === "ok" || end === "login"
            ? { status: "completed", result: `{"is":"${end}"}`, extras: null, charge: 1, outcome: end, ...times }
            : { status: "failed", error: { code: end, message, status, retryable }, ...times },
        );
      }
    }
    // Sets the account's slots to 0, so that the jobs created next get the status `waiting`.
    if (end === "queued") await limitSlots(account, 0);
  }
  const jobs = await Promise.all(ids.map((id) => object.get({ mode: "live", id })));
  return jobs.flatMap((job) => job ?? []).sort((a, b) => (a.id < b.id ? 1 : -1));
}

async function limitSlots(account: AccountRef, slots: number): Promise<void> {
  await stubOf(account).update({
    version: 2,
    plan: "enterprise",
    monthlyCredits: 100_000,
    suspendedAt: null,
    concurrentJobs: slots,
    concurrentRenders: slots,
    grantsEnabled: true,
    chargeFreeOutcomes: false,
    dailyCredits: null,
  });
}

type Filter = Omit<JobFilter, "mode" | "limit" | "offset">;

/** Returns true if the job matches the filter. Doesn't use SQL, so it is independent of the tested query. */
function matches(job: Job, filter: Filter): boolean {
  const { keyId, status, endpoint, code, outcome, since, until, text, tags = [], metadata = {} } = filter;
  const at = toIdTime(job.id);
  return (
    (keyId === undefined || job.keyId === keyId) &&
    (status === undefined || job.status === status) &&
    (endpoint === undefined || job.endpoint === endpoint) &&
    (code === undefined || job.error?.code === code) &&
    (outcome === undefined || job.outcome === outcome) &&
    (since === undefined || at >= since) &&
    (until === undefined || at < until) &&
    tags.every((tag) => job.labels?.tags.includes(tag)) &&
    Object.entries(metadata).every(([key, value]) => String(job.labels?.metadata[key]) === value) &&
    (text === undefined || (job.subject?.toLowerCase().includes(text.toLowerCase()) ?? false))
  );
}

const SINGLE: Filter[] = [
  {},
  { keyId: "first" },
  { keyId: "unknown" },
  { endpoint: "serp" },
  { endpoint: "parse" },
  { status: "queued" },
  { status: "processing" },
  { status: "completed" },
  { status: "failed" },
  { code: "dns_failure" },
  { code: "job_timeout" },
  { outcome: "ok" },
  { outcome: "login" },
  { text: "PAGE" },
  { text: "dns-failure.example" },
  { tags: ["first"] },
  { tags: ["first", "serp"] },
  { metadata: { end: "ok" } },
  { tags: ["unknown"] },
];

/** All filters that consist of one or two conditions. */
const FILTERS = SINGLE.flatMap((a, i) => SINGLE.slice(i).map((b) => ({ ...b, ...a })));

describe("the list of jobs", () => {
  it("returns the matches of each filter and each pair of filters, by offset and by cursor, with the total", async () => {
    const account = await openObject();
    const jobs = await makeJobs(account);
    const today = Math.floor(toIdTime(jobs[0]?.id ?? "") / DAY_MS) * DAY_MS;
    const middle = toIdTime(jobs[Math.floor(jobs.length / 2)]?.id ?? "");
    for (const filter of [
      ...FILTERS,
      { since: middle },
      { until: middle },
      { since: middle, status: "failed" as const },
      // The dashboard's numbers link to lists of whole days.
      { since: today, status: "failed" as const },
      { since: today, until: today + DAY_MS, keyId: "first", endpoint: "serp" as const, outcome: "ok" },
      { until: today, status: "completed" as const },
      { since: today + DAY_MS, code: "dns_failure" as const },
      { until: Date.parse("9999-12-31") + DAY_MS, code: "dns_failure" as const },
    ]) {
      const expected = jobs.filter((job) => matches(job, filter)).map(({ id }) => id);
      const base = { mode: "live" as const, ...filter };
      const all = await listJobs(account, { ...base, limit: 100, offset: 0 });
      expect([filter, all.items.map(({ id }) => id)]).toEqual([filter, expected]);
      expect([filter, all.total, all.isEstimate, all.next]).toEqual([filter, expected.length, false, null]);

      const second = await listJobLines(account, { ...base, limit: 3, offset: 2 });
      expect([filter, second.items.map(({ id }) => id)]).toEqual([filter, expected.slice(2, 5)]);
      expect([filter, second.total, second.next !== null]).toEqual([filter, expected.length, expected.length > 5]);

      const walked: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await listJobs(account, { ...base, limit: 3, offset: 0, cursor });
        walked.push(...page.items.map(({ id }) => id));
        more = page.next !== null;
        cursor = page.next ?? undefined;
      }
      expect([filter, walked]).toEqual([filter, expected]);
    }
  });

  it("filters by the time that the jobs show, also if their rows were inserted later", async () => {
    const account = await openObject();
    const job = newJob(account);
    await stubOf(account).createJob(job);
    await sqlIn(account, "UPDATE jobs SET created_at = created_at + 500");
    const filter = { mode: "live", limit: 1, offset: 0 } as const;
    const [shown] = (await listJobs(account, filter)).items;
    expect((await listJobLines(account, filter)).items[0]?.createdAt).toBe(shown?.createdAt);
    const since = shown?.createdAt;
    expect((await listJobs(account, { ...filter, since })).items).toMatchObject([{ id: job.id }]);
    expect((await listJobs(account, { ...filter, until: since })).items).toEqual([]);
  });

  it("includes requests and results, but no evidence", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account, { request: '{"url":"https://example.com/"}' });
    await object.createJob(job);
    await object.claim(job, "token");
    const extras = { model_used: "one", evidence: ["quote"] };
    await object.finish(job, 1, {
      status: "completed",
      result: "{}",
      extras,
      charge: 1,
      processingTimeMs: 5,
      endedAt: 6,
    });
    const { items } = await listJobs(account, { mode: "live", limit: 1, offset: 0 });
    expect(items).toMatchObject([{ id: job.id, result: "{}", request: job.request, extras: { model_used: "one" } }]);
    expect(items[0]?.extras).not.toHaveProperty("evidence");
  });

  it.each([
    [16_384, false],
    [16_385, true],
  ])("treats a result of %d bytes as stored elsewhere: %s", async (bytes, isOmitted) => {
    const account = await openObject();
    const job = newJob(account, { waiting: true });
    const result = `"${"ü".repeat(8_000)}${"x".repeat(bytes - 16_002)}"`;
    await stubOf(account).createJob(job);
    const end = { status: "completed", extras: null, charge: 1, processingTimeMs: 5, endedAt: 6 } as const;
    await stubOf(account).finish(job, 1, { ...end, result });
    const { items } = await listJobs(account, { mode: "live", limit: 1, offset: 0 });
    expect(items).toMatchObject([{ result: isOmitted ? null : result, resultStored: isOmitted }]);
  });

  it.each([
    [16_384, false],
    [16_385, true],
  ])("includes a request of %d bytes unless it is too large: %s", async (bytes, isOmitted) => {
    const account = await openObject();
    const request = `"${"ü".repeat(8_000)}${"x".repeat(bytes - 16_002)}"`;
    await stubOf(account).createJob(newJob(account, { request }));
    const { items } = await listJobs(account, { mode: "live", limit: 1, offset: 0 });
    expect(items).toMatchObject([{ request: isOmitted ? null : request, expired: false }]);
  });

  it("counts each status after every transition and after a restart", async () => {
    const account = await openObject({ concurrentJobs: 1 });
    const object = stubOf(account);
    const counts = async () => {
      const count = async (status: Job["status"]) =>
        (await listJobs(account, { mode: "live", status, limit: 1, offset: 0 })).total;
      return [await count("queued"), await count("processing"), await count("completed"), await count("failed")];
    };
    expect(await counts()).toEqual([0, 0, 0, 0]);
    const [first, second] = [newJob(account), newJob(account)];
    await object.createJob(first);
    await object.createJob(second);
    await object.createJob(second);
    expect(await counts()).toEqual([2, 0, 0, 0]);
    await object.claim(first, "token");
    expect(await counts()).toEqual([1, 1, 0, 0]);
    await object.release(first, 1, { kind: "handover" });
    expect(await counts()).toEqual([2, 0, 0, 0]);
    await object.claim(first, "token");
    const end = {
      status: "completed" as const,
      result: "{}",
      extras: null,
      charge: 1,
      processingTimeMs: 5,
      endedAt: 6,
    };
    await object.finish(first, 2, end);
    await object.finish(first, 2, end);
    expect(await counts()).toEqual([1, 0, 1, 0]);
    await object.cancel(second);
    expect(await counts()).toEqual([0, 0, 1, 1]);
    await object.createJob(newJob(account));
    await evictDurableObject(objectOf(account));
    expect(await counts()).toEqual([1, 0, 1, 1]);
    expect((await listJobs(account, { mode: "test", limit: 1, offset: 0 })).total).toBe(0);
  });

  it("omits archived days and doesn't count them", async () => {
    const account = await openObject();
    const jobs = await makeJobs(account);
    await sqlIn(account, "UPDATE account SET archived_before = '2999-01-01'");
    const page = await listJobs(account, { mode: "live", status: "failed", limit: 10, offset: 0 });
    expect([page.items, page.total, jobs.length]).toEqual([[], 0, 28]);
  });

  describe("of very many jobs", () => {
    /** Inserts this number of failed jobs. They are newer than every other job. */
    async function insertHay(account: AccountRef, count: number): Promise<void> {
      await sqlIn(
        account,
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
         INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, subject, rendered, waiting, origin, credits, created_at,
           code, error, receipt)
         SELECT 'live', printf('fffffff0-0000-7000-8000-%012x', i), 'key', 'scrape', 'failed', 0, 'https://hay.example/', 0,
           0, '', 1, 0, 'dns_failure', '{"message":"No such host.","status":502,"retryable":true}', '{"total":0,"lines":[]}'
         FROM n`,
        count,
      );
    }

    /** Creates an account with one job that the filter `text: "needle"` finds, and this number of newer jobs. */
    async function createHaystack(count: number) {
      const account = await openObject();
      const oldest = newJob(account, { subject: "https://needle.example/" });
      await stubOf(account).createJob(oldest);
      await stubOf(account).cancel(oldest);
      await insertHay(account, count);
      return { account, oldest };
    }

    it("finds the oldest job in one call, and counts at least the jobs that it read", async () => {
      const { account, oldest } = await createHaystack(25_000);
      const filter = { mode: "live" as const, limit: 2, offset: 0 };
      const found = await stubOf(account).list({ ...filter, text: "NEEDLE" });
      expect(found).toMatchObject({ items: [{ id: oldest.id }], total: 1, next: null });

      const hay = await listJobs(account, { ...filter, text: "hay", offset: 9_999 });
      expect(hay).toMatchObject({ total: 10_002, isEstimate: true, items: [{}, {}] });
      const end = `fffffff0-0000-7000-8000-${(3).toString(16).padStart(12, "0")}`;
      const last = await listJobs(account, { ...filter, text: "hay", cursor: end });
      expect(last).toMatchObject({ items: [{}, {}], next: null });
    });

    it("counts at most 10,000 of them", async () => {
      const account = await openObject();
      const filter = { mode: "live", code: "dns_failure", since: 0, includesPages: true, limit: 2, offset: 0 } as const;
      await insertHay(account, 9_999);
      // The list is short enough to count its jobs.
      expect(await listJobs(account, filter)).toMatchObject({ total: 9_999, isEstimate: false });
      await sqlIn(account, "UPDATE jobs SET id = replace(id, 'fffffff0', 'fffffff1')");
      await insertHay(account, 2_001);
      expect(await listJobs(account, filter)).toMatchObject({ total: 10_000, isEstimate: true });
    });

    it("ends a page early after a limited number of rows, and continues with a cursor", async () => {
      const { account, oldest } = await createHaystack(150_001);
      const filter = { mode: "live" as const, status: "failed" as const, text: "needle", limit: 2, offset: 0 };
      const { items, next } = await listJobs(account, filter);
      expect([items, next]).toEqual([[], expect.any(String)]);
      const rest = await listJobs(account, { ...filter, cursor: next ?? "" });
      expect(rest).toMatchObject({ items: [{ id: oldest.id }], next: null });
    });
  });
});

it("the total is exact if jobs end while the first list loads the counts", async () => {
  const account = await openObject();
  const keys = Array.from({ length: 2_500 }, (_, i) => `key-${1_000 + i}`);
  await sqlIn(
    account,
    `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
     SELECT 'live', ?1, value, 'scrape', 'ok', 0, 1, 1, '{}' FROM json_each(?2)`,
    new Date().toISOString().slice(0, 10),
    JSON.stringify(keys),
  );
  const jobs = Array.from({ length: 100 }, (_, i) => newJob(account, { keyId: `key-${1_000 + ((i * 925) % 2_500)}` }));
  const totals = await runInDurableObject(objectOf(account), async (object) => {
    for (const job of jobs) object.createJob(job);
    const filter = { mode: "live", limit: 1, offset: 0 } as const;
    const loading = object.list(filter);
    for (const [i, { mode, id }] of jobs.entries()) {
      object.cancel({ mode, id });
      if (i % 10 === 9) await sleep(0);
    }
    await loading;
    const lists = [await object.list(filter), await object.list({ ...filter, status: "failed" })];
    return lists.map((list) => list.kind === "page" && list.total);
  });
  expect(totals).toEqual([keys.length + jobs.length, jobs.length]);
});
