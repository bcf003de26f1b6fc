import { redactSecrets } from "../lib/redact";

/**
 * Each error code with its HTTP status. `retryable` means that the same request may succeed later. The `error` of a
 * failed job has the code but not the status. The status is used if a synchronous request waits for the job.
 */
export const ERRORS = {
  // Errors of a request, before a job exists.
  invalid_request: { status: 400 },
  invalid_json: { status: 400 },
  missing_api_key: { status: 401 },
  malformed_authorization: { status: 401 },
  invalid_api_key: { status: 401 },
  revoked_api_key: { status: 401 },
  expired_api_key: { status: 401 },
  insufficient_credits: { status: 402 },
  insufficient_scope: { status: 403 },
  ip_not_allowed: { status: 403 },
  account_suspended: { status: 403 },
  email_not_verified: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  idempotency_conflict: { status: 409 },
  key_limit_reached: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  rate_limited: { status: 429, retryable: true },
  unavailable: { status: 503, retryable: true },
  not_configured: { status: 503 },

  // Errors of a job.
  dns_failure: { status: 502, retryable: true },
  connection_failed: { status: 502, retryable: true },
  tls_failure: { status: 502 },
  target_http_error: { status: 502 },
  too_many_redirects: { status: 502 },
  blocked_by_target: { status: 502, retryable: true },
  proxy_unavailable: { status: 502, retryable: true },
  model_failed: { status: 502, retryable: true },
  serp_unavailable: { status: 502, retryable: true },
  target_timeout: { status: 504, retryable: true },
  job_timeout: { status: 504, retryable: true },
  invalid_target: { status: 422 },
  unusable_page: { status: 422 },
  selector_not_found: { status: 422 },
  unsupported_content: { status: 422 },
  target_too_large: { status: 422 },
  schema_mismatch: { status: 422 },
  model_refused: { status: 422 },
  cancelled: { status: 409 },
  render_failed: { status: 500, retryable: true },
  internal_error: { status: 500, retryable: true },
} as const satisfies Record<string, { status: number; retryable?: true }>;

export type ErrorCode = keyof typeof ERRORS;

/** Describes one invalid parameter: its path (such as `formats.0` or `query.limit`) and the rule that it breaks. */
export interface ErrorDetail {
  path: string;
  message: string;
}

interface AppErrorOptions {
  /**
   * Overrides the status in `ERRORS`. `invalid_target` is a 400 if the URL alone shows the error. The status of
   * `target_http_error` depends on the target's response.
   */
  status?: number;
  retryable?: boolean;
  details?: ErrorDetail[];
  /** The caller's next step, if it is more specific than the text in `ERROR_HINTS`. */
  hint?: string | undefined;
  headers?: Record<string, string>;
  /** The id of the job that ended with this error. */
  jobId?: string;
  cause?: unknown;
}

/**
 * An error for the caller: the body of an error response, or the `error` of a job. The message names the field and the
 * rule, and ends with a full stop. Secrets in the message are redacted.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly details: ErrorDetail[] | undefined;
  readonly hint: string | undefined;
  readonly headers: Record<string, string>;
  readonly jobId: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(redactSecrets(message), { cause: options.cause });
    this.name = "AppError";
    const entry: { status: number; retryable?: true } = ERRORS[code];
    this.code = code;
    this.status = options.status ?? entry.status;
    this.retryable = options.retryable ?? entry.retryable ?? false;
    this.details = options.details?.map(({ path, message: what }) => ({
      path: redactSecrets(path),
      message: redactSecrets(what),
    }));
    this.hint = options.hint === undefined ? undefined : redactSecrets(options.hint);
    this.headers = options.headers ?? {};
    this.jobId = options.jobId;
  }
}
