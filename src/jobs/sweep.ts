import { pushDue } from "../accounts/change";
import { grantDue } from "../accounts/grant";
import { log } from "../lib/log";
import { toPositiveNumber } from "../lib/variables";
import { DAY_MS, RETENTION_DAYS_DEFAULT, SWEEP_BATCH } from "../limits";
import { deleteOldIdempotencyKeys, expireResults, takeDueJobs } from "../store/jobs";
import { deleteObjects } from "../store/objects";
import { enqueueAll } from "./queues";

/** Finds what got lost between two steps: messages, leases, pushes to gates, periods to grant, results past their time. Bounded, and may be repeated. */
export async function sweep(env: Env, now: number): Promise<void> {
  const due = await takeDueJobs(env.DB, now, SWEEP_BATCH);
  await enqueueAll(env, due);

  const granted = await grantDue(env, now);
  const pushed = await pushDue(env, now);

  const retentionMs = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS;
  const expired = await expireResults(env.DB, now - retentionMs, SWEEP_BATCH);
  await deleteObjects(env.STORE, expired);

  const forgotten = await deleteOldIdempotencyKeys(env.DB, now);

  const done = { due: due.length, granted, pushed, expired: expired.length, forgotten };
  if (Object.values(done).some((count) => count > 0)) log("info", "sweep", done);
}
