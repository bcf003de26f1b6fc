import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";
import { type DueDelivery, takeDueDeliveries } from "../store/deliveries";

/** Nobody is held up by an object that doesn't answer. */
const PATIENCE_MS = 5_000;
const DUE_BATCH = 500;
const STARTS_AT_ONCE = 50;

/** Tells a delivery's object to begin. A hint: what gets lost here is found by the sweep. Never throws. */
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
