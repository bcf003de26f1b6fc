import type { ErrorBody, RetryableErrorCode, ServiceErrorCode } from "./wire";

/** What goes wrong on this side of the wire. */
export type ClientErrorCode =
  /** No answer: the name, the connection or TLS failed, or the connection broke off. */
  | "network_error"
  /** No whole answer within `timeoutMs`. */
  | "request_timeout"
  /** The job hadn't ended after `maxWaitMs`; it goes on. */
  | "wait_timeout"
  /** The answer isn't one of the service: of something that stands before it, or of another server. */
  | "invalid_response"
  /** The job is completed, and the time for which its result is kept is over. */
  | "result_expired";

/** Codes may be added: take one that you don't know as a failure of its `status`. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/** One invalid parameter: where it is, and what would be right. */
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

/** Every failure but a caller's own abort, which is thrown as its signal's reason. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ErrorCode;
  /** Of the HTTP answer; null where none came, and where a job's record told of the failure. */
  readonly status: number | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** What is wrong with the request's parameters. */
  readonly details: ErrorDetail[];
  /** The job that failed, or that goes on. */
  readonly jobId: string | null;
  /** Tell it to whoever runs the service: it names this answer in the logs. */
  readonly requestId: string | null;
  readonly rate: RateLimit | null;
  /** How long the service asks to wait before another try. */
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

// A job's record has the code alone; the type holds this list to the service's own.
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

/** What a job's record says about its failure. */
export function toJobError(error: { code: string; message: string }, jobId: string): ExtractionError {
  return new ExtractionError(error.code, error.message, { jobId, retryable: Object.hasOwn(RETRYABLE, error.code) });
}

/** The same failure, with the job that it leaves behind: it goes on, and can be asked for later. */
export function withJob(error: unknown, jobId: string): unknown {
  if (!(error instanceof ExtractionError)) return error;
  return new ExtractionError(error.code, error.message, { ...error, jobId, cause: error.cause });
}
