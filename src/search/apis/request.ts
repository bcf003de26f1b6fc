import { sleep } from "../../lib/clock";
import { log } from "../../lib/log";
import { formatSeconds } from "../../lib/time-limit";
import { AppError } from "../../model/errors";
import { MAX_SERP_API_BYTES, MAX_SERP_API_ERROR_BYTES } from "../../model/search-limits";
import { outboundFetch } from "../../net/outbound-fetch";
import { refusePlatformAnswer } from "../../net/platform-answer";
import { parseRetryAfter, readBody, readBodyPrefix } from "../../net/response";
import type { ApiPage, ApiQuery, ApiSettings, ApiTimeouts, SearchApiDefinition } from "./search-api";

interface ApiCall {
  query: ApiQuery;
  settings: ApiSettings;
  timeouts: ApiTimeouts;
  signal: AbortSignal;
}

/** Sends a request, and again after a temporary failure. Throws AppError `serp_unavailable` or the signal's reason. */
export async function requestApi(api: SearchApiDefinition, call: ApiCall): Promise<ApiPage> {
  const { query, timeouts, signal } = call;
  for (let tries = 1; ; tries++) {
    try {
      return api.read(await fetchText(api, call), query);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SearchFailure)) throw error;
      log("warn", "search_api_try_failed", { provider: api.label, tries, what: error.message });
      const delayMs = error.retryDelayMs === "default" ? timeouts.retryDelayMs : error.retryDelayMs;
      if (tries > 1 || delayMs === null || delayMs > timeouts.maxRetryDelayMs) throw toAppError(error, api.label);
      await sleep(delayMs, signal);
    }
  }
}

async function fetchText(api: SearchApiDefinition, { query, settings, timeouts, signal }: ApiCall): Promise<string> {
  const { path, init } = api.toRequest(query, settings);
  const url = `${settings.origin ?? api.origin}${path}`;
  const deadline = AbortSignal.timeout(timeouts.responseMs);
  try {
    // Redirects aren't followed, because they could send the key to another host.
    const request = { ...init, redirect: "manual", signal: AbortSignal.any([signal, deadline]) } as const;
    const response = await refusePlatformAnswer(await outboundFetch(url, request), new URL(url).host);
    if (response.ok) return new TextDecoder().decode(await readBody(response, MAX_SERP_API_BYTES));
    const limits = { maxBytes: MAX_SERP_API_ERROR_BYTES, timeoutMs: timeouts.responseMs };
    throw toStatusFailure(response, new TextDecoder().decode(await readBodyPrefix(response, limits)));
  } catch (error) {
    if (error instanceof SearchFailure) throw error;
    if (deadline.aborted) {
      throw new SearchFailure(`did not respond within ${formatSeconds(timeouts.responseMs)}`, { retryable: true });
    }
    if (error instanceof AppError && error.code === "target_too_large") {
      throw new SearchFailure(`returned more than ${MAX_SERP_API_BYTES} bytes`, { retryable: false });
    }
    // The error has no `cause`, because the runtime's message may contain the URL with the key.
    throw new SearchFailure("could not be reached", { retryable: true, retryDelayMs: "default" });
  }
}

/** Converts the failure to the error for the caller. Omits the provider's own message, because it may quote the key. */
function toAppError({ message, retryable }: SearchFailure, provider: string): AppError {
  return new AppError("serp_unavailable", `${provider} ${message}.`, { retryable });
}

interface FailureOptions {
  /** True if the same search may succeed later. */
  retryable: boolean;
  /** The delay before a retry in ms, or the default of `ApiTimeouts`. Null if the request isn't retried. */
  retryDelayMs?: number | "default" | null;
}

/** A failed request. The message follows the provider's name: "responded with status 500". */
export class SearchFailure extends Error {
  readonly retryable: boolean;
  readonly retryDelayMs: number | "default" | null;

  constructor(message: string, { retryable, retryDelayMs = null }: FailureOptions) {
    super(message);
    this.name = "SearchFailure";
    this.retryable = retryable;
    this.retryDelayMs = retryDelayMs;
  }
}

/** Matches error messages about a plan that is used up. Their status is 429 or 400. */
const USED_UP = /run out of searches|searches .{0,40}exhausted|not enough credits/i;

/** Returns true if the provider's message means that its plan is used up. */
export function isUsedUpMessage(text: string): boolean {
  return USED_UP.test(text);
}

/** Returns the failure for a plan that is used up. `prefix` is the start of its message. */
export function usedUpFailure(prefix: string): SearchFailure {
  return new SearchFailure(`${prefix}: the plan's quota is used up`, { retryable: false });
}

/** Returns the failure for an error status. `body` is the beginning of the response body. */
function toStatusFailure(response: Response, body: string): SearchFailure {
  const { status } = response;
  const message = `responded with status ${status}`;
  if (isUsedUpMessage(body)) return usedUpFailure(message);
  if (status === 401 || status === 403)
    return new SearchFailure(`${message}: the API key was rejected`, { retryable: false });
  if (status === 429 || status >= 500) {
    const retryDelayMs = parseRetryAfter(response.headers.get("retry-after")) ?? "default";
    return new SearchFailure(message, { retryable: true, retryDelayMs });
  }
  return new SearchFailure(message, { retryable: status === 408 });
}

/** Returns the failure for a response that doesn't have the documented form, such as a gateway's error page. */
export function toFormFailure(): SearchFailure {
  return new SearchFailure("returned something that isn't a list of results", { retryable: true });
}
