import type { FoundPage } from "./crawl";
import type { ClaimedJob, JobExtras, Outcome } from "./job";
import type { CaptureQuery, NewPageCapture, PageCapture } from "./page-capture";
import type { PriceLine } from "./receipt";

/** The input of an endpoint's run. */
export interface RunContext {
  env: Env;
  job: ClaimedJob;
  /** Aborted when the run loses its lease, is handed over, or exceeds its time limit. */
  signal: AbortSignal;
  /**
   * Waits until the pages of all runs in the isolate, together with `bytes` of this run, have at most LARGE_PAGE_BYTES,
   * or until no other run has a page. Without `bytes`, the size isn't known and counts as LARGE_PAGE_BYTES. Pages of up
   * to SMALL_PAGE_BYTES don't count. The bytes are held until the job's result is stored. A later call replaces a
   * smaller number of bytes. Rejects with the signal's reason.
   */
  acquireLargeLock: (bytes?: number) => Promise<void>;
  /** Releases the bytes while the run only waits. Await `acquireLargeLock` before the run uses much memory again. */
  releaseLargeLock: () => void;
  /** Throws AppError if the page must not redirect to this URL. Undefined: all public URLs are allowed. */
  beforeRedirect?: (url: URL) => Promise<void>;
  /** Returns the capture of the job's account and mode that the query selects, or null. */
  findCapture: (query: CaptureQuery) => Promise<PageCapture | null>;
  /** Loads pages as a batch, and waits for them. Throws if the account can't be reached. */
  loadFoundPages: (request: FoundPagesRequest) => Promise<FoundPages>;
}

/** The pages that a search loads as a batch. */
export interface FoundPagesRequest {
  urls: readonly string[];
  /** The options of a scrape that all pages have. */
  options: Record<string, unknown>;
  /** The view of each page. */
  view: Readonly<Record<string, unknown>>;
  /** The maximum time to wait for the pages. */
  waitMs: number;
}

export interface FoundPages {
  /** The id of the batch. Null if the account refused it. */
  batchId: string | null;
  /** The credits that the pages have cost so far. */
  creditsUsed: number;
  /** The pages in the API's format, in the order of `urls`. */
  pages: Record<string, unknown>[];
}

/** The result of a job. */
export interface Execution {
  data: Record<string, unknown>;
  /** The fields that the endpoint adds to `meta`. */
  extras?: JobExtras;
  /** The kind of the page. Default: ok. */
  outcome?: Outcome;
  /** The price lines for the run's actual use. Default: the lines of the reserved credits, which are the maximum. */
  lines?: PriceLine[];
  /** True if the outcome makes the job free. Accounts that pay for free outcomes are charged anyway. */
  isFree?: boolean;
  /** The links and the hash of the page. Set only for pages of crawls. */
  found?: FoundPage;
  /** The page that the run kept as a capture. */
  capture?: NewPageCapture;
}

/** Thrown when no browser slot is free. The job is requeued, and the run doesn't count as an attempt. */
export class NoCapacityError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoCapacityError";
    this.retryAfterMs = retryAfterMs;
  }
}
