import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { streamAccountData } from "../../src/jobs/export-account";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DAY_MS } from "../../src/model/limits";
import { mustGetAccount } from "../../src/store/accounts";
import { newJob, sqlIn, stubOf } from "../support/account";
import { createAccount, refOf } from "../support/client";

const NOW = Date.now();

async function newAccount(): Promise<AccountRef> {
  return await refOf(await createAccount());
}

async function exportLines(account: AccountRef): Promise<Record<string, unknown>[]> {
  const stream = streamAccountData(env, await mustGetAccount(env.DB, account.id), NOW);
  const text = await new Response(stream).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
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
     INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, rendered, waiting, origin, credits, created_at, ended_at)
     SELECT 'test', substr(?1, 1, 19) || printf('%04x', i) || substr(?1, 24), 'key', 'scrape', 'completed', 0, 0, 0, '',
       1, ?2, ?2 FROM n`,
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
