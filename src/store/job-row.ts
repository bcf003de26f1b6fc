import type { Mode } from "../model/api-key";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { JobStatus, StoredJob } from "../model/job";

export interface JobRow {
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

export const COLUMNS = `id, account_id, mode, endpoint, status, request, rendered, webhook_url, origin, credits, created_at,
  run, counted_runs, lease_until, result, result_stored, meta, credits_used, error_code, error_message, error_status,
  error_retryable, processing_time_ms, ended_at`;

/** Quotes can be long. */
export const LISTED_COLUMNS = COLUMNS.replace(" meta,", " json_remove(meta, '$.evidence', '$.unverified') AS meta,");

export function toJob(row: JobRow): StoredJob {
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
