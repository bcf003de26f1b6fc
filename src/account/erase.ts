import { withTimeout } from "../lib/async";
import { log } from "../lib/log";
import { MINUTE_MS, R2_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { deleteAccountObjects } from "../store/objects";
import { failJob } from "./finish";
import { JOB_COLUMNS, JOB_TABLES, type JobRow } from "./job-row";
import { type Lifecycle, readLifecycle, writeLifecycle } from "./lifecycle";
import type { Transaction } from "./transaction";

/** The maximum number of unfinished jobs that one call fails. */
const BATCH = 200;
const MORE_AFTER_MS = SECOND_MS;
/**
 * The delay of the second deletion of R2 objects. It is necessary because a run that was active at the erasure may have
 * stored a result after the first deletion.
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

/** Marks the Durable Object as being erased. From now on, every method returns `gone`. */
export function beginErasure(storage: DurableObjectStorage, tag: string): void {
  writeLifecycle(storage, { kind: "erasing", tag });
}

/**
 * Deletes everything in the Durable Object and stores a mark that prevents it from being opened again. If `tag` isn't
 * null, a second pass deletes the account's objects in R2. Pass null if those objects belong to another Durable Object
 * now.
 */
export async function eraseStorage(storage: DurableObjectStorage, tag: string | null): Promise<void> {
  await storage.deleteAll();
  writeLifecycle(storage, { kind: "erased", tag });
}

/**
 * Returns the time (Unix ms) at which the next step of an erasure is due, or null if none is due. `now` is the start
 * time of the Durable Object. A restart postpones the second pass, so the pass is never too early.
 */
export function nextErasure(lifecycle: Lifecycle | null, now: number): number | null {
  if (lifecycle?.kind === "erasing") return now;
  return lifecycle?.kind === "erased" && lifecycle.tag !== null ? now + SECOND_PASS_MS : null;
}

/**
 * Executes one step of an erasure. Deletes some of the account's objects in R2, and the rows once no objects remain.
 * Returns the time (Unix ms) at which the next step is due, or null if the erasure is complete.
 */
export async function eraseStep(env: Env, storage: DurableObjectStorage, now: number): Promise<number | null> {
  const lifecycle = readLifecycle(storage);
  if (lifecycle === null || (lifecycle.kind !== "erasing" && lifecycle.kind !== "erased")) return null;
  const { kind, tag } = lifecycle;
  if (tag === null) return null;
  // After a timeout, the R2 call may still complete. This is safe, because it deletes only data that must be deleted.
  const deleted = await withTimeout(R2_TIMEOUT_MS, deleteAccountObjects(env.STORE, tag));
  if (deleted > 0) return now + MORE_AFTER_MS;
  if (kind === "erasing") {
    await eraseStorage(storage, tag);
    log("info", "account_erased", { tag });
    return now + SECOND_PASS_MS;
  }
  writeLifecycle(storage, { kind: "erased", tag: null });
  return null;
}
