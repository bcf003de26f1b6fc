import type { Job, JobResult } from "./jobs";
import type {
  BatchCompletedEvent,
  CrawlCompletedEvent,
  JobFailedEvent,
  JobMeta,
  Outcome,
  UsageThresholdEvent,
  WebhookTestEvent,
} from "./wire";

interface JobEvent {
  /** The id of the job. It is the same in every attempt of the event. */
  job_id: string;
  endpoint: Job["endpoint"];
  /** The `metadata` and `tags` of the request. */
  metadata?: Record<string, string | number | boolean>;
  tags?: string[];
  meta: JobMeta & { created_at: string; completed_at: string };
}

interface JobSuccess<Data> extends JobEvent {
  status: "completed";
  /** The result. Null if it is larger than 1 MB. In that case, request the job to get its result. */
  result: Data | null;
  result_truncated?: true;
  /** `outcome` is the kind of page of a scrape or parse. It isn't set for searches. */
  meta: JobEvent["meta"] & { outcome?: Outcome };
}

type JobFailure = Omit<JobFailedEvent, "event">;

export interface JobCompletedEvent<Data = JobResult["data"]> extends JobSuccess<Data> {
  event: "job.completed";
}

/**
 * The event at the end of a page of a batch or crawl, with the page's number, its URL, and its result or error. The URL
 * is null if the request has `store: false` and its result was deleted before the event was sent.
 */
type PageEnd<Data> = (JobSuccess<Data> | JobFailure) & { page: number; url: string | null };

/** The event that is sent when a page of a batch has ended. */
export type BatchPageEvent<Data = JobResult["data"]> = PageEnd<Data> & { event: "batch.page"; batch_id: string };

/**
 * The event that is sent when a page of a crawl has ended. `duplicate_of` is the URL of the earlier page that this page
 * repeats. If the page redirects to the earlier page, `result` is empty.
 */
export type CrawlPageEvent<Data = JobResult["data"]> = PageEnd<Data> & {
  event: "crawl.page";
  crawl_id: string;
  meta: { depth?: number; duplicate_of?: string };
};

export type WebhookEvent<Data = JobResult["data"]> =
  | JobCompletedEvent<Data>
  | JobFailedEvent
  | BatchCompletedEvent
  | BatchPageEvent<Data>
  | CrawlCompletedEvent
  | CrawlPageEvent<Data>
  | UsageThresholdEvent
  | WebhookTestEvent;

export interface SignedRequest {
  /** The raw body, before it is parsed. */
  body: string | Uint8Array | ArrayBuffer;
  /** A `Headers` object, or the headers object of Node.js and its frameworks. */
  headers: Pick<Headers, "get"> | Record<string, string | string[] | undefined>;
  /** The signing secret from the webhook settings: `whsec_…`. */
  secret: string;
}

/** Thrown if the body wasn't signed with the secret, or was changed. Respond with 401 and don't use the body. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

const HEADERS = ["x-webhook-signature", "x-webhook-signature-previous"] as const;

/**
 * Verifies the signature of a webhook request and returns its event. Throws a `WebhookSignatureError` if no signature
 * is valid. For 24 hours after a rotation, a request has a second signature with the previous secret, so either secret
 * works.
 */
export async function verifyWebhook<Data = JobResult["data"]>(request: SignedRequest): Promise<WebhookEvent<Data>> {
  // The secret is empty if its environment variable isn't set.
  if (!request.secret) throw new TypeError("'secret' must be the webhook's signing secret, such as 'whsec_…'.");
  checkIsRaw(request.body);
  const encoder = new TextEncoder();
  const bytes = typeof request.body === "string" ? encoder.encode(request.body) : new Uint8Array(request.body);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(request.secret), algorithm, false, ["verify"]);
  for (const name of HEADERS) {
    const signature = parseSignature(readHeader(request.headers, name));
    // `crypto.subtle.verify` compares in constant time.
    if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, bytes))) {
      return JSON.parse(new TextDecoder().decode(bytes));
    }
  }
  throw new WebhookSignatureError("The request has no valid signature for this body and secret.");
}

/** Throws a TypeError if the body was already parsed. Only the original bytes can be verified. */
function checkIsRaw(body: unknown): void {
  // `instanceof ArrayBuffer` fails for buffers from another realm, such as an iframe or a test runner's sandbox.
  const isBuffer = Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  if (typeof body === "string" || isBuffer || ArrayBuffer.isView(body)) return;
  throw new TypeError("'body' must be the raw body as a string or bytes. Don't parse it before the verification.");
}

/**
 * Returns the bytes of a signature header (`sha256=` and 64 hex digits), or null if the header is missing or invalid.
 */
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
