import type { ErrorBody, RetryableErrorCode, ServiceErrorCode } from "./wire";

/** Errors that the client itself detects. */
export type ClientErrorCode =
  /** No response: DNS, the connection or TLS failed, or the connection was lost. */
  | "network_error"
  /** No complete response within `timeoutMs`. */
  | "request_timeout"
  /** The job has not ended after `maxWaitMs`. It continues. */
  | "wait_timeout"
  /** The response is not from the service but from a gateway or another server. */
  | "invalid_response"
  /** The job is completed, but its result has expired. */
  | "result_expired";

/** New codes may be added. Treat an unknown code by its `status`. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/** One invalid parameter: its path and the rule that it breaks. */
export type ErrorDetail = NonNullable<ErrorBody["error"]["details"]>[number];

/** The rate window that applied to a request. */
export interface RateLimit {
  /** Requests a minute. */
  limit: number;
  remaining: number;
  resetAt: Date;
}

export interface ExtractionErrorOptions {
  status?: number | null | undefined;
  retryable?: boolean | undefined;
  details?: ErrorDetail[] | undefined;
  jobId?: string | null | undefined;
  requestId?: string | null | undefined;
  rate?: RateLimit | null | undefined;
  retryAfterMs?: number | null | undefined;
  cause?: unknown;
}

/** Every failure except an abort by the caller, which is thrown as the signal's reason. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ErrorCode;
  /** The HTTP status. null if there was no response, or if the error comes from a job's record. */
  readonly status: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The invalid parameters of the request. */
  readonly details: ErrorDetail[];
  /** The job that failed or that continues. */
  readonly jobId: string | null;
  /** Identifies the response in the service's logs. Include it in support requests. */
  readonly requestId: string | null;
  readonly rate: RateLimit | null;
  /** The delay before the next attempt that the service asks for, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: ExtractionErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? null;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? [];
    this.jobId = options.jobId ?? null;
    this.requestId = options.requestId ?? null;
    this.rate = options.rate ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

// A job's record has only the code. The type makes this list complete.
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

/** Converts the error of a job's record to an `ExtractionError`. */
export function toJobError(error: { code: string; message: string }, jobId: string): ExtractionError {
  return new ExtractionError(error.code, error.message, { jobId, retryable: Object.hasOwn(RETRYABLE, error.code) });
}

/** Returns the same error with the id of the job, which continues and can be read later. */
export function withJob(error: unknown, jobId: string): unknown {
  if (!(error instanceof ExtractionError)) return error;
  return new ExtractionError(error.code, error.message, { ...error, jobId, cause: error.cause });
}
