import type { Mode } from "./api-key";
import type { Endpoint } from "./endpoint";
import type { ErrorCode } from "./errors";

export const JOB_STATUSES = ["queued", "processing", "completed", "failed"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** What a queue carries: the row is the truth. */
export interface JobMessage {
  jobId: string;
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

/** A job as the code knows it. Times are Unix ms. */
export interface Job {
  id: string;
  accountId: string;
  mode: Mode;
  endpoint: Endpoint;
  status: JobStatus;
  /** The validated body as JSON; null when it lies in R2. */
  request: string | null;
  rendered: boolean;
  origin: string;
  credits: number;
  createdAt: number;
  run: number;
  countedRuns: number;
  leaseUntil: number | null;
  /** JSON of the result when it lies in the row. */
  result: string | null;
  resultStored: boolean;
  extras: JobExtras | null;
  creditsUsed: number;
  error: JobError | null;
  processingTimeMs: number | null;
  endedAt: number | null;
}

/** A job that was read back. Where its delivery goes is the database's business: it may take the account's receiver. */
export interface StoredJob extends Job {
  webhookUrl: string | null;
}

export type JobMeta = { processing_time_ms: number; credits_used: number } & JobExtras;

/** How a job ended well. */
export interface Completed {
  /** Null: it is large, and lies in the store. */
  data: Record<string, unknown> | null;
  meta: JobMeta;
}

export type NewJob = Pick<
  Job,
  "id" | "accountId" | "mode" | "endpoint" | "rendered" | "origin" | "credits" | "createdAt"
> & { keyId: string; request: string | null; waiting: boolean; webhookUrl: string | null };
