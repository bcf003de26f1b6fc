import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readArchivedJob } from "../../src/account/archived-job";
import type { JobEnd } from "../../src/account/storage/types";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Mode } from "../../src/model/api-key";
import type { JobKey } from "../../src/model/job";
import { DAY_MS } from "../../src/model/limits";
import { getScreenshot, openRequest, openResult, putRequest, putResult, putScreenshot } from "../../src/store/objects";
import { readDelivery, redeliver } from "../../src/webhooks/deliveries";
import { countRows, newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { createClient, ORIGIN, refOf } from "../support/client";
import { retain as retainAt } from "../support/retention";
import { bodyOf, dropMessages, expectPosts, receiver } from "../support/webhooks";

const NOW = Date.now();

const end: JobEnd = {
  status: "completed",
  result: '{"markdown":"# Hello"}',
  extras: { evidence: ["a"], engine: "google" },
  charge: 1,
  processingTimeMs: 12,
  endedAt: NOW,
};

/** Inserts a completed job that was created `days` days ago. */
async function insertOld(
  account: AccountRef,
  days: number,
  { mode = "live" as Mode, stored = false, captured = false } = {},
): Promise<JobKey> {
  const at = NOW - days * DAY_MS;
  const id = toIdStart(at) + newTaggedId(account.tag).slice(13);
  const key = { mode, id };
  const object = stubOf(account);
  const capture = { lookup: "hash", capturedAt: at };
  if (captured) await env.STORE.put(`captures/${account.tag}/${id}/1`, "page");
  const labels = { tags: [`day-${days}`], metadata: { days } };
  await object.createJob(newJob(account, { ...key, labels, waiting: true, subject: `https://example.com/${days}` }));
  if (stored) await putResult(env.STORE, id, 1, "{}");
  await object.finish(key, 1, { ...end, ...(stored ? { result: null } : {}), ...(captured && { capture }) });
  await sqlIn(account, "UPDATE jobs SET created_at = ?1, ended_at = ?1 WHERE id = ?2", at, id);
  return key;
}

/** Runs retention until no step is due. Returns the time (Unix ms) of the next step, or null if there is none. */
const retain = (account: AccountRef, variables: Partial<Env> = {}, now = NOW) => retainAt(account, now, variables);

const ids = async (account: AccountRef) =>
  (await sqlIn<{ id: string }>(account, "SELECT id FROM jobs ORDER BY id")).map(({ id }) => id);

describe("retention", () => {
  it("deletes captures together with the results of their jobs", async () => {
    const account = await openObject();
    const [old, young] = [
      await insertOld(account, 31, { captured: true }),
      await insertOld(account, 29, { captured: true }),
    ];
    await retain(account);
    const found = async ({ id }: JobKey) => await stubOf(account).findCapture("live", { id });
    expect(await found(old)).toBeNull();
    expect(await found(young)).toMatchObject({ id: young.id, run: 1 });
    const { objects } = await env.STORE.list({ prefix: `captures/${account.tag}/` });
    expect(objects.map(({ key }) => key)).toEqual([`captures/${account.tag}/${young.id}/1`]);
    const refused = await stubOf(account).createJob(newJob(account, { captureId: old.id }));
    expect(refused).toEqual({ kind: "no_capture" });
  });

  it("deletes the request, results and screenshots of all runs, and keeps the job", async () => {
    const account = await openObject();
    const [old, young] = [await insertOld(account, 31), await insertOld(account, 29)];
    await sqlIn(account, "UPDATE jobs SET run = 2 WHERE id = ?", old.id);
    await putRequest(env.STORE, old.id, "{}");
    for (const run of [1, 2]) {
      await putResult(env.STORE, old.id, run, "{}");
      await putScreenshot(env.STORE, old.id, run, new Uint8Array(1));
    }
    await retain(account);
    expect(await openRequest(env.STORE, old.id)).toBeNull();
    for (const run of [1, 2]) {
      expect(await openResult(env.STORE, old.id, run)).toBeNull();
      expect(await getScreenshot(env.STORE, old.id)).toBeNull();
    }
    const job = await stubOf(account).get(old);
    expect(job).toMatchObject({ expired: true, request: null, result: null, status: "completed" });
    expect(job?.subject).toBe("https://example.com/31");
    expect(await stubOf(account).get(young)).toMatchObject({
      expired: false,
      request: expect.stringContaining("https://example.com/"),
      result: end.result,
    });
  });

  it("handles many jobs in batches, and is due again when the next job expires", async () => {
    const account = await openObject();
    for (let i = 0; i < 130; i++) await insertOld(account, 40 + i / 1_000);
    const next = await insertOld(account, 20);
    expect(await retain(account)).toBe(NOW + 10 * DAY_MS);
    const [left] = await sqlIn<{ n: number }>(account, "SELECT COUNT(*) AS n FROM jobs WHERE expired = 0");
    expect(left?.n).toBe(1);
    expect(await stubOf(account).get(next)).toMatchObject({ expired: false });
  });

  it("doesn't read jobs that have expired again", async () => {
    const account = await openObject();
    for (let i = 0; i < 100; i++) await insertOld(account, 40 + i / 1_000);
    await insertOld(account, 20);
    await retain(account);
    const { read } = await countRows(account, () => retain(account));
    expect(read).toBeLessThan(100);
  });

  it("waits for a job that ended late, without delaying later jobs", async () => {
    const account = await openObject();
    const [slow, other] = [await insertOld(account, 33), await insertOld(account, 32)];
    await sqlIn(account, "UPDATE jobs SET ended_at = ? WHERE id = ?", NOW - 29 * DAY_MS, slow.id);
    await retain(account);
    expect(await stubOf(account).get(slow)).toMatchObject({ expired: false });
    expect(await stubOf(account).get(other)).toMatchObject({ expired: true });
    await retain(account, {}, NOW + 2 * DAY_MS);
    expect(await stubOf(account).get(slow)).toMatchObject({ expired: true });
  });

  it("deletes idempotency keys after 24 hours", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const idempotency = { key: "once", bodyHash: "a" };
    const [first, second] = [newJob(account, { idempotency }), newJob(account, { idempotency })];
    await object.createJob(first);
    expect(await object.createJob(second)).toMatchObject({ kind: "repeated", job: { id: first.id } });
    await retain(account, {}, NOW + DAY_MS + 60_000);
    expect(await sqlIn(account, "SELECT key FROM idempotency_keys")).toEqual([]);
    expect(await object.createJob(second)).toMatchObject({ kind: "created" });
  });

  it("deletes deliveries that have ended", async () => {
    const account = await openObject();
    await dropMessages(account);
    const toTest = (days: number) => {
      const id = toIdStart(NOW - days * DAY_MS) + newTaggedId(account.tag).slice(13);
      return { mode: "live" as const, id, url: "https://a.example/", origin: ORIGIN };
    };
    const [old, oldAgain, young] = [toTest(31), toTest(31), toTest(29)];
    for (const test of [old, oldAgain, young]) await stubOf(account).sendTest(test);
    const succeed = "UPDATE deliveries SET status = 'succeeded', stage = NULL, due_at = NULL WHERE id IN (?1, ?2)";
    await sqlIn(account, succeed, old.id, young.id);
    await retain(account);
    const kept = await sqlIn<{ id: string }>(account, "SELECT id FROM deliveries");
    expect(kept.map(({ id }) => id).toSorted()).toEqual([oldAgain.id, young.id].toSorted());
  });

  it("deletes the labels together with the request", async () => {
    const account = await openObject();
    const [old, young] = [await insertOld(account, 31), await insertOld(account, 29)];
    await retain(account);
    expect(await stubOf(account).get(old)).toMatchObject({ expired: true, labels: null });
    expect(await stubOf(account).get(young)).toMatchObject({ labels: { tags: ["day-29"], metadata: { days: 29 } } });
    expect(JSON.stringify(await sqlIn(account, "SELECT metadata FROM jobs"))).not.toContain("day-31");
  });

  it("retries later if R2 fails, and still deletes everything", async () => {
    const account = await openObject();
    const old = await insertOld(account, 31, { stored: true });
    const failing = { STORE: { delete: () => Promise.reject(new Error("R2 is down.")) } } as unknown as Partial<Env>;
    expect(await retain(account, failing)).toBe(NOW + 5 * 60_000);
    expect(await stubOf(account).get(old)).toMatchObject({ expired: false, resultStored: true });
    await retain(account);
    expect(await stubOf(account).get(old)).toMatchObject({ expired: true });
    expect(await openResult(env.STORE, old.id, 1)).toBeNull();
  });

  it("is run by the alarm", async () => {
    const account = await openObject();
    const old = await insertOld(account, 31);
    await sqlIn(account, "UPDATE account SET maintenance_at = 1");
    await runDurableObjectAlarm(objectOf(account));
    expect(await stubOf(account).get(old)).toMatchObject({ expired: true });
  });
});

describe("the archive", () => {
  it("contains days after 400 days, and its jobs can still be read by their ids", async () => {
    const account = await openObject();
    const old = await Promise.all(
      (["live", "test", "live"] as const).map((mode, i) => insertOld(account, 402 + i, { mode })),
    );
    const young = await insertOld(account, 398);
    const before = await Promise.all(old.map((key) => stubOf(account).get(key)));
    await retain(account);
    expect(await ids(account)).toEqual([young.id]);
    for (const [i, key] of old.entries()) {
      expect(await stubOf(account).get(key)).toBeNull();
      expect(await readArchivedJob(env, account, key)).toMatchObject({
        ...before[i],
        labels: null,
        request: null,
        result: null,
        extras: { engine: "google" },
        expired: true,
      });
    }
    expect(await readArchivedJob(env, account, { mode: "live", id: newTaggedId(account.tag) })).toBeNull();
    expect(await readArchivedJob(env, account, { mode: "test", id: old[0]?.id ?? "" })).toBeNull();
  });

  it("is read by GET /v1/jobs/{id}, and omitted from lists", async () => {
    const client = await createClient();
    const account = await refOf(client.accountId);
    const [old, young] = [await insertOld(account, 402), await insertOld(account, 20)];
    // Removes `meta`, because the API's schema doesn't allow the members that the test inserted.
    await sqlIn(account, "UPDATE jobs SET meta = NULL");
    await sqlIn(account, "UPDATE payloads SET evidence = NULL");
    await retain(account);
    const response = await client.call("GET", `/v1/jobs/${old.id}`);
    expect(await response.json()).toMatchObject({
      ...{ success: true, job_id: old.id, status: "completed" },
      meta: { credits_used: 1, receipt: { total: 1, lines: [{ item: "scrape", credits: 1 }] } },
    });
    expect((await client.call("GET", `/v1/jobs/${newTaggedId(account.tag)}`)).status).toBe(404);
    expect(await (await client.call("GET", "/v1/jobs")).json()).toMatchObject({
      data: [{ job_id: young.id }],
      pagination: { total: 1 },
    });
  });

  it("contains the oldest days if the storage is too full, including retained results", async () => {
    const account = await openObject();
    const [old, stored, today] = [
      await insertOld(account, 3),
      await insertOld(account, 3, { stored: true }),
      await insertOld(account, 0),
    ];
    const full = { ACCOUNT_ARCHIVE_BYTES: "1" } as unknown as Partial<Env>;
    await retain(account, full);
    expect(await ids(account)).toEqual([today.id]);
    expect(await readArchivedJob(env, account, old)).toMatchObject({
      request: expect.stringContaining("https://example.com/"),
      result: end.result,
      resultStored: false,
      extras: { evidence: ["a"], engine: "google" },
      expired: false,
    });
    expect(await readArchivedJob(env, account, stored)).toMatchObject({ result: null, resultStored: true });
    // The webhook event of an archived job can still be read and redelivered.
    const url = receiver("ok");
    await sqlIn(
      account,
      `INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, created_at)
       VALUES ('live', ?1, ?1, 'job.completed', 'request', ?2, 'localhost', '', 'abandoned', ?3)`,
      ...[old.id, url, NOW],
    );
    const owner = { account, mode: "live" } as const;
    const payload = (await readDelivery(env, owner, old.id))?.payload ?? "{}";
    expect(JSON.parse(payload)).toMatchObject({ job_id: old.id, result: { markdown: "# Hello" } });
    await redeliver(env, owner, old.id, { origin: ORIGIN });
    const [post] = await expectPosts(url, 1);
    expect(bodyOf(post)).toBe(payload);
    // When retention of the results has ended, the archive has only the rows of the table `jobs`.
    await retain(account, full, NOW + 30 * DAY_MS);
    expect(await openResult(env.STORE, stored.id, 1)).toBeNull();
    expect(await readArchivedJob(env, account, old)).toMatchObject({ request: null, result: null, expired: true });
    const { objects } = await env.STORE.list({ prefix: `archive/${account.tag}/` });
    expect(objects.filter(({ key }) => key.endsWith("-payloads")).length).toBeLessThan(objects.length);
  });

  it("doesn't contain a day with an unfinished job", async () => {
    const account = await openObject();
    const old = await insertOld(account, 402);
    const id = toIdStart(NOW - 402 * DAY_MS) + newTaggedId(account.tag).slice(13);
    await stubOf(account).createJob(newJob(account, { id }));
    await retain(account);
    expect(await ids(account)).toContain(old.id);
    await stubOf(account).cancel({ mode: "live", id });
    await retain(account);
    expect(await ids(account)).toEqual([]);
  });

  it("splits a large day into parts", async () => {
    const account = await openObject();
    const first = await insertOld(account, 402);
    const columns = (await sqlIn<{ name: string }>(account, "SELECT name FROM pragma_table_info('jobs')"))
      .map(({ name }) => name)
      .filter((name) => name !== "id");
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
       INSERT INTO jobs (id, ${columns.join(", ")})
       SELECT substr(j.id, 1, 20) || printf('%05d', n.i) || substr(j.id, 26), ${columns.map((name) => `j.${name}`).join(", ")}
       FROM n, jobs j`,
    );
    const [sample] = await sqlIn<{ id: string }>(account, "SELECT id FROM jobs ORDER BY id LIMIT 1 OFFSET 3210");
    await retain(account);
    expect(await ids(account)).toEqual([]);
    const parts = await sqlIn<{ jobs: number }>(account, "SELECT jobs FROM archives");
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(4_501);
    expect(await readArchivedJob(env, account, { mode: "live", id: sample?.id ?? "" })).not.toBeNull();
    expect(await readArchivedJob(env, account, first)).not.toBeNull();
  });
});

describe("the next step of retention", () => {
  it("is due when an Idempotency-Key is 24 hours old, but not before one hour has passed", async () => {
    const account = await openObject();
    expect(await retain(account)).toBeNull();
    await stubOf(account).createJob(newJob(account, { idempotency: { key: "once", bodyHash: "a" } }));
    await sqlIn(account, "UPDATE idempotency_keys SET created_at = ?1", NOW - DAY_MS / 2);
    expect(await retain(account)).toBe(NOW + DAY_MS / 2);
    await sqlIn(account, "UPDATE idempotency_keys SET created_at = ?1", NOW - DAY_MS + 1);
    expect(await retain(account)).toBe(NOW + 60 * 60_000);
  });

  it("is the archiving of a job whose result was deleted", async () => {
    const account = await openObject();
    await insertOld(account, 50);
    expect(await retain(account)).toBe(NOW + 351 * DAY_MS);
  });

  it("is in an hour if the storage is above its first limit", async () => {
    const account = await openObject();
    expect(await retain(account, { ACCOUNT_INLINE_BYTES: "1" } as unknown as Partial<Env>)).toBe(NOW + 60 * 60_000);
  });

  it("deletes usage after 400 days, once its day is archived", async () => {
    const account = await openObject();
    const dates = [401, 400, 30].map((days) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10));
    for (const date of dates) {
      await sqlIn(
        account,
        `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
         VALUES ('live', ?1, 'key', 'scrape', 'ok', 0, 1, 1, '{}')`,
        date,
      );
    }
    const left = async () => (await sqlIn(account, "SELECT date FROM usage ORDER BY date")).map(({ date }) => date);
    await retain(account);
    expect(await left()).toEqual(dates);
    await sqlIn(account, "UPDATE account SET archived_before = '2999-01-01'");
    await retain(account);
    expect(await left()).toEqual(dates.slice(1));
  });
});

describe("a day", () => {
  const archiving = { ACCOUNT_ARCHIVE_BYTES: "1" } as unknown as Partial<Env>;
  const today = Math.floor(NOW / DAY_MS) * DAY_MS;

  it("isn't archived in the first hour after its end, or while a job waits for a slot", async () => {
    const account = await openObject({ concurrentJobs: 0 });
    const id = toIdStart(today - 60_000) + newTaggedId(account.tag).slice(13);
    await stubOf(account).createJob(newJob(account, { id }));
    await retain(account, archiving, today + 60 * 60_000);
    expect(await ids(account)).toEqual([id]);
    await stubOf(account).cancel({ mode: "live", id });
    await retain(account, archiving, today + 60 * 60_000 - 1);
    expect(await ids(account)).toEqual([id]);
    await retain(account, archiving, today + 60 * 60_000);
    expect(await ids(account)).toEqual([]);
  });

  it("is archived with its payloads, which are deleted two days and the retention period after it", async () => {
    const account = await openObject();
    const old = await insertOld(account, 3);
    const date = Math.floor((NOW - 3 * DAY_MS) / DAY_MS) * DAY_MS;
    await retain(account, archiving);
    const isExpired = async () => (await sqlIn(account, "SELECT expired FROM archives"))[0]?.expired === 1;
    expect(await readArchivedJob(env, account, old)).toMatchObject({
      labels: { tags: ["day-3"], metadata: { days: 3 } },
    });
    await retain(account, {}, date + 32 * DAY_MS - 1);
    expect(await isExpired()).toBe(false);
    await retain(account, {}, date + 32 * DAY_MS);
    expect(await isExpired()).toBe(true);
    expect(await readArchivedJob(env, account, old)).toMatchObject({ expired: true, result: null, labels: null });
    const files = await env.STORE.list({ prefix: `archive/${account.tag}/` });
    for (const { key } of files.objects) {
      const unzipped = (await env.STORE.get(key))?.body.pipeThrough(new DecompressionStream("gzip"));
      expect(await new Response(unzipped).text()).not.toContain("day-3");
    }
  });

  it("that is archived hides a result as soon as its retention is over", async () => {
    const account = await openObject();
    const old = await insertOld(account, 3);
    await retain(account, archiving);
    const variables = (days: string) => ({ ...env, RETENTION_DAYS: days }) as unknown as Env;
    expect(await readArchivedJob(variables("4"), account, old)).toMatchObject({ expired: false, result: end.result });
    expect(await readArchivedJob(variables("2"), account, old)).toMatchObject({
      ...{ expired: true, result: null, request: null, extras: { engine: "google" } },
    });
  });

  it("with large results is archived in several files", async () => {
    const account = await openObject();
    await insertOld(account, 3);
    const [first] = await ids(account);
    for (let i = 0; i < 80; i++) {
      const id = `${first?.slice(0, -10)}${account.tag}`.replace(/^(.{14}).{3}/, `$1${(i + 256).toString(16)}`);
      await stubOf(account).createJob(newJob(account, { id, waiting: true }));
      await stubOf(account).finish({ mode: "live", id }, 1, { ...end, result: `"${"x".repeat(60_000)}"` });
    }
    await retain(account, archiving);
    expect((await sqlIn(account, "SELECT jobs FROM archives")).length).toBe(2);
    expect(await ids(account)).toEqual([]);
  });
});
