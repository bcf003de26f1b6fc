import { callAccount } from "../account/client";
import type { RedeliveryCount, RedeliveryFilter } from "../account/deliveries/delivery-types";
import { invalidParameter } from "../contract/invalid-request";
import type { DeliveryRecord } from "../contract/webhooks";
import { toIso } from "../lib/clock";
import { isId, newTaggedId } from "../lib/id";
import { ACCOUNT_ENDPOINT, type Attempt, type Delivery, REQUEST_ENDPOINT } from "../model/delivery";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import { MAX_REDELIVERIES, MINUTE_MS } from "../model/limits";
import { checkReceiver } from "./check-receiver";
import { findEventJob, ResultDeletedError, readEventBody } from "./event";
import { endpointNotFound, type Owner } from "./settings";

/** The maximum time by which `until` may be in the future, because the caller's clock may be ahead. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** Sends a test event once, to the account's URL or to `endpointId`. Throws AppError if there is none. */
export async function sendTest(
  env: Env,
  { account, mode, endpointId = ACCOUNT_ENDPOINT }: Owner,
  origin: string,
): Promise<Delivery> {
  const endpoints = await callAccount(env, account, (object) => object.listEndpoints(mode));
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  if (endpoint === undefined) {
    if (endpointId !== ACCOUNT_ENDPOINT) throw endpointNotFound(endpointId);
    throw new AppError("invalid_request", "There is no webhook URL to test. Set one with PUT /v1/webhooks first.");
  }
  const test = { mode, id: newTaggedId(account.tag), endpointId, url: endpoint.url, origin };
  return await callAccount(env, account, (object) => object.sendTest(test));
}

/**
 * Sends a delivery again, in a new series of attempts ("round") with the same delivery id. Sends it to `url`, or if
 * `url` isn't given, to the current URL of its endpoint. Throws AppError if the owner has no such delivery, if events
 * can't be sent to `url`, or if the delivery no longer has a URL.
 */
export async function redeliver(
  env: Env,
  { account, mode }: Owner,
  id: string,
  { url = null, origin }: { url?: string | null | undefined; origin: string },
): Promise<Delivery> {
  if (url !== null) checkReceiver(env, { url, origin, accountId: account.id, parameter: "url" });
  const delivery = await findDelivery(env, { account, mode }, id);
  if (delivery === null) throw deliveryNotFound(id);
  // Passing the round makes the call idempotent: a retry doesn't start another round.
  const reply = await callAccount(env, account, (object) => object.redeliver({ mode, id }, delivery.round, url));
  switch (reply.kind) {
    case "restarted":
      return reply.delivery;
    case "no_url":
      throw new AppError(
        "invalid_request",
        "The delivery was sent to the account's webhook URL, which was removed. Set a webhook URL, or add a 'url' to the request.",
      );
    case "no_endpoint":
      throw new AppError(
        "invalid_request",
        "The delivery's webhook endpoint was deleted. Add a 'url' to the request to send the event to another URL.",
      );
    case "missing":
      throw deliveryNotFound(id);
  }
}

/**
 * Sends the deliveries that match the filter again, up to MAX_REDELIVERIES, oldest first. Idempotent by the filter's
 * `until`. Throws AppError if `until` is more than CLOCK_DIFFERENCE_MS later than `now` (Unix ms).
 */
export async function redeliverAll(
  env: Env,
  { account, mode }: Owner,
  { now, ...filter }: Omit<RedeliveryFilter, "mode" | "limit"> & { now: number },
): Promise<RedeliveryCount> {
  if (filter.until > now + CLOCK_DIFFERENCE_MS) {
    throw invalidParameter("until", "must not be in the future", { hint: "Omit 'until' to use the current time." });
  }
  return await callAccount(env, account, (object) => object.redeliverAll({ ...filter, mode, limit: MAX_REDELIVERIES }));
}

/** Returns the error for an unknown delivery. */
export function deliveryNotFound(id: string): AppError {
  return new AppError("not_found", `There is no delivery '${id}'.`);
}

/** Returns a delivery with all its attempts, or null if the owner has no such delivery. */
export async function findDelivery(env: Env, owner: Owner, id: string): Promise<Delivery | null> {
  return (await findDeliveryAndJob(env, owner, id))?.delivery ?? null;
}

/**
 * Returns a delivery and the body of its requests. The body is null if the job's result was deleted. Returns null if
 * the owner has no such delivery.
 */
export async function readDelivery(
  env: Env,
  owner: Owner,
  id: string,
): Promise<{ delivery: Delivery; payload: string | null } | null> {
  const found = await findDeliveryAndJob(env, owner, id);
  if (found === null) return null;
  const job = await findEventJob(env, owner.account, found.delivery, found.job);
  try {
    return { delivery: found.delivery, payload: await readEventBody(env, found.delivery, job) };
  } catch (error) {
    if (error instanceof ResultDeletedError) return { delivery: found.delivery, payload: null };
    throw error;
  }
}

async function findDeliveryAndJob(
  env: Env,
  { account, mode }: Owner,
  id: string,
): Promise<{ delivery: Delivery; job: Job | null } | null> {
  if (!isId(id)) return null;
  return await callAccount(env, account, (object) => object.getDelivery({ mode, id }));
}

/** Returns the delivery in the API's format, with the attempts of all rounds. */
export function toDeliveryRecord(delivery: Delivery): DeliveryRecord {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    event: delivery.event,
    endpoint_id: delivery.endpointId === REQUEST_ENDPOINT ? null : delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attempts: [...delivery.earlierAttempts, ...delivery.attempts].map(toAttempt),
    next_attempt_at: delivery.nextAttemptAt === null ? null : toIso(delivery.nextAttemptAt),
    delayed_by: delivery.delayedBy,
    created_at: toIso(delivery.createdAt),
  };
}

function toAttempt(attempt: Attempt): DeliveryRecord["attempts"][number] {
  const { at, status_code, duration_ms, error, response, url = null, request_headers = null } = attempt;
  return { at: toIso(at), status_code, duration_ms, error, response, url, request_headers };
}
