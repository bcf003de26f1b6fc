// Deliveries that somebody asks for. Those of jobs begin with the job's end.

import { isId, newId } from "../lib/id";
import type { Delivery } from "../model/delivery";
import { AppError } from "../model/errors";
import { getDelivery, insertTestDelivery, restartDelivery } from "../store/deliveries";
import { type Owner, readSettings } from "./settings";
import { startDelivery } from "./start";

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
