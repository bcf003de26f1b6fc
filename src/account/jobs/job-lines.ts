import { toIdTime } from "../../lib/id";
import type { Mode } from "../../model/api-key";
import type { Endpoint } from "../../model/endpoint";
import type { ErrorCode } from "../../model/errors";
import type { JobStatus } from "../../model/job";
import type { RowOf, Transaction } from "../storage/transaction";

/** A job as a row of the dashboard's job list, without its request and result. Times are Unix ms. */
export interface JobLine {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** The URL, the query, or the first 300 characters of the prompt. Null if the row has none of them. */
  subject: string | null;
  engine: string | null;
  errorCode: ErrorCode | null;
  outcome: string | null;
  /** The id of the API key that made the request, or `dashboard`. */
  keyId: string;
  /** The reserved credits while the job is unfinished, then the charged credits. */
  credits: number;
  processingTimeMs: number | null;
  createdAt: number;
  /** True if retention has deleted the request and the result. */
  expired: boolean;
}

/** Returns the list rows of the jobs with these ids, newest first. */
export function listLines(tx: Transaction, mode: Mode, ids: string[]): JobLine[] {
  const rows = tx.all<RowOf<Omit<JobLine, "createdAt">>>(
    `SELECT id, endpoint, status, COALESCE(subject, substr(json_extract(request, '$.prompt'), 1, 300)) AS subject,
       json_extract(request, '$.engine') AS engine, code AS errorCode, outcome, key_id AS keyId,
       CASE WHEN ended_at IS NULL THEN credits ELSE credits_used END AS credits,
       processing_time_ms AS processingTimeMs, expired
     FROM jobs WHERE mode = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY id DESC`,
    ...[mode, JSON.stringify(ids)],
  );
  return rows.map((row) => ({ ...row, createdAt: toIdTime(row.id), expired: row.expired === 1 }));
}
