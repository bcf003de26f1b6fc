import { now } from "../lib/clock";
import { SECOND_MS } from "../model/limits";

interface FailureOptions {
  status?: number;
  /** Another try may help. */
  mayRetry: boolean;
  /** The pause (ms) that the provider asks for. */
  pauseMs?: number | null;
  /** It may be the form of the answer that was refused: another form may be taken. */
  refusedForm?: boolean;
  cause?: unknown;
}

/** A try that brought no answer. Its message goes on where the model's name ends: "answered with status 500". */
export class ModelFailure extends Error {
  readonly status: number | undefined;
  readonly mayRetry: boolean;
  readonly pauseMs: number | null;
  readonly refusedForm: boolean;

  constructor(words: string, { status, mayRetry, pauseMs, refusedForm, cause }: FailureOptions) {
    super(words, { cause });
    this.name = "ModelFailure";
    this.status = status;
    this.mayRetry = mayRetry;
    this.pauseMs = pauseMs ?? null;
    this.refusedForm = refusedForm ?? false;
  }
}

/** The model won't do what it was asked. */
export class ModelRefusal extends Error {}

/** What both SDKs' errors have: a status, unless the error came within a stream or no answer came at all. */
interface SdkError {
  status?: number;
  headers?: Headers;
  /** What the provider sent: the body of an answer, or an error within its stream. */
  error?: unknown;
  type?: string | null;
  code?: string | number | null;
}

/** Without the provider's own end, an answer isn't whole. */
export const BROKE_OFF = "broke off in the middle of its answer";
const BROKEN_PROTOCOL = "answered with something that isn't JSON, such as a gateway's page";
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 429]);
const REFUSES_FORM: ReadonlySet<number> = new Set([400, 422]);
/** The codes and types of servers that tell a text too long for them from other requests that they don't take. */
const TOO_LONG_CODES: ReadonlySet<string> = new Set(["context_length_exceeded", "exceed_context_size_error"]);
/** The others say it in words: of the prompt, its tokens or the context, never of a schema. */
const TOO_LONG =
  /(?:maximum|available|exceeds?\b[^.]{0,40}) context|context (?:length|size|window)|(?:prompt|input|messages?)(?: is| are)? too long|tokens? (?:[>≥]|exceeds?)|too many (?:input |prompt )?tokens/i;
/** Errors within a stream, which has answered 200 before, that another try won't mend. */
const FINAL_TYPES: ReadonlySet<string> = new Set([
  "invalid_request_error",
  "authentication_error",
  "permission_error",
  "not_found_error",
  "billing_error",
  "request_too_large",
]);

/** What an SDK threw. Nothing of the provider's own words: they may quote the prompt or the key. */
export function toFailure(error: unknown, { heard }: { heard: boolean }): ModelFailure | ModelRefusal {
  if (error instanceof ModelFailure || error instanceof ModelRefusal) return error;
  const { status, headers, type, code } = toSdkError(error);
  if (status !== undefined) return toStatusFailure(status, headers, String(code ?? type ?? ""), error);
  if (isInTheirWords(error)) {
    // Gateways put the status of whoever stands behind them here.
    const mayRetry = typeof code === "number" ? isRetryable(code) : !FINAL_TYPES.has(type ?? "");
    return new ModelFailure("broke off its answer with an error", { mayRetry, cause: error });
  }
  if (error instanceof SyntaxError) return new ModelFailure(BROKEN_PROTOCOL, { mayRetry: true, cause: error });
  return new ModelFailure(heard ? BROKE_OFF : "could not be reached", { mayRetry: true, cause: error });
}

/** Whether an error is in the provider's words, which may quote what was sent: none of it may go on. */
export function isInTheirWords(error: unknown): boolean {
  const { status, headers, error: sent, type } = toSdkError(error);
  return status !== undefined || headers !== undefined || sent !== undefined || typeof type === "string";
}

function toSdkError(error: unknown): SdkError {
  return error instanceof Error ? (error as SdkError) : {};
}

function isRetryable(status: number): boolean {
  return RETRYABLE.has(status) || status >= 500;
}

function toStatusFailure(status: number, headers: Headers | undefined, code: string, cause: unknown) {
  if (status === 400 && code === "content_filter") return new ModelRefusal();
  if (REFUSES_FORM.has(status) && isTooLong(code, cause)) {
    const words = `was given more than it can read at once (status ${status})`;
    return new ModelFailure(words, { status, mayRetry: false, cause });
  }
  const told = headers?.get("x-should-retry");
  const mayRetry = told == null ? isRetryable(status) : told === "true";
  return new ModelFailure(`answered with status ${status}`, {
    status,
    // A quota that is used up doesn't fill within seconds.
    mayRetry: mayRetry && code !== "insufficient_quota",
    pauseMs: pauseOf(headers),
    refusedForm: REFUSES_FORM.has(status),
    cause,
  });
}

/** No other form of the answer makes the question shorter. */
function isTooLong(code: string, error: unknown): boolean {
  return TOO_LONG_CODES.has(code) || (error instanceof Error && TOO_LONG.test(error.message));
}

/** Retry-After, or the finer `retry-after-ms` that both SDKs know, in ms; null when there is none above 0. */
function pauseOf(headers: Headers | undefined): number | null {
  const fine = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (fine > 0) return fine;
  const after = headers?.get("retry-after")?.trim() ?? "";
  const pause = /^\d+(\.\d+)?$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - now();
  return pause > 0 ? pause : null;
}
