import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { JobStatus } from "../model/job";
import type { Transaction } from "./transaction";

/** A job as a line of a table, without its request and result. */
export interface JobLine {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** The beginning of the URL, of the query, or of the prompt of HTML that was sent along. Null: it isn't in the row. */
  subject: string | null;
  engine: string | null;
  errorCode: ErrorCode | null;
  outcome: string | null;
  /** The key that the request was made with, or `dashboard`. */
  keyId: string;
  /** Reserved until the job ends, then what was charged. */
  credits: number;
  processingTimeMs: number | null;
  createdAt: number;
  /** True if the retention is over: the request and the result were deleted. */
  expired: boolean;
}

interface JobLineRow extends Record<string, SqlStorageValue> {
  id: string;
  endpoint: string;
  status: string;
  subject: string | null;
  engine: string | null;
  code: string | null;
  outcome: string | null;
  key_id: string;
  credits: number;
  processing_time_ms: number | null;
  created_at: number;
  expired: number;
}

/** Returns the lines of these jobs, newest first. */
export function listLines(tx: Transaction, mode: Mode, ids: string[]): JobLine[] {
  const rows = tx.all<JobLineRow>(
    `SELECT id, endpoint, status, substr(COALESCE(subject, json_extract(request, '$.prompt')), 1, 300) AS subject,
       json_extract(request, '$.engine') AS engine, code, outcome, key_id,
       CASE WHEN ended_at IS NULL THEN credits ELSE credits_used END AS credits, processing_time_ms, created_at, expired
     FROM jobs WHERE mode = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY id DESC`,
    mode,
    JSON.stringify(ids),
  );
  return rows.map((row) => ({
    id: row.id,
    endpoint: row.endpoint as Endpoint,
    status: row.status as JobStatus,
    subject: row.subject,
    engine: row.engine,
    errorCode: row.code as ErrorCode | null,
    outcome: row.outcome,
    keyId: row.key_id,
    credits: row.credits,
    processingTimeMs: row.processing_time_ms,
    createdAt: row.created_at,
    expired: row.expired === 1,
  }));
}
