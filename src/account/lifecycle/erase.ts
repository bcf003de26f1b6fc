import { withTimeout } from "../../lib/async";
import { log } from "../../lib/log";
import { MINUTE_MS, R2_TIMEOUT_MS, SECOND_MS } from "../../model/limits";
import { deleteAccountObjects } from "../../store/objects";
import { failJob } from "../jobs/finish";
import { JOB_COLUMNS, UNFINISHED_JOBS, WITH_PAYLOAD } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { JobRow } from "../storage/types";
import { eraseCrawls } from "./crawls";

/** `failUnfinished` ends at most this many jobs in one call. */
const BATCH = 25;
const MORE_AFTER_MS = SECOND_MS;
/** The account's R2 objects are deleted again after this delay, because an active run may have stored a result. */
const SECOND_PASS_MS = 30 * MINUTE_MS;

/** Fails up to 25 unfinished jobs. Returns the number of failed jobs, which is 0 once all jobs have ended. */
export function failUnfinished(tx: Transaction): number {
  const rows = tx.all<JobRow>(`SELECT ${JOB_COLUMNS} FROM ${UNFINISHED_JOBS} j ${WITH_PAYLOAD} LIMIT ?`, BATCH);
  for (const row of rows) failJob(tx, row, "erased");
  return rows.length;
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

/**
 * The reason why a Durable Object serves only operators. While a lifecycle is stored, all other methods return `gone`.
 * The lifecycle isn't part of the tables, so it survives their deletion and isn't exported.
 */
export type Lifecycle =
  /** Rows are being imported. `cursor` is the position of the next row in the export. It is null after the last row. */
  | { kind: "importing"; cursor: string | null }
  /** The alarm is deleting everything that belongs to the account. */
  | { kind: "erasing"; tag: string }
  /**
   * The account was erased, and the Durable Object can't be opened again. If `tag` isn't null, the account's
   * objects in R2 are deleted a second time.
   */
  | { kind: "erased"; tag: string | null };

const KEY = "lifecycle";

/** Returns the lifecycle, or null in normal operation. Reads storage, so callers should cache the value. */
export function readLifecycle({ kv }: DurableObjectStorage): Lifecycle | null {
  return kv.get<Lifecycle>(KEY) ?? null;
}

export function writeLifecycle({ kv }: DurableObjectStorage, lifecycle: Lifecycle | null): void {
  if (lifecycle === null) kv.delete(KEY);
  else kv.put(KEY, lifecycle);
}
