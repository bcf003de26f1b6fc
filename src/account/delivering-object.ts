import type { Mode } from "../model/api-key";
import type { Delivery, DeliveryMessage } from "../model/delivery";
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

/** The deliveries and webhook settings of an account's object. */
export abstract class DeliveringObject extends OperatedObject {
  /** Begins the attempt of a message. The same token gets the same attempt again. */
  beginAttempt(attempt: BegunAttempt): BeginReply {
    return this.transact((tx) => beginAttempt(tx, attempt));
  }

  /** Records what came of an attempt. Idempotent by delivery, round and attempt. */
  reportAttempt(attempt: BegunAttempt, report: AttemptReport): ReportReply {
    return this.transact((tx) => reportAttempt(tx, attempt, report));
  }

  /** Adds the beginning of the receiver's answer to an attempt that was reported. */
  recordResponse(message: DeliveryMessage, response: string): void {
    this.transact((tx) => recordResponse(tx, message, response));
  }

  /** Inserts a test event and begins to send it. Idempotent by its id. */
  sendTest(delivery: NewTestDelivery): { kind: "sent"; delivery: Delivery } | Gone {
    return this.transact((tx) => ({ kind: "sent", delivery: insertTestDelivery(tx, delivery) }));
  }

  /** Begins the round of attempts that follows `round`. Idempotent by it. Returns the delivery. Gone: there is none. */
  redeliver(key: JobKey, round: number): { kind: "restarted"; delivery: Delivery } | Gone {
    return this.transact((tx) => {
      const delivery = redeliver(tx, key, round) ? getDelivery(tx, key) : null;
      return delivery === null ? { kind: "gone" } : { kind: "restarted", delivery };
    });
  }

  /** Returns a delivery with all its attempts. Gone: there is none. */
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

  /** Changes the webhook settings of a mode, if a change is given. Returns them as they are then. Idempotent. */
  webhook(mode: Mode, change: WebhookChange | null): { kind: "webhook"; webhook: WebhookRow } | Gone {
    return this.transact((tx) => ({ kind: "webhook", webhook: changeWebhook(tx, mode, change) }));
  }
}
