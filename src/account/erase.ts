import { withTimeout } from "../lib/async";
import { log } from "../lib/log";
import { MINUTE_MS, R2_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { deleteAccountObjects } from "../store/objects";
import { eraseCrawls } from "./crawls";
import { failJob } from "./finish";
import { JOB_COLUMNS, JOB_TABLES, type JobRow } from "./job-row";
import { type Lifecycle, readLifecycle, writeLifecycle } from "./lifecycle";
import type { Transaction } from "./transaction";

/** `failUnfinished` ends at most this many jobs in one call. */
const BATCH = 200;
const MORE_AFTER_MS = SECOND_MS;
/**
 * The account's R2 objects are deleted a second time after this delay. A run that was active during the first deletion
 * may have stored a result later.
 */
const SECOND_PASS_MS = 30 * MINUTE_MS;

/** Fails up to 200 unfinished jobs. Returns the number of failed jobs, which is 0 once all jobs have ended. */
export function failUnfinished(tx: Transaction): number {
  const rows = tx.all<JobRow>(
    `SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE j.due_at IS NOT NULL OR j.waits = 1 LIMIT ?`,
    BATCH,
  );
  for (const row of rows) failJob(tx, row, "erased");
  return rows.length;
}

/** Stores the lifecycle `erasing`. From now on, all methods except those for operators return `gone`. */
export function beginErasure(storage: DurableObjectStorage, tag: string): void {
  writeLifecycle(storage, { kind: "erasing", tag });
}

/**
 * Deletes everything in the Durable Object. Then stores the lifecycle `erased`, so that the Durable Object can't be
 * opened again. If `tag` isn't null, the alarm later deletes the account's objects in R2 a second time. Pass null if
 * another Durable Object uses these objects now.
 */
export async function eraseStorage(storage: DurableObjectStorage, tag: string | null): Promise<void> {
  await storage.deleteAll();
  writeLifecycle(storage, { kind: "erased", tag });
}

/**
 * Returns the time (Unix ms) at which the next step of an erasure is due, or null if none is due. `now` is the start
 * time of the Durable Object. The second deletion is due SECOND_PASS_MS later, so a restart of the Durable Object
 * postpones it.
 */
export function nextErasure(lifecycle: Lifecycle | null, now: number): number | null {
  if (lifecycle?.kind === "erasing") return now;
  return lifecycle?.kind === "erased" && lifecycle.tag !== null ? now + SECOND_PASS_MS : null;
}

/**
 * Executes one step of an erasure: deletes some of the account's objects in R2. If no objects remain, deletes the
 * account's crawls, and then the rows. Returns the time (Unix ms) at which the next step is due, or null if the erasure
 * is complete.
 */
export async function eraseStep(env: Env, storage: DurableObjectStorage, now: number): Promise<number | null> {
  const lifecycle = readLifecycle(storage);
  if (lifecycle === null || (lifecycle.kind !== "erasing" && lifecycle.kind !== "erased")) return null;
  const { kind, tag } = lifecycle;
  if (tag === null) return null;
  // The R2 call may still complete after the timeout. This is safe, because it deletes only objects of the erased
  // account.
  const deleted = await withTimeout(R2_TIMEOUT_MS, deleteAccountObjects(env.STORE, tag));
  if (deleted > 0) return now + MORE_AFTER_MS;
  if (kind === "erasing") {
    if ((await eraseCrawls(env, storage)) > 0) return now + MORE_AFTER_MS;
    await eraseStorage(storage, tag);
    log("info", "account_erased", { tag });
    return now + SECOND_PASS_MS;
  }
  writeLifecycle(storage, { kind: "erased", tag: null });
  return null;
}
