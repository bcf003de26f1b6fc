// An account's Durable Object that can be filled with test jobs, and that measures its transactions. Only the parts
// `large-account` and `transactions` of the bench use this Worker.
import { Account } from "../../src/account/object";
import type { MeasuredTransaction } from "./transactions";

interface LargeEnv {
  ACCOUNT: DurableObjectNamespace<LargeAccount>;
}

const TAG = "0123456789";
const DAYS = 30;
const DAY_MS = 86_400_000;
const CODES = ["dns_failure", "connection_failed", "target_http_error", "target_timeout", "blocked_by_target"];

export class LargeAccount extends Account {
  #measured: MeasuredTransaction[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { storage } = ctx;
    const [transact, exec] = [storage.transactionSync.bind(storage), storage.sql.exec.bind(storage.sql)];
    let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    Object.defineProperty(storage.sql, "exec", {
      value: (query: string, ...values: unknown[]) => {
        const cursor = exec(query, ...values);
        cursors.push(cursor);
        return cursor;
      },
    });
    Object.defineProperty(storage, "transactionSync", {
      value: <T>(work: () => T): T => {
        cursors = [];
        const startedAt = performance.now();
        try {
          return transact(work);
        } finally {
          const rowsWritten = cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0);
          this.#measured.push({ ms: performance.now() - startedAt, statements: cursors.length, rowsWritten });
        }
      },
    });
  }

  /**
   * Calls a method, and returns the transactions that it ran. The local runtime's clock advances during a transaction,
   * in contrast to Cloudflare's.
   */
  async measure(
    method: keyof Account,
    args: unknown[],
  ): Promise<{ reply: unknown; transactions: MeasuredTransaction[] }> {
    this.#measured = [];
    const call = this[method] as unknown as (...args: unknown[]) => unknown;
    const reply = await call.apply(this, args);
    return { reply, transactions: this.#measured };
  }

  /** Runs a statement that prepares a measurement. Call `restart` if it changes unfinished jobs. */
  run(query: string, ...values: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.ctx.storage.sql.exec(query, ...values).toArray();
  }

  /**
   * Inserts `count` jobs, starting with number `from`, oldest first. One in 12 jobs is failed. Almost all jobs belong
   * to five keys, only one in 1,000 jobs is a parse job, and every second job has labels.
   */
  fill({ from, count, total, until }: { from: number; count: number; total: number; until: number }): void {
    const { sql } = this.ctx.storage;
    const codes = JSON.stringify(CODES);
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1),
         job AS (
           SELECT i, CAST(?4 - (?3 - i) * (?5 / ?3) AS INTEGER) AS at, i % 12 = 5 AS failed,
             CASE WHEN i % 1000 = 1 THEN 'parse' WHEN i % 3 = 0 THEN 'serp' ELSE 'scrape' END AS endpoint,
             printf('0199b2be-03f6-7b1c-a6c2-%012x', CASE WHEN i % 100000 = 7 THEN 9 ELSE i % 5 END) AS key_id,
             CASE WHEN i % 120000 = 5 THEN 'tls_failure' ELSE json_extract(?6, '$[' || (i / 12 % 5) || ']') END AS code
           FROM n)
       INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, subject, request, rendered, waiting, origin, credits,
         created_at, run, attempts, result_in, meta, credits_used, outcome, code, error, processing_time_ms, ended_at,
         receipt, metadata)
       SELECT 'live', printf('%08x-%04x-7%03x-8%03x-%02x${TAG}', at >> 16, at & 65535, i % 4096, i / 4096 % 4096, i % 256),
         key_id, endpoint, iif(failed, 'failed', 'completed'), 0,
         'https://www.shop-' || (i % 9973) || '.example/catalog/products/' || i || '?ref=newsletter',
         '{"url":"https://www.shop-' || (i % 9973) || '.example/catalog/products/' || i || '","formats":["markdown","links"]}',
         0, 0, 'https://api.example', 1, at, 1, 1, iif(failed, NULL, 'payload'),
         iif(endpoint = 'parse', '{"model_used":"gpt-5.4-mini","rendered":false,"parts":1}', NULL), 1 - failed,
         iif(failed, NULL, iif(i % 50 = 3, 'login', 'ok')), iif(failed, code, NULL),
         iif(failed, '{"message":"The host did not send its complete response within 30 seconds.","status":504,"retryable":true}', NULL),
         80 + i % 3000, at + 80 + i % 3000,
         '{"total":' || (1 - failed) || ',"lines":[{"item":"' || endpoint || '","credits":' || (1 - failed) || '}]}',
         iif(i % 2 = 0, char(10) || '"nightly"' || char(10) || '["order","' || i || '"]' || char(10) || '["shop",' || (i % 9973) || ',"number"]'
           || char(10), NULL)
       FROM job`,
      from,
      count,
      total,
      until,
      DAYS * DAY_MS,
      codes,
    );
  }

  /** Inserts the results of the latest jobs, makes some jobs unfinished, and inserts the usage of the finished jobs. */
  complete(): void {
    const { sql } = this.ctx.storage;
    sql.exec(
      `INSERT INTO payloads (mode, id, result)
       SELECT mode, id, json_object('markdown', hex(zeroblob(4000))) FROM jobs WHERE mode = 'live' AND code IS NULL
       ORDER BY id DESC LIMIT 5000`,
    );
    sql.exec(
      `UPDATE jobs SET status = 'queued', waits = 1, outcome = NULL, code = NULL, ended_at = NULL
       WHERE mode = 'live' AND id IN (SELECT id FROM jobs WHERE mode = 'live' ORDER BY id DESC LIMIT 2000)`,
    );
    sql.exec(
      `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
       SELECT mode, date(created_at / 1000, 'unixepoch'), key_id, endpoint, COALESCE(outcome, code), code IS NOT NULL, COUNT(*),
         SUM(credits_used), (SELECT json_group_object(value, 7) FROM json_each('[48,52,56,60,64,66,68,70,72,74,76,78,80,82,84]'))
       FROM jobs WHERE waits = 0 GROUP BY 1, 2, 3, 4, 5, 6`,
    );
  }

  /**
   * Returns the database size (bytes), and for each offset the id of the job at this position. Position 0 is the newest
   * job.
   */
  describe(offsets: number[]): { bytes: number; ids: string[] } {
    const { sql } = this.ctx.storage;
    const ids = offsets.flatMap((offset) =>
      sql
        .exec<{ id: string }>("SELECT id FROM jobs WHERE mode = 'live' ORDER BY id DESC LIMIT 1 OFFSET ?1", offset)
        .toArray(),
    );
    return { bytes: sql.databaseSize, ids: ids.map(({ id }) => id) };
  }

  /** Aborts the object. The next call starts it again. */
  restart(): void {
    this.ctx.abort("restart");
  }
}

type Call = { method: keyof LargeAccount; args: unknown[] };

export default {
  async fetch(request, env) {
    const { method, args } = await request.json<Call>();
    const stub = env.ACCOUNT.getByName("large") as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return Response.json((await stub[method]?.(...args)) ?? null);
  },
} satisfies ExportedHandler<LargeEnv>;
