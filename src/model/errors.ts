import { redactSecrets } from "../lib/redact";

/**
 * The causes of errors. Each cause says who can fix the error: the `customer` who sent the request, the `target` site,
 * an `outside` service such as a search engine, a proxy or a model provider, or this `service` itself.
 */
export const ERROR_CAUSES = ["service", "outside", "target", "customer"] as const;
export type ErrorCause = (typeof ERROR_CAUSES)[number];

/**
 * Each error code with its HTTP status and its cause. `retryable` means that the same request may succeed later. The
 * `error` of a failed job has the code but not the status. The status is used if a synchronous request waits for the
 * job.
 */
export const ERRORS = {
  // Errors of a request, before a job exists.
  invalid_request: { status: 400, cause: "customer" },
  invalid_json: { status: 400, cause: "customer" },
  missing_api_key: { status: 401, cause: "customer" },
  malformed_authorization: { status: 401, cause: "customer" },
  invalid_api_key: { status: 401, cause: "customer" },
  revoked_api_key: { status: 401, cause: "customer" },
  expired_api_key: { status: 401, cause: "customer" },
  insufficient_credits: { status: 402, cause: "customer" },
  price_limit: { status: 402, cause: "customer" },
  insufficient_scope: { status: 403, cause: "customer" },
  ip_not_allowed: { status: 403, cause: "customer" },
  account_suspended: { status: 403, cause: "customer" },
  email_not_verified: { status: 403, cause: "customer" },
  not_found: { status: 404, cause: "customer" },
  method_not_allowed: { status: 405, cause: "customer" },
  idempotency_conflict: { status: 409, cause: "customer" },
  key_limit_reached: { status: 409, cause: "customer" },
  payload_too_large: { status: 413, cause: "customer" },
  unsupported_media_type: { status: 415, cause: "customer" },
  rate_limited: { status: 429, retryable: true, cause: "customer" },
  unavailable: { status: 503, retryable: true, cause: "service" },
  not_configured: { status: 503, cause: "service" },

  // Errors of a job.
  dns_failure: { status: 502, retryable: true, cause: "target" },
  connection_failed: { status: 502, retryable: true, cause: "target" },
  tls_failure: { status: 502, cause: "target" },
  target_http_error: { status: 502, cause: "target" },
  too_many_redirects: { status: 502, cause: "target" },
  payment_required: { status: 502, cause: "target" },
  blocked_by_target: { status: 502, retryable: true, cause: "target" },
  proxy_unavailable: { status: 502, retryable: true, cause: "outside" },
  model_failed: { status: 502, retryable: true, cause: "outside" },
  serp_unavailable: { status: 502, retryable: true, cause: "outside" },
  target_timeout: { status: 504, retryable: true, cause: "target" },
  job_timeout: { status: 504, retryable: true, cause: "service" },
  invalid_target: { status: 422, cause: "customer" },
  unusable_page: { status: 422, cause: "target" },
  selector_not_found: { status: 422, cause: "customer" },
  section_not_found: { status: 422, cause: "customer" },
  action_failed: { status: 422, cause: "customer" },
  unsupported_content: { status: 422, cause: "target" },
  target_too_large: { status: 422, cause: "target" },
  schema_mismatch: { status: 422, cause: "customer" },
  model_refused: { status: 422, cause: "customer" },
  cancelled: { status: 409, cause: "customer" },
  render_failed: { status: 500, retryable: true, cause: "service" },
  internal_error: { status: 500, retryable: true, cause: "service" },
} as const satisfies Record<string, { status: number; retryable?: true; cause: ErrorCause }>;

export type ErrorCode = keyof typeof ERRORS;

/** Returns the cause of an error code, or null for an outcome. A search's target is an outside service. */
export function causeOf(code: string, endpoint = ""): ErrorCause | null {
  if (!Object.hasOwn(ERRORS, code)) return null;
  const { cause } = ERRORS[code as ErrorCode];
  return endpoint === "serp" && cause === "target" ? "outside" : cause;
}

/**
 * The errors of jobs that failed because of a model's answer. After `MAX_MODEL_FAILURES` such jobs of an account and a
 * day (UTC), requests that can call a model are refused until midnight, because the jobs are free, but the calls
 * aren't.
 */
export const MODEL_FAILURES: readonly string[] = ["schema_mismatch", "model_refused"] satisfies ErrorCode[];
export const MAX_MODEL_FAILURES = 10;
export const MODEL_LIMIT_REACHED = `Today (UTC), ${MAX_MODEL_FAILURES} jobs of this account failed because of a model's answer (\`${MODEL_FAILURES.join("` or `")}\`).`;

/** Describes one invalid parameter: its path (such as `formats.0` or `query.limit`) and the rule that it breaks. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** The response of a target with status 429 or 503. Contains the delay of its Retry-After, or null. */
export interface TargetBusy {
  retryAfterMs: number | null;
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
  /** The parameter to which the hint refers. */
  parameter?: string | undefined;
  headers?: Record<string, string>;
  /** Present if the target responded with status 429 or 503. */
  targetBusy?: TargetBusy | undefined;
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
  readonly parameter: string | undefined;
  readonly headers: Record<string, string>;
  readonly targetBusy: TargetBusy | undefined;
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
    this.parameter = options.parameter === undefined ? undefined : redactSecrets(options.parameter);
    this.headers = options.headers ?? {};
    this.targetBusy = options.targetBusy;
    this.jobId = options.jobId;
  }
}
