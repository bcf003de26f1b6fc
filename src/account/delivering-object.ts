import type { Mode } from "../model/api-key";
import { ACCOUNT_ENDPOINT, type AttemptRef, type Delivery } from "../model/delivery";
import type { Job, JobKey } from "../model/job";
import { beginAttempt, recordResponse, reportAttempt } from "./delivery-attempts";
import { getDelivery, listDeliveries } from "./delivery-list";
import type {
  AttemptReport,
  BeginReply,
  BegunAttempt,
  DeliveryFilter,
  DeliveryPage,
  RedeliverReply,
  RedeliveryCount,
  RedeliveryFilter,
  ReportReply,
} from "./delivery-types";
import { readJob } from "./job-row";
import { insertTestDelivery, type NewTestDelivery } from "./new-deliveries";
import { OperatedObject } from "./operated-object";
import { redeliver, redeliverAll } from "./redelivery";
import type { Gone } from "./types";
import { endAlert, readAlert, type WebhookAlert } from "./webhook-alerts";
import { changeWebhook, createEndpoint, deleteEndpoint, listEndpoints } from "./webhook-settings";
import type { EndpointKey, NewWebhookEndpoint, WebhookChange, WebhookEndpointRow, WebhookReply } from "./webhook-types";

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
   * round. A repeated call with the same `round` has no effect. `url` is the new URL, or null for the current URL of the
   * delivery's endpoint. Returns `gone` if the delivery doesn't exist.
   */
  redeliver(key: JobKey, round: number, url: string | null = null): RedeliverReply {
    return this.transact((tx) => redeliver(tx, key, { round, url }));
  }

  /** Sends all deliveries that match the filter again. Idempotent by the filter. */
  redeliverAll(filter: RedeliveryFilter): ({ kind: "counted" } & RedeliveryCount) | Gone {
    return this.transact((tx) => ({ kind: "counted", ...redeliverAll(tx, filter) }));
  }

  /**
   * Returns a delivery with all its attempts, and its job. The job is null if the event isn't about a job, or if the job
   * no longer exists. Returns `gone` if the delivery doesn't exist.
   */
  getDelivery(key: JobKey): { kind: "found"; delivery: Delivery; job: Job | null } | Gone {
    return this.transact((tx) => {
      const delivery = getDelivery(tx, key);
      if (delivery === null) return { kind: "gone" };
      const job = delivery.jobId === null ? null : readJob(tx, { mode: key.mode, id: delivery.jobId });
      return { kind: "found", delivery, job };
    });
  }

  /** Lists deliveries, newest first. */
  listDeliveries(filter: DeliveryFilter): ({ kind: "page" } & DeliveryPage) | Gone {
    return this.transact((tx) => ({ kind: "page", ...listDeliveries(tx, filter) }));
  }

  /**
   * Applies a change to the settings of a webhook endpoint, unless `change` is null. Returns the resulting settings.
   * Idempotent. The endpoint ACCOUNT_ENDPOINT has the account's webhook URL.
   */
  webhook(mode: Mode, change: WebhookChange | null, id: string = ACCOUNT_ENDPOINT): WebhookReply {
    return this.transact((tx) => changeWebhook(tx, { mode, id }, change));
  }

  /** Lists the webhook endpoints of a mode, oldest first. */
  listEndpoints(mode: Mode): { kind: "endpoints"; endpoints: WebhookEndpointRow[] } | Gone {
    return this.transact((tx) => ({ kind: "endpoints", endpoints: listEndpoints(tx, mode) }));
  }

  /** Inserts a webhook endpoint. Idempotent by its id. */
  createEndpoint(endpoint: NewWebhookEndpoint): ReturnType<typeof createEndpoint> | Gone {
    return this.transact((tx) => createEndpoint(tx, endpoint));
  }

  /** Deletes a webhook endpoint. Returns `missing` if it doesn't exist. */
  deleteEndpoint(key: EndpointKey): { kind: "deleted" | "missing" } | Gone {
    return this.transact((tx) => ({ kind: deleteEndpoint(tx, key) ? "deleted" : "missing" }));
  }

  /** Returns the alert about abandoned deliveries to an endpoint. It is null if there is nothing to tell. */
  readAlert(key: EndpointKey): { kind: "alert"; alert: WebhookAlert | null } | Gone {
    return this.transact((tx) => ({ kind: "alert", alert: readAlert(tx, key) }));
  }

  /** Ends an alert after its email was sent. `told` is the number of abandoned deliveries in the email. */
  endAlert(key: EndpointKey, told: number): { kind: "ended" } | Gone {
    return this.transact((tx) => {
      endAlert(tx, key, told);
      return { kind: "ended" };
    });
  }
}
