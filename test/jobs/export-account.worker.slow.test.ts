import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readExportCursor, streamAccountData } from "../../src/jobs/export-account";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { mustGetAccount } from "../../src/store/accounts";
import { putResult } from "../../src/store/objects";
import { newJob, sqlIn, stubOf } from "../support/account";
import { createAccount, refOf } from "../support/client";

const NOW = Date.now();

async function newAccount(): Promise<AccountRef> {
  return await refOf(await createAccount());
}

async function exportLines(
  account: AccountRef,
  { from = "directory", maxCalls = 1_000 }: { from?: string; maxCalls?: number } = {},
): Promise<Record<string, unknown>[]> {
  const options = { now: NOW, from: readExportCursor(from), maxCalls };
  const stream = streamAccountData(env, await mustGetAccount(env.DB, account.id), options);
  const text = await new Response(stream).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Inserts `count` completed jobs with the run 1. Their results are in R2. Returns their ids. */
async function insertLargeJobs(account: AccountRef, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newTaggedId(account.tag));
  await sqlIn(
    account,
    `INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, rendered, waiting, origin, credits, created_at,
       ended_at, run, result_in, receipt)
     SELECT 'live', value, 'key', 'scrape', 'completed', 0, 0, 0, '', 1, ?2, ?2, 1, 'r2', '{"total":0,"lines":[]}' FROM json_each(?1)`,
    JSON.stringify(ids),
    NOW,
  );
  return ids;
}

/** Inserts a completed job that was created `days` days ago. Returns its id. */
async function insertJob(account: AccountRef, days: number): Promise<string> {
  const id = toIdStart(NOW - days * DAY_MS) + newTaggedId(account.tag).slice(13);
  await stubOf(account).createJob(newJob(account, { id, waiting: true }));
  await stubOf(account).finish({ mode: "live", id }, 1, {
    ...{ status: "completed", result: '{"markdown":"# Old"}', extras: {}, charge: 1, processingTimeMs: 1 },
    endedAt: NOW - days * DAY_MS,
  });
  return id;
}

async function putLines(key: string, rows: object[]): Promise<void> {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const zipped = new Response(new Response(text).body?.pipeThrough(new CompressionStream("gzip")));
  await env.STORE.put(key, await zipped.arrayBuffer());
}

it("exports every job once, over several pages", async () => {
  const account = await newAccount();
  const first = await insertJob(account, 1);
  await sqlIn(
    account,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
     INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, rendered, waiting, origin, credits, created_at, ended_at,
       receipt)
     SELECT 'test', substr(?1, 1, 19) || printf('%04x', i) || substr(?1, 24), 'key', 'scrape', 'completed', 0, 0, 0, '',
       1, ?2, ?2, '{"total":0,"lines":[]}' FROM n`,
    first,
    NOW,
  );
  const ids = (await exportLines(account)).filter(({ type }) => type === "job").map(({ job_id }) => job_id);
  expect([ids.length, new Set(ids).size]).toEqual([601, 601]);
});

it("includes the jobs of archived days", async () => {
  const account = await newAccount();
  const [id, listed] = [await insertJob(account, 410), await insertJob(account, 1)];
  const date = new Date(NOW - 410 * DAY_MS).toISOString().slice(0, 10);
  const [job] = await sqlIn(account, "SELECT * FROM jobs WHERE id = ?", id);
  const [payload] = await sqlIn(account, "SELECT * FROM payloads WHERE id = ?", id);
  await putLines(`archive/${account.tag}/live/${date}/1`, [{ ...job }]);
  await putLines(`archive/${account.tag}/live/${date}/1-payloads`, [{ ...payload }]);
  await sqlIn(account, "INSERT INTO archives VALUES ('live', ?1, 1, ?2, ?2, 1, 0)", date, id);
  await sqlIn(
    account,
    "UPDATE account SET archived_before = ?",
    new Date(NOW - 409 * DAY_MS).toISOString().slice(0, 10),
  );
  const jobs = (await exportLines(account)).filter(({ type }) => type === "job");
  expect(jobs).toMatchObject([
    { job_id: listed, mode: "live" },
    { job_id: id, mode: "live" },
  ]);
  // The retention of results has ended for this job, although the file is still there.
  expect(jobs[1]?.result).toBeNull();
});

it("includes results of any size, from the row and from R2", async () => {
  const account = await newAccount();
  const markdown = "x".repeat(30_000);
  const id = newTaggedId(account.tag);
  await stubOf(account).createJob(newJob(account, { id, waiting: true }));
  await stubOf(account).finish({ mode: "live", id }, 1, {
    ...{ status: "completed", result: JSON.stringify({ markdown }), extras: {}, charge: 1, processingTimeMs: 1 },
    endedAt: NOW,
  });
  const [stored = "", deleted = ""] = await insertLargeJobs(account, 2);
  const result = { markdown: "line\none", screenshot_url: "https://api.example/screenshots/1?signature=2" };
  await putResult(env.STORE, stored, 1, JSON.stringify(result));
  const jobs = (await exportLines(account)).filter(({ type }) => type === "job");
  const results = new Map(jobs.map((job) => [job.job_id, job.result]));
  expect(results.get(id)).toEqual({ markdown });
  expect(results.get(stored)).toEqual(result);
  // Retention has deleted this result.
  expect(results.get(deleted)).toBeNull();
});

it("reads one result and one page at a time, as fast as the reader", async () => {
  const account = await newAccount();
  const ids = await insertLargeJobs(account, 120);
  const size = 200_000;
  for (const id of ids) await putResult(env.STORE, id, 1, JSON.stringify({ markdown: "x".repeat(size) }));
  const opened: string[] = [];
  const get = (key: string) => {
    opened.push(key);
    return env.STORE.get(key);
  };
  const options = { now: NOW };
  const bindings = { ...env, STORE: { get } as unknown as R2Bucket };
  const stream = streamAccountData(bindings, await mustGetAccount(env.DB, account.id), options);
  let total = 0;
  let largest = 0;
  for await (const chunk of stream) {
    total += chunk.byteLength;
    largest = Math.max(largest, chunk.byteLength);
    // The reader has received all results that were opened, except for the current one and the next one.
    expect(opened.length).toBeLessThanOrEqual(Math.ceil(total / size) + 1);
  }
  expect(opened).toHaveLength(ids.length);
  expect(total).toBeGreaterThan(ids.length * size);
  expect(largest).toBeLessThan(size * 2);
});

it("continues after each cursor without a gap or a repeat", async () => {
  const account = await newAccount();
  await insertJob(account, 1);
  await insertLargeJobs(account, 120);
  await sqlIn(
    account,
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
     INSERT INTO ledger (kind, key, amount, created_at) SELECT 'adjustment', 'test-' || i, i, ?1 FROM n`,
    NOW,
  );
  const isData = ({ type }: { type?: unknown }) => !["cursor", "continue", "end"].includes(String(type));
  const whole = await exportLines(account);
  const cursors = whole.filter(({ type }) => type === "cursor").map(({ cursor }) => String(cursor));
  expect(cursors.length).toBeGreaterThan(6);
  for (const cursor of cursors) {
    const at = whole.findIndex((line) => line.cursor === cursor);
    const rest = await exportLines(account, { from: cursor });
    expect(rest.filter(isData)).toEqual(whole.slice(at).filter(isData));
  }
  // Several responses with a few calls each have the same content as one response.
  const parts: Record<string, unknown>[] = [];
  for (let from: string | null = "directory"; from !== null; ) {
    const part: Record<string, unknown>[] = await exportLines(account, { from, maxCalls: 3 });
    parts.push(...part);
    const last = part.at(-1);
    expect(last?.lines).toBe(part.length - 1);
    from = last?.type === "continue" ? String(last.cursor) : null;
  }
  const withoutTime = (line: Record<string, unknown>) => ({ ...line, exported_at: null });
  expect(parts.filter(isData).map(withoutTime)).toEqual(whole.filter(isData).map(withoutTime));
});

it.each(["webhooks", "jobs", "jobs.live~a~b", "ledger~1~2", "account~", "directory~x", '{"table":"webhooks"}'])(
  "refuses the cursor %s",
  (cursor) => {
    expect(() => readExportCursor(cursor)).toThrow("The cursor is invalid.");
  },
);
