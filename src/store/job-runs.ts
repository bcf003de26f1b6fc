// Who works on a job: every change of hands is one guarded statement.
import type { Job, JobError, JobExtras } from "../model/job";
import { LEASE_MS, MAX_RUNS, SYNC_WAIT_MS } from "../model/limits";
import { COLUMNS, type JobRow, toJob } from "./job-row";
import { getJob } from "./jobs";

export type Claim =
  | { kind: "run"; job: Job }
  /** Ended, or never there: nothing to do. */
  | { kind: "gone" }
  /** Somebody else works on it until then (Unix ms). */
  | { kind: "leased"; until: number }
  /** Its runs are used up, and the last one died. */
  | { kind: "exhausted"; job: Job };

/** If the first run died, its caller has disconnected, and no caller waits longer than a minute: the job is asynchronous. */
const STILL_WAITING = `waiting AND status = 'queued' AND created_at > ?2 - ${SYNC_WAIT_MS}`;

/** Takes the job for one run: queued, or processing with a lease that ran out. One guarded statement, one winner. */
export async function claimJob(db: D1Database, id: string, now: number): Promise<Claim> {
  const row = await db
    .prepare(
      `UPDATE jobs
       SET status = 'processing', waiting = ${STILL_WAITING}, run = run + 1, counted_runs = counted_runs + 1, lease_until = ?2 + ${LEASE_MS},
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

/** A job that has just ended. */
export interface Ended {
  /** Its event has to be pushed: the delivery was written with the end. */
  pushes: boolean;
}

/** As the triggers have it. */
const PUSHES = `webhook_url IS NOT NULL AND (waiting = 0 OR ended_at > created_at + ${SYNC_WAIT_MS}) AS pushes`;

function toEnded(row: { pushes: number } | null): Ended | null {
  return row === null ? null : { pushes: row.pushes === 1 };
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

/**
 * Completes the job. Returns null if this run has lost its lease. The trigger `jobs_ended` in schema.sql charges the
 * reserved credits in the same transaction.
 */
export async function completeJob(db: D1Database, end: Completion): Promise<Ended | null> {
  return await endJob(
    db,
    end,
    db
      .prepare(
        `UPDATE jobs SET status = 'completed', result = ?3, result_stored = ?4, credits_used = ?5,
           processing_time_ms = ?6, ended_at = ?7, meta = ?8, lease_until = NULL, wake_at = NULL
         WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING ${PUSHES}`,
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

/** Ends the job with its error; null when this run has lost it. */
export async function failJob(db: D1Database, end: Failure): Promise<Ended | null> {
  return await endJob(
    db,
    end,
    db
      .prepare(
        `UPDATE jobs SET status = 'failed', error_code = ?3, error_message = ?4, error_status = ?5, error_retryable = ?6,
           processing_time_ms = ?7, ended_at = ?8, lease_until = NULL, wake_at = NULL
         WHERE id = ?1 AND run = ?2 AND status = 'processing' RETURNING ${PUSHES}`,
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
export async function failExhaustedJob(
  db: D1Database,
  id: string,
  error: JobError,
  now: number,
): Promise<Ended | null> {
  const row = await db
    .prepare(
      `UPDATE jobs SET status = 'failed', error_code = ?2, error_message = ?3, error_status = ?4, error_retryable = ?5,
         processing_time_ms = 0, ended_at = ?6, lease_until = NULL, wake_at = NULL
       WHERE id = ?1 AND counted_runs >= ${MAX_RUNS}
         AND (status = 'queued' OR (status = 'processing' AND lease_until <= ?6)) RETURNING ${PUSHES}`,
    )
    .bind(id, error.code, error.message, error.status, error.retryable ? 1 : 0, now)
    .first<{ pushes: number }>();
  return toEnded(row);
}

/**
 * D1 doesn't retry writes, and one that threw may have been committed: the row is asked. "No row changed, but ended by
 * my run" is success.
 */
async function endJob(
  db: D1Database,
  { id, run }: { id: string; run: number },
  statement: D1PreparedStatement,
): Promise<Ended | null> {
  let thrown: { cause: unknown } | null = null;
  try {
    const ended = await statement.first<{ pushes: number }>();
    if (ended !== null) return toEnded(ended);
  } catch (cause) {
    thrown = { cause };
  }
  const row = await db
    .prepare(`SELECT ${PUSHES} FROM jobs WHERE id = ?1 AND run = ?2 AND status IN ('completed', 'failed')`)
    .bind(id, run)
    .first<{ pushes: number }>();
  if (row === null && thrown !== null) throw thrown.cause;
  return toEnded(row);
}

/**
 * Makes a job asynchronous whose caller got a 202. If the job has ended already, its delivery is written now. Returns true if
 * that delivery must be started.
 */
export async function detachJob(db: D1Database, id: string): Promise<boolean> {
  const row = await db
    .prepare(
      "UPDATE jobs SET waiting = 0 WHERE id = ?1 RETURNING webhook_url IS NOT NULL AND ended_at IS NOT NULL AS pushes",
    )
    .bind(id)
    .first<{ pushes: number }>();
  return row?.pushes === 1;
}

/** From now on nobody waits for this job: it is an asynchronous one. False when it has ended already. */
export async function stopWaiting(db: D1Database, id: string): Promise<boolean> {
  const row = await db
    .prepare("UPDATE jobs SET waiting = 0 WHERE id = ?1 AND status IN ('queued', 'processing') RETURNING id")
    .bind(id)
    .first();
  return row !== null;
}
