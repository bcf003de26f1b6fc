import type { AccountRef } from "./account";
import type { Mode } from "./api-key";

export type DeliveryStatus = "pending" | "succeeded" | "abandoned";
export type DeliveryEvent = "job.completed" | "job.failed" | "webhook.test";

/** One POST to the receiver, as the log and the wire have it. */
export interface Attempt {
  /** Unix ms at which it began. */
  at: number;
  /** Null: no answer came. */
  status_code: number | null;
  duration_ms: number | null;
  /** What was wrong, for people; null when it succeeded. */
  error: string | null;
  /** The beginning of the answer's body. */
  response: string | null;
  /** It was cut short on our side: whether it arrived isn't known. */
  interrupted?: true;
}

/** The message of one attempt to deliver an event. The delivery's row is the truth. */
export interface DeliveryMessage {
  account: AccountRef;
  mode: Mode;
  delivery: string;
  round: number;
  attempt: number;
}

/** An event to be sent to a receiver, and its attempts. Times are Unix ms. */
export interface Delivery {
  id: string;
  mode: Mode;
  /** Null: a test event. */
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
