import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { NewJob } from "../../src/account/storage/types";
import type { AccountRef } from "../../src/model/account";
import { AppError } from "../../src/model/errors";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

/** Creates a job that ends after `ms` with this outcome or error code. */
async function endJob(account: AccountRef, end: "ok" | "login" | "dns_failure", ms: number, job: Partial<NewJob> = {}) {
  const object = stubOf(account);
  const created = newJob(account, job);
  await object.createJob(created);
  await object.claim(created, "token");
  const times = { processingTimeMs: ms, endedAt: Date.now() };
  const { message, status, retryable } = new AppError("dns_failure", "It failed.");
  await object.finish(
    created,
    1,
    end === "dns_failure"
      ? { status: "failed", error: { code: end, message, status, retryable }, ...times }
      : { status: "completed", result: "{}", extras: null, charge: end === "ok" ? 1 : 0, outcome: end, ...times },
  );
}

const TODAY = () => new Date().toISOString().slice(0, 10);

describe("usage", () => {
  it("is added up by day, endpoint, key and outcome, with the durations of completed jobs", async () => {
    const account = await openObject({ credits: 100 });
    for (let i = 0; i < 18; i++) await endJob(account, "ok", 100);
    await endJob(account, "ok", 4_000, { keyId: "other" });
    await endJob(account, "login", 4_000);
    await endJob(account, "dns_failure", 60_000, { endpoint: "serp" });
    await endJob(account, "dns_failure", 60_000);
    await stubOf(account).createJob(newJob(account));
    await endJob(account, "ok", 100, { mode: "test", credits: 0 });

    const report = await stubOf(account).usage({ mode: "live", since: TODAY() });
    if ("kind" in report) throw new Error(report.kind);
    expect(report).toMatchObject({ balance: 80, reserved: 1, period: { granted: 100, used: 19 } });
    const { total, days, endpoints, keys, codes } = report;
    expect(total).toMatchObject({ requests: 22, failed: 2, credits: 19 });
    expect(Math.abs((total.p50 ?? 0) - 100)).toBeLessThanOrEqual(5);
    expect(Math.abs((total.p95 ?? 0) - 4_000)).toBeLessThanOrEqual(200);
    expect(days).toMatchObject([
      { date: TODAY(), endpoint: "scrape", requests: 21, failed: 1, credits: 19 },
      { date: TODAY(), endpoint: "serp", requests: 1, failed: 1, credits: 0, p50: null, p95: null },
    ]);
    expect(endpoints).toMatchObject([
      { endpoint: "scrape", requests: 21 },
      { endpoint: "serp", requests: 1 },
    ]);
    expect(keys).toMatchObject([
      { keyId: "key", requests: 21 },
      { keyId: "other", requests: 1 },
    ]);
    expect(codes).toMatchObject([
      { code: "ok", requests: 19, failed: 0, endpoints: ["scrape"] },
      { code: "dns_failure", requests: 2, failed: 2, endpoints: ["scrape", "serp"] },
      { code: "login", requests: 1, failed: 0 },
    ]);
    expect(await stubOf(account).usage({ mode: "live", since: "2999-01-01" })).toMatchObject({
      total: { requests: 0, p50: null },
      days: [],
      balance: 80,
    });
  });

  it("of many keys is added up without loading all rows into memory", async () => {
    const account = await openObject();
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
       INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
       SELECT 'live', '2026-11-' || printf('%02d', 1 + i % 20), i / 20, 'scrape', 'ok', 0, 2, 3, '{"49":2}' FROM n`,
    );
    await runInDurableObject(objectOf(account), (_, { storage }) => {
      const { sql } = storage;
      const exec = sql.exec.bind(sql);
      sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
        const cursor = exec(query, ...values);
        // All rows may not fit into memory, and other calls wait for a transaction that reads them.
        const rows = cursor.toArray();
        if (query.includes("FROM usage")) expect(rows.length).toBeLessThanOrEqual(1_000);
        cursor.toArray = () => rows;
        return cursor;
      }) as typeof sql.exec;
    });
    const report = await stubOf(account).usage({ mode: "live", since: "2026-11-01" });
    if ("kind" in report) throw new Error(report.kind);
    expect(report.total).toMatchObject({ requests: 4_000, credits: 6_000 });
    expect(report.keys).toHaveLength(100);
    expect(report.days).toHaveLength(20);
    expect(report.days[0]).toMatchObject({ date: "2026-11-20", requests: 200, credits: 300 });
  });

  it("adds each job to one row", async () => {
    const account = await openObject();
    for (let i = 0; i < 3; i++) await endJob(account, "ok", 100 * i);
    const rows = await sqlIn(account, "SELECT requests, durations FROM usage");
    expect(rows).toEqual([{ requests: 3, durations: '{"0":1,"49":1,"56":1}' }]);
  });
});

describe("the overview", () => {
  it("contains the latest jobs, and whether a key has created one", async () => {
    const account = await openObject();
    const query = { mode: "live" as const, since: TODAY(), latest: 2 };
    expect(await stubOf(account).overview(query)).toMatchObject({
      latest: [],
      hasJob: false,
      hasCalled: false,
    });
    await endJob(account, "ok", 1, { keyId: "dashboard", subject: "https://example.com/" });
    expect(await stubOf(account).overview({ ...query, mode: "test" })).toMatchObject({
      hasJob: true,
      hasCalled: false,
    });
    const other = await openObject();
    await endJob(other, "ok", 1, { keyId: "a key" });
    expect(await stubOf(other).overview(query)).toMatchObject({ hasCalled: true });
    await endJob(account, "dns_failure", 1);
    await endJob(account, "dns_failure", 1);
    const overview = await stubOf(account).overview(query);
    if ("kind" in overview) throw new Error(overview.kind);
    expect(overview).toMatchObject({ hasJob: true, hasCalled: true, usage: { total: { requests: 3, failed: 2 } } });
    expect(overview.latest.map(({ errorCode }) => errorCode)).toEqual(["dns_failure", "dns_failure"]);
  });
});
