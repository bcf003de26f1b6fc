import { now } from "../lib/clock";
import { AppError } from "../model/errors";
import {
  KEPT_WEBHOOK_RESPONSE_BYTES,
  MAX_WEBHOOK_RESPONSE_BYTES,
  SECOND_MS,
  WEBHOOK_TIMEOUT_MS,
} from "../model/limits";
import { parseEgressPolicy } from "../net/egress";
import { Resolver } from "../net/resolver";
import { readBodyPrefix, toNetworkError } from "../net/response";
import { type SigningSecrets, signatureHeaders } from "./signature";

/** The rest of the answer is only for the log. */
const BODY_TIMEOUT_MS = 5 * SECOND_MS;

export interface Parcel {
  /** The same on every attempt, so that the receiver recognizes a repetition. */
  id: string;
  url: string;
  body: string;
  secrets: SigningSecrets;
  /** Counts from 1. */
  attempt: number;
  /** Where this service was reached. */
  origin: string;
}

/** What came of an attempt. */
export interface Sent {
  statusCode: number | null;
  durationMs: number;
  /** What was wrong. Null if the receiver answered with a 2xx. */
  error: string | null;
  timedOut: boolean;
  /** The answer, whose body must be read or canceled. Null: none came. */
  response: Response | null;
}

/**
 * POSTs an event to its receiver, once, and returns as soon as the status is known. Never throws. Redirects aren't followed.
 */
export async function send(env: Env, parcel: Parcel): Promise<Sent> {
  const startedAt = now();
  const timeout = AbortSignal.timeout(WEBHOOK_TIMEOUT_MS);
  const fail = (error: string, timedOut = false): Sent => {
    return { statusCode: null, durationMs: now() - startedAt, error, timedOut, response: null };
  };
  try {
    const reason = await receiverRefusal(env, parcel);
    if (reason !== null) return fail(`Not sent: ${reason}`);
    const response = await fetch(parcel.url, {
      method: "POST",
      redirect: "manual",
      signal: timeout,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": env.USER_AGENT,
        "X-Webhook-ID": parcel.id,
        "X-Webhook-Attempt": String(parcel.attempt),
        ...(await signatureHeaders(parcel.body, parcel.secrets)),
      },
      body: parcel.body,
    });
    const { status } = response;
    return { statusCode: status, durationMs: now() - startedAt, error: toError(status), timedOut: false, response };
  } catch (error) {
    return fail(toReason(error, parcel.url, timeout), timeout.aborted);
  }
}

function toError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver returned a redirect (${status}), which isn't followed.`;
  return `The receiver responded with status ${status}.`;
}

function toReason(error: unknown, url: string, timeout: AbortSignal): string {
  if (error instanceof AppError) return error.message;
  if (timeout.aborted) return `The receiver did not respond within ${WEBHOOK_TIMEOUT_MS / SECOND_MS} seconds.`;
  return toNetworkError(error, URL.parse(url)?.host ?? url).message;
}

async function receiverRefusal(env: Env, { url, origin }: Parcel): Promise<string | null> {
  if (URL.parse(url)?.protocol !== "https:") return "The URL must begin with https://.";
  const policy = parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]);
  return await new Resolver(env.DNS_RESOLVER).findRefusal(url, policy);
}

/** Returns the beginning of the answer's body as text, or null if it is empty. Never throws. */
export async function readExcerpt(response: Response): Promise<string | null> {
  const read = await readBodyPrefix(response, { maxBytes: MAX_WEBHOOK_RESPONSE_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  // A character that is cut in two is left out.
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true });
  const text = decode(read.subarray(0, KEPT_WEBHOOK_RESPONSE_BYTES));
  if (text === "") return null;
  // What isn't UTF-8 grows when it is replaced.
  return decode(new TextEncoder().encode(text).subarray(0, KEPT_WEBHOOK_RESPONSE_BYTES));
}
