import { now } from "../lib/clock";
import type { Attempt } from "../model/delivery";
import { AppError } from "../model/errors";
import { KEPT_WEBHOOK_ANSWER_BYTES, MAX_WEBHOOK_ANSWER_BYTES, SECOND_MS, WEBHOOK_ANSWER_MS } from "../model/limits";
import { parseEgressPolicy } from "../net/egress";
import { Resolver } from "../net/resolver";
import { readBodyPrefix, toNetworkError } from "../net/response";
import { type SigningSecrets, signatureHeaders } from "./signature";

/** The status has come: the rest of the answer is only for the log. */
const BODY_PATIENCE_MS = 5 * SECOND_MS;

export interface Parcel {
  /** The same on every attempt: what a receiver recognises a repetition by. */
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
export type SendOutcome = Pick<Attempt, "status_code" | "duration_ms" | "error">;

export interface Sent {
  outcome: SendOutcome;
  /** The answer, whose body is still to come: `readExcerpt` must be called. */
  response?: Response;
}

/**
 * POSTs an event to its receiver, once, and returns as soon as the status is known. Never throws: whatever happens is an
 * outcome. Redirects aren't followed.
 */
export async function send(env: Env, parcel: Parcel, signal: AbortSignal): Promise<Sent> {
  const startedAt = now();
  const timeout = AbortSignal.timeout(WEBHOOK_ANSWER_MS);
  const outcome = (rest: Pick<SendOutcome, "status_code" | "error">): SendOutcome => ({
    ...rest,
    duration_ms: now() - startedAt,
  });
  try {
    const reason = await receiverRefusal(env, parcel);
    if (reason !== null) return { outcome: outcome({ status_code: null, error: `Not sent: ${reason}` }) };
    const response = await fetch(parcel.url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([timeout, signal]),
      headers: {
        "Content-Type": "application/json",
        "User-Agent": env.USER_AGENT,
        "X-Webhook-ID": parcel.id,
        "X-Webhook-Attempt": String(parcel.attempt),
        ...(await signatureHeaders(parcel.body, parcel.secrets)),
      },
      body: parcel.body,
    });
    const error = toError(response.status);
    return { outcome: outcome({ status_code: response.status, error }), response };
  } catch (error) {
    return { outcome: outcome({ status_code: null, error: toReason(error, parcel.url, timeout) }) };
  }
}

function toError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered with a redirect (${status}), which isn't followed.`;
  return `The receiver answered with status ${status}.`;
}

function toReason(error: unknown, url: string, timeout: AbortSignal): string {
  if (error instanceof AppError) return error.message;
  if (timeout.aborted) return `The receiver did not answer within ${WEBHOOK_ANSWER_MS / SECOND_MS} seconds.`;
  return toNetworkError(error, URL.parse(url)?.host ?? url).message;
}

async function receiverRefusal(env: Env, { url, origin }: Parcel): Promise<string | null> {
  if (URL.parse(url)?.protocol !== "https:") return "The URL must begin with https://.";
  const policy = parseEgressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]);
  return await new Resolver(env.DNS_RESOLVER).findRefusal(url, policy);
}

/** The beginning of the answer, as text; of a longer one no more is read than keeps the connection usable. Never throws. */
export async function readExcerpt(response: Response): Promise<string | null> {
  const read = await readBodyPrefix(response, { maxBytes: MAX_WEBHOOK_ANSWER_BYTES, timeoutMs: BODY_PATIENCE_MS });
  // A character that is cut in two is left out.
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true });
  const text = decode(read.subarray(0, KEPT_WEBHOOK_ANSWER_BYTES));
  if (text === "") return null;
  // What isn't UTF-8 grows when it is replaced.
  return decode(new TextEncoder().encode(text).subarray(0, KEPT_WEBHOOK_ANSWER_BYTES));
}
