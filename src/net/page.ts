import { PausableTimeout, Semaphore } from "../lib/async";
import { sleep } from "../lib/clock";
import { lazyModule } from "../lib/lazy";
import { SharedLimit } from "../lib/shared-limit";
import { formatSeconds, remainingMs, type TimeLimit } from "../lib/time-limit";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { FETCH_TIMEOUT_MS } from "../model/page-limits";
import type { FetchVia } from "../model/variables";
import { type BotVariables, signRequest } from "./bot-auth";
import { ACCEPT_ENCODING, decodeResponse, toEncodingError } from "./content-encoding";
import { checkTarget, type EgressPolicy } from "./egress";
import { outboundFetch } from "./outbound-fetch";
import { refusePlatformAnswer } from "./platform-answer";
import { proxiedFetch } from "./proxied-fetch";
import type { ProxyAddress } from "./proxy-config";
import type { Resolver } from "./resolver";
import { readBody, readBodyPrefix, retryDelay, toNetworkError, toStatusError } from "./response";
import { PlainSession } from "./session";
import { socketFetch } from "./socket-fetch";

// Loaded on demand, because only responses with an error status need them.
const loadDecoding = lazyModule(() => import("../html/encoding/decode"));
const loadDetection = lazyModule(() => import("../html/block-pages/detect"));

export interface FetchOptions {
  policy: EgressPolicy;
  resolver: Resolver;
  /** Sends requests without a proxy with `fetch` or over a socket. */
  via: FetchVia;
  /** Null if requests go directly to the target. With a proxy, the proxy resolves host names. */
  proxy: ProxyAddress | null;
  userAgent: string;
  /** The variables with the key that signs the requests. Undefined if they must not be signed. */
  bot?: BotVariables;
  /** The maximum size of the decoded body. */
  maxBytes: number;
  /** Headers that replace the default headers of the same names. */
  headers?: Readonly<Record<string, string>>;
  /**
   * The headers and cookies for the target's site. They replace other headers with the same names. The session also
   * keeps the cookies that redirects set, and recognizes loops. Default: an empty session.
   */
  session?: PlainSession | undefined;
  /** If true, pages with an error status are returned, so that the caller can detect block pages. */
  anyStatus?: boolean;
  /** Called and awaited before each part of the body after LARGE_PAGE_BYTES. */
  beforeLarge?: () => Promise<void>;
  /** Called and awaited before a redirect is followed. May throw AppError. */
  beforeRedirect?: ((url: URL) => Promise<void>) | undefined;
  /** The time limit that the caller sets. Default: FETCH_TIMEOUT_MS. */
  limit?: TimeLimit | null;
  signal: AbortSignal;
}

export interface FetchedPage {
  /** The URL after redirects. */
  url: string;
  status: number;
  contentType: string | null;
  headers: Headers;
  body: Uint8Array;
}

/**
 * The bodies of more than LARGE_PAGE_BYTES that the runs of an isolate receive at the same time: four pages, or a sitemap
 * and a page. They don't count as memory for processing yet, so a slow target doesn't delay smaller pages.
 */
export const LARGE_BODIES = new SharedLimit(4);

/** The body of an error response is read up to this limit to detect a block page. */
const MAX_BLOCK_PAGE_BYTES = 256 * 1024;
const BLOCK_PAGE_TIMEOUT_MS = 5 * SECOND_MS;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a page and follows its redirects. Checks each URL against the egress policy. The timeout includes the body.
 * Throws AppError, or the signal's reason if it is aborted.
 */
export async function fetchPage(target: string, options: FetchOptions): Promise<FetchedPage> {
  const limit = options.limit ?? { ms: FETCH_TIMEOUT_MS, usedMs: 0 };
  const timeout = new PausableTimeout(remainingMs(limit));
  const signal = AbortSignal.any([timeout.signal, options.signal]);
  try {
    // The time in `beforeRedirect` and `beforeLarge` doesn't count toward the target's timeout.
    const beforeRedirect = async (to: URL) => {
      await timeout.pauseDuring(callBeforeRedirect(to, options));
    };
    const { response, url } = await follow(target, { ...options, beforeRedirect }, signal);
    const { beforeLarge } = options;
    const pause = beforeLarge && (() => timeout.pauseDuring(beforeLarge()));
    const body = await readBody(response, options.maxBytes, pause);
    const { status, headers } = response;
    return { url, status, contentType: headers.get("content-type"), headers, body };
  } catch (error) {
    if (error instanceof AppError || error instanceof RedirectCheckError) throw error;
    if (options.signal.aborted) throw options.signal.reason;
    if (timeout.signal.aborted) {
      throw new AppError(
        "target_timeout",
        `${host(target)} did not send its complete response within ${formatSeconds(limit.ms)}.`,
      );
    }
    throw toEncodingError(error, host(target)) ?? toNetworkError(error, host(target));
  } finally {
    timeout.stop();
  }
}

/** Thrown if `beforeRedirect` throws an unexpected error, which isn't an error of the target. */
class RedirectCheckError extends Error {
  override readonly name = "RedirectCheckError";
}

async function callBeforeRedirect(url: URL, { beforeRedirect }: FetchOptions): Promise<void> {
  try {
    await beforeRedirect?.(url);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new RedirectCheckError(`The redirect wasn't checked.`, { cause });
  }
}

async function follow(
  target: string,
  fetchOptions: FetchOptions,
  signal: AbortSignal,
): Promise<{ response: Response; url: string }> {
  let url = checkTarget(target, fetchOptions.policy);
  const { session = new PlainSession(url.href) } = fetchOptions;
  const options = { ...fetchOptions, session };
  let mayRetry = true;
  session.visit(url);
  for (;;) {
    const response = await sendRequest(url, options, signal);
    const isBusy = mayRetry && !options.anyStatus;
    const delayMs = isBusy ? retryDelay(response.status, response.headers.get("retry-after")) : null;
    if (delayMs !== null) {
      mayRetry = false;
      await response.body?.cancel();
      await sleep(delayMs, signal);
      continue;
    }
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    // A redirect without a Location header is treated as a page.
    if (!location) {
      if (response.status < 200) throw toNetworkError(`status ${response.status}`, url.host);
      if (response.status >= 400 && !options.anyStatus) throw await readStatusError(response, url);
      return { response, url: url.href };
    }
    await response.body?.cancel();
    url = checkTarget(location, options.policy, url);
    session.visit(url);
    await options.beforeRedirect?.(url);
  }
}

/**
 * Requests a URL and returns the target of its redirect without following it. Returns null if the response isn't a
 * redirect. Throws like `fetchPage`.
 */
export async function fetchLocation(target: string, options: FetchOptions): Promise<string | null> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  try {
    const url = checkTarget(target, options.policy);
    const response = await sendRequest(url, options, AbortSignal.any([timeout, options.signal]));
    await response.body?.cancel();
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    return location === null ? null : (URL.parse(location, url)?.href ?? null);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (options.signal.aborted) throw options.signal.reason;
    throw toNetworkError(error, host(target));
  }
}

/** Signs and sends one request, and stores its response's cookies. Without a proxy, checks the host's IP addresses. */
async function sendRequest(url: URL, options: FetchOptions, signal: AbortSignal): Promise<Response> {
  const { userAgent, bot, proxy, maxBytes, policy, resolver, session, via } = options;
  const headers = new Headers({
    "user-agent": userAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": "en;q=0.9,*;q=0.5",
    ...options.headers,
  });
  for (const [name, value] of Object.entries(session?.headersFor(url) ?? {})) headers.set(name, value);
  if (bot !== undefined) await signRequest(url, headers, bot);
  const get = { url, method: "GET", headers };
  let response: Response;
  if (proxy !== null) {
    response = await proxiedFetch(proxy, get, { signal, connections: new Semaphore(1), maxBytes });
  } else if (via === "socket") {
    response = await socketFetch(get, { address: await resolver.findAddress(url, policy), signal, maxBytes });
  } else {
    const reason = await resolver.findRefusal(url, policy);
    if (reason !== null) throw new AppError("invalid_target", reason);
    headers.set("accept-encoding", ACCEPT_ENCODING);
    const received = await outboundFetch(url, { redirect: "manual", signal, headers });
    response = await refusePlatformAnswer(decodeResponse(received, maxBytes), url.host);
  }
  session?.onResponse(url, response.headers);
  return response;
}

/**
 * Reads a response with an error status and returns its error: `blocked_by_target` for a block page, otherwise
 * that of the status.
 */
async function readStatusError(response: Response, url: URL): Promise<AppError> {
  const { status, headers } = response;
  const statusError = new AppError(...toStatusError(url.host, status, (name) => headers.get(name)));
  const body = await readBodyPrefix(response, { maxBytes: MAX_BLOCK_PAGE_BYTES, timeoutMs: BLOCK_PAGE_TIMEOUT_MS });
  const [{ decodeHtml }, { detectBlockPage }] = await Promise.all([loadDecoding(), loadDetection()]);
  const vendor = detectBlockPage({ status, headers, html: decodeHtml(body, headers.get("content-type")) });
  return vendor === null || status === 402 ? statusError : toBlockedError(vendor, url);
}

export function toBlockedError(vendor: string, url: URL | string): AppError {
  return new AppError(
    "blocked_by_target",
    `${host(String(url))} returned a block page (${vendor}) instead of its content.`,
  );
}

function host(url: string): string {
  return URL.parse(url)?.host ?? url;
}
