import type { ClaimedJob, JobKey } from "../../model/job";
import { FIRST_WAKE_MS, LEASE_MS, MAX_ATTEMPTS, MINUTE_MS, SYNC_WAIT_MS } from "../../model/limits";
import { reportSoon } from "../credits/recent-counts";
import { insertJobDeliveries } from "../deliveries/new-deliveries";
import { readRow, toClaimedJob, toJobOf } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { ClaimReply, DetachReply, JobRow, ReleaseReason, ReleaseReply } from "../storage/types";
import { failJob } from "./finish";
import { countSlot, promoteWaiting, slotUseOf } from "./slots";

/** A job fails if no browser was free for it during this time. */
const NO_CAPACITY_MS = 60 * MINUTE_MS;
const NO_CAPACITY_DELAY_MAX_MS = 5 * MINUTE_MS;
const RETRY_DELAY_MS = 5_000;
/** If a job isn't claimed, its message is resent after this time. */
const RESEND_GRACE_MS = FIRST_WAKE_MS;
const UNCLAIMED = { status: "queued", lease_until: null, token: null };

/**
 * Claims the job for one run. A repeated call with the same token returns the same run, in case the first reply was
 * lost. If another run has taken a page of a batch, claims the next page of the batch instead.
 */
export function claim(tx: Transaction, key: JobKey, token: string): ClaimReply {
  const row = readRow(tx, key);
  const reply = claimRow(tx, key, { row, token });
  if (row === null || row.batch_id === null || (reply.kind !== "gone" && reply.kind !== "leased")) return reply;
  // If the other run dies, the alarm sends a new message when its lease expires. Therefore this message is no longer
  // needed.
  const job = claimNextPage(tx, row, token);
  return job === null ? { kind: "gone" } : { kind: "run", job };
}

/** Claims a started, unclaimed plain page of the same batch, or returns null. Idempotent by token. */
export function claimNextPage(
  tx: Transaction,
  { mode, batch_id }: Pick<JobRow, "mode" | "batch_id">,
  token: string,
): ClaimedJob | null {
  // A page that was just started comes before a page that waits for a retry.
  const next = tx.first<{ id: string }>(
    `SELECT id FROM jobs INDEXED BY jobs_due
     WHERE due_at IS NOT NULL AND mode = ?1 AND batch_id = ?2 AND rendered = 0 AND waits = 0 AND ended_at IS NULL
       AND ((status = 'queued' AND attempts < ${MAX_ATTEMPTS} AND due_at <= ?4) OR (status = 'processing' AND token = ?3))
     ORDER BY status = 'queued', id LIMIT 1`,
    ...[mode, batch_id, token, tx.now + RESEND_GRACE_MS],
  );
  if (next === null) return null;
  const key = { mode, id: next.id };
  const reply = claimRow(tx, key, { row: readRow(tx, key), token });
  return reply.kind === "run" ? reply.job : null;
}

function claimRow(tx: Transaction, key: JobKey, { row, token }: { row: JobRow | null; token: string }): ClaimReply {
  if (row === null || row.ended_at !== null) return { kind: "gone" };
  if (row.status === "processing" && (row.lease_until ?? 0) > tx.now) {
    return row.token === token
      ? { kind: "run", job: toClaimedJob(tx, row) }
      : { kind: "leased", until: row.lease_until ?? 0 };
  }
  // The job still waits for a slot, so it can't run yet. Its message came too early or twice.
  if (row.waits === 1) return { kind: "gone" };
  if (row.attempts >= MAX_ATTEMPTS) return { kind: "ended", job: failJob(tx, row, "attempts") };
  const until = tx.now + LEASE_MS;
  const waiting = mayCallerWait(tx, row) ? row.waiting : 0;
  if (waiting === 0) stopWaiting(tx, row);
  const [run, attempts] = [row.run + 1, row.attempts + 1];
  const claimed = { status: "processing", run, attempts, token, lease_until: until, due_at: until, resends: 0 };
  tx.update("jobs", key, claimed);
  tx.wakeAt(until);
  return { kind: "run", job: toClaimedJob(tx, { ...row, ...claimed, status: "processing", waiting }) };
}

/** Extends the lease of a run by 60 seconds. Returns false if another run has the job, or if the job has ended. */
export function renew(tx: Transaction, key: JobKey, run: number): boolean {
  const until = tx.now + LEASE_MS;
  // An expired lease can still be renewed until another run claims the job.
  const renewed = tx.first(
    `UPDATE jobs SET lease_until = ?3, due_at = ?3 WHERE mode = ?1 AND id = ?2 AND status = 'processing' AND run = ?4
     RETURNING id`,
    ...[key.mode, key.id, until, run],
  );
  if (renewed !== null) tx.wakeAt(until);
  return renewed !== null;
}

/** Requeues a job; the caller sends its message. Fails it after its last attempt, or after an hour without browser. */
export function release(tx: Transaction, key: JobKey, run: number, reason: ReleaseReason): ReleaseReply {
  const row = readRow(tx, key);
  if (row === null || row.run !== run || row.waits === 1) return { kind: "lease_lost" };
  // The job is already queued. Either the reply to an earlier call was lost, or the alarm has requeued the job.
  if (row.status === "queued") {
    return { kind: "requeued", delayMs: Math.max(0, (row.due_at ?? 0) - RESEND_GRACE_MS - tx.now) };
  }
  if (row.status !== "processing") return { kind: "lease_lost" };
  if (reason.kind === "error" && row.attempts >= MAX_ATTEMPTS)
    return { kind: "ended", job: failJob(tx, row, "attempts") };
  const noCapacitySince = reason.kind === "no_capacity" ? (row.no_capacity_since ?? tx.now) : null;
  if (noCapacitySince !== null && tx.now - noCapacitySince >= NO_CAPACITY_MS) {
    return { kind: "ended", job: failJob(tx, row, "capacity") };
  }
  if (noCapacitySince !== null) reportSoon(tx);
  const delayMs = toDelay(row, reason, tx.now - (noCapacitySince ?? tx.now));
  const dueAt = tx.now + delayMs + RESEND_GRACE_MS;
  const attempts = row.attempts - (reason.kind === "error" ? 0 : 1);
  tx.update("jobs", key, { ...UNCLAIMED, due_at: dueAt, attempts, no_capacity_since: noCapacitySince });
  tx.wakeAt(dueAt);
  return { kind: "requeued", delayMs };
}

/**
 * Returns the delay before the next run in milliseconds. While no browser is free, the delays grow with `waitedMs`, the
 * time since the first refusal. The last run takes place when the hour is over.
 */
function toDelay(row: JobRow, reason: ReleaseReason, waitedMs: number): number {
  if (reason.kind === "handover") return 0;
  if (reason.kind === "busy_target") return reason.retryAfterMs;
  if (reason.kind === "error") return RETRY_DELAY_MS * 2 ** (row.attempts - 1);
  const growingMs = Math.min(Math.floor(waitedMs / 2), NO_CAPACITY_DELAY_MAX_MS);
  return Math.min(Math.max(reason.retryAfterMs, growingMs), NO_CAPACITY_MS - waitedMs);
}

/**
 * Makes a job asynchronous because its caller stopped waiting. `accepted` is true if the caller got a 202. Such a
 * caller expects a webhook event, so the event is delivered even if the job has already ended.
 */
export function detach(tx: Transaction, key: JobKey, { accepted }: { accepted: boolean }): DetachReply {
  const row = readRow(tx, key);
  if (row === null) return { kind: "gone" };
  if (row.ended_at === null) {
    stopWaiting(tx, row);
    // The job may start now, because it is asynchronous. A synchronous job starts only while its caller waits in
    // `awaitSlot`.
    promoteWaiting(tx);
    return { kind: "detached" };
  }
  const job = toJobOf(tx, row);
  if (accepted) insertJobDeliveries(tx, job, row);
  return { kind: "ended", job };
}

/**
 * Returns true if the caller of a queued job may still be waiting. A caller waits for at most 60 seconds after the
 * job's creation. Returns false for a running job. Its lease has expired, so the caller's request has ended too.
 */
function mayCallerWait(tx: Transaction, row: JobRow): boolean {
  return row.waiting === 1 && row.status === "queued" && tx.now < row.created_at + SYNC_WAIT_MS;
}

/** Makes a job asynchronous because its caller has stopped waiting. */
function stopWaiting(tx: Transaction, row: JobRow): void {
  if (row.waiting === 0) return;
  tx.update("jobs", row, { waiting: 0 });
  // Counts the slots again, because the job is asynchronous now. Only asynchronous jobs use a job slot.
  if (row.waits === 0) {
    countSlot(tx.totals, slotUseOf(row), -1);
    countSlot(tx.totals, { ...slotUseOf(row), waiting: false }, 1);
  } else tx.update("jobs", row, { due_at: null });
}

/** Handles a due job: its lease has expired, its message was lost, or its caller stopped waiting. */
export function recoverJob(tx: Transaction, row: JobRow): void {
  // Fails the job before `stopWaiting` changes its row, because `failJob` frees the slots that `row` describes.
  if (row.status === "processing" && row.attempts >= MAX_ATTEMPTS) {
    failJob(tx, row, "attempts");
    return;
  }
  if (!mayCallerWait(tx, row)) stopWaiting(tx, row);
  if (row.waits === 1) return;
  const dueAt = tx.now + FIRST_WAKE_MS * 2 ** Math.min(row.resends, 5);
  tx.update("jobs", row, { ...UNCLAIMED, due_at: dueAt, resends: row.resends + 1 });
  tx.wakeAt(dueAt);
  tx.send(row);
  reportSoon(tx);
}
