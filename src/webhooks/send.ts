import { REDACTED } from "../contract/secret-fields";
import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import {
  KEPT_WEBHOOK_RESPONSE_BYTES,
  MAX_WEBHOOK_RESPONSE_BYTES,
  SECOND_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../model/limits";
import { readDenied } from "../net/denied";
import { outboundFetch } from "../net/outbound-fetch";
import { refusePlatformAnswer } from "../net/platform-answer";
import { Resolver } from "../net/resolver";
import { readBodyPrefix, toNetworkError } from "../net/response";
import { findSchemeRefusal, receiverPolicy } from "./check-receiver";
import { type SignedRequest, signatureHeaders } from "./signature";

/** The time limit for reading the response body. The body is used only in the delivery's log. */
const BODY_TIMEOUT_MS = 5 * SECOND_MS;

/** A request to a receiver. Its id is the same on every attempt, so that the receiver can detect duplicates. */
export interface WebhookRequest extends SignedRequest {
  url: string;
  /** The attempt's number, counted from 1. */
  attempt: number;
  /** The origin at which this service was called. */
  origin: string;
  /** The account whose event is sent. */
  accountId: string;
  /** The additional headers of a client of Firecrawl. */
  headers?: Record<string, string>;
}

/** The outcome of an attempt. */
export interface SendResult {
  statusCode: number | null;
  durationMs: number;
  /** The error message for the delivery's log. Null if the receiver responded with a 2xx. */
  error: string | null;
  /** The headers of the request. Null if no request was sent. */
  requestHeaders: Record<string, string> | null;
  timedOut: boolean;
  /** The response. Its body must be read or canceled. Null if there was no response. */
  response: Response | null;
}

/** Posts an event once, without redirects. Returns once the status is known. Throws only for our own errors. */
export async function send(env: Env, request: WebhookRequest): Promise<SendResult> {
  const startedAt = now();
  const headers = await toHeaders(env, request, startedAt);
  // The caller's own headers often have a secret.
  const hidden = Object.keys(request.headers ?? {}).map((name) => [name, REDACTED]);
  const requestHeaders = { ...Object.fromEntries(hidden), ...headers.own };
  const end = (result: Partial<SendResult>): SendResult => {
    const unsent = { statusCode: null, error: null, requestHeaders: null, timedOut: false, response: null };
    return { ...unsent, durationMs: now() - startedAt, ...result };
  };
  const refusal = await findReceiverRefusal(env, request);
  if (refusal !== null) return end({ error: refusal });
  const { body, url } = request;
  const host = URL.parse(url)?.host ?? url;
  const timeout = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
  try {
    const init = { method: "POST", redirect: "manual", signal: timeout, headers: headers.all, body } as const;
    const response = await refusePlatformAnswer(await outboundFetch(url, init), host);
    return end({ statusCode: response.status, error: toError(response.status), requestHeaders, response });
  } catch (error) {
    const timedOut = timeout.aborted || (error instanceof AppError && error.code === "target_timeout");
    return end({ error: toReason(error, host, timeout), requestHeaders, timedOut });
  }
}

/** Returns the headers of a request. Throws if one is invalid, which `fetch` would report as a failed connection. */
async function toHeaders(env: Env, request: WebhookRequest, startedAt: number) {
  const signatures = await signatureHeaders(request, startedAt);
  const own: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": env.USER_AGENT,
    "X-Webhook-ID": request.id,
    "X-Webhook-Attempt": String(request.attempt),
    ...signatures,
    ...(request.headers && { "X-Firecrawl-Signature": signatures["X-Webhook-Signature"] ?? "" }),
  };
  const all = { ...request.headers, ...own };
  new Headers(all);
  return { own, all };
}

function toError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver responded with a redirect (${status}). Redirects aren't followed.`;
  return `The receiver responded with status ${status}.`;
}

function toReason(error: unknown, host: string, timeout: AbortSignal): string {
  if (error instanceof AppError) return error.message;
  if (timeout.aborted) return `The receiver did not respond within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds.`;
  return toNetworkError(error, host).message;
}

/** Returns why the event can't be sent to the URL, as an error message, or null. */
async function findReceiverRefusal(env: Env, { url, origin, accountId }: WebhookRequest): Promise<string | null> {
  const policy = receiverPolicy(env, origin, await readDenied(env, accountId));
  const rule = findSchemeRefusal(env, url, policy);
  if (rule !== null) return `Not sent: The URL ${rule}.`;
  try {
    const reason = await new Resolver(env.DNS_RESOLVER).findRefusal(url, policy);
    return reason === null ? null : `Not sent: ${reason}`;
  } catch (error) {
    // The host name has no address. Other errors aren't errors of the receiver.
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Returns the beginning of the response body as text, or null if it is empty. Never throws. */
export async function readExcerpt(response: Response): Promise<string | null> {
  const read = await readBodyPrefix(response, { maxBytes: MAX_WEBHOOK_RESPONSE_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  // With `stream: true`, the decoder omits a character that is cut off at the end.
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true });
  const text = decode(read.subarray(0, KEPT_WEBHOOK_RESPONSE_BYTES));
  if (text === "") return null;
  // Cuts the text again, because the decoder replaces invalid UTF-8 with characters that take more bytes.
  return decode(new TextEncoder().encode(text).subarray(0, KEPT_WEBHOOK_RESPONSE_BYTES));
}
