import type { AccountRef } from "./account";
import type { Job, JobError, JobKey, JobStatus } from "./job";
import type { Labels } from "./labels";
import type { Prices } from "./prices";

/** A batch has the pages of its request. A crawl finds its pages while it runs. */
const BATCH_KINDS = ["batch", "crawl"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** The error codes of the batches and crawls that can be resumed. */
export const RESUMABLE_CODES = ["insufficient_credits", "rate_limited", "revoked_api_key", "expired_api_key"] as const;

/** The endpoints whose requests can be the pages of a batch or crawl. */
export const PAGE_ENDPOINTS = ["scrape", "parse"] as const;
export type PageEndpoint = (typeof PAGE_ENDPOINTS)[number];

/** The events that the request of a batch can select. `batch.completed` is always sent. */
export const BATCH_EVENTS = ["batch.completed", "batch.page"] as const;

/**
 * A batch or a crawl. Each of its pages is a job. A batch is completed when all of its pages have ended, even if some
 * of them have failed. It fails if it is cancelled, or if the account can't pay for its next page. Times are Unix ms.
 */
export interface Batch extends JobKey {
  account: AccountRef;
  kind: BatchKind;
  keyId: string;
  endpoint: PageEndpoint;
  status: JobStatus;
  /** The validated body as JSON, without its secrets and without the list of pages. Null after its retention. */
  request: string | null;
  origin: string;
  webhookUrl: string | null;
  /** Null if the batch has no labels, or if retention has deleted them. */
  labels: Labels | null;
  counts: BatchCounts;
  credits: { reserved: number; used: number; givenBack: number };
  error: JobError | null;
  /** The prices at the batch's creation, which its pages use. */
  prices: Prices;
  createdAt: number;
  endedAt: number | null;
}

export interface BatchCounts {
  /** The number of all known pages. For a crawl, the number of pages that it has started. */
  total: number;
  /** The number of pages that haven't started. */
  pending: number;
  /** The number of pages whose jobs are queued or running. */
  running: number;
  completed: number;
  failed: number;
  /** The number of ended pages by outcome or error code. */
  byCode: Readonly<Record<string, number>>;
}

export interface BatchPage {
  /** The page's position, counted from 1. */
  number: number;
  /** Null if the request has `store: false` and its result was deleted. */
  url: string | null;
  /** Null if the page hasn't started. */
  job: Job | null;
}
