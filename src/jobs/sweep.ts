import { pushDue } from "../accounts/change";
import { grantDue } from "../accounts/grant";
import { log, toLogged } from "../lib/log";
import { toPositiveNumber } from "../lib/variables";
import { DAY_MS, FORGOTTEN_OBJECTS_MS, RETENTION_DAYS_DEFAULT, SERP_CHECKS_KEPT_MS, SWEEP_BATCH } from "../limits";
import { checkEngines } from "../serp/canary";
import { deleteOldDeliveries } from "../store/deliveries";
import { deleteOldIdempotencyKeys, expireResults, takeDueJobs } from "../store/job-sweep";
import { deleteRevokedKeys } from "../store/keys";
import { deleteObjects, deleteOldObjects } from "../store/objects";
import { deleteOldSerpChecks } from "../store/serp-checks";
import { startDueDeliveries } from "../webhooks/start";
import { enqueueAll } from "./queues";

/**
 * Finds what got lost between two steps, and what has had its time. Each part is bounded and may be repeated, and none
 * keeps the others from being done; throws when one failed.
 */
export async function sweep(env: Env, now: number): Promise<void> {
  const parts: Record<string, () => Promise<number>> = {
    pushed: () => pushDue(env, now),
    due: () => sendDueJobs(env, now),
    delivered: () => startDueDeliveries(env, now),
    granted: () => grantDue(env, now),
    expired: () => expireOldResults(env, now),
    forgotten_objects: () => deleteOldObjects(env.STORE, now - retentionMs(env) - FORGOTTEN_OBJECTS_MS, SWEEP_BATCH),
    deliveries: () => deleteOldDeliveries(env.DB, now - retentionMs(env), SWEEP_BATCH),
    keys: () => forgetRevokedKeys(env, now),
    idempotency: () => deleteOldIdempotencyKeys(env.DB, now),
    forgotten_checks: () => deleteOldSerpChecks(env.DB, now - SERP_CHECKS_KEPT_MS),
    checked: () => checkEngines(env, now),
  };
  const done: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [name, part] of Object.entries(parts)) {
    try {
      const count = await part();
      if (count > 0) done[name] = count;
    } catch (error) {
      log("error", "sweep_failed", { part: name, ...toLogged(error) });
      failures.push(error);
    }
  }
  if (Object.keys(done).length > 0) log("info", "sweep", done);
  if (failures.length > 0) throw new AggregateError(failures, "A part of the sweep failed.");
}

async function sendDueJobs(env: Env, now: number): Promise<number> {
  const due = await takeDueJobs(env.DB, now, SWEEP_BATCH);
  await enqueueAll(env, due);
  return due.length;
}

async function expireOldResults(env: Env, now: number): Promise<number> {
  const expired = await expireResults(env.DB, now - retentionMs(env), SWEEP_BATCH);
  await deleteObjects(env.STORE, expired);
  return expired.length;
}

function retentionMs(env: Env): number {
  return toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS;
}

/** Rows of keys that no list shows any more, and what their gates hold. */
async function forgetRevokedKeys(env: Env, now: number): Promise<number> {
  const hashes = await deleteRevokedKeys(env.DB, now, SWEEP_BATCH);
  await Promise.all(hashes.map((hash) => env.KEY_GATE.getByName(hash).refresh(hash)));
  return hashes.length;
}
