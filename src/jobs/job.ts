import type { Endpoint, JobStatus } from "../contract/common";
import type { ErrorCode } from "../errors";
import type { Mode } from "../keys/api-key";

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

/** A job that a run holds: the request is read back, whole. */
export interface ClaimedJob {
  id: string;
  accountId: string;
  run: number;
  endpoint: Endpoint;
  mode: Mode;
  /** The validated body. */
  request: unknown;
  origin: string;
  createdAt: number;
  credits: number;
}

/** What a run gives its executor. */
export interface RunContext {
  env: Env;
  job: ClaimedJob;
  /** Aborted when the run loses its lease, is handed over, or runs out of time. */
  signal: AbortSignal;
  /**
   * To be awaited before the run holds more than LARGE_PAGE_BYTES: such runs go one at a time in an isolate, each until its
   * result is stored. Nothing more happens when it is called again. Rejects with the signal's reason.
   */
  takeTurn: () => Promise<void>;
}

export interface Execution {
  data: Record<string, unknown>;
  extras?: JobExtras;
}

/** Does the work of a job and returns its result. Throws AppError for an answer, anything else is an accident. */
export type Executor = (context: RunContext) => Promise<Execution>;

/** No place is free: not the job's fault. It goes back to its queue and doesn't count as a run. */
export class NoCapacityError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoCapacityError";
    this.retryAfterMs = retryAfterMs;
  }
}
