// The parameters and replies of the methods for batches of the account's Durable Object.
import type { Batch, BatchKind, BatchPage, PageEndpoint } from "../../model/batch";
import type { Hook } from "../../model/delivery";
import type { JobKey } from "../../model/job";
import type { Labels } from "../../model/labels";
import type { Prices } from "../../model/prices";
import type { RunPlan } from "../../model/run-plan";
import type { CreateRefusal } from "../storage/types";

/** The price of a page, and the method that loads the page first. */
export interface PagePrice {
  /** True if the page is loaded in a browser from the start. */
  rendered: boolean;
  /** The highest price in credits. It is reserved when the page starts. */
  credits: number;
  /** The method of the run, with its highest price. Omitted if it isn't known. */
  plan?: RunPlan | undefined;
}

/** A page that hasn't started. */
export interface NewPage extends PagePrice {
  /** Counted from 1. */
  number: number;
  url: string;
  /** The fields of the validated request that differ from the batch's `defaults`. A null removes a default. */
  overrides: Record<string, unknown>;
  /** The page's own secrets, encrypted with the id of the batch. Null: the page uses the batch's secrets. */
  secrets: string | null;
  plan: RunPlan;
}

export interface NewBatch extends JobKey {
  kind: BatchKind;
  keyId: string;
  /** The credits that the key may spend in each period. Null if the key has no limit. */
  creditLimit: number | null;
  endpoint: PageEndpoint;
  /** The validated body as JSON, without its secrets and its pages. At most 60 KB. */
  request: string;
  /** The fields that the requests of the pages share, without secrets. */
  defaults: Record<string, unknown>;
  /** The secrets of `defaults`, encrypted with the id of the batch, or null. */
  secrets: string | null;
  origin: string;
  /** The webhook URL of the request. Null to use the account's webhook URL. */
  webhookUrl: string | null;
  /** True if the end of each page is sent to `webhookUrl`. */
  pageEvents: boolean;
  /** The webhook of a client of Firecrawl. */
  hook?: Hook | undefined;
  labels: Labels | null;
  /** The pages in the order of the request. Empty for a crawl. */
  pages: NewPage[];
  /** The prices at the time of the request. */
  prices: Prices;
  /** The first page. The account must be able to pay for it. */
  first: PagePrice;
  requestId?: string;
  idempotency: { key: string; bodyHash: string } | null;
}

export type CreateBatchReply =
  | { kind: "created"; batch: Batch }
  /** The Idempotency-Key was already used with the same body. */
  | { kind: "repeated"; batch: Batch }
  /** The Idempotency-Key was already used with a different body. */
  | { kind: "conflict" }
  | CreateRefusal;

/** `missing`: there is no batch with this id. */
export type BatchReply = { kind: "batch"; batch: Batch } | { kind: "missing" };

/** The reason why a batch is stopped: a request, or the end of its key. */
export type StopReason = "cancelled" | KeyStop["reason"];

/** A key that was revoked or has expired. Its unfinished work must be stopped. */
export interface KeyStop {
  keyId: string;
  reason: "revoked_api_key" | "expired_api_key";
}

export interface KeyWork {
  /** The number of unfinished jobs. At most MAX_COUNTED_WORK. */
  jobs: number;
  batches: number;
}

/** The batch to resume, and the key with which it continues. Default: its key, with the stored limit. */
export interface ResumeBatch extends JobKey {
  owner?: {
    keyId: string;
    /** The credits that the key may spend in each period. Null if the key has no limit. */
    creditLimit: number | null;
  };
}

export type ResumeReply =
  | { kind: "resumed"; batch: Batch }
  /** The batch can't be resumed, because it stopped for another reason or its pages were deleted. */
  | { kind: "unchanged"; batch: Batch }
  /** The next page still can't be started. `credits` is its price. */
  | { kind: "refused"; refusal: CreateRefusal; credits: number }
  | { kind: "missing" };

export type StartPagesReply =
  | {
      kind: "pages";
      /** The numbers of the pages that haven't ended. */
      unfinished: number[];
      /** True if the crawl has ended, for example because it was canceled. It then accepts no pages. */
      hasEnded: boolean;
      /** True if the crawl has ended and can't be resumed. */
      isOver?: boolean;
    }
  | { kind: "missing" };

/** Selects the pages of a batch, in the order of their numbers. */
export interface PageFilter extends JobKey {
  /** Only pages with a higher number. */
  after: number;
  /** The maximum number of pages. */
  limit: number;
  /** True to also read results over MAX_LISTED_RESULT_BYTES that are stored in the account's Durable Object. */
  isFull?: boolean;
}

export type PagesReply =
  | {
      kind: "pages";
      pages: BatchPage[];
      /** The `after` of the next part, or null if this is the last one. */
      next: number | null;
    }
  | { kind: "missing" };
