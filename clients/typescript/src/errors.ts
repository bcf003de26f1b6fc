import type { ErrorBody, JobRecord, RetryableErrorCode, ServiceErrorCode } from "./wire";

/** Errors that the client itself detects. */
export type ClientErrorCode =
  /** There was no response, because DNS, the connection or TLS failed. */
  | "network_error"
  /** There was no complete response within `timeoutMs`. */
  | "request_timeout"
  /** The job didn't end within `maxWaitMs`. It continues. */
  | "wait_timeout"
  /** The response doesn't come from the service, but from a gateway or another server. */
  | "invalid_response"
  /** The job completed, but its result has expired. */
  | "result_expired";

/** The code of an error. New codes may be added, so handle an unknown code by its `status`. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/** An invalid parameter: its path and the violated rule. */
export type ErrorDetail = NonNullable<ErrorBody["error"]["details"]>[number];

/** The rate window that applied to a request. */
export interface RateLimit {
  /** Requests per minute. */
  limit: number;
  remaining: number;
  resetAt: Date;
}

export interface ExtractionErrorOptions {
  status?: number | null | undefined;
  retryable?: boolean | undefined;
  details?: ErrorDetail[] | undefined;
  hint?: string | null | undefined;
  docUrl?: string | null | undefined;
  jobId?: string | null | undefined;
  requestId?: string | null | undefined;
  rate?: RateLimit | null | undefined;
  retryAfterMs?: number | null | undefined;
  cause?: unknown;
}

/** The error of every failed call. Only an abort by the caller throws another value: the signal's reason. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ErrorCode;
  /** The HTTP status, or null if there was no response or if the error comes from a job's record. */
  readonly status: number | null;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  /** The invalid parameters of the request. */
  readonly details: ErrorDetail[];
  /** The next step: what to change, or when to try again. Null if the service didn't send a hint. */
  readonly hint: string | null;
  /** The URL of the page that explains the code, or null. */
  readonly docUrl: string | null;
  /** The id of the job that failed or that continues, or null if no job was created. */
  readonly jobId: string | null;
  /** The id of the request in the service's logs, or null. Include it in support requests. */
  readonly requestId: string | null;
  readonly rate: RateLimit | null;
  /** The value of the `Retry-After` header in milliseconds, or null. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: ExtractionErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? null;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? [];
    this.hint = options.hint ?? null;
    this.docUrl = options.docUrl ?? null;
    this.jobId = options.jobId ?? null;
    this.requestId = options.requestId ?? null;
    this.rate = options.rate ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

// The error in a job's record has no `retryable`, so the client looks up the code in this list. The type requires that
// the list is complete.
const RETRYABLE: Record<RetryableErrorCode, true> = {
  rate_limited: true,
  unavailable: true,
  dns_failure: true,
  connection_failed: true,
  blocked_by_target: true,
  proxy_unavailable: true,
  model_failed: true,
  serp_unavailable: true,
  target_timeout: true,
  job_timeout: true,
  render_failed: true,
  internal_error: true,
};

/** Converts the error in a job's record to an `ExtractionError`. */
export function toJobError(error: NonNullable<JobRecord["error"]>, jobId: string): ExtractionError {
  const { code, message, hint, doc_url: docUrl } = error;
  return new ExtractionError(code, message, { jobId, hint, docUrl, retryable: Object.hasOwn(RETRYABLE, code) });
}

/** Returns a copy of the error with the job's id, so that the caller can read the job later. */
export function withJob(error: unknown, jobId: string): unknown {
  if (!(error instanceof ExtractionError)) return error;
  return new ExtractionError(error.code, error.message, { ...error, jobId, cause: error.cause });
}
