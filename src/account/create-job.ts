import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../model/delivery";
import { FIRST_WAKE_MS, LEASE_MS, SYNC_WAIT_MS } from "../model/limits";
import { findCapture } from "./captures";
import { checkDailyLimit } from "./daily-credits";
import { findRepeated, rememberKey } from "./idempotency";
import { expectRow, readJob, readRow, toClaimedJob, toJobOf } from "./job-row";
import { checkKeyLimit, countReserved, readLimitedKey, toKeyPeriod } from "./key-credits";
import { writeLabels } from "./labels";
import { writePlanned } from "./receipts";
import { countSlot, hasFreeSlot } from "./slots";
import { applyDueGrant, balanceOf, setMaintenance } from "./state";
import { storageLevel } from "./storage-level";
import { SUMMARY_INTERVAL_MS } from "./summary";
import type { Transaction } from "./transaction";
import type { CheckedJob, CheckReply, CreateReply, NewJob } from "./types";
import { alertAfterRefusal, alertKey } from "./usage-alerts";
import { getWebhookUrl } from "./webhook-settings";

/** Requests up to this size are stored in the job's row, and larger ones in the table `payloads`. */
const MAX_INLINE_REQUEST_CHARS = 2_048;

/**
 * Reserves the credits and inserts the job and its Idempotency-Key. Idempotent by the job's id. If a caller waits for
 * the job and a slot is free, also claims the job for the caller's run.
 */
export function createJob(tx: Transaction, job: NewJob): CreateReply {
  const earlier = findEarlier(tx, job);
  if (earlier !== null) return earlier;
  const check = checkJob(tx, job);
  if (check.kind !== "possible") {
    if (check.kind === "insufficient_credits") alertAfterRefusal(tx, job.credits);
    if (check.kind === "key_limit") {
      const period = toKeyPeriod(tx.state.createdAt, tx.now);
      alertKey(tx, { ...check, period, keyId: job.keyId, price: job.credits });
    }
    return check;
  }
  const { next } = check;
  insertJob(tx, job, next);
  rememberKey(tx, job);
  tx.created.push(job);
  countReserved(tx, job.keyId, job.credits);
  if (next === "wait") tx.totals.waits++;
  else countSlot(tx.totals, job, 1);
  const summaryAt = tx.now + SUMMARY_INTERVAL_MS;
  if ((tx.state.maintenanceAt ?? Number.POSITIVE_INFINITY) > summaryAt) setMaintenance(tx, summaryAt);
  return { kind: "created", next, job: toClaimedJob(tx, expectRow(tx, job)) };
}

/** Checks if the job could be created now, and if it could start immediately. Creates and reserves nothing. */
export function checkJob(tx: Transaction, job: CheckedJob): CheckReply {
  if (tx.state.settings.suspendedAt !== null) return { kind: "suspended" };
  if (storageLevel(tx) === "full") return { kind: "full" };
  if (job.captureId !== undefined && findCapture(tx, job.mode, { id: job.captureId }) === null)
    return { kind: "no_capture" };
  applyDueGrant(tx);
  const balance = balanceOf(tx.state, tx.totals);
  if (job.credits > balance) return { kind: "insufficient_credits", balance };
  const refusal = checkDailyLimit(tx, job) ?? checkKeyLimit(tx, job);
  if (refusal !== null) return refusal;
  const limited = job.mode === "live" ? readLimitedKey(tx, job.keyId) : null;
  return {
    kind: "possible",
    next: hasFreeSlot(tx.totals, tx.state.settings, job) ? "run" : "wait",
    balance,
    key: limited && { ...limited, resetsAt: limited.period.end },
  };
}

/**
 * Returns the reply for a repeated call, or for an Idempotency-Key that was used in the last 24 hours. Otherwise
 * returns null.
 */
function findEarlier(tx: Transaction, job: NewJob): CreateReply | null {
  const { mode } = job;
  const same = readRow(tx, job);
  if (same !== null && same.ended_at !== null) return { kind: "repeated", job: toJobOf(tx, same) };
  if (same !== null) return { kind: "created", next: same.waits === 1 ? "wait" : "run", job: toClaimedJob(tx, same) };
  const id = findRepeated(tx, job);
  const earlier = id === null || id === "conflict" ? null : readJob(tx, { mode, id });
  if (earlier !== null) return { kind: "repeated", job: earlier };
  // The key of a job whose row was archived can be used again.
  return id === "conflict" ? { kind: "conflict" } : null;
}

function insertJob(tx: Transaction, job: NewJob, next: "run" | "wait"): void {
  const isLarge = job.request !== null && job.request.length > MAX_INLINE_REQUEST_CHARS;
  const claimed = job.waiting && next === "run";
  // A page of a batch has no own events. The events are sent to the URLs of its batch.
  const accountUrl = job.webhookUrl === null && job.page === undefined ? getWebhookUrl(tx, job.mode) : null;
  const dueAt = toFirstDue(tx, job, next);
  tx.run(
    `INSERT INTO jobs (mode, id, key_id, endpoint, status, waits, subject, request, rendered, waiting, webhook_url,
       webhook_endpoint_id, origin, credits, receipt, created_at, run, attempts, lease_until, due_at, secrets, metadata,
       batch_id, page, temporary, request_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)`,
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
    writePlanned(job),
    tx.now,
    claimed ? 1 : 0,
    claimed ? dueAt : null,
    dueAt,
    job.secrets ?? null,
    writeLabels(job.labels),
    job.page?.batchId ?? null,
    job.page?.number ?? null,
    job.isTemporary === true ? 1 : 0,
    job.requestId ?? null,
  );
  if (isLarge) tx.run("INSERT INTO payloads (mode, id, request) VALUES (?1, ?2, ?3)", job.mode, job.id, job.request);
  // Sets the alarm to LEASE_MS from now at the latest, even if the job is due later. A claimed job needs an alarm at
  // about that time for its lease. If that alarm is already set, the claim writes one row fewer.
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
