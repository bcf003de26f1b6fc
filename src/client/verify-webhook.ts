import type { Job, JobResult } from "./jobs";
import type { JobMeta } from "./wire";

interface JobEvent {
  /** Also the `X-Webhook-ID` of each attempt: an event that comes twice has the same. */
  job_id: string;
  endpoint: Job["endpoint"];
  meta: JobMeta & { created_at: string; completed_at: string };
}

export interface JobCompletedEvent<Data = JobResult["data"]> extends JobEvent {
  event: "job.completed";
  status: "completed";
  /** null: over 1 MB, and left to the job. */
  result: Data | null;
  result_truncated?: true;
}

export interface JobFailedEvent extends JobEvent {
  event: "job.failed";
  status: "failed";
  error: { code: string; message: string };
}

export interface WebhookTestEvent {
  event: "webhook.test";
  message: string;
  meta: { created_at: string };
}

export type WebhookEvent<Data = JobResult["data"]> = JobCompletedEvent<Data> | JobFailedEvent | WebhookTestEvent;

export interface SignedRequest {
  /** As it arrived, before anything parsed it. */
  body: string | Uint8Array | ArrayBuffer;
  /** A `Headers`, or what Node and its frameworks have in its place. */
  headers: Pick<Headers, "get"> | Record<string, string | string[] | undefined>;
  /** `whsec_…`, as it stands in the settings. */
  secret: string;
}

/** The body isn't the service's own, or was changed on its way. Answer 401, and don't read it. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

const HEADERS = ["x-webhook-signature", "x-webhook-signature-previous"] as const;

/**
 * The event of a request that the service signed; throws a `WebhookSignatureError` for any other. After a rotation one of two
 * signatures is made with the secret before, so that a receiver may change over within 24 hours.
 */
export async function verifyWebhook<Data = JobResult["data"]>(request: SignedRequest): Promise<WebhookEvent<Data>> {
  // As when its variable isn't set: nothing could have been signed with it.
  if (!request.secret) throw new TypeError("'secret' must be the webhook secret, such as whsec_….");
  checkIsRaw(request.body);
  const encoder = new TextEncoder();
  const bytes = typeof request.body === "string" ? encoder.encode(request.body) : new Uint8Array(request.body);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(request.secret), algorithm, false, ["verify"]);
  for (const name of HEADERS) {
    const signature = parseSignature(readHeader(request.headers, name));
    // It is `verify` that compares, in constant time.
    if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, bytes))) {
      return JSON.parse(new TextDecoder().decode(bytes));
    }
  }
  throw new WebhookSignatureError("No signature of this request was made with this secret over this body.");
}

/** A body that was parsed already can't be verified: the bytes that were signed are gone. */
function checkIsRaw(body: unknown): void {
  // By its name: another frame, or a test runner, has constructors of its own.
  const isBuffer = Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  if (typeof body === "string" || isBuffer || ArrayBuffer.isView(body)) return;
  throw new TypeError("'body' must be the raw body as it arrived, before anything parsed it: a string or bytes.");
}

/** `sha256=` and 64 hexadecimal digits. */
function parseSignature(value: string | null): Uint8Array<ArrayBuffer> | null {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(value ?? "")?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}

function readHeader(headers: SignedRequest["headers"], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function isHeaders(headers: SignedRequest["headers"]): headers is Pick<Headers, "get"> {
  return typeof headers.get === "function";
}
