import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import {
  KEPT_WEBHOOK_RESPONSE_BYTES,
  MAX_WEBHOOK_RESPONSE_BYTES,
  SECOND_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../model/limits";
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
}

/** The outcome of an attempt. */
export interface SendResult {
  statusCode: number | null;
  durationMs: number;
  /** The error message for the delivery's log. Null if the receiver responded with a 2xx. */
  error: string | null;
  timedOut: boolean;
  /** The response. Its body must be read or canceled. Null if there was no response. */
  response: Response | null;
}

/**
 * Posts an event to its receiver once. Returns as soon as the status is known. Never throws, and follows no redirects.
 */
export async function send(env: Env, request: WebhookRequest): Promise<SendResult> {
  const startedAt = now();
  const timeout = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
  const fail = (error: string, timedOut = false): SendResult => {
    return { statusCode: null, durationMs: now() - startedAt, error, timedOut, response: null };
  };
  try {
    const reason = await receiverRefusal(env, request);
    if (reason !== null) return fail(`Not sent: ${reason}`);
    const answer = await outboundFetch(request.url, {
      method: "POST",
      redirect: "manual",
      signal: timeout,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": env.USER_AGENT,
        "X-Webhook-ID": request.id,
        "X-Webhook-Attempt": String(request.attempt),
        ...(await signatureHeaders(request, startedAt)),
      },
      body: request.body,
    });
    const response = await refusePlatformAnswer(answer, new URL(request.url).host);
    const { status } = response;
    return { statusCode: status, durationMs: now() - startedAt, error: toError(status), timedOut: false, response };
  } catch (error) {
    const timedOut = timeout.aborted || (error instanceof AppError && error.code === "target_timeout");
    return fail(toReason(error, request.url, timeout), timedOut);
  }
}

function toError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver responded with a redirect (${status}). Redirects aren't followed.`;
  return `The receiver responded with status ${status}.`;
}

function toReason(error: unknown, url: string, timeout: AbortSignal): string {
  if (error instanceof AppError) return error.message;
  if (timeout.aborted) return `The receiver did not respond within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds.`;
  return toNetworkError(error, URL.parse(url)?.host ?? url).message;
}

async function receiverRefusal(env: Env, { url, origin }: WebhookRequest): Promise<string | null> {
  const policy = receiverPolicy(env, origin);
  const rule = findSchemeRefusal(env, url, policy);
  if (rule !== null) return `The URL ${rule}.`;
  return await new Resolver(env.DNS_RESOLVER).findRefusal(url, policy);
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
