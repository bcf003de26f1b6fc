import type { AccountRef } from "./account";
import type { Job, JobError, JobKey, JobStatus } from "./job";
import type { Labels } from "./labels";

/** A batch has the pages of its request. The pages of a crawl are found while it runs. */
export const BATCH_KINDS = ["batch", "crawl"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** The endpoints whose requests can be the pages of a batch or crawl. */
export const PAGE_ENDPOINTS = ["scrape", "parse"] as const;
export type PageEndpoint = (typeof PAGE_ENDPOINTS)[number];

/** The events that the request of a batch can choose. `batch.completed` is always sent. */
export const BATCH_EVENTS = ["batch.completed", "batch.page"] as const;

/**
 * A batch or a crawl. Each of its pages is a job. A batch is completed when all of its pages have ended, even if some of
 * them have failed. It fails if it is cancelled, or if its next page can't be paid for. Times are Unix ms.
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
  /** Null if the batch has no labels, and after retention has deleted them. */
  labels: Labels | null;
  counts: BatchCounts;
  credits: { reserved: number; used: number; givenBack: number };
  error: JobError | null;
  createdAt: number;
  endedAt: number | null;
}

/** The number of pages of a batch. */
export interface BatchCounts {
  /** All known pages. Those of a crawl are the pages that it has started. */
  total: number;
  /** The pages that haven't started. */
  pending: number;
  /** The pages whose jobs are queued or running. */
  running: number;
  completed: number;
  failed: number;
  /** The number of ended pages by outcome or error code. */
  byCode: Readonly<Record<string, number>>;
}

/** A page of a batch. */
export interface BatchPage {
  /** The page's position, counted from 1. */
  number: number;
  /** Null if the request has `store: false` and its result was deleted. */
  url: string | null;
  /** Null if the page hasn't started. */
  job: Job | null;
}
