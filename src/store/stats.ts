import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { JobStatus } from "../model/job";

interface Owner {
  accountId: string;
  mode: Mode;
}

/** How one job ended: no more of it than the index holds. */
export interface Outcome {
  id: string;
  endpoint: Endpoint;
  /** Null: it completed. */
  errorCode: ErrorCode | null;
  processingTimeMs: number | null;
}

interface OutcomeRow {
  id: string;
  endpoint: Endpoint;
  error_code: ErrorCode | null;
  processing_time_ms: number | null;
}

const OUTCOME_COLUMNS = "id, endpoint, error_code, processing_time_ms";

/** The latest ended jobs that were made since the id `since`, newest first: `limit` of them at most. */
export async function listOutcomes(
  db: D1Database,
  { accountId, mode, since, limit }: Owner & { since: string; limit: number },
): Promise<Outcome[]> {
  // Each half stops at the limit, and jobs_by_account_status answers both alone: neither a long backlog nor millions of
  // jobs make it slower.
  const { results } = await db
    .prepare(
      `SELECT ${OUTCOME_COLUMNS} FROM (${outcomesOf("completed")})
       UNION ALL SELECT ${OUTCOME_COLUMNS} FROM (${outcomesOf("failed")})
       ORDER BY id DESC LIMIT ?4`,
    )
    .bind(accountId, mode, since, limit)
    .all<OutcomeRow>();
  return results.map((row) => ({
    id: row.id,
    endpoint: row.endpoint,
    errorCode: row.error_code,
    processingTimeMs: row.processing_time_ms,
  }));
}

function outcomesOf(status: "completed" | "failed"): string {
  return `SELECT ${OUTCOME_COLUMNS} FROM jobs
    WHERE account_id = ?1 AND mode = ?2 AND status = '${status}' AND id >= ?3 ORDER BY id DESC LIMIT ?4`;
}

/** A job as a line of a short list. */
export interface LatestJob {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** The URL or the query; null when the request lies elsewhere, or has neither. */
  target: string | null;
  errorCode: ErrorCode | null;
  creditsUsed: number;
  processingTimeMs: number | null;
  createdAt: number;
}

interface LatestRow {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  target: string | null;
  error_code: ErrorCode | null;
  credits_used: number;
  processing_time_ms: number | null;
  created_at: number;
}

/** Newest first, without counting how many there are. */
export async function listLatestJobs(
  db: D1Database,
  { accountId, mode, limit }: Owner & { limit: number },
): Promise<LatestJob[]> {
  const { results } = await db
    .prepare(
      `SELECT id, endpoint, status, COALESCE(json_extract(request, '$.url'), json_extract(request, '$.query')) AS target,
         error_code, credits_used, processing_time_ms, created_at
       FROM jobs WHERE account_id = ?1 AND mode = ?2 ORDER BY id DESC LIMIT ?3`,
    )
    .bind(accountId, mode, limit)
    .all<LatestRow>();
  return results.map((row) => ({
    id: row.id,
    endpoint: row.endpoint,
    status: row.status,
    target: row.target,
    errorCode: row.error_code,
    creditsUsed: row.credits_used,
    processingTimeMs: row.processing_time_ms,
    createdAt: row.created_at,
  }));
}

/** What somebody new has done already, in either mode. */
export interface Beginnings {
  hasKey: boolean;
  /** Any job: the playground's too. */
  hasJob: boolean;
  /** One of its keys was used. */
  hasCalled: boolean;
}

export async function readBeginnings(db: D1Database, accountId: string): Promise<Beginnings> {
  const row = await db
    .prepare(
      `SELECT
         EXISTS (SELECT 1 FROM api_keys WHERE account_id = ?1) AS has_key,
         EXISTS (SELECT 1 FROM jobs WHERE account_id = ?1) AS has_job,
         EXISTS (SELECT 1 FROM api_keys WHERE account_id = ?1 AND last_used_at IS NOT NULL) AS has_called`,
    )
    .bind(accountId)
    .first<{ has_key: number; has_job: number; has_called: number }>();
  return { hasKey: row?.has_key === 1, hasJob: row?.has_job === 1, hasCalled: row?.has_called === 1 };
}
