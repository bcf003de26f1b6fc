// What the Account object is called with, and what it answers. Only plain values cross RPC: class identity is lost there.
import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import type { Delivery, DeliveryMessage, DeliveryStatus } from "../model/delivery";
import type { Endpoint } from "../model/endpoint";
import type { ErrorCode } from "../model/errors";
import type { Job, JobError, JobExtras, JobKey, JobStatus } from "../model/job";
import type { Plan } from "../model/plan";

/** The object has no tables or was erased. Nothing was written. Callers treat the account as unknown. */
export type Gone = { kind: "gone" };

/** What the directory says about an account. The object keeps a copy, so that requests don't need the directory. */
export interface AccountSettings {
  /** Fences changes: an older version never replaces a newer one. */
  version: number;
  plan: Plan;
  /** Credits granted each month. */
  monthlyCredits: number;
  /** Unix ms, or null. */
  suspendedAt: number | null;
  /** Asynchronous jobs at a time. */
  concurrentJobs: number;
  /** Renders at a time. */
  concurrentRenders: number;
  /** False until a member has verified an email address, where that is required: no credits are granted. */
  grantsEnabled: boolean;
}

export interface OpenInput {
  account: AccountRef;
  /** Unix ms. The day of the month on which credits are granted. */
  createdAt: number;
  settings: AccountSettings;
}

export interface NewJob extends JobKey {
  keyId: string;
  endpoint: Endpoint;
  /** The validated body as JSON, or null if it is in R2. */
  request: string | null;
  /** The target URL or the query, for lists. At most 2,048 characters. Null if the request has neither. */
  subject: string | null;
  rendered: boolean;
  /** True if a caller waits for the result. */
  waiting: boolean;
  /** The request's own webhook URL. Null: the account's applies. */
  webhookUrl: string | null;
  origin: string;
  /** The price, which is reserved. */
  credits: number;
  createdAt: number;
  /** The caller's Idempotency-Key with the hash of the validated body, or null. */
  idempotency: { key: string; bodyHash: string } | null;
}

/** `run`: the caller runs the job now, or sends its message. `wait`: the plan's concurrency is used up. */
export type CreateReply =
  | { kind: "created"; next: "run" | "wait"; job: Job }
  /** The Idempotency-Key was used for the same body before. */
  | { kind: "repeated"; job: Job }
  /** The Idempotency-Key was used for another body. */
  | { kind: "conflict" }
  | { kind: "insufficient_credits"; balance: number }
  | { kind: "suspended" }
  /** The object's storage is used up. */
  | { kind: "full" }
  | Gone;

export type ClaimReply =
  | { kind: "run"; job: Job }
  /** The job has ended or doesn't exist, or another account's object has it now. */
  | Gone
  /** Another run holds the lease until then (Unix ms). */
  | { kind: "leased"; until: number }
  /** All attempts are used up. The job was failed. */
  | { kind: "ended"; job: Job };

/** How a run ended its job. */
export type JobEnd =
  | {
      status: "completed";
      /** JSON, or null if it was stored in R2. */
      result: string | null;
      extras: JobExtras | null;
      /** Credits to charge, from 0 to the reserved amount. */
      charge: number;
      /** The page's outcome. Default: ok. */
      outcome?: string;
      processingTimeMs: number;
      endedAt: number;
    }
  | { status: "failed"; error: JobError; processingTimeMs: number; endedAt: number };

export type FinishReply =
  | { kind: "ended"; job: Job }
  /** Another run has the job, or it was ended or cancelled. Nothing was written. */
  | { kind: "lease_lost" }
  | Gone;

export type ReleaseReply =
  /** The job is queued again. Its message must be sent with this delay. */
  | { kind: "requeued"; delayMs: number }
  /** The job was failed, since no attempt or no time is left. */
  | { kind: "ended"; job: Job }
  | { kind: "lease_lost" }
  | Gone;

export type DetachReply =
  /** The job continues as an asynchronous one. */
  | { kind: "detached" }
  /** The job had ended. */
  | { kind: "ended"; job: Job }
  | Gone;

/** `run`: a slot is free, and the caller holds the job's lease. `waits`: none became free until the deadline. */
export type SlotReply = { kind: "run"; job: Job } | { kind: "waits" } | { kind: "ended"; job: Job } | Gone;

/** Why a run gives its job back. Only an error counts as an attempt. */
export type ReleaseReason = { kind: "error" } | { kind: "handover" } | { kind: "no_capacity"; retryAfterMs: number };

/** An attempt to deliver an event. The token is the Worker's own: only the one that began the attempt reports it. */
export interface BegunAttempt extends DeliveryMessage {
  token: string;
}

export type BeginReply =
  | {
      kind: "send";
      delivery: Delivery;
      /** The attempt's number for the receiver. Interrupted attempts may not count. */
      number: number;
      /** The job of the event. Null: a test event, or the job is gone. */
      job: Job | null;
      /** Encrypted. Null: none was made yet. */
      secret: string | null;
      /** The secret before a rotation, encrypted, while it still signs. */
      previousSecret: string | null;
    }
  /** The attempt has ended, or another Worker makes it. */
  | { kind: "stale" }
  | Gone;

/** What came of an attempt. */
export type AttemptReport =
  | {
      kind: "sent";
      statusCode: number | null;
      durationMs: number | null;
      error: string | null;
      /** The beginning of the answer's body, if it came with the status. */
      response: string | null;
      /** True if the receiver didn't answer in time. */
      timedOut: boolean;
    }
  /** The event couldn't be prepared. With a reason, it never can be, and the delivery is abandoned. */
  | { kind: "unprepared"; reason: string | null };

export type ReportReply = { kind: "recorded"; status: DeliveryStatus } | { kind: "stale" } | Gone;

/** Filters of the list of deliveries. Undefined: any value. */
export interface DeliveryFilter {
  mode: Mode;
  status?: DeliveryStatus | undefined;
  jobId?: string | undefined;
  limit: number;
  offset: number;
}

export interface DeliveryPage {
  deliveries: Delivery[];
  /** Counted to 10,000. */
  total: number;
  totalIsEstimate: boolean;
}

/** The webhook settings of a mode. Secrets are encrypted. */
export interface WebhookRow {
  url: string | null;
  secret: string | null;
  previousSecret: string | null;
  /** Unix ms. */
  previousExpiresAt: number | null;
}

/** A change of the webhook settings. All secrets are encrypted. */
export type WebhookChange =
  | { kind: "url"; url: string | null }
  /** Sets the first secret, unless there is one already. */
  | { kind: "first_secret"; secret: string }
  /** Replaces the secret, unless it isn't `from` any more (null: there was none). The previous one goes on signing for a time. */
  | {
      kind: "rotation";
      from: string | null;
      secret: string;
      previousSecret: string | null;
      previousExpiresAt: number | null;
    };

/** Filters of the job list. Undefined: any value. */
export interface JobFilter {
  mode: Mode;
  keyId?: string | undefined;
  status?: JobStatus | undefined;
  endpoint?: Endpoint | undefined;
  code?: ErrorCode | undefined;
  outcome?: string | undefined;
  /** Jobs created from then on (Unix ms). */
  since?: number | undefined;
  /** Jobs created before then (Unix ms). */
  until?: number | undefined;
  /** A part of the URL or of the query, in any case. */
  text?: string | undefined;
  limit: number;
  offset: number;
  /** Goes on after the page that gave it. */
  cursor?: string | undefined;
  /** False: the caller knows the total already. */
  isCounted?: boolean;
}
