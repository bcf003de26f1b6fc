// The parameters and replies of the account's Durable Object. They are plain values, because objects lose their class
// over RPC.
import type { AccountRef } from "../../model/account";
import type { Mode } from "../../model/api-key";
import type { Endpoint } from "../../model/endpoint";
import type { ErrorCode } from "../../model/errors";
import type { ClaimedJob, Job, JobError, JobExtras, JobKey, JobStatus, Outcome } from "../../model/job";
import type { Labels } from "../../model/labels";
import type { NewPageCapture } from "../../model/page-capture";
import type { Period } from "../../model/period";
import type { Plan } from "../../model/plan";
import type { PriceLine } from "../../model/receipt";
import type { RunPlan } from "../../model/run-plan";

/** The Durable Object has no tables, or the account was erased. The call wrote nothing. */
export type Gone = { kind: "gone" };

/** The account's settings in the directory. The Durable Object stores a copy, so that it needn't read them. */
export interface AccountSettings {
  /** Increases with every change. Settings with a lower version never replace newer ones. */
  version: number;
  plan: Plan;
  /** The credits that are granted each month. */
  monthlyCredits: number;
  /** The time at which the account was suspended (Unix ms), or null. */
  suspendedAt: number | null;
  /** The maximum number of concurrent asynchronous jobs. */
  concurrentJobs: number;
  concurrentRenders: number;
  /** False if email is configured and no member has verified an email address. The account then gets no credits. */
  grantsEnabled: boolean;
  /** True if the account pays for pages whose outcome would make them free. An operator sets it against abuse. */
  chargeFreeOutcomes: boolean;
  /** The credits that the account may spend in a day (UTC). Null: no limit. */
  dailyCredits: number | null;
}

export interface OpenInput {
  account: AccountRef;
  /** The creation time of the account (Unix ms). Credits are granted on the same day of each month. */
  createdAt: number;
  settings: AccountSettings;
}

/** The credits of an account. `funds` includes the credits that unfinished jobs have reserved. Times are Unix ms. */
export interface Credits {
  funds: number;
  /** The credits that were granted in this period. */
  granted: number;
  /** The credits that operators have added in this period, minus the credits that they have removed. */
  added: number;
  used: number;
  periodStart: number;
  nextGrantAt: number;
}

export interface KeyCredits {
  /** The days (UTC) of the period. Times are Unix ms. */
  period: Period;
  /** The charged credits by key id. Keys without charges are missing. */
  used: Record<string, number>;
}

type GivenFields = "keyId" | "endpoint" | "request" | "subject" | "waiting" | "origin" | "createdAt";
type PlannedFields = "rendered" | "credits" | "plan" | "prices";

export interface NewJob extends JobKey, Pick<ClaimedJob, GivenFields | PlannedFields> {
  /** The encrypted secrets of the request. Null or absent if it has none. */
  secrets?: string | null;
  /** The webhook URL of the request. Null to use the account's webhook URL. */
  webhookUrl: string | null;
  /** The credits that the key may spend in each period. Null or undefined if the key has no limit. */
  creditLimit?: number | null;
  /** Null or absent if the job has no labels. */
  labels?: Labels | null;
  /** The id of the capture that the job uses instead of loading a page. */
  captureId?: string;
  /** True for a request with `store: false`: its result is deleted after it was read. */
  isTemporary?: boolean;
  /** The position of the job in its batch. Undefined if the job isn't a page of a batch. */
  page?: { batchId: string; number: number };
  /** The `X-Request-Id` of the request that creates the job. Absent for a page of a batch. */
  requestId?: string;
  /**
   * The caller's Idempotency-Key and the hash of the validated body, or null if the request has no such key. If
   * `isResumed` is true, the job of an earlier request is returned, but the key isn't stored for a new job.
   */
  idempotency: { key: string; bodyHash: string; isResumed?: true } | null;
}

/** The reply to `createJob`. `next` is `wait` if the plan's concurrency is used up, otherwise `run`. */
export type CreateReply =
  | { kind: "created"; next: "run" | "wait"; job: ClaimedJob }
  /** The Idempotency-Key was already used with the same body. */
  | { kind: "repeated"; job: Job }
  /** The Idempotency-Key was already used with a different body. */
  | { kind: "conflict" }
  | { kind: "insufficient_credits"; balance: number }
  /** The job would exceed the key's credit limit. `resetsAt` is the end of the period (Unix ms). */
  | { kind: "key_limit"; limit: number; used: number; reserved: number; resetsAt: number }
  /** The job would exceed the account's daily limit. `resetsAt` is the end of the day (Unix ms). */
  | { kind: "daily_limit"; limit: number; used: number; reserved: number; resetsAt: number }
  /** The job would call a model, but too many jobs failed because of its answers. `resetsAt` is the end of the day (Unix ms). */
  | { kind: "model_limit"; resetsAt: number }
  | { kind: "suspended" }
  /** The capture that the job uses doesn't exist. */
  | { kind: "no_capture" }
  /** The storage of the Durable Object is full. */
  | { kind: "full" };

/** The properties of a job that decide if it could be created now. */
export type CheckedJob = Pick<
  NewJob,
  "mode" | "keyId" | "credits" | "creditLimit" | "rendered" | "waiting" | "endpoint" | "captureId"
> & { plan?: RunPlan | undefined };

/** The reason why no job can be created. */
export type CreateRefusal = Extract<
  CreateReply,
  { kind: "insufficient_credits" | "key_limit" | "daily_limit" | "model_limit" | "suspended" | "no_capture" | "full" }
>;

export type CheckReply =
  | {
      kind: "possible";
      next: "run" | "wait";
      balance: number;
      /** The key's credits in this period. Null if the key has no credit limit. */
      key: { limit: number; used: number; reserved: number; resetsAt: number } | null;
    }
  | CreateRefusal;

export type ClaimReply =
  | { kind: "run"; job: ClaimedJob }
  /** The job has ended or doesn't exist, or the account is in another Durable Object now. */
  | Gone
  /** Another run holds the lease until `until` (Unix ms). */
  | { kind: "leased"; until: number }
  /** All attempts were used up, so the job has failed. */
  | { kind: "ended"; job: Job };

/** The outcome of a run that ended its job. */
export type JobEnd =
  | {
      status: "completed";
      /** The result as JSON. Null if it is stored in R2. */
      result: string | null;
      extras: JobExtras | null;
      /** The credits to charge, from 0 to the reserved amount. */
      charge: number;
      /** The parts of the charge. Default: the parts of the reserved price. */
      lines?: PriceLine[];
      /** The kind of the page. Default: ok. */
      outcome?: Outcome;
      /** True if the outcome makes the job free. An account with `chargeFreeOutcomes` is charged anyway. */
      isFree?: boolean;
      /** The capture that the run has kept. Undefined if it kept none. */
      capture?: NewPageCapture;
      processingTimeMs: number;
      endedAt: number;
    }
  | { status: "failed"; error: JobError; processingTimeMs: number; endedAt: number };

export type FinishReply =
  | {
      kind: "ended";
      job: Job;
      /** The next page of the same batch or crawl. The caller must run it. */
      next?: ClaimedJob;
    }
  /** Another run has the job, or the job had already ended. The call wrote nothing. */
  | { kind: "lease_lost" };

export type ReleaseReply =
  /** The job is queued again. The caller must send its message with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The job has failed, because its attempts are used up or no browser was free for an hour. */
  | { kind: "ended"; job: Job }
  | { kind: "lease_lost" };

export type DetachReply =
  /** The job continues as an asynchronous job. */
  | { kind: "detached" }
  /** The job had already ended before the call. */
  | { kind: "ended"; job: Job }
  | Gone;

/** The reply to `awaitSlot`. `run`: the caller holds the job's lease. `waits`: no slot became free in time. */
export type SlotReply = { kind: "run"; job: ClaimedJob } | { kind: "waits" } | { kind: "ended"; job: Job } | Gone;

/** The reason why a run requeues its job. Only an `error` counts as an attempt. */
export type ReleaseReason =
  | { kind: "error" }
  | { kind: "handover" }
  | { kind: "no_capacity"; retryAfterMs: number }
  /** The host of a crawl's page is overloaded. The Durable Object of the crawl has chosen the delay. */
  | { kind: "busy_target"; retryAfterMs: number };

/** The filters of the job list. An undefined filter matches every value. */
export interface JobFilter {
  mode: Mode;
  keyId?: string | undefined;
  status?: JobStatus | undefined;
  endpoint?: Endpoint | undefined;
  code?: ErrorCode | undefined;
  outcome?: string | undefined;
  /** Lists only jobs that were created at or after this time (Unix ms). */
  since?: number | undefined;
  /** Lists only jobs that were created before this time (Unix ms). */
  until?: number | undefined;
  /** Lists only jobs whose URL or search query contains this text. The case of ASCII letters is ignored. */
  text?: string | undefined;
  /** Lists only jobs that have all these tags. */
  tags?: readonly string[] | undefined;
  /** Lists only jobs whose metadata has all these values, as text. */
  metadata?: Readonly<Record<string, string>> | undefined;
  batchId?: string | undefined;
  /** True to also list the pages of batches and crawls. They are always listed with `batchId`. */
  includesPages?: boolean | undefined;
  limit: number;
  offset: number;
  /** The `next` cursor of the previous page. */
  cursor?: string | undefined;
  /** False if the caller doesn't need the total. */
  isCounted?: boolean;
  /** True to also read results over MAX_LISTED_RESULT_BYTES, the complete `meta`, and large requests. */
  isFull?: boolean;
}

/** A row of the table `jobs` with its large fields from the table `payloads`. */
export interface JobRow extends Record<string, SqlStorageValue> {
  mode: Mode;
  id: string;
  key_id: string;
  endpoint: Endpoint;
  status: JobStatus;
  waits: number;
  subject: string | null;
  request: string | null;
  secrets: string | null;
  rendered: number;
  waiting: number;
  webhook_url: string | null;
  webhook_endpoint_id: string | null;
  origin: string;
  credits: number;
  created_at: number;
  run: number;
  attempts: number;
  token: string | null;
  lease_until: number | null;
  due_at: number | null;
  resends: number;
  no_capacity_since: number | null;
  result: string | null;
  result_in: string | null;
  meta: string | null;
  /** The labels: see labels.ts. */
  metadata: string | null;
  evidence: string | null;
  credits_used: number;
  /** JSON: see job-row.ts. */
  receipt: string;
  outcome: string | null;
  code: ErrorCode | null;
  error: string | null;
  processing_time_ms: number | null;
  ended_at: number | null;
  expired: number;
  batch_id: string | null;
  page: number | null;
  /** 1: the request has `store: false`. */
  temporary: number;
  request_id: string | null;
}

/** A job that has just ended. */
export interface Ending {
  /** The job's row before the end. */
  row: JobRow;
  end: JobEnd;
  /** The credits that the job costs. */
  charge: number;
  /** The job after the end. */
  job: Job;
}
