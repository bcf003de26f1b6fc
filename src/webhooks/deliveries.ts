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

/** Nobody is held up by an object that doesn't answer. */
const PATIENCE_MS = 5_000;
const DUE_BATCH = 500;
const STARTS_AT_ONCE = 50;

/** Tells a delivery's object to begin. A hint: what gets lost here is found by the cron. Never throws. */
export async function startDelivery(env: Env, { id, round }: DueDelivery): Promise<void> {
  try {
    await withTimeout(PATIENCE_MS, env.WEBHOOK_DELIVERY.getByName(id).start(id, round));
  } catch (error) {
    log("warn", "delivery_not_started", { delivery_id: id, ...toLogged(error) });
  }
}

/** Tells the objects of all deliveries that should have been heard of by now; returns how many. */
export async function startDueDeliveries(env: Env, now: number): Promise<number> {
  const due = await takeDueDeliveries(env.DB, now, DUE_BATCH);
  for (let i = 0; i < due.length; i += STARTS_AT_ONCE) {
    await Promise.all(due.slice(i, i + STARTS_AT_ONCE).map((delivery) => startDelivery(env, delivery)));
  }
  return due.length;
}

// Deliveries that somebody asks for. Those of jobs begin with the job's end.

/** Pushes a test event, once. Throws AppError when no URL is set. */
export async function sendTest(env: Env, owner: Owner, origin: string, now: number): Promise<Delivery> {
  const { url } = await readSettings(env, owner, now);
  if (url === null) {
    throw new AppError("invalid_request", "There is no webhook URL to test: set one with PUT /v1/webhooks first.");
  }
  const delivery = await insertTestDelivery(env.DB, { id: newId(), ...owner, url, origin, createdAt: now });
  await startDelivery(env, delivery);
  return delivery;
}

/** Begins a new round of attempts, with the same id. Throws AppError when the owner has no such delivery. */
export async function redeliver(env: Env, owner: Owner, id: string, now: number): Promise<Delivery> {
  const present = isId(id) ? await getDelivery(env.DB, id) : null;
  const isOwn = present?.accountId === owner.accountId && present.mode === owner.mode;
  const restarted = present !== null && isOwn ? await restartDelivery(env.DB, present, now) : null;
  if (restarted === null) throw new AppError("not_found", `There is no delivery '${id}'.`);
  await startDelivery(env, restarted);
  return restarted;
}

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
