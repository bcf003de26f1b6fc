import type { AccountRef } from "./account";
import type { Mode } from "./api-key";
import type { Endpoint } from "./endpoint";
import type { ErrorCode, ErrorDetail } from "./errors";
import type { Labels } from "./labels";
import type { Prices } from "./prices";
import type { Receipt } from "./receipt";
import type { RunPlan } from "./run-plan";

export const JOB_STATUSES = ["queued", "processing", "completed", "failed"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The kinds of pages that the result of a completed job can come from. */
export const OUTCOMES = [
  "ok",
  "needs_rendering",
  "empty",
  "soft_404",
  "error_page",
  "login",
  "consent",
  "paywall",
  "parked",
  "maintenance",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Identifies a job within its account. */
export interface JobKey {
  mode: Mode;
  id: string;
}

export interface JobRef {
  account: AccountRef;
  mode: Mode;
  job: string;
}

/** The queue message of a job. It has only ids; the data is in the job's row. */
export interface JobMessage extends JobRef {
  kind: "job";
}

export interface JobError {
  code: ErrorCode;
  message: string;
  status: number;
  retryable: boolean;
  /** The parameters that caused the error. */
  details?: ErrorDetail[] | undefined;
}

/** The fields that an endpoint adds to `meta`, such as `model_used` and `pages_fetched`. */
export type JobExtras = Record<string, JsonValue>;

type JsonValue = string | number | boolean | null | undefined | JsonValue[] | { [name: string]: JsonValue };

/** A job. Times are Unix ms. */
export interface Job extends JobKey {
  account: AccountRef;
  /** The id of the API key that created the job, or `dashboard`. */
  keyId: string;
  endpoint: Endpoint;
  status: JobStatus;
  /** The target URL, the query or the file's name. At most 2,048 characters. Null if the request has none of them. */
  subject: string | null;
  /** The validated body as JSON, without its secrets. Null if it is in R2 or its retention is over. */
  request: string | null;
  /** The encrypted secrets of the request. Null if it has none, or if the job has ended. */
  secrets: string | null;
  rendered: boolean;
  /** True while the caller of a synchronous request waits for the result. */
  waiting: boolean;
  /** The URL for the job's event: the request's `webhook_url`, or the account's URL at the job's creation. */
  webhookUrl: string | null;
  origin: string;
  /** The price in credits. It is reserved until the job ends. */
  credits: number;
  createdAt: number;
  /** The number of the current run. Writes of an earlier run are refused, because that run has lost its lease. */
  run: number;
  /** The number of runs that count as attempts. A handover and a run without a free browser don't count. */
  attempts: number;
  leaseUntil: number | null;
  /** True for a request with `store: false`: the result is deleted after it was read, or after one hour. */
  isTemporary: boolean;
  /** The result as JSON. Null if there is no result, if it was deleted, or if it is in R2. */
  result: string | null;
  resultStored: boolean;
  extras: JobExtras | null;
  creditsUsed: number;
  /** The parts of `creditsUsed`. Null if the job hasn't ended. */
  receipt: Receipt | null;
  /** Null if the job has no labels, or if retention has deleted them. */
  labels: Labels | null;
  /** The kind of page that the result comes from. Null until the job has completed. */
  outcome: string | null;
  error: JobError | null;
  processingTimeMs: number | null;
  endedAt: number | null;
  /** True if the request and the result were deleted at the end of the retention period. */
  expired: boolean;
  /** The id of the batch or crawl that contains the job as a page, or null. */
  batchId: string | null;
  /** The number of the page in its batch, counted from 1. Null if the job isn't a page of a batch. */
  page: number | null;
  /** The `X-Request-Id` of the request that created the job. Null for a page of a batch. */
  requestId: string | null;
}

/** The facts about an account that the run of a job needs. */
interface RunSettings {
  /** The number of renders that the account may run at a time. */
  concurrentRenders: number;
  /** True if the Durable Object has no room for results, so that even small ones are stored in R2. */
  isStorageLarge: boolean;
  /** True if the account keeps the pages of its jobs as captures by default. */
  keepsCaptures: boolean;
}

/** A job that a run has claimed, or may claim. */
export interface ClaimedJob extends Job {
  /** The method of the run, with its highest price. It was chosen when the job was created. */
  plan: RunPlan;
  /** The prices at the time of the request. */
  prices: Prices;
  settings: RunSettings;
  /** True if the job is a page of a crawl. The run then reports the page to the Durable Object of the crawl. */
  isCrawled: boolean;
}

export type JobMeta = { processing_time_ms: number; credits_used: number; receipt?: Receipt } & JobExtras;

export interface Completed {
  /** The result. Null if it is large: the response then streams the result from R2. */
  data: Record<string, unknown> | null;
  meta: JobMeta;
}

/** Returns the host of the target's URL, or null for a search and for a request that contains its own HTML. */
export function targetHost({ endpoint, subject }: Pick<Job, "endpoint" | "subject">): string | null {
  // The subject of a search is its query. The query isn't parsed, because it can look like a URL.
  if (endpoint === "serp" || subject === null) return null;
  return URL.parse(subject)?.hostname || null;
}

/** Returns true if the job's page was rendered. A job with `render: auto` starts without a browser. */
export function wasRendered({ extras, rendered }: Pick<Job, "extras" | "rendered">): boolean {
  return typeof extras?.rendered === "boolean" ? extras.rendered : rendered;
}
