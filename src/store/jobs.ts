import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { Job, JobStatus, NewJob, StoredJob } from "../model/job";
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, LEASE_MS } from "../model/limits";
import { COLUMNS, type JobRow, LISTED_COLUMNS, toJob } from "./job-row";
import { toWhere } from "./sql";

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
    await db.batch([...first, insertStatement(db, job)]);
    return { kind: "inserted", job: toInserted(job) };
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

/** The job as the row has it: the database isn't asked for what is known. */
function toInserted({ keyId: _, webhookUrl: __, waiting, ...job }: NewJob): Job {
  return {
    ...job,
    status: waiting ? "processing" : "queued",
    run: waiting ? 1 : 0,
    countedRuns: waiting ? 1 : 0,
    leaseUntil: waiting ? job.createdAt + LEASE_MS : null,
    result: null,
    resultStored: false,
    extras: null,
    creditsUsed: 0,
    error: null,
    processingTimeMs: null,
    endedAt: null,
  };
}

function insertStatement(db: D1Database, job: NewJob): D1PreparedStatement {
  const { status, run, leaseUntil } = toInserted(job);
  return db
    .prepare(
      `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, webhook_url, origin,
        credits, created_at, run, counted_runs, lease_until, wake_at)
       VALUES (?1, ?2, ?16, ?3, ?4, ?5, ?6, ?7, ?8,
         COALESCE(?9, (SELECT url FROM webhooks WHERE account_id = ?2 AND mode = ?3)), ?10, ?11, ?12, ?13, ?13, ?14, ?15)`,
    )
    .bind(
      job.id,
      job.accountId,
      job.mode,
      job.endpoint,
      status,
      job.request,
      job.rendered ? 1 : 0,
      job.waiting ? 1 : 0,
      job.webhookUrl,
      job.origin,
      job.credits,
      job.createdAt,
      run,
      leaseUntil,
      leaseUntil ?? job.createdAt + FIRST_WAKE_MS,
      job.keyId,
    );
}

export async function getJob(db: D1Database, id: string): Promise<StoredJob | null> {
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
export async function listJobs(db: D1Database, filter: JobFilter): Promise<{ jobs: StoredJob[]; total: number }> {
  const { where, values } = toWhere([
    ["account_id", filter.accountId],
    ["mode", filter.mode],
    ["key_id", filter.keyId],
    ["status", filter.status],
    ["endpoint", filter.endpoint],
  ]);
  const [page, count] = await db.batch<JobRow | { total: number }>([
    db
      .prepare(
        `SELECT ${LISTED_COLUMNS} FROM jobs WHERE ${where} ORDER BY id DESC LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`,
      )
      .bind(...values, filter.limit, filter.offset),
    db.prepare(`SELECT COUNT(*) AS total FROM jobs WHERE ${where}`).bind(...values),
  ]);
  const counted = count?.results[0] as { total: number } | undefined;
  return { jobs: ((page?.results ?? []) as JobRow[]).map(toJob), total: counted?.total ?? 0 };
}
