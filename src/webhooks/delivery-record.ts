import type { DeliveryRecord } from "../contract/webhooks";
import { toIso } from "../lib/clock";
import type { Attempt, Delivery } from "../model/delivery";

/** The delivery of the contract, with the attempts of all its rounds. */
export function toDeliveryRecord(delivery: Delivery): DeliveryRecord {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    event: delivery.event,
    url: delivery.url,
    status: delivery.status,
    attempts: [...delivery.earlierAttempts, ...delivery.attempts].map(toAttempt),
    next_attempt_at: delivery.nextAttemptAt === null ? null : toIso(delivery.nextAttemptAt),
    created_at: toIso(delivery.createdAt),
  };
}

function toAttempt({ at, status_code, duration_ms, error, response }: Attempt): DeliveryRecord["attempts"][number] {
  return { at: toIso(at), status_code, duration_ms, error, response };
}
