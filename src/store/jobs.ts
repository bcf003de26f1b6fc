import type { Endpoint, JobStatus } from "../contract/common";
import type { ErrorCode } from "../errors";
import type { Job, JobError, JobExtras, NewJob } from "../jobs/job";
import type { Mode } from "../keys/api-key";
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, LEASE_MS, MAX_RUNS, MAX_WAKE_BACKOFF_MS } from "../limits";

interface JobRow {
  id: string;
  account_id: string;
  mode: Mode;
  endpoint: Endpoint;
  status: JobStatus;
  request: string | null;
  rendered: number;
  webhook_url: string | null;
  origin: string;
  credits: number;
  created_at: number;
  run: number;
  counted_runs: number;
  lease_until: number | null;
  result: string | null;
  result_stored: number;
  meta: string | null;
  credits_used: number;
  error_code: ErrorCode | null;
  error_message: string | null;
  error_status: number | null;
  error_retryable: number | null;
  processing_time_ms: number | null;
  ended_at: number | null;
}

const COLUMNS = `id, account_id, mode, endpoint, status, request, rendered, webhook_url, origin, credits, created_at,
  run, counted_runs, lease_until, result, result_stored, meta, credits_used, error_code, error_message, error_status,
  error_retryable, processing_time_ms, ended_at`;

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    accountId: row.account_id,
    mode: row.mode,
    endpoint: row.endpoint,
    status: row.status,
    request: row.request,
    rendered: row.rendered === 1,
    webhookUrl: row.webhook_url,
    origin: row.origin,
    credits: row.credits,
    createdAt: row.created_at,
    run: row.run,
    countedRuns: row.counted_runs,
    leaseUntil: row.lease_until,
    result: row.result,
    resultStored: row.result_stored === 1,
    extras: row.meta === null ? null : JSON.parse(row.meta),
    creditsUsed: row.credits_used,
    error:
      row.error_code === null
        ? null
        : {
            code: row.error_code,
            message: row.error_message ?? "",
            status: row.error_status ?? 500,
            retryable: row.error_retryable === 1,
          },
    processingTimeMs: row.processing_time_ms,
    endedAt: row.ended_at,
  };
}

export interface Idempotency {
  key: string;
  bodyHash: string;
}

export type Insertion =
  | { kind: "inserted"; job: Job }
  /** The caller's Idempotency-Key stands for this job already. */
  | { kind: "repeated"; jobId: string; bodyHash: string }
  | { kind: "insufficient_credits" };

/**
 * Inserts the job and reserves its credits, in one transaction: both or nothing. One that a caller waits for begins
 * claimed, by the run of that caller: should it die, the lease runs out as any other's.
 */
export async function insertJob(db: D1Database, job: NewJob, idempotency: Idempotency | null): Promise<Insertion> {
  const owner = [job.accountId, job.mode, job.endpoint];
  const first =
    idempotency === null
      ? []
      : [
          db
            .prepare(
              `DELETE FROM idempotency_keys WHERE account_id = ?1 AND mode = ?2 AND endpoint = ?3 AND key = ?4 AND created_at <= ?5`,
            )
            .bind(...owner, idempotency.key, job.createdAt - IDEMPOTENCY_MS),
          db
            .prepare(
              `INSERT INTO idempotency_keys (account_id, mode, endpoint, key, body_hash, job_id, created_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
            )
            .bind(...owner, idempotency.key, idempotency.bodyHash, job.id, job.createdAt),
        ];
  try {
    const results = await db.batch<JobRow>([...first, insertStatement(db, job)]);
    const row = results.at(-1)?.results[0];
    if (row === undefined) throw new Error(`Job ${job.id} was not inserted.`);
    return { kind: "inserted", job: toJob(row) };
  } catch (error) {
    const words = error instanceof Error ? error.message : "";
    if (/CHECK constraint failed: balance/.test(words)) return { kind: "insufficient_credits" };
    if (idempotency !== null && /UNIQUE constraint failed: idempotency_keys/.test(words)) {
      const row = await db
        .prepare(
          `SELECT job_id, body_hash FROM idempotency_keys WHERE account_id = ?1 AND mode = ?2 AND endpoint = ?3 AND key = ?4`,
        )
        .bind(...owner, idempotency.key)
        .first<{ job_id: string; body_hash: string }>();
      if (row !== null && row.job_id !== job.id)
        return { kind: "repeated", jobId: row.job_id, bodyHash: row.body_hash };
    }
    // A batch that threw may have been committed.
    const inserted = await getJob(db, job.id);
    if (inserted === null) throw error;
    return { kind: "inserted", job: inserted };
  }
}

function insertStatement(db: D1Database, job: NewJob): D1PreparedStatement {
  const leaseUntil = job.waiting ? job.createdAt + LEASE_MS : null;
  return db
    .prepare(
      `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, webhook_url, origin,
        credits, created_at, run, counted_runs, lease_until, wake_at)
       VALUES (?1, ?2, ?16, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14, ?15)
       RETURNING ${COLUMNS}`,
    )
    .bind(
      job.id,
      job.accountId,
      job.mode,
      job.endpoint,
      job.waiting ? "processing" : "queued",
      job.request,
      job.rendered ? 1 : 0,
      job.waiting ? 1 : 0,
      job.webhookUrl,
      job.origin,
      job.credits,
      job.createdAt,
      job.waiting ? 1 : 0,
      leaseUntil,
      leaseUntil ?? job.createdAt + FIRST_WAKE_MS,
      job.keyId,
    );
}

export async function getJob(db: D1Database, id: string): Promise<Job | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM jobs WHERE id = ?1`).bind(id).first<JobRow>();
  return row === null ? null : toJob(row);
}

export interface JobFilter {
  accountId: string;
  mode: Mode;
  /** Those of one key alone; undefined: of all keys of the account. */
  keyId: string | undefined;
  status: JobStatus | undefined;
  endpoint: Endpoint | undefined;
  limit: number;
  offset: number;
}

/** Newest first, with the number of all that match. */
export async function listJobs(db: D1Database, filter: JobFilter): Promise<{ jobs: Job[]; total: number }> {
  const conditions = ["account_id = ?1", "mode = ?2"];
  const values: (string | number)[] = [filter.accountId, filter.mode];
  for (const [column, value] of [
    ["key_id", filter.keyId],
    ["status", filter.status],
    ["endpoint", filter.endpoint],
  ] as const) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(`${column} = ?${values.length}`);
  }
  const where = conditions.join(" AND ");
  const [page, count] = await db.batch<JobRow | { total: number }>([
    db
      .prepare(
        `SELECT ${COLUMNS} FROM jobs WHERE ${where} ORDER BY id DESC LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`,
      )
      .bind(...values, filter.limit, filter.offset),
    db.prepare(`SELECT COUNT(*) AS total FROM jobs WHERE ${where}`).bind(...values),
  ]);
  const counted = count?.results[0] as { total: number } | undefined;
  return { jobs: ((page?.results ?? []) as JobRow[]).map(toJob), total: counted?.total ?? 0 };
}

export type Claim =
  | { kind: "run"; job: Job }
  /** Ended, or never there: nothing to do. */
  | { kind: "gone" }
  /** Somebody else works on it until then (Unix ms). */
  | { kind: "leased"; until: number }
  /** Its runs are used up, and the last one died. */
  | { kind: "exhausted"; job: Job };

/** Takes the job for one run: queued, or processing with a lease that ran out. One guarded statement, one winner. */
export async function claimJob(db: D1Database, id: string, now: number): Promise<Claim> {
  const row = await db
    .prepare(
      `UPDATE jobs
       SET status = 'processing', run = run + 1, counted_runs = counted_runs + 1, lease_until = ?2 + ${LEASE_MS},
         wake_at = ?2 + ${LEASE_MS}, looks = 0
       WHERE id = ?1 AND (status = 'queued' OR (status = 'processing' AND lease_until <= ?2))
         AND counted_runs < ${MAX_RUNS}
       RETURNING ${COLUMNS}`,
    )
    .bind(id, now)
    .first<JobRow>();
  if (row !== null) return { kind: "run", job: toJob(row) };
  const job = await getJob(db, id);
  if (job === null || job.endedAt !== null) return { kind: "gone" };
  if (job.leaseUntil !== null && job.leaseUntil > now) return { kind: "leased", until: job.leaseUntil };
  if (job.countedRuns >= MAX_RUNS) return { kind: "exhausted", job };
  // It changed between the two statements: look again soon.
  return { kind: "leased", until: now + 1_000 };
}

/** Holds the lease for another minute; false when this run has lost it. */
export async function renewLease(db: D1Database, id: string, run: number, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `UPDATE jobs SET lease_until = ?3 + ${LEASE_MS}, wake_at = ?3 + ${LEASE_MS}
       WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING id`,
    )
    .bind(id, run, now)
    .first();
  return row !== null;
}

/** Puts the job back in line; false when this run has lost it. A run that doesn't count leaves the job its three. */
export async function releaseJob(
  db: D1Database,
  { id, run, counts, wakeAt }: { id: string; run: number; counts: boolean; wakeAt: number },
): Promise<boolean> {
  const row = await db
    .prepare(
      `UPDATE jobs SET status = 'queued', lease_until = NULL, wake_at = ?3, counted_runs = counted_runs - ?4
       WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING id`,
    )
    .bind(id, run, wakeAt, counts ? 0 : 1)
    .first();
  return row !== null;
}

export interface Completion {
  id: string;
  run: number;
  /** JSON for the row, or null when it was stored in R2. */
  result: string | null;
  meta: JobExtras | null;
  creditsUsed: number;
  processingTimeMs: number;
  endedAt: number;
}

/** Ends the job well, when this run still holds it. */
export async function completeJob(db: D1Database, end: Completion): Promise<boolean> {
  return await endJob(
    db,
    end,
    db
      .prepare(
        `UPDATE jobs SET status = 'completed', result = ?3, result_stored = ?4, credits_used = ?5,
           processing_time_ms = ?6, ended_at = ?7, meta = ?8, lease_until = NULL, wake_at = NULL
         WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING id`,
      )
      .bind(
        end.id,
        end.run,
        end.result,
        end.result === null ? 1 : 0,
        end.creditsUsed,
        end.processingTimeMs,
        end.endedAt,
        end.meta === null ? null : JSON.stringify(end.meta),
      ),
  );
}

export interface Failure {
  id: string;
  run: number;
  error: JobError;
  processingTimeMs: number;
  endedAt: number;
}

/** Ends the job with its error, when this run still holds it. */
export async function failJob(db: D1Database, end: Failure): Promise<boolean> {
  return await endJob(
    db,
    end,
    db
      .prepare(
        `UPDATE jobs SET status = 'failed', error_code = ?3, error_message = ?4, error_status = ?5, error_retryable = ?6,
           processing_time_ms = ?7, ended_at = ?8, lease_until = NULL, wake_at = NULL
         WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING id`,
      )
      .bind(
        end.id,
        end.run,
        end.error.code,
        end.error.message,
        end.error.status,
        end.error.retryable ? 1 : 0,
        end.processingTimeMs,
        end.endedAt,
      ),
  );
}

/** Fails a job whose last run died: nobody holds it, so its runs being used up is the guard. */
export async function failExhaustedJob(db: D1Database, id: string, error: JobError, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `UPDATE jobs SET status = 'failed', error_code = ?2, error_message = ?3, error_status = ?4, error_retryable = ?5,
         processing_time_ms = 0, ended_at = ?6, lease_until = NULL, wake_at = NULL
       WHERE id = ?1 AND counted_runs >= ${MAX_RUNS}
         AND (status = 'queued' OR (status = 'processing' AND lease_until <= ?6)) RETURNING id`,
    )
    .bind(id, error.code, error.message, error.status, error.retryable ? 1 : 0, now)
    .first();
  return row !== null;
}

/**
 * D1 doesn't retry writes, and one that threw may have been committed: the row is asked. "No row changed, but ended by
 * my run" is success.
 */
async function endJob(
  db: D1Database,
  { id, run }: { id: string; run: number },
  statement: D1PreparedStatement,
): Promise<boolean> {
  let thrown: { cause: unknown } | null = null;
  try {
    if ((await statement.first()) !== null) return true;
  } catch (cause) {
    thrown = { cause };
  }
  const row = await db
    .prepare("SELECT 1 AS mine FROM jobs WHERE id = ?1 AND run = ?2 AND status IN ('completed', 'failed')")
    .bind(id, run)
    .first();
  if (row === null && thrown !== null) throw thrown.cause;
  return row !== null;
}

/** From now on nobody waits for this job: it is an asynchronous one. False when it has ended already. */
export async function stopWaiting(db: D1Database, id: string): Promise<boolean> {
  const row = await db
    .prepare("UPDATE jobs SET waiting = 0 WHERE id = ?1 AND status IN ('queued', 'processing') RETURNING id")
    .bind(id)
    .first();
  return row !== null;
}

export interface DueJob {
  id: string;
  rendered: boolean;
}

/**
 * Jobs that somebody should have looked after by now, each put off to its next look: twice as late each time, so that
 * a backlog isn't sent again every minute.
 */
export async function takeDueJobs(db: D1Database, now: number, limit: number): Promise<DueJob[]> {
  const { results } = await db
    .prepare(
      `UPDATE jobs SET looks = looks + 1, wake_at = ?1 + MIN(${FIRST_WAKE_MS} << MIN(looks, 10), ${MAX_WAKE_BACKOFF_MS})
       WHERE id IN (SELECT id FROM jobs WHERE wake_at <= ?1 ORDER BY wake_at LIMIT ?2)
       RETURNING id, rendered`,
    )
    .bind(now, limit)
    .all<{ id: string; rendered: number }>();
  return results.map((row) => ({ id: row.id, rendered: row.rendered === 1 }));
}

/** Results that are older than `before` (Unix ms) leave their rows; the jobs stay listed. Returns those whose parts lie in R2. */
export async function expireResults(
  db: D1Database,
  before: number,
  limit: number,
): Promise<{ id: string; run: number }[]> {
  const { results } = await db
    .prepare(
      `UPDATE jobs SET result = NULL, result_stored = 0, request = NULL, expired = 1
       WHERE id IN (SELECT id FROM jobs WHERE expired = 0 AND ended_at <= ?1 ORDER BY ended_at LIMIT ?2)
       RETURNING id, run`,
    )
    .bind(before, limit)
    .all<{ id: string; run: number }>();
  return results;
}

/** Idempotency keys that stand for nothing any more; returns how many. */
export async function deleteOldIdempotencyKeys(db: D1Database, now: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM idempotency_keys WHERE created_at <= ?1")
    .bind(now - IDEMPOTENCY_MS)
    .run();
  return meta.changes;
}
