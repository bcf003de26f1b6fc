import type { Mode } from "../model/api-key";
import type { AttemptRef, Delivery } from "../model/delivery";
import type { JobKey } from "../model/job";
import { insertTestDelivery, type NewTestDelivery } from "./deliveries";
import { beginAttempt, recordResponse, redeliver, reportAttempt } from "./delivery-attempts";
import { getDelivery, listDeliveries } from "./delivery-list";
import { OperatedObject } from "./operated-object";
import type {
  AttemptReport,
  BeginReply,
  BegunAttempt,
  DeliveryFilter,
  DeliveryPage,
  Gone,
  ReportReply,
  WebhookChange,
  WebhookRow,
} from "./types";
import { changeWebhook } from "./webhook-settings";

/** Adds the methods for deliveries and webhook settings to the account's Durable Object. */
export abstract class DeliveringObject extends OperatedObject {
  /** Starts the attempt that a queue message names. A repeated call with the same token returns the same attempt. */
  beginAttempt(attempt: BegunAttempt): BeginReply {
    return this.transact((tx) => beginAttempt(tx, attempt));
  }

  /** Records the outcome of an attempt. Idempotent by delivery, round and attempt. */
  reportAttempt(attempt: BegunAttempt, report: AttemptReport): ReportReply {
    return this.transact((tx) => reportAttempt(tx, attempt, report));
  }

  /** Adds the first bytes of the receiver's response body to an attempt that was already reported. */
  recordResponse(message: AttemptRef, response: string): void {
    this.transact((tx) => recordResponse(tx, message, response));
  }

  /** Inserts a test event and starts to send it. Idempotent by its id. */
  sendTest(delivery: NewTestDelivery): { kind: "sent"; delivery: Delivery } | Gone {
    return this.transact((tx) => ({ kind: "sent", delivery: insertTestDelivery(tx, delivery) }));
  }

  /**
   * Sends a delivery again: starts a new series of attempts, which is called a round. `round` is the number of the last
   * round. A repeated call with the same `round` has no effect. Returns `gone` if the delivery doesn't exist.
   */
  redeliver(key: JobKey, round: number): { kind: "restarted"; delivery: Delivery } | Gone {
    return this.transact((tx) => {
      const delivery = redeliver(tx, key, round) ? getDelivery(tx, key) : null;
      return delivery === null ? { kind: "gone" } : { kind: "restarted", delivery };
    });
  }

  /** Returns a delivery with all its attempts. Returns `gone` if the delivery doesn't exist. */
  getDelivery(key: JobKey): { kind: "found"; delivery: Delivery } | Gone {
    return this.transact((tx) => {
      const delivery = getDelivery(tx, key);
      return delivery === null ? { kind: "gone" } : { kind: "found", delivery };
    });
  }

  /** Lists deliveries, newest first. */
  listDeliveries(filter: DeliveryFilter): ({ kind: "page" } & DeliveryPage) | Gone {
    return this.transact((tx) => ({ kind: "page", ...listDeliveries(tx, filter) }));
  }

  /**
   * Applies a change to the webhook settings of a mode, unless `change` is null. Returns the resulting settings.
   * Idempotent.
   */
  webhook(mode: Mode, change: WebhookChange | null): { kind: "webhook"; webhook: WebhookRow } | Gone {
    return this.transact((tx) => ({ kind: "webhook", webhook: changeWebhook(tx, mode, change) }));
  }
}
