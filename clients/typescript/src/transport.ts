import { ExtractionError, type RateLimit } from "./errors";
import type { ErrorBody } from "./wire";

/** The platform's `fetch`, or your own function with the same parameters. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** A live key (`sk_live_…`) or a test key (`sk_test_…`). */
  apiKey: string;
  /** The URL of the service, without `/v1`. */
  baseUrl: string;
  fetch?: Fetch | undefined;
  /** The number of retries after a 429, a 503, a network error or a gateway's error. Default: 2. */
  maxRetries?: number | undefined;
  /**
   * The timeout of one attempt, in milliseconds. Default: 90,000, because the service holds a synchronous request for
   * up to 60 seconds.
   */
  timeoutMs?: number | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call and its retries. A created job continues. */
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

/** The parameters of a query. A list is sent as one parameter for each of its items. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below `/v1`, such as `/jobs`. */
  path: string;
  query?: Query;
  body?: unknown;
  /** Prevents a retried POST from creating a second job. */
  idempotencyKey?: string;
  options?: CallOptions | undefined;
}

/** Sends requests with the API key, timeouts and retries. */
export class Transport {
  readonly #base: string;
  readonly #authorization: string;
  readonly #fetch: Fetch;
  readonly #maxRetries: number;
  readonly #timeoutMs: number;

  constructor({ apiKey, baseUrl, fetch: ownFetch, maxRetries = 2, timeoutMs = 90_000 }: ClientOptions) {
    // Without this check, `fetch` would throw for a key with invalid characters, which would look like a network error.
    if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new TypeError("'apiKey' must be an API key of the service, such as 'sk_live_…'.");
    }
    const { protocol, username, password, search, hash, href } = new URL(baseUrl);
    if (!/^https?:$/.test(protocol) || username + password + search + hash !== "")
      throw new TypeError("'baseUrl' must be the http or https URL of the service, without /v1.");
    this.#base = href.replace(/(?<!\/)\/+$/, "");
    this.#authorization = `Bearer ${apiKey}`;
    // Browsers and Workers throw if `fetch` is called as a method of another object.
    this.#fetch = ownFetch ?? ((url, init) => fetch(url, init));
    this.#maxRetries = maxRetries;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the timeout of one attempt, in milliseconds. */
  timeoutOf({ timeoutMs = this.#timeoutMs }: CallOptions): number {
    return timeoutMs;
  }

  /**
   * Sends the request, with retries. Returns the response's JSON, or null if it has no body. Throws an
   * `ExtractionError`, or the signal's reason after an abort.
   */
  async call<ResponseBody>(call: Call): Promise<ResponseBody> {
    const { maxRetries = this.#maxRetries, signal } = call.options ?? {};
    const idempotent = call.method !== "POST" || call.idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#attempt(call)) as ResponseBody;
      } catch (error) {
        if (!(error instanceof ExtractionError) || attempt >= maxRetries) throw error;
        const ms = chooseRetryDelay(error, { attempt, idempotent, random: Math.random() });
        if (ms === null) throw error;
        await sleep(ms, signal);
      }
    }
  }

  /** Sends the request, and returns the field `data` of the response. */
  async readData<Data>(call: Call): Promise<Data> {
    return (await this.call<{ data: Data }>(call)).data;
  }

  async #attempt({ method, path, query = {}, body, idempotencyKey, options = {} }: Call): Promise<unknown> {
    const { signal } = options;
    const timeoutMs = this.timeoutOf(options);
    signal?.throwIfAborted();
    const url = `${this.#base}/v1${path}${toSearch(query)}`;
    // Sends only these three headers, because the service's CORS policy allows no others.
    const headers: Record<string, string> = { authorization: this.#authorization };
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const sent = body === undefined ? null : isForm ? body : JSON.stringify(body);
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      // The service doesn't redirect. Another host must not get the request.
      const init = { method, headers, body: sent, signal: either, redirect: "manual" } as const;
      return await readResponse(await this.#fetch(url, init));
    } catch (cause) {
      if (cause instanceof ExtractionError) throw cause;
      signal?.throwIfAborted();
      if (timeout.aborted) {
        const message = `${method} ${path} got no complete response within ${timeoutMs} ms.`;
        throw new ExtractionError("request_timeout", message, { retryable: true, cause });
      }
      throw new ExtractionError("network_error", `${method} ${path} got no response.`, { retryable: true, cause });
    }
  }
}

function toSearch(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** If `Retry-After` is longer than this, the client throws instead of retrying. Equals the service's rate window. */
const MAX_RETRY_AFTER_MS = 60_000;
/**
 * The maximum random delay that is added to `Retry-After`. It spreads out the retries of clients that were refused at
 * the same time.
 */
const SPREAD_MS = 250;

/**
 * Returns the delay before the next attempt in milliseconds, or null if the request must not be retried. `attempt`
 * counts from 0, `random` is from 0 to 1. `idempotent` is true if a second request has no further effect.
 */
export function chooseRetryDelay(
  error: ExtractionError,
  { attempt, idempotent, random }: { attempt: number; idempotent: boolean; random: number },
): number | null {
  // An error with a job's id is final, because a retry of the request would return the same failed job.
  if (!error.retryable || error.jobId !== null) return null;
  // After a 429 or `unavailable`, the service hasn't started the work. Any other 503 can come from the platform after
  // the work has started, for example when the platform stops a Worker.
  const refused = error.status === 429 || error.code === "unavailable";
  if (!idempotent && !refused) return null;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + random / 2);
  if (error.retryAfterMs === null) return backoff;
  if (error.retryAfterMs > MAX_RETRY_AFTER_MS) return null;
  return Math.max(backoff, error.retryAfterMs + random * SPREAD_MS);
}

/**
 * Returns the JSON of a successful response, or null if it has no body (204). Throws an `ExtractionError` otherwise.
 */
async function readResponse(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status === 204) return null;
  const body = parseJson(text);
  if (response.ok && isObject(body) && body.success === true) return body;
  throw toError(response, body);
}

function toError({ status, headers }: Response, body: unknown): ExtractionError {
  const options = {
    status,
    requestId: headers.get("x-request-id"),
    rate: readRateLimit(headers),
    retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()),
  };
  if (!isErrorBody(body)) {
    const message = `The response with status ${status} doesn't come from the service. Check 'baseUrl'.`;
    // The service always responds with JSON, so a gateway or another server sent this response.
    return new ExtractionError("invalid_response", message, { ...options, retryable: status === 429 || status >= 500 });
  }
  const { code, message, retryable, details, hint, doc_url: docUrl, request_id: requestId } = body.error;
  return new ExtractionError(code, message, {
    ...options,
    retryable: retryable === true,
    details: Array.isArray(details) ? details : [],
    hint,
    docUrl,
    jobId: body.job_id,
    // A browser can't read the header if a gateway removes it from the exposed headers.
    requestId: options.requestId ?? requestId,
  });
}

/** Returns the value of `Retry-After` (seconds or a date) in milliseconds, or null if it is missing or invalid. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === "") return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function readRateLimit(headers: Headers): RateLimit | null {
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

/** Waits for `ms` milliseconds. Rejects with the signal's reason when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
