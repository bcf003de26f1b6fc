// The parameters and replies of the account's Durable Object. They are plain values, because objects lose their class
// over RPC.
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import type { AttemptRef, Delivery, DeliveryStatus } from "../model/delivery";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { Job, JobError, JobExtras, JobKey, JobStatus, Outcome } from "../model/job";
import type { Plan } from "../model/plan";

/**
 * The Durable Object has no tables, or the account was moved or erased. The call wrote nothing. Callers treat the
 * account as unknown.
 */
export type Gone = { kind: "gone" };

/**
 * The account's settings in the directory. The Durable Object stores a copy, so that requests don't read the directory.
 */
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
  /** The maximum number of concurrent renders. */
  concurrentRenders: number;
  /** False if email is configured and no member has verified an email address. The account then gets no credits. */
  grantsEnabled: boolean;
  /** True if the account pays for pages whose outcome would make them free. An operator sets it against abuse. */
  chargeFreeOutcomes: boolean;
}

export interface OpenInput {
  account: AccountRef;
  /** The creation time of the account (Unix ms). Credits are granted on the same day of each month. */
  createdAt: number;
  settings: AccountSettings;
}

export interface NewJob extends JobKey {
  keyId: string;
  endpoint: Endpoint;
  /** The validated body as JSON. Null if it is stored in R2. */
  request: string | null;
  /** The target URL or the query, for lists. At most 2,048 characters. Null if the request has neither of them. */
  subject: string | null;
  rendered: boolean;
  /** True if a caller waits for the result. */
  waiting: boolean;
  /** The webhook URL of the request. Null to use the account's webhook URL. */
  webhookUrl: string | null;
  origin: string;
  /** The job's price. These credits are reserved. */
  credits: number;
  /** The credits that the key may spend in each period. Null or undefined if the key has no limit. */
  creditLimit?: number | null;
  createdAt: number;
  /** The caller's Idempotency-Key and the hash of the validated body, or null if the request has no such key. */
  idempotency: { key: string; bodyHash: string } | null;
}

/**
 * The reply to `createJob`. `next` is `run` if the job can start now, and `wait` if the plan's concurrency is used up.
 */
export type CreateReply =
  | { kind: "created"; next: "run" | "wait"; job: Job }
  /** The Idempotency-Key was already used with the same body. */
  | { kind: "repeated"; job: Job }
  /** The Idempotency-Key was already used with a different body. */
  | { kind: "conflict" }
  | { kind: "insufficient_credits"; balance: number }
  /** The job would exceed the key's credit limit. `resetsAt` is the end of the period (Unix ms). */
  | { kind: "key_limit"; limit: number; used: number; reserved: number; resetsAt: number }
  | { kind: "suspended" }
  /** The storage of the Durable Object is full. */
  | { kind: "full" }
  | Gone;

export type ClaimReply =
  | { kind: "run"; job: Job }
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
      /** The kind of the page. Default: ok. */
      outcome?: Outcome;
      /** True if the outcome makes the job free. An account with `chargeFreeOutcomes` is charged anyway. */
      isFree?: boolean;
      processingTimeMs: number;
      endedAt: number;
    }
  | { status: "failed"; error: JobError; processingTimeMs: number; endedAt: number };

export type FinishReply =
  | { kind: "ended"; job: Job }
  /** Another run has the job, or the job had already ended. The call wrote nothing. */
  | { kind: "lease_lost" }
  | Gone;

export type ReleaseReply =
  /** The job is queued again. The caller must send its message with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The job has failed, because its attempts are used up or no browser was free for an hour. */
  | { kind: "ended"; job: Job }
  | { kind: "lease_lost" }
  | Gone;

export type DetachReply =
  /** The job continues as an asynchronous job. */
  | { kind: "detached" }
  /** The job had already ended before the call. */
  | { kind: "ended"; job: Job }
  | Gone;

/**
 * The reply to `awaitSlot`. `run`: a slot is free, and the caller holds the job's lease. `waits`: no slot became free
 * in time.
 */
export type SlotReply = { kind: "run"; job: Job } | { kind: "waits" } | { kind: "ended"; job: Job } | Gone;

/** The reason why a run requeues its job. Only an `error` counts as an attempt. */
export type ReleaseReason = { kind: "error" } | { kind: "handover" } | { kind: "no_capacity"; retryAfterMs: number };

/** An attempt that a Worker starts or reports. Only the Worker with the same token may report it. */
export interface BegunAttempt extends AttemptRef {
  token: string;
}

export type BeginReply =
  | {
      kind: "send";
      delivery: Delivery;
      /**
       * The value of the header `X-Webhook-Attempt`, counted from 1. Interrupted attempts that don't count don't
       * increase it.
       */
      number: number;
      /** The event's job. Null if the event isn't about a job, or if the job no longer exists. */
      job: Job | null;
      /** The id of the endpoint whose secret signs the delivery. */
      signedBy: string;
      /** The encrypted secret of this endpoint. Null if it hasn't been created yet. */
      secret: string | null;
      /** The encrypted secret before the last rotation. Null if there is none or it has expired. */
      previousSecret: string | null;
    }
  /** The attempt has ended, or another Worker has started it. */
  | { kind: "stale" }
  | Gone;

/** The outcome of an attempt. */
export type AttemptReport =
  | {
      kind: "sent";
      statusCode: number | null;
      durationMs: number | null;
      error: string | null;
      /** The headers of the request. Null or absent if no request was sent. */
      requestHeaders?: Record<string, string> | null;
      /** The first bytes of the response body. Null if they didn't arrive with the status. */
      response: string | null;
      /** True if the receiver didn't respond in time. */
      timedOut: boolean;
    }
  /**
   * The event couldn't be prepared. If `reason` isn't null, it can never be prepared, and the delivery is abandoned.
   */
  | { kind: "unprepared"; reason: string | null };

export type ReportReply = { kind: "recorded"; status: DeliveryStatus } | { kind: "stale" } | Gone;

/** The filters of the delivery list. An undefined filter matches every value. */
export interface DeliveryFilter {
  mode: Mode;
  status?: DeliveryStatus | undefined;
  jobId?: string | undefined;
  limit: number;
  offset: number;
}

export interface DeliveryPage {
  deliveries: Delivery[];
  /** The number of matching deliveries, counted up to 10,000. */
  total: number;
  totalIsEstimate: boolean;
}

/** Selects the deliveries of a bulk redelivery. Test events are never selected. */
export interface RedeliveryFilter {
  mode: Mode;
  /** `failed`: the last attempt failed, and the delivery is abandoned or waits for its next attempt. */
  status: "failed" | "abandoned" | "succeeded" | "all";
  endpointId: string | null;
  /** Only deliveries that were created at this time or later (Unix ms). */
  since: number;
  /** Only deliveries that were created, and last redelivered, before this time (Unix ms). */
  until: number;
  /** The maximum number of deliveries. */
  limit: number;
}

export interface RedeliveryCount {
  redelivered: number;
  /** The number of deliveries without a URL, because their endpoint was deleted or the account's URL was removed. */
  skipped: number;
  /** True if more deliveries match the filter. */
  hasMore: boolean;
}

export type RedeliverReply =
  | { kind: "restarted"; delivery: Delivery }
  /** The account's URL was removed. */
  | { kind: "no_url" }
  /** The endpoint was deleted. */
  | { kind: "no_endpoint" }
  | Gone;

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
  limit: number;
  offset: number;
  /** The `next` cursor of the previous page. */
  cursor?: string | undefined;
  /** False if the caller doesn't need the total. */
  isCounted?: boolean;
}
