import { parseRetryAfter } from "../net/response";

interface FailureOptions {
  status?: number;
  /** True if a retry may succeed. */
  isRetryable: boolean;
  /** The delay before a retry (ms), if the provider gives one. */
  delayMs?: number | null;
  /** True if the provider may accept another format for the answer. */
  isFormatRejected?: boolean;
  cause?: unknown;
}

/** A failed attempt to get an answer. The message follows the model's name: "responded with status 500". */
export class ModelFailure extends Error {
  readonly status: number | undefined;
  readonly isRetryable: boolean;
  readonly delayMs: number | null;
  readonly isFormatRejected: boolean;

  constructor(message: string, { status, isRetryable, delayMs, isFormatRejected, cause }: FailureOptions) {
    super(message, { cause });
    this.name = "ModelFailure";
    this.status = status;
    this.isRetryable = isRetryable;
    this.delayMs = delayMs ?? null;
    this.isFormatRejected = isFormatRejected ?? false;
  }
}

/** Thrown if the model refused to answer. */
export class ModelRefusal extends Error {}

/** The fields of the errors of both SDKs. Without a response, or within a stream, there is no status. */
interface SdkError {
  status?: number;
  headers?: Headers;
  /** The data that the provider sent: a response body, or an error event of the stream. */
  error?: unknown;
  type?: string | null;
  code?: string | number | null;
}

/** The message for an answer without the provider's end marker. */
export const DISCONNECTED = "disconnected in the middle of its answer";
const NOT_JSON = "sent a response that isn't JSON, such as an error page of a gateway";
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 429]);
const FORMAT_REJECTED: ReadonlySet<number> = new Set([400, 422]);
/** The codes and types that servers return for a request with too many tokens. */
const TOO_LONG_CODES: ReadonlySet<string> = new Set(["context_length_exceeded", "exceed_context_size_error"]);
/** Matches other servers' messages about too many tokens, which mention the prompt or context, but no schema. */
const TOO_LONG =
  /(?:maximum|available|exceeds?\b[^.]{0,40}) context|context (?:length|size|window)|(?:prompt|input|messages?)(?: is| are)? too long|tokens? (?:[>≥]|exceeds?)|too many (?:input |prompt )?tokens/i;
/** The types of stream errors that a retry doesn't fix. A stream's status is 200, so it doesn't show that. */
const FINAL_TYPES: ReadonlySet<string> = new Set([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "billing_error",
  "request_too_large",
]);

/** Converts an SDK's error without its message, which can quote secrets. `hasResponse`: the response had started. */
export function readSdkError(error: unknown, hasResponse: boolean): ModelFailure | ModelRefusal {
  if (error instanceof ModelFailure || error instanceof ModelRefusal) return error;
  const { status, headers, type, code } = toSdkError(error);
  if (status !== undefined) return toStatusFailure(status, headers, String(code ?? type ?? ""), error);
  if (isProviderError(error)) {
    // Some gateways send the status of the server behind them as the code.
    const isRetryable = typeof code === "number" ? isRetryableStatus(code) : !FINAL_TYPES.has(type ?? "");
    return new ModelFailure("ended its answer with an error", { isRetryable, cause: error });
  }
  if (error instanceof SyntaxError) return new ModelFailure(NOT_JSON, { isRetryable: true, cause: error });
  return new ModelFailure(hasResponse ? DISCONNECTED : "could not be reached", { isRetryable: true, cause: error });
}

/** Returns true if the error has data from the provider, which can quote the request and isn't passed on. */
export function isProviderError(error: unknown): boolean {
  const { status, headers, error: sent, type } = toSdkError(error);
  return status !== undefined || headers !== undefined || sent !== undefined || typeof type === "string";
}

function toSdkError(error: unknown): SdkError {
  return error instanceof Error ? (error as SdkError) : {};
}

function isRetryableStatus(status: number): boolean {
  return RETRYABLE.has(status) || status >= 500;
}

function toStatusFailure(status: number, headers: Headers | undefined, code: string, cause: unknown) {
  if (status === 400 && code === "content_filter") return new ModelRefusal();
  if (FORMAT_REJECTED.has(status) && isTooLong(code, cause)) {
    const message = `was sent more tokens than it accepts (status ${status})`;
    return new ModelFailure(message, { status, isRetryable: false, cause });
  }
  const retryHeader = headers?.get("x-should-retry");
  const isRetryable = retryHeader == null ? isRetryableStatus(status) : retryHeader === "true";
  return new ModelFailure(`responded with status ${status}`, {
    status,
    // A quota that is used up isn't renewed within seconds, so a retry doesn't help.
    isRetryable: isRetryable && code !== "insufficient_quota",
    delayMs: retryDelay(headers),
    isFormatRejected: FORMAT_REJECTED.has(status),
    cause,
  });
}

/** Returns true if the request has too many tokens. Another format wouldn't shorten it. */
function isTooLong(code: string, error: unknown): boolean {
  return TOO_LONG_CODES.has(code) || (error instanceof Error && TOO_LONG.test(error.message));
}

/** Returns the delay in `retry-after-ms`, which both SDKs support, or in `retry-after`, in ms, or null. */
function retryDelay(headers: Headers | undefined): number | null {
  const fine = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (fine > 0) return fine;
  const delayMs = parseRetryAfter(headers?.get("retry-after")) ?? 0;
  return delayMs > 0 ? delayMs : null;
}
