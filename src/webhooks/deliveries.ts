import type { DeliveryRecord } from "../contract/webhooks";
import { withTimeout } from "../lib/async";
import { toIso } from "../lib/clock";
import { isId, newId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import type { Attempt, Delivery } from "../model/delivery";
import { AppError } from "../model/errors";
import {
  type DueDelivery,
  getDelivery,
  insertTestDelivery,
  restartDelivery,
  takeDueDeliveries,
} from "../store/deliveries";
import { type Owner, readSettings } from "./settings";

const TIMEOUT_MS = 5_000;
const DUE_BATCH = 500;
const STARTS_AT_ONCE = 50;

/** Tells the delivery's object to start. The cron finds deliveries whose call was lost. Never throws. */
export async function startDelivery(env: Env, { id, round }: DueDelivery): Promise<void> {
  try {
    await withTimeout(TIMEOUT_MS, env.WEBHOOK_DELIVERY.getByName(id).start(id, round));
  } catch (error) {
    log("warn", "delivery_not_started", { delivery_id: id, ...toLogged(error) });
  }
}

/** Starts up to 500 deliveries whose objects should have reported by now. Returns how many. */
export async function startDueDeliveries(env: Env, now: number): Promise<number> {
  const due = await takeDueDeliveries(env.DB, now, DUE_BATCH);
  for (let i = 0; i < due.length; i += STARTS_AT_ONCE) {
    await Promise.all(due.slice(i, i + STARTS_AT_ONCE).map((delivery) => startDelivery(env, delivery)));
  }
  return due.length;
}

/** Sends a test event once. Throws AppError if no URL is set. */
export async function sendTest(env: Env, owner: Owner, origin: string, now: number): Promise<Delivery> {
  const { url } = await readSettings(env, owner, now);
  if (url === null) {
    throw new AppError("invalid_request", "There is no webhook URL to test: set one with PUT /v1/webhooks first.");
  }
  const delivery = await insertTestDelivery(env.DB, { id: newId(), ...owner, url, origin, createdAt: now });
  await startDelivery(env, delivery);
  return delivery;
}

/** Starts a new round of attempts with the same delivery id. Throws AppError if the owner has no such delivery. */
export async function redeliver(env: Env, owner: Owner, id: string, now: number): Promise<Delivery> {
  const present = isId(id) ? await getDelivery(env.DB, id) : null;
  const isOwn = present?.accountId === owner.accountId && present.mode === owner.mode;
  const restarted = present !== null && isOwn ? await restartDelivery(env.DB, present, now) : null;
  if (restarted === null) throw new AppError("not_found", `There is no delivery '${id}'.`);
  await startDelivery(env, restarted);
  return restarted;
}

/** Returns the delivery as the API shows it, with the attempts of all rounds. */
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
