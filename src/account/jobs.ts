import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../model/delivery";
import type { JobKey } from "../model/job";
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, LEASE_MS, MAX_ATTEMPTS, MINUTE_MS, SYNC_WAIT_MS } from "../model/limits";
import { failJob } from "./finish";
import { expectJob, type JobRow, readJob, readRow, toJobOf } from "./job-row";
import { checkKeyLimit, countReserved, readLimitedKey } from "./key-credits";
import { insertJobDeliveries } from "./new-deliveries";
import { countSlot, hasFreeSlot, slotUseOf } from "./slots";
import { applyDueGrant, balanceOf, setMaintenance } from "./state";
import { storageLevel } from "./storage-level";
import { SUMMARY_INTERVAL_MS } from "./summary";
import type { Transaction } from "./transaction";
import type { ClaimReply, CreateReply, DetachReply, NewJob, ReleaseReason, ReleaseReply } from "./types";
import { alertAfterRefusal, alertKey } from "./usage-alerts";
import { getWebhookUrl } from "./webhook-settings";

/** Requests up to this size are stored in the job's row, and larger ones in the table `payloads`. */
const MAX_INLINE_REQUEST_CHARS = 2_048;
/** A job fails if no browser was free for it during this time. */
const NO_CAPACITY_MS = 60 * MINUTE_MS;
const NO_CAPACITY_DELAY_MAX_MS = 5 * MINUTE_MS;
const RETRY_DELAY_MS = 5_000;
/** If a job isn't claimed, its message is resent after this time. */
const RESEND_GRACE_MS = FIRST_WAKE_MS;

/**
 * Reserves the credits and inserts the job and its Idempotency-Key. Idempotent by the job's id. If a caller waits and a
 * slot is free, also claims the job for the caller's run.
 */
export function createJob(tx: Transaction, job: NewJob): CreateReply {
  const earlier = findEarlier(tx, job);
  if (earlier !== null) return earlier;
  if (tx.state.settings.suspendedAt !== null) return { kind: "suspended" };
  if (storageLevel(tx) === "full") return { kind: "full" };
  applyDueGrant(tx);
  const balance = balanceOf(tx.state, tx.totals);
  if (job.credits > balance) {
    alertAfterRefusal(tx, job.credits);
    return { kind: "insufficient_credits", balance };
  }
  const refusal = checkKeyLimit(tx, job);
  if (refusal !== null) {
    const key = readLimitedKey(tx, job.keyId);
    if (key !== null) alertKey(tx, { ...key, keyId: job.keyId, price: job.credits });
    return refusal;
  }
  const next = hasFreeSlot(tx.totals, tx.state.settings, job) ? "run" : "wait";
  insertJob(tx, job, next);
  if (job.idempotency !== null) {
    tx.run(
      "INSERT INTO idempotency_keys (mode, endpoint, key, body_hash, job_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      job.mode,
      job.endpoint,
      job.idempotency.key,
      job.idempotency.bodyHash,
      job.id,
      tx.now,
    );
  }
  tx.created.push(job);
  countReserved(tx, job.keyId, job.credits);
  if (next === "wait") tx.totals.waits++;
  else countSlot(tx.totals, job, 1);
  const summaryAt = tx.now + SUMMARY_INTERVAL_MS;
  if ((tx.state.maintenanceAt ?? Number.POSITIVE_INFINITY) > summaryAt) setMaintenance(tx, summaryAt);
  return { kind: "created", next, job: expectJob(tx, job) };
}

/**
 * Returns the reply for a repeated call, or for an Idempotency-Key that was used in the last 24 hours. Otherwise
 * returns null.
 */
function findEarlier(tx: Transaction, { mode, id, endpoint, idempotency }: NewJob): CreateReply | null {
  const same = readRow(tx, { mode, id });
  if (same !== null) return { kind: "created", next: same.waits === 1 ? "wait" : "run", job: toJobOf(tx, same) };
  if (idempotency === null) return null;
  const row = tx.first<{ body_hash: string; job_id: string; created_at: number }>(
    "SELECT body_hash, job_id, created_at FROM idempotency_keys WHERE mode = ?1 AND endpoint = ?2 AND key = ?3",
    mode,
    endpoint,
    idempotency.key,
  );
  if (row === null) return null;
  const job = row.created_at > tx.now - IDEMPOTENCY_MS ? readJob(tx, { mode, id: row.job_id }) : null;
  if (job !== null) return row.body_hash === idempotency.bodyHash ? { kind: "repeated", job } : { kind: "conflict" };
  tx.run(
    "DELETE FROM idempotency_keys WHERE mode = ?1 AND endpoint = ?2 AND key = ?3",
    mode,
    endpoint,
    idempotency.key,
  );
  return null;
}

function insertJob(tx: Transaction, job: NewJob, next: "run" | "wait"): void {
  const isLarge = job.request !== null && job.request.length > MAX_INLINE_REQUEST_CHARS;
  const claimed = job.waiting && next === "run";
  const accountUrl = job.webhookUrl === null ? getWebhookUrl(tx, job.mode) : null;
  const dueAt = toFirstDue(tx, job, next);
  tx.run(
    `INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, subject, request, rendered, waiting, webhook_url,
       webhook_endpoint_id, origin, credits, created_at, run, attempts, lease_until, due_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16, ?17, ?18)`,
    job.mode,
    job.id,
    job.keyId,
    job.endpoint,
    claimed ? "processing" : "queued",
    next === "wait" ? 1 : 0,
    job.subject,
    isLarge ? null : job.request,
    job.rendered ? 1 : 0,
    job.waiting ? 1 : 0,
    job.webhookUrl ?? accountUrl,
    job.webhookUrl !== null ? REQUEST_ENDPOINT : accountUrl !== null ? ACCOUNT_ENDPOINT : null,
    job.origin,
    job.credits,
    tx.now,
    claimed ? 1 : 0,
    claimed ? dueAt : null,
    dueAt,
  );
  if (isLarge) tx.run("INSERT INTO payloads (mode, id, request) VALUES (?1, ?2, ?3)", job.mode, job.id, job.request);
  // Makes the alarm fire after at most LEASE_MS, even if the job is due later. After the claim, the lease needs an
  // alarm at about that time. If the alarm is already set early enough, the claim writes one row less.
  if (dueAt !== null) tx.wakeAt(Math.min(dueAt, tx.now + LEASE_MS));
}

/**
 * Returns the time (Unix ms) at which the alarm must check a new job, or null. An asynchronous job that waits for a
 * slot needs no alarm, because the transaction that frees the slot starts the job.
 */
function toFirstDue(tx: Transaction, job: NewJob, next: "run" | "wait"): number | null {
  if (next === "wait") return job.waiting ? tx.now + SYNC_WAIT_MS : null;
  return tx.now + (job.waiting ? LEASE_MS : FIRST_WAKE_MS);
}

/**
 * Claims the job for one run. A repeated call with the same token returns the same run, in case the first reply was
 * lost.
 */
export function claimJob(tx: Transaction, key: JobKey, token: string): ClaimReply {
  const row = readRow(tx, key);
  if (row === null || row.ended_at !== null) return { kind: "gone" };
  if (row.status === "processing" && (row.lease_until ?? 0) > tx.now) {
    return row.token === token
      ? { kind: "run", job: toJobOf(tx, row) }
      : { kind: "leased", until: row.lease_until ?? 0 };
  }
  // The job still waits for a slot, so it can't run yet. Its message came too early or twice.
  if (row.waits === 1) return { kind: "gone" };
  if (row.attempts >= MAX_ATTEMPTS) return { kind: "ended", job: failJob(tx, row, "attempts") };
  const until = tx.now + LEASE_MS;
  if (!mayCallerWait(tx, row)) stopWaiting(tx, row);
  tx.run(
    `UPDATE jobs SET status = 'processing', run = run + 1, attempts = attempts + 1, token = ?3, lease_until = ?4,
       due_at = ?4, resends = 0 WHERE mode = ?1 AND id = ?2`,
    key.mode,
    key.id,
    token,
    until,
  );
  tx.wakeAt(until);
  return { kind: "run", job: expectJob(tx, key) };
}

/** Extends the lease of a run by 60 seconds. Returns false if another run has the job, or if the job has ended. */
export function renewLease(tx: Transaction, key: JobKey, run: number): boolean {
  const row = readRow(tx, key);
  // An expired lease can still be renewed until another run claims the job.
  if (row === null || row.status !== "processing" || row.run !== run) return false;
  const until = tx.now + LEASE_MS;
  tx.run("UPDATE jobs SET lease_until = ?3, due_at = ?3 WHERE mode = ?1 AND id = ?2", key.mode, key.id, until);
  tx.wakeAt(until);
  return true;
}

/**
 * Requeues a job. The caller must send the job's message. Fails the job instead if its attempts are used up, or if no
 * browser was free for an hour.
 */
export function releaseJob(tx: Transaction, key: JobKey, run: number, reason: ReleaseReason): ReleaseReply {
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
  const delayMs = toDelay(row, reason, tx.now - (noCapacitySince ?? tx.now));
  const dueAt = tx.now + delayMs + RESEND_GRACE_MS;
  tx.run(
    `UPDATE jobs SET status = 'queued', lease_until = NULL, token = NULL, due_at = ?3, attempts = attempts - ?4,
       no_capacity_since = ?5 WHERE mode = ?1 AND id = ?2`,
    key.mode,
    key.id,
    dueAt,
    reason.kind === "error" ? 0 : 1,
    noCapacitySince,
  );
  tx.wakeAt(dueAt);
  return { kind: "requeued", delayMs };
}

/**
 * Returns the delay before the next run in milliseconds. While no browser is free, the delays grow with `waitedMs`, the
 * time since the first refusal. The last run takes place when the hour is over.
 */
function toDelay(row: JobRow, reason: ReleaseReason, waitedMs: number): number {
  if (reason.kind === "handover") return 0;
  if (reason.kind === "error") return RETRY_DELAY_MS * 2 ** (row.attempts - 1);
  const growingMs = Math.min(waitedMs / 2, NO_CAPACITY_DELAY_MAX_MS);
  return Math.min(Math.max(reason.retryAfterMs, growingMs), NO_CAPACITY_MS - waitedMs);
}

/**
 * Makes a job asynchronous because its caller stopped waiting. `accepted` is true if the caller got a 202. Such a
 * caller expects a webhook event, so the event is delivered even if the job has already ended.
 */
export function detachCaller(tx: Transaction, key: JobKey, { accepted }: { accepted: boolean }): DetachReply {
  const row = readRow(tx, key);
  if (row === null) return { kind: "gone" };
  if (row.ended_at === null) {
    stopWaiting(tx, row);
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
  tx.run("UPDATE jobs SET waiting = 0 WHERE mode = ?1 AND id = ?2", row.mode, row.id);
  // Counts the slots again, because the job is asynchronous now. Only asynchronous jobs use a job slot.
  if (row.waits === 0) {
    countSlot(tx.totals, slotUseOf(row), -1);
    countSlot(tx.totals, { ...slotUseOf(row), waiting: false }, 1);
  } else tx.run("UPDATE jobs SET due_at = NULL WHERE mode = ?1 AND id = ?2", row.mode, row.id);
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
  tx.run(
    `UPDATE jobs SET status = 'queued', lease_until = NULL, token = NULL, due_at = ?3, resends = resends + 1
     WHERE mode = ?1 AND id = ?2`,
    row.mode,
    row.id,
    dueAt,
  );
  tx.wakeAt(dueAt);
  tx.send(row, 0);
}
