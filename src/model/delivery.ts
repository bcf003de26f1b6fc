import type { AccountRef } from "./account";
import type { Mode } from "./api-key";

export type DeliveryStatus = "pending" | "succeeded" | "abandoned";
export type DeliveryEvent = "job.completed" | "job.failed" | "webhook.test";

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

/** An event that is sent to a receiver, with its attempts. Times are Unix ms. */
export interface Delivery {
  id: string;
  mode: Mode;
  /** The id of the job that the event is about. Null for a test event. */
  jobId: string | null;
  event: DeliveryEvent;
  url: string;
  origin: string;
  status: DeliveryStatus;
  round: number;
  attempts: Attempt[];
  earlierAttempts: Attempt[];
  nextAttemptAt: number | null;
  createdAt: number;
}
