import { toPositiveNumber } from "../../lib/env";
import { toIdStart, toIdTime } from "../../lib/id";
import { log, toLogged } from "../../lib/log";
import { MODES, type Mode } from "../../model/api-key";
import { DAY_MS, IDEMPOTENCY_MS, MINUTE_MS, RETENTION_DAYS_DEFAULT, SECOND_MS } from "../../model/limits";
import { deleteObjects } from "../../store/objects";
import { storageLevel, type Transaction } from "../storage/transaction";
import {
  archivedBefore,
  archiveOldest,
  deleteArchivedRows,
  expireArchive,
  JOB_DAYS,
  type MaintenanceContext,
  nextArchiveExpiry,
  oldestListedId,
} from "./archive";
import { deleteOldCaptures } from "./captures";

/** The maximum number of jobs, and of other rows of each kind, that one step handles. */
const BATCH = 100;
/** The minimum time between two runs of retention, so that a busy account's alarm doesn't run for each single job. */
const COLLECT_MS = 60 * MINUTE_MS;
const MORE_AFTER_MS = SECOND_MS;
export const RETRY_AFTER_MS = 5 * MINUTE_MS;

/**
 * Executes one bounded step of retention and archiving. Returns the time (Unix ms) at which the next step is due, or
 * null if no step will become due. Never throws: after an error, the next step is due in five minutes.
 */
export async function applyRetention(context: MaintenanceContext): Promise<number | null> {
  const { env, account, now } = context;
  const retentionMs = toRetentionMs(env);
  try {
    const steps = [
      await expireJobs(context, now - retentionMs),
      context.transaction((tx) => deleteOldRows(tx, now - retentionMs)),
      context.transaction((tx) => expireBatches(tx, now - retentionMs)),
      await expireArchive(context, retentionMs),
      await archiveOldest(context),
      context.transaction((tx) => deleteArchivedRows(tx)),
    ];
    if (steps.includes(true)) return now + MORE_AFTER_MS;
    const next = context.transaction((tx) => nextDue(tx, retentionMs));
    return next === null ? null : Math.max(next, now + COLLECT_MS);
  } catch (error) {
    log("error", "maintenance_failed", { account_id: account.id, ...toLogged(error) });
    return now + RETRY_AFTER_MS;
  }
}

/** Returns the time (ms) for which results, requests, screenshots and deliveries are kept. */
export function toRetentionMs(env: Env): number {
  return toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS;
}

/**
 * Deletes the requests, labels, results and screenshots of jobs that ended before `before` (Unix ms). The jobs stay in
 * lists. Returns true if more jobs may be due.
 */
async function expireJobs(context: MaintenanceContext, before: number): Promise<boolean> {
  let more = false;
  for (const mode of MODES) {
    const jobs = context.transaction((tx) => listExpiring(tx, mode, before));
    if (jobs.length > 0) {
      // Delete the objects first. If that fails, the rows still name the objects, so a retry can find them.
      await deleteObjects(context.env.STORE, jobs);
      const ids = JSON.stringify(jobs.map(({ id }) => id));
      context.transaction((tx) => markExpired(tx, mode, ids));
    }
    context.transaction((tx) => advanceCursor(tx, mode, before));
    more ||= jobs.length === BATCH;
  }
  return more;
}

function listExpiring(tx: Transaction, mode: Mode, before: number): { id: string; run: number }[] {
  return tx.all<{ id: string; run: number }>(
    `SELECT id, run FROM jobs WHERE mode = ?1 AND id >= ?2 AND id < ?3 AND expired = 0 AND ended_at <= ?4
     ORDER BY id LIMIT ?5`,
    ...[mode, readCursor(tx, mode), toIdStart(before), before, BATCH],
  );
}

function markExpired(tx: Transaction, mode: Mode, ids: string): void {
  const those = "WHERE mode = ? AND id IN (SELECT value FROM json_each(?))";
  tx.run(`DELETE FROM payloads ${those}`, mode, ids);
  tx.run(`DELETE FROM captures ${those}`, mode, ids);
  tx.run(`UPDATE jobs SET expired = 1, request = NULL, metadata = NULL, result_in = NULL ${those}`, mode, ids);
}

/**
 * Moves the mode's cursor to the first job that hasn't expired. The search for jobs that must expire starts at the
 * cursor. Writes nothing if no job after the cursor has expired.
 */
function advanceCursor(tx: Transaction, mode: Mode, before: number): void {
  const cursor = readCursor(tx, mode);
  const find = (condition: string) =>
    tx.value<string>(
      `SELECT id FROM jobs WHERE mode = ? AND id >= ? AND id < ? AND ${condition} ORDER BY id LIMIT 1`,
      ...[mode, cursor, toIdStart(before)],
    );
  if (find("expired = 1") === null) return;
  const next = find("expired = 0") ?? toIdStart(before);
  if (next > cursor) tx.run(`UPDATE account SET ${CURSORS[mode]} = ?`, next);
}

const CURSORS = { live: "expired_live", test: "expired_test" } as const satisfies Record<Mode, string>;

function readCursor(tx: Transaction, mode: Mode): string {
  return tx.value<string>(`SELECT ${CURSORS[mode]} FROM account`) ?? "";
}

/** Deletes idempotency keys, ended deliveries and usage rows after their retention. Returns true if more are due. */
function deleteOldRows(tx: Transaction, before: number): boolean {
  const counts = [
    tx.run(
      `DELETE FROM idempotency_keys WHERE (mode, endpoint, key) IN
         (SELECT mode, endpoint, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
      ...[tx.now - IDEMPOTENCY_MS, BATCH],
    ),
    ...MODES.flatMap((mode) => [
      tx.run(
        `DELETE FROM deliveries WHERE mode = ?1 AND id IN
           (SELECT id FROM deliveries WHERE mode = ?1 AND id < ?2 AND status <> 'pending' ORDER BY id LIMIT ?3)`,
        ...[mode, toIdStart(before), BATCH],
      ),
      tx.run(
        `DELETE FROM usage WHERE mode = ?1 AND (date, key_id, endpoint, code) IN
           (SELECT date, key_id, endpoint, code FROM usage WHERE mode = ?1
              AND date < (SELECT archived_before FROM account) AND date < ?2 LIMIT ?3)`,
        ...[mode, new Date(tx.now - JOB_DAYS * DAY_MS).toISOString().slice(0, 10), BATCH],
      ),
    ]),
    // Deletes the rows of the captures of archived jobs. `expireArchive` deletes their objects.
    deleteOldCaptures(tx, before, BATCH),
  ];
  return counts.some((rows) => rows >= BATCH);
}

/** The batches that ended and whose requests aren't deleted yet. */
const ENDED_BATCHES = "batches WHERE ended_at IS NOT NULL AND request IS NOT NULL";

/** Returns the time (Unix ms) at which retention or archiving is due next, or null if nothing will become due. */
function nextDue(tx: Transaction, retentionMs: number): number | null {
  const times = [nextArchiveExpiry(tx, retentionMs)];
  const add = (at: number | null, keptMs: number) => times.push(at === null ? null : at + keptMs);
  add(tx.value<number | null>(`SELECT MIN(ended_at) FROM ${ENDED_BATCHES}`), retentionMs);
  add(tx.value<number | null>("SELECT MIN(created_at) FROM idempotency_keys"), IDEMPOTENCY_MS);
  add(tx.value<number | null>("SELECT MIN(captured_at) FROM captures"), retentionMs);
  const addId = (id: string | null, keptMs: number) => add(id === null ? null : toIdTime(id), keptMs);
  for (const mode of MODES) {
    const job = "SELECT id FROM jobs WHERE mode = ? AND id >= ? AND expired = 0 ORDER BY id LIMIT 1";
    addId(tx.value<string>(job, mode, readCursor(tx, mode)), retentionMs);
    addId(tx.value<string | null>("SELECT MIN(id) FROM deliveries WHERE mode = ?", mode), retentionMs);
  }
  addId(oldestListedId(tx), (JOB_DAYS + 1) * DAY_MS);
  // If the storage is above the first size limit, retention runs every hour.
  if (storageLevel(tx) !== "inline") times.push(tx.now);
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The maximum number of batches in one step. A crawl can have 10,000 pages. */
const BATCHES_PER_STEP = 10;

type KeyRow = { mode: Mode; id: string };

/**
 * Deletes the requests, the secrets and the labels of batches that ended at `before` (Unix ms) or earlier, and the rows
 * of batches whose jobs are archived. Returns true if more batches may be due.
 */
function expireBatches(tx: Transaction, before: number): boolean {
  const expiring = tx.all<KeyRow>(
    "SELECT mode, id FROM batches WHERE ended_at <= ?1 AND request IS NOT NULL LIMIT ?2",
    ...[before, BATCHES_PER_STEP],
  );
  for (const { mode, id } of expiring) {
    tx.update("batches", { mode, id }, { request: null, defaults: null, secrets: null, hook: null, metadata: null });
    tx.run(
      `UPDATE batch_pages SET overrides = NULL, secrets = NULL
       WHERE mode = ?1 AND batch_id = ?2 AND (overrides IS NOT NULL OR secrets IS NOT NULL)`,
      ...[mode, id],
    );
  }
  const archived = tx.all<KeyRow>(
    "SELECT mode, id FROM batches WHERE ended_at < ?1 LIMIT ?2",
    ...[toDeletedBefore(tx), BATCHES_PER_STEP],
  );
  for (const { mode, id } of archived) {
    tx.run("DELETE FROM batch_pages WHERE mode = ?1 AND batch_id = ?2", mode, id);
    tx.run("DELETE FROM batches WHERE mode = ?1 AND id = ?2", mode, id);
  }
  return expiring.length === BATCHES_PER_STEP || archived.length === BATCHES_PER_STEP;
}

/** Returns the time (Unix ms) before which all ended jobs are archived. */
function toDeletedBefore(tx: Transaction): number {
  const { date } = archivedBefore(tx);
  const oldest = tx.now - (JOB_DAYS + 1) * DAY_MS;
  return date === "" ? oldest : Math.max(oldest, Date.parse(date));
}
