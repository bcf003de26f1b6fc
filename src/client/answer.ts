import { ExtractionError, type RateLimit } from "./errors";
import type { ErrorBody } from "./wire";

/** The JSON of a success; throws an `ExtractionError` for anything else. Nothing to read (204) is null. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok && text === "") return null;
  const body = parseJson(text);
  if (response.ok && isObject(body)) return body;
  throw toError(response, body);
}

function toError({ status, headers }: Response, body: unknown): ExtractionError {
  const about = {
    status,
    requestId: headers.get("x-request-id"),
    rate: readRate(headers),
    retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()),
  };
  if (!isErrorBody(body)) {
    const message = `The answer, with status ${status}, is not one of the service.`;
    // A gateway's: the service itself says JSON whatever happens.
    return new ExtractionError("invalid_response", message, { ...about, retryable: status === 429 || status >= 500 });
  }
  const { code, message, retryable, details = [] } = body.error;
  return new ExtractionError(code, message, { ...about, retryable, details, jobId: body.job_id ?? null });
}

/** `Retry-After` in ms: whole seconds, or a date. Null when it isn't there or can't be read. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === "") return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function readRate(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1_000) };
}

function isErrorBody(body: unknown): body is ErrorBody {
  return isObject(body) && isObject(body.error) && typeof body.error.code === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
