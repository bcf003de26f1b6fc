import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { runCron } from "../../src/cron";
import { newId } from "../../src/lib/id";
import { CRON_BATCH, DAY_MS, DELIVERY_WAKE_MS, FIRST_WAKE_MS, MINUTE_MS } from "../../src/model/limits";
import { createAccount } from "../support/client";
import { insertJobs, recordingQueues } from "../support/lost";

const BACKLOG = 10_000;

afterEach(async () => {
  // What one test left isn't another's backlog.
  await env.DB.batch([
    env.DB.prepare("UPDATE jobs SET wake_at = NULL WHERE wake_at IS NOT NULL"),
    env.DB.prepare("UPDATE deliveries SET wake_at = NULL WHERE wake_at IS NOT NULL"),
  ]);
});

/** The database, which counts the rows that its statements read and write. */
function countingDatabase() {
  const counted = { statements: 0, read: 0, written: 0 };
  const note = <T extends { meta: D1Meta }>(result: T): T => {
    counted.statements++;
    counted.read += result.meta.rows_read;
    counted.written += result.meta.rows_written;
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: async () => note(await statement.all()),
      run: async () => note(await statement.run()),
      first: (column: string) => statement.first(column),
      inner: statement,
    }) as unknown as D1PreparedStatement;
  const DB = {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: async (statements: { inner: D1PreparedStatement }[]) =>
      (await env.DB.batch(statements.map(({ inner }) => inner))).map(note),
  } as unknown as D1Database;
  return { counted, DB };
}

/** Ends these jobs, as their runs would. */
async function endJobs(ids: string[], now: number): Promise<void> {
  await env.DB.prepare(
    `UPDATE jobs SET status = 'failed', ended_at = ?2, wake_at = NULL, expired = 1
     WHERE status = 'queued' AND id IN (SELECT value FROM json_each(?1))`,
  )
    .bind(JSON.stringify(ids), now)
    .run();
}

async function insertDeliveries(count: number, createdAt: number): Promise<string[]> {
  const accountId = await createAccount();
  const ids = Array.from({ length: count }, newId);
  await env.DB.prepare(
    `INSERT INTO deliveries (id, account_id, mode, event, url, origin, next_attempt_at, wake_at, created_at)
     SELECT value, ?2, 'live', 'job.completed', 'https://receiver.example', 'https://x', ?3, ?3 + ${DELIVERY_WAKE_MS}, ?3
     FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), accountId, createdAt)
    .run();
  return ids;
}

describe(`under a backlog of ${BACKLOG} jobs`, () => {
  it("a cron run does bounded work, sends no job each minute, and starves none that got lost just now", async () => {
    const start = Date.now() + DAY_MS;
    const old = await insertJobs(BACKLOG, start);
    const { sent, bindings } = recordingQueues();
    const sends = new Map<string, number>();
    const { counted, DB } = countingDatabase();
    let most = { statements: 0, read: 0, written: 0 };
    for (let minute = 2; minute <= 60; minute++) {
      const now = start + minute * MINUTE_MS;
      const [lost = ""] = minute % 7 === 0 ? await insertJobs(1, now - FIRST_WAKE_MS) : [];
      sent.jobs.length = 0;
      Object.assign(counted, { statements: 0, read: 0, written: 0 });
      await runCron({ ...bindings, DB }, now);
      most = {
        statements: Math.max(most.statements, counted.statements),
        read: Math.max(most.read, counted.read),
        written: Math.max(most.written, counted.written),
      };
      expect(sent.jobs.length).toBeLessThanOrEqual(CRON_BATCH);
      if (lost !== "") expect(sent.jobs).toContain(lost);
      for (const id of sent.jobs) sends.set(id, (sends.get(id) ?? 0) + 1);
    }
    expect(most.statements).toBeLessThan(30);
    expect(most.read).toBeLessThan(BACKLOG);
    expect(most.written).toBeLessThan(5 * CRON_BATCH);
    const times = old.map((id) => sends.get(id) ?? 0);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...times)).toBeLessThanOrEqual(5);
  });

  it("everything is worked off, also while others get lost", async () => {
    const start = Date.now() + 2 * DAY_MS;
    const lost = new Set(await insertJobs(BACKLOG, start));
    const { sent, bindings } = recordingQueues();
    let minute = 2;
    for (; lost.size > 0 && minute < 60; minute++) {
      const now = start + minute * MINUTE_MS;
      if (minute < 20) for (const id of await insertJobs(100, now - FIRST_WAKE_MS)) lost.add(id);
      sent.jobs.length = 0;
      await runCron(bindings, now);
      await endJobs(sent.jobs, now);
      for (const id of sent.jobs) lost.delete(id);
    }
    expect(lost.size).toBe(0);
    // 11,800 at 500 a minute.
    expect(minute - 2).toBeLessThanOrEqual(24);
  });
});

describe(`under a backlog of ${BACKLOG} deliveries`, () => {
  it("a bounded number is started in a cron run, and one that got lost just now among them", async () => {
    const start = Date.now() + 3 * DAY_MS;
    const old = await insertDeliveries(BACKLOG, start);
    const started = new Map<string, number>();
    let count = 0;
    const begin = async (id: string) => {
      count++;
      started.set(id, (started.get(id) ?? 0) + 1);
    };
    const WEBHOOK_DELIVERY = { getByName: () => ({ start: begin }) } as unknown as Env["WEBHOOK_DELIVERY"];
    const bindings = { ...recordingQueues().bindings, WEBHOOK_DELIVERY };
    for (let minute = 1; minute <= 40; minute++) {
      const now = start + minute * MINUTE_MS;
      const [lost = ""] = minute % 5 === 0 ? await insertDeliveries(1, now - DELIVERY_WAKE_MS) : [];
      count = 0;
      await runCron(bindings, now);
      expect(count).toBeLessThanOrEqual(500);
      if (lost !== "") expect(started.get(lost)).toBe(1);
    }
    const times = old.map((id) => started.get(id) ?? 0);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...times)).toBeLessThanOrEqual(6);
  });
});
