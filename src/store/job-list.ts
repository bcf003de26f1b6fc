// Jobs as people look through them: a line each, however large what was asked and what came of it.

import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { JobStatus } from "../model/job";
import { toWhere } from "./sql";

export interface JobLine {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** What was asked, its beginning: the address, the query, or for HTML that was sent along the prompt. Null: not in the row. */
  subject: string | null;
  engine: string | null;
  errorCode: ErrorCode | null;
  /** Reserved while it is under way, then what it cost. */
  credits: number;
  processingTimeMs: number | null;
  createdAt: number;
  /** Its time was over: input and result are gone. */
  expired: boolean;
}

interface JobLineRow {
  id: string;
  endpoint: Endpoint;
  status: JobStatus;
  subject: string | null;
  engine: string | null;
  error_code: ErrorCode | null;
  credits: number;
  processing_time_ms: number | null;
  created_at: number;
  expired: number;
}

export interface JobLineFilter {
  accountId: string;
  mode: Mode;
  status: JobStatus | undefined;
  endpoint: Endpoint | undefined;
  limit: number;
  offset: number;
  /** Counting ends there: an account may have millions. */
  countTo: number;
}

/** Newest first, with the number of all that match, as far as they were counted. */
export async function listJobLines(
  db: D1Database,
  filter: JobLineFilter,
): Promise<{ lines: JobLine[]; total: number }> {
  const { where, values } = toWhere([
    ["account_id", filter.accountId],
    ["mode", filter.mode],
    ["status", filter.status],
    // With a `+` the column chooses no index: jobs_by_account_status holds the endpoint as well, the other one not the status.
    [filter.status === undefined ? "endpoint" : "+endpoint", filter.endpoint],
  ]);
  const [page, count] = await db.batch<JobLineRow | { total: number }>([
    db
      .prepare(
        `SELECT id, endpoint, status,
           substr(COALESCE(json_extract(request, '$.url'), json_extract(request, '$.query'),
             json_extract(request, '$.prompt')), 1, 300) AS subject,
           json_extract(request, '$.engine') AS engine, error_code,
           CASE WHEN ended_at IS NULL THEN credits ELSE credits_used END AS credits,
           processing_time_ms, created_at, expired
         FROM jobs WHERE ${where} ORDER BY id DESC LIMIT ?${values.length + 1} OFFSET ?${values.length + 2}`,
      )
      .bind(...values, filter.limit, filter.offset),
    db
      .prepare(`SELECT COUNT(*) AS total FROM (SELECT 1 FROM jobs WHERE ${where} LIMIT ?${values.length + 1})`)
      .bind(...values, filter.countTo),
  ]);
  const counted = (count?.results[0] as { total: number } | undefined)?.total ?? 0;
  return { lines: ((page?.results ?? []) as JobLineRow[]).map(toLine), total: counted };
}

function toLine(row: JobLineRow): JobLine {
  return {
    id: row.id,
    endpoint: row.endpoint,
    status: row.status,
    subject: row.subject,
    engine: row.engine,
    errorCode: row.error_code,
    credits: row.credits,
    processingTimeMs: row.processing_time_ms,
    createdAt: row.created_at,
    expired: row.expired === 1,
  };
}
