// The parameters and replies of the account's Durable Object for deliveries.
import type { Mode } from "../../model/api-key";
import type { AttemptRef, Delivery, DeliveryStatus } from "../../model/delivery";
import type { Job } from "../../model/job";

/** An attempt that a Worker starts or reports. Only the Worker with the same token may report it. */
export interface BegunAttempt extends AttemptRef {
  token: string;
}

export type BeginReply =
  | {
      kind: "send";
      delivery: Delivery;
      /** The value of `X-Webhook-Attempt`, from 1. Excludes interrupted attempts that don't count. */
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
  | { kind: "stale" };

export type AttemptReport =
  | {
      kind: "sent";
      url: string;
      statusCode: number | null;
      durationMs: number | null;
      error: string | null;
      /** The headers of the request. Null or absent if no request was sent. */
      requestHeaders?: Record<string, string> | null;
      /** The first bytes of the response body. Null if the body wasn't received after the status. */
      response: string | null;
      /** True if the receiver didn't respond in time. */
      timedOut: boolean;
    }
  /** The event couldn't be prepared. If `reason` isn't null, it never can, and the delivery is abandoned. */
  | { kind: "unprepared"; reason: string | null };

export type ReportReply = { kind: "recorded"; status: DeliveryStatus } | { kind: "stale" };

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
  /** `failed`: the last attempt failed, and the delivery is abandoned or waits. `all`: failed and succeeded ones. */
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
  | { kind: "no_endpoint" }
  | { kind: "missing" };
