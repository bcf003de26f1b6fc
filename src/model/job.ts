import type { AccountRef } from "./account";
import type { Mode } from "./api-key";
import type { Endpoint } from "./endpoint";
import type { ErrorCode } from "./errors";

export const JOB_STATUSES = ["queued", "processing", "completed", "failed"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** What kind of page a completed job's result is from. */
export const OUTCOMES = [
  "ok",
  "needs_rendering",
  "empty",
  "soft_404",
  "login",
  "consent",
  "paywall",
  "parked",
  "maintenance",
] as const;

/** Identifies a job within its account. */
export interface JobKey {
  mode: Mode;
  id: string;
}

/** The message of a job in a queue. The job's row is the truth. */
export interface JobMessage {
  account: AccountRef;
  mode: Mode;
  job: string;
}

export interface JobError {
  code: ErrorCode;
  message: string;
  status: number;
  retryable: boolean;
}

/** What an endpoint adds to `meta`: `model_used`, `pages_fetched` … */
export type JobExtras = Record<string, JsonValue>;

type JsonValue = string | number | boolean | null | undefined | JsonValue[] | { [name: string]: JsonValue };

/** A job. Times are Unix ms. */
export interface Job extends JobKey {
  account: AccountRef;
  /** The key that the request was made with, or `dashboard`. */
  keyId: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** The target URL or the query. Null if the request has neither. */
  subject: string | null;
  /** The validated body as JSON. Null if it is in R2 or its retention is over. */
  request: string | null;
  rendered: boolean;
  /** True while a caller waits for the result. */
  waiting: boolean;
  /** Where the event is sent: the request's URL, or else the account's at that time. */
  webhookUrl: string | null;
  origin: string;
  /** The price, which is reserved until the job ends. */
  credits: number;
  createdAt: number;
  /** Counts the runs. Each run writes with its number, so that one that lost its lease can't overwrite anything. */
  run: number;
  /** Counts the runs that count as attempts. */
  attempts: number;
  leaseUntil: number | null;
  /** Renders that the account may have at a time. */
  concurrentRenders: number;
  /** True if the account's storage has no room for results: even small ones go to R2. */
  isStorageLarge: boolean;
  /** The result as JSON. Null if there is none (any more), or if it is in R2. */
  result: string | null;
  resultStored: boolean;
  extras: JobExtras | null;
  creditsUsed: number;
  /** What kind of page the result is from. Null until the job has completed. */
  outcome: string | null;
  error: JobError | null;
  processingTimeMs: number | null;
  endedAt: number | null;
  /** True if the retention is over: the request and the result were deleted. */
  expired: boolean;
}

export type JobMeta = { processing_time_ms: number; credits_used: number } & JobExtras;

/** How a job ended well. */
export interface Completed {
  /** Null: it is large, and lies in the store. */
  data: Record<string, unknown> | null;
  meta: JobMeta;
}
