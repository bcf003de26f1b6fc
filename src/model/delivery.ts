import type { AccountRef } from "./account";
import type { Mode } from "./api-key";

/** `hourly_limit`: the account's limit of events per hour. `failing_receiver`: the receiver has failed ten times in a row. */
export const DELIVERY_DELAYS = ["hourly_limit", "failing_receiver"] as const;
export type DeliveryDelay = (typeof DELIVERY_DELAYS)[number];

export type DeliveryStatus = "pending" | "succeeded" | "abandoned";
/** The events that a webhook endpoint can receive. */
export const WEBHOOK_EVENTS = [
  "job.completed",
  "job.failed",
  "batch.completed",
  "batch.page",
  "crawl.completed",
  "crawl.page",
  "usage.threshold",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/**
 * The events of an endpoint that hasn't selected events. All other events must be selected, because a receiver that was
 * written for jobs may not support them. The end of a batch is sent only to accounts that use batches.
 */
export const DEFAULT_EVENTS: readonly WebhookEvent[] = [
  "job.completed",
  "job.failed",
  "batch.completed",
  "crawl.completed",
];
export type DeliveryEvent = WebhookEvent | "webhook.test" | (typeof STARTED_EVENTS)[number];
/** The events that only clients of Firecrawl receive. */
export const STARTED_EVENTS = ["batch.started", "crawl.started"] as const;

/** The events of a batch or crawl that a client of Firecrawl can select. */
export const HOOK_EVENTS = ["started", "page", "completed", "failed"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The webhook of a batch or crawl that a client of Firecrawl started. */
export interface Hook {
  events: HookEvent[];
  metadata: Record<string, unknown>;
  /** The additional headers as JSON, encrypted for `toHookContext`. */
  headers: string;
}

/** Returns the context in which the headers of a batch's or crawl's webhook are encrypted. */
export function toHookContext(id: string): string {
  return `webhook headers:${id}`;
}

/** An event in Firecrawl's form. */
export interface DeliveryHook extends Omit<Hook, "events"> {
  /** Firecrawl's name of the event, such as `crawl.page`. */
  type: string;
  /** The id of the batch or crawl. */
  id: string;
  error?: string | undefined;
}

/** The id of the endpoint whose URL is the account's webhook URL. */
export const ACCOUNT_ENDPOINT = "default";
/** The endpoint id of a delivery to the `webhook_url` of a job's request. There is no endpoint with this id. */
export const REQUEST_ENDPOINT = "request";

/** One POST to the receiver of a webhook. The database and the API use the same field names. */
export interface Attempt {
  /** The start of the attempt, in Unix ms. */
  at: number;
  /** The HTTP status of the response. Null if there was no response. */
  status_code: number | null;
  duration_ms: number | null;
  /** A description of the failure for users. Null if the attempt succeeded. */
  error: string | null;
  /** The beginning of the response body. */
  response: string | null;
  /** The URL of the request. Absent if the attempt was interrupted. */
  url?: string;
  /** The headers of the request. Absent if no request was sent. */
  request_headers?: Record<string, string>;
  /** True if the service stopped during the attempt. It isn't known whether the receiver got the event. */
  interrupted?: true;
}

/** Identifies one attempt to deliver an event. */
export interface AttemptRef {
  account: AccountRef;
  mode: Mode;
  delivery: string;
  round: number;
  attempt: number;
}

/** The queue message for one attempt to deliver an event. It has only ids; the data is in the delivery's row. */
export interface DeliveryMessage extends AttemptRef {
  kind: "delivery";
}

/** The queue message for an email about abandoned deliveries to an endpoint. */
export interface WebhookAlertMessage {
  kind: "webhook_alert";
  account: AccountRef;
  mode: Mode;
  /** The id of the endpoint, or REQUEST_ENDPOINT. */
  endpoint: string;
}

/** An event that is sent to a receiver, with its attempts. Times are Unix ms. */
export interface Delivery {
  id: string;
  mode: Mode;
  /** The id of the job that the event is about. Null for a test event. */
  jobId: string | null;
  event: DeliveryEvent;
  /** The id of the endpoint that the delivery is sent to, or REQUEST_ENDPOINT. */
  endpointId: string;
  /** The body of an event that isn't about a job. Null if the body is made from the job. */
  payload: string | null;
  /** Null for an event in our own form. */
  hook: DeliveryHook | null;
  url: string;
  origin: string;
  status: DeliveryStatus;
  round: number;
  attempts: Attempt[];
  earlierAttempts: Attempt[];
  nextAttemptAt: number | null;
  /** The reason why the next attempt waits. Null if it isn't delayed. */
  delayedBy: DeliveryDelay | null;
  createdAt: number;
}
