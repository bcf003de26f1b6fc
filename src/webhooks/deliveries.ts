import { accountGone, callAccount } from "../account/client";
import type { DeliveryFilter, DeliveryPage } from "../account/types";
import type { DeliveryRecord } from "../contract/webhooks";
import { toIso } from "../lib/clock";
import { isId, newTaggedId } from "../lib/id";
import type { Attempt, Delivery } from "../model/delivery";
import { AppError } from "../model/errors";
import { type Owner, readSettings } from "./settings";

/** Sends a test event once. Throws AppError if the owner has no webhook URL. */
export async function sendTest(env: Env, { account, mode }: Owner, origin: string, now: number): Promise<Delivery> {
  const { url } = await readSettings(env, { account, mode }, now);
  if (url === null) {
    throw new AppError("invalid_request", "There is no webhook URL to test. Set one with PUT /v1/webhooks first.");
  }
  const test = { mode, id: newTaggedId(account.tag), url, origin };
  const reply = await callAccount(env, account, (object) => object.sendTest(test));
  if (reply.kind === "gone") throw accountGone();
  return reply.delivery;
}

/**
 * Sends a delivery again, in a new series of attempts ("round") with the same delivery id. Throws AppError if the owner
 * has no such delivery.
 */
export async function redeliver(env: Env, { account, mode }: Owner, id: string): Promise<Delivery> {
  const delivery = await findDelivery(env, { account, mode }, id);
  if (delivery !== null) {
    // Passing the round makes the call idempotent: a retry doesn't start another round.
    const reply = await callAccount(env, account, (object) => object.redeliver({ mode, id }, delivery.round));
    if (reply.kind === "restarted") return reply.delivery;
  }
  throw new AppError("not_found", `There is no delivery '${id}'.`);
}

/** Returns a delivery with all its attempts, or null if the owner has no such delivery. */
export async function findDelivery(env: Env, { account, mode }: Owner, id: string): Promise<Delivery | null> {
  if (!isId(id)) return null;
  const reply = await callAccount(env, account, (object) => object.getDelivery({ mode, id }));
  return reply.kind === "gone" ? null : reply.delivery;
}

/** Lists the owner's deliveries, newest first. */
export async function listDeliveries(
  env: Env,
  { account, mode }: Owner,
  filter: Omit<DeliveryFilter, "mode">,
): Promise<DeliveryPage> {
  const reply = await callAccount(env, account, (object) => object.listDeliveries({ ...filter, mode }));
  if (reply.kind === "gone") throw accountGone();
  return reply;
}

/** Returns the delivery in the form of the API, with the attempts of all rounds. */
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
