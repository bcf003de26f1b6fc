import type { AccountRef } from "./account";
import type { Mode } from "./api-key";
import type { Endpoint } from "./endpoint";
import type { JobExtras } from "./job";

/** A job that a run has claimed, with its complete request. */
export interface ClaimedJob {
  id: string;
  account: AccountRef;
  /** Renders that the account may have at a time. */
  concurrentRenders: number;
  run: number;
  endpoint: Endpoint;
  mode: Mode;
  /** The validated body. */
  request: unknown;
  origin: string;
  createdAt: number;
  credits: number;
}

/** What an endpoint gets to run a job. */
export interface RunContext {
  env: Env;
  job: ClaimedJob;
  /** Aborted when the run loses its lease, is handed over, or exceeds its time limit. */
  signal: AbortSignal;
  /**
   * Must be awaited before the run holds more than LARGE_PAGE_BYTES. Such runs go one at a time in an isolate, each until its
   * result is stored. Later calls do nothing. Rejects with the signal's reason.
   */
  acquireLargeLock: () => Promise<void>;
}

/** The result of a job, and what the endpoint adds to its `meta`. */
export interface Execution {
  data: Record<string, unknown>;
  extras?: JobExtras;
}

/** No browser slot is free. The job is requeued, and the run doesn't count as an attempt. */
export class NoCapacityError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoCapacityError";
    this.retryAfterMs = retryAfterMs;
  }
}
