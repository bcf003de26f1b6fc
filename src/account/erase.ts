import { withTimeout } from "../lib/async";
import { log } from "../lib/log";
import { MINUTE_MS, R2_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { deleteAccountObjects } from "../store/objects";
import { failJob } from "./finish";
import { JOB_COLUMNS, JOB_TABLES, type JobRow } from "./job-row";
import { type Lifecycle, readLifecycle, writeLifecycle } from "./lifecycle";
import type { Transaction } from "./transaction";

/** Unfinished jobs that one call fails. */
const BATCH = 200;
const MORE_AFTER_MS = SECOND_MS;
/** Runs that were under way at the erasure may store a result until then. */
const SECOND_PASS_MS = 30 * MINUTE_MS;

/** Fails some unfinished jobs. Returns how many: 0 once all jobs have ended. */
export function failUnfinished(tx: Transaction): number {
  const rows = tx.all<JobRow>(
    `SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE j.due_at IS NOT NULL OR j.waits = 1 LIMIT ?`,
    BATCH,
  );
  for (const row of rows) failJob(tx, row, "erased");
  return rows.length;
}

/** Marks the object as being erased. From now on every method answers `gone`. */
export function beginErasure(storage: DurableObjectStorage, tag: string): void {
  writeLifecycle(storage, { kind: "erasing", tag });
}

/**
 * Deletes everything in the object and leaves the mark that keeps it from being opened again. `tag`: the account's objects in
 * R2 are deleted once more later. Null: they belong to another object now.
 */
export async function leaveTombstone(storage: DurableObjectStorage, tag: string | null): Promise<void> {
  await storage.deleteAll();
  writeLifecycle(storage, { kind: "erased", tag });
}

/** Returns when the next step of an erasure is due after a start (Unix ms), or null. The second pass isn't made too early. */
export function nextErasure(lifecycle: Lifecycle | null, now: number): number | null {
  if (lifecycle?.kind === "erasing") return now;
  return lifecycle?.kind === "erased" && lifecycle.tag !== null ? now + SECOND_PASS_MS : null;
}

/**
 * Does one step of the erasure, for the alarm: deletes some of the account's objects in R2, and the rows after the last of them.
 * Returns when the next step is due (Unix ms), or null if nothing is left to do.
 */
export async function eraseStep(env: Env, storage: DurableObjectStorage, now: number): Promise<number | null> {
  const lifecycle = readLifecycle(storage);
  if (lifecycle === null || (lifecycle.kind !== "erasing" && lifecycle.kind !== "erased")) return null;
  const { kind, tag } = lifecycle;
  if (tag === null) return null;
  // A call that was given up can only delete what must be deleted anyway.
  const deleted = await withTimeout(R2_TIMEOUT_MS, deleteAccountObjects(env.STORE, tag));
  if (deleted > 0) return now + MORE_AFTER_MS;
  if (kind === "erasing") {
    await leaveTombstone(storage, tag);
    log("info", "account_erased", { tag });
    return now + SECOND_PASS_MS;
  }
  writeLifecycle(storage, { kind: "erased", tag: null });
  return null;
}
