import { log } from "../lib/log";
import { toPositiveNumber } from "../lib/variables";
import { DAY_MS, RETENTION_DAYS_DEFAULT, SWEEP_BATCH } from "../limits";
import { expireResults, takeDueJobs } from "../store/jobs";
import { deleteObjects } from "../store/objects";
import { enqueueAll } from "./queues";

/** Finds what got lost between two steps: messages, leases, results past their time. Bounded, and may be repeated. */
export async function sweep(env: Env, now: number): Promise<void> {
  const due = await takeDueJobs(env.DB, now, SWEEP_BATCH);
  await enqueueAll(env, due);

  const retentionMs = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS;
  const expired = await expireResults(env.DB, now - retentionMs, SWEEP_BATCH);
  await deleteObjects(env.STORE, expired);

  if (due.length > 0 || expired.length > 0) log("info", "sweep", { due: due.length, expired: expired.length });
}
