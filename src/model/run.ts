import type { Mode } from "./api-key";
import type { Endpoint } from "./endpoint";
import type { JobExtras } from "./job";

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
