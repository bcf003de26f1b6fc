import type { Mode } from "../../model/api-key";
import type { Job } from "../../model/job";
import { FIRST_WAKE_MS, LEASE_MS, SYNC_WAIT_MS } from "../../model/limits";
import type { Totals, Transaction } from "../storage/transaction";
import type { AccountSettings, Ending, JobRow } from "../storage/types";

/** The properties of a job that decide its slots. A synchronous job without rendering needs none. */
type SlotUse = Pick<Job, "rendered" | "waiting">;

/** Returns true if the account's limits allow another job of this kind to start. */
export function hasFreeSlot(totals: Totals, settings: AccountSettings, { rendered, waiting }: SlotUse): boolean {
  return (
    (waiting || totals.jobSlots < settings.concurrentJobs) &&
    (!rendered || totals.renderSlots < settings.concurrentRenders)
  );
}

/** Adds (1) or subtracts (-1) the slots that a job uses. */
export function countSlot(totals: Totals, { rendered, waiting }: SlotUse, by: 1 | -1): void {
  if (!waiting) totals.jobSlots += by;
  if (rendered) totals.renderSlots += by;
}

export function freeSlot(tx: Transaction, { row }: Ending): void {
  if (row.waits === 1) tx.totals.waits--;
  else countSlot(tx.totals, slotUseOf(row), -1);
}

export function slotUseOf(row: Pick<JobRow, "rendered" | "waiting">): SlotUse {
  return { rendered: row.rendered === 1, waiting: row.waiting === 1 };
}

/** Reads the totals from the tables after the Durable Object has started. */
export function readTotals(sql: SqlStorage): Totals {
  const [totals] = sql
    .exec<Pick<Totals, "jobSlots" | "renderSlots" | "waits" | "batches">>(
      `SELECT COALESCE(SUM(waits = 0 AND waiting = 0), 0) AS jobSlots,
         COALESCE(SUM(waits = 0 AND rendered = 1), 0) AS renderSlots,
         (SELECT COUNT(*) FROM jobs WHERE waits = 1) AS waits,
         (SELECT COUNT(*) FROM batches WHERE due_at IS NOT NULL) AS batches
       FROM jobs WHERE due_at IS NOT NULL`,
    )
    .toArray();
  const reserved = sql
    .exec<{ key_id: string; credits: number }>(
      `SELECT key_id, SUM(credits) AS credits FROM (
         SELECT key_id, credits FROM jobs WHERE due_at IS NOT NULL AND credits > 0
         UNION ALL SELECT key_id, credits FROM jobs WHERE waits = 1 AND due_at IS NULL AND credits > 0)
       GROUP BY key_id`,
    )
    .toArray();
  return {
    ...(totals ?? { jobSlots: 0, renderSlots: 0, waits: 0, batches: 0 }),
    reserved: reserved.reduce((sum, { credits }) => sum + credits, 0),
    reservedByKey: Object.fromEntries(reserved.map(({ key_id, credits }) => [key_id, credits])),
    keyCredits: null,
    modelLimit: null,
    keyLimits: {},
    lastBatch: "",
  };
}

interface WaitingRow extends Record<string, SqlStorageValue> {
  mode: Mode;
  id: string;
  rendered: number;
  waiting: number;
  created_at: number;
}

/** At most this many jobs of each kind are checked for a free slot, starting with the oldest job. */
const LOOK_AHEAD = 20;

/** The kinds of jobs that can wait. Their slots differ, so a kind without free slots must not block the others. */
const KINDS = [
  { rendered: 0, waiting: 0 },
  { rendered: 1, waiting: 0 },
  { rendered: 1, waiting: 1 },
] as const;

/**
 * Starts waiting jobs, oldest first, while slots are free. Skips a synchronous job whose caller doesn't wait in
 * `awaitSlot`, because no caller would run it. `awaited` is the job of a call that is about to wait there.
 */
export function promoteWaiting(tx: Transaction, awaited?: string): void {
  if (tx.totals.waits === 0) return;
  const heads = KINDS.flatMap((kind) => readHeads(tx, kind)).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const row of heads) {
    const isWaiting = row.waiting === 1 && tx.now < row.created_at + SYNC_WAIT_MS;
    if (!hasFreeSlot(tx.totals, tx.state.settings, { ...slotUseOf(row), waiting: isWaiting })) continue;
    if (!isWaiting) dispatch(tx, { ...row, waiting: 0 });
    else if (row.id === awaited || tx.hooks.isAwaited(row.id)) startForCaller(tx, row);
  }
}

function readHeads(tx: Transaction, { rendered, waiting }: (typeof KINDS)[number]): WaitingRow[] {
  return tx.all<WaitingRow>(
    `SELECT mode, id, rendered, waiting, created_at FROM jobs INDEXED BY jobs_waiting
     WHERE waits = 1 AND rendered = ?1 AND waiting = ?2 ORDER BY id LIMIT ${LOOK_AHEAD}`,
    ...[rendered, waiting],
  );
}

/** Starts a waiting synchronous job. The request that waits in `awaitSlot` runs the job, so it isn't sent to a queue. */
function startForCaller(tx: Transaction, row: WaitingRow): void {
  const until = tx.now + LEASE_MS;
  tx.update("jobs", row, { waits: 0, status: "processing", run: 1, attempts: 1, lease_until: until, due_at: until });
  tx.totals.waits--;
  countSlot(tx.totals, slotUseOf(row), 1);
  tx.wakeAt(until);
  tx.changed.add(row.id);
}

/**
 * Starts a job that has waited for a slot: reserves the slot and sends the job's message. Makes the job asynchronous,
 * because its caller has stopped waiting.
 */
function dispatch(tx: Transaction, row: WaitingRow): void {
  const dueAt = tx.now + FIRST_WAKE_MS;
  tx.update("jobs", row, { waits: 0, waiting: 0, due_at: dueAt, resends: 0 });
  tx.totals.waits--;
  countSlot(tx.totals, slotUseOf(row), 1);
  tx.wakeAt(dueAt);
  tx.send(row);
}
