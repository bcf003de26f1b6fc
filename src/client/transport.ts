import { readAnswer } from "./answer";
import { ExtractionError } from "./errors";
import { pause } from "./pause";
import { toPause } from "./retry";

/** `fetch` of whatever platform this runs on, or one of your own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** `sk_live_…` or `sk_test_…`. */
  apiKey: string;
  /** Where the service is, without `/v1`. */
  baseUrl: string;
  fetch?: Fetch | undefined;
  /** After 429, 503, failures of the network and of gateways; default 2. */
  maxRetries?: number | undefined;
  /** Of one try; default 90,000: a request that waits for its result is held for 60 seconds. */
  timeoutMs?: number | undefined;
}

/** What any call takes. */
export interface CallOptions {
  /** Ends the call, its pauses and its tries. A job that was made goes on. */
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
}

export type Query = Record<string, string | number | boolean | undefined>;

export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Under `/v1`, such as `/jobs`. */
  path: string;
  query?: Query;
  body?: unknown;
  /** With one, a repeated POST makes no second job. */
  idempotencyKey?: string;
  options?: CallOptions | undefined;
}

export class Transport {
  readonly #base: string;
  readonly #authorization: string;
  readonly #fetch: Fetch;
  readonly #maxRetries: number;
  readonly #timeoutMs: number;

  constructor({ apiKey, baseUrl, fetch: ownFetch, maxRetries = 2, timeoutMs = 90_000 }: ClientOptions) {
    // What can't stand in a header would look like a failure of the network.
    if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new TypeError("'apiKey' must be an API key of the service, such as sk_live_….");
    }
    this.#base = new URL(baseUrl).href.replace(/\/+$/, "");
    this.#authorization = `Bearer ${apiKey}`;
    // Called on its own: browsers and Workers refuse a fetch that is another object's method.
    this.#fetch = ownFetch ?? ((url, init) => fetch(url, init));
    this.#maxRetries = maxRetries;
    this.#timeoutMs = timeoutMs;
  }

  /** Of one try of a call. */
  timeoutOf({ timeoutMs = this.#timeoutMs }: CallOptions): number {
    return timeoutMs;
  }

  /** The JSON of the answer, null where it has none. Throws an `ExtractionError`, or the reason of an abort. */
  async call<Answer>(call: Call): Promise<Answer> {
    const { maxRetries = this.#maxRetries, signal } = call.options ?? {};
    const repeatable = call.method !== "POST" || call.idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#attempt(call)) as Answer;
      } catch (error) {
        if (!(error instanceof ExtractionError) || attempt >= maxRetries) throw error;
        const ms = toPause(error, { attempt, repeatable, random: Math.random() });
        if (ms === null) throw error;
        await pause(ms, signal);
      }
    }
  }

  async #attempt({ method, path, query = {}, body, idempotencyKey, options = {} }: Call): Promise<unknown> {
    const { signal } = options;
    const timeoutMs = this.timeoutOf(options);
    signal?.throwIfAborted();
    const url = `${this.#base}/v1${path}${toSearch(query)}`;
    // No header of our own: pages on other origins may send these three and no more.
    const headers: Record<string, string> = { authorization: this.#authorization };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const json = body === undefined ? null : JSON.stringify(body);
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      return await readAnswer(await this.#fetch(url, { method, headers, body: json, signal: either }));
    } catch (cause) {
      if (cause instanceof ExtractionError) throw cause;
      signal?.throwIfAborted();
      if (timeout.aborted) {
        const message = `${method} ${path} had no whole answer within ${timeoutMs} ms.`;
        throw new ExtractionError("request_timeout", message, { retryable: true, cause });
      }
      throw new ExtractionError("network_error", `${method} ${path} had no answer.`, { retryable: true, cause });
    }
  }
}

function toSearch(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
