import type { Period } from "./period";

/** An alert about used credits. Times are Unix ms. */
export interface UsageAlert {
  /** The share of `limit` that was reached, in percent. */
  threshold: 80 | 100;
  /** The id of the key whose credit limit is meant. Null if the credits of the account are meant. */
  keyId: string | null;
  used: number;
  limit: number;
  period: Period;
  at: number;
}

/** The queue message for the email of an alert. */
export type UsageAlertMessage = { kind: "usage_alert"; accountId: string } & UsageAlert;
