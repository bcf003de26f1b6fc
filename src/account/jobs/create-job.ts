import type { Mode } from "../../model/api-key";
import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../../model/delivery";
import { FIRST_WAKE_MS, IDEMPOTENCY_MS, LEASE_MS, SYNC_WAIT_MS } from "../../model/limits";
import { applyDueGrant, balanceOf, maintainBy, SUMMARY_INTERVAL_MS } from "../credits/account-row";
import { checkDailyLimit, checkKeyLimit, countReserved, readLimitedKey, toKeyPeriod } from "../credits/credit-limits";
import { checkModelLimit } from "../credits/model-limit";
import { alertAfterRefusal, alertKey } from "../credits/usage-alerts";
import { getWebhookUrl } from "../deliveries/webhook-settings";
import { findCapture } from "../retention/captures";
import { readJob, readRow, toClaimedJob, toJobOf, writePlanned } from "../storage/job-row";
import { writeLabels } from "../storage/labels";
import { storageLevel, type Transaction } from "../storage/transaction";
import type { CheckedJob, CheckReply, CreateReply, JobRow, NewJob } from "../storage/types";
import { countSlot, hasFreeSlot } from "./slots";

/** Requests up to this size are stored in the job's row, and larger ones in the table `payloads`. */
const MAX_INLINE_REQUEST_CHARS = 2_048;

/**
 * Reserves the credits and inserts the job and its Idempotency-Key. Idempotent by the job's id. If a slot is free, also
 * starts the job: sends its message, or claims it for the run of a waiting caller.
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
  // A page is created only when it can start, also in the slots of the search that waits for it.
  const next = job.page === undefined ? check.next : "run";
  const row = insertJob(tx, job, next);
  rememberKey(tx, job);
  tx.created.push(job);
  countReserved(tx, job.keyId, job.credits);
  if (next === "wait") tx.totals.waits++;
  else countSlot(tx.totals, job, 1);
  maintainBy(tx, tx.now + SUMMARY_INTERVAL_MS);
  // A waiting caller runs the job. A job without a slot is sent when it gets one.
  if (next === "run" && !job.waiting) tx.send({ ...job, rendered: job.rendered ? 1 : 0 });
  return { kind: "created", next, job: toClaimedJob(tx, row) };
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
  const refusal = checkDailyLimit(tx, job) ?? checkKeyLimit(tx, job) ?? checkModelLimit(tx, job);
  if (refusal !== null) return refusal;
  const limited = job.mode === "live" ? readLimitedKey(tx, job.keyId) : null;
  return {
    kind: "possible",
    next: hasFreeSlot(tx.totals, tx.state.settings, job) ? "run" : "wait",
    balance,
    key: limited && { ...limited, resetsAt: limited.period.end },
  };
}

/** Returns the reply for a repeated call or for an Idempotency-Key of the last 24 hours. Otherwise returns null. */
function findEarlier(tx: Transaction, job: NewJob): CreateReply | null {
  const { mode } = job;
  const same = readRow(tx, job);
  if (same !== null && same.ended_at !== null) return { kind: "repeated", job: toJobOf(tx, same) };
  if (same !== null) {
    // The object may have stopped after the first call, before it had sent the message.
    if (same.status === "queued" && same.waits === 0 && same.waiting === 0) tx.send(same);
    return { kind: "created", next: same.waits === 1 ? "wait" : "run", job: toClaimedJob(tx, same) };
  }
  const id = findRepeated(tx, job);
  const earlier = id === null || id === "conflict" ? null : readJob(tx, { mode, id });
  if (earlier !== null) return { kind: "repeated", job: earlier };
  // The key of a job whose row was archived can be used again.
  return id === "conflict" ? { kind: "conflict" } : null;
}

function insertJob(tx: Transaction, job: NewJob, next: "run" | "wait"): JobRow {
  const isLarge = job.request !== null && job.request.length > MAX_INLINE_REQUEST_CHARS;
  const claimed = job.waiting && next === "run";
  // A page of a batch has no own events. The events are sent to the URLs of its batch.
  const accountUrl = job.webhookUrl === null && job.page === undefined ? getWebhookUrl(tx, job.mode) : null;
  const dueAt = toFirstDue(tx, job, next);
  const { mode, id, endpoint, subject, origin, credits, secrets = null } = job;
  const given = { mode, id, endpoint, subject, origin, credits, secrets };
  tx.insert("jobs", {
    ...given,
    key_id: job.keyId,
    status: claimed ? "processing" : "queued",
    waits: next === "wait" ? 1 : 0,
    request: isLarge ? null : job.request,
    rendered: job.rendered ? 1 : 0,
    waiting: job.waiting ? 1 : 0,
    webhook_url: job.webhookUrl ?? accountUrl,
    webhook_endpoint_id: job.webhookUrl !== null ? REQUEST_ENDPOINT : accountUrl !== null ? ACCOUNT_ENDPOINT : null,
    receipt: writePlanned(job),
    created_at: tx.now,
    run: claimed ? 1 : 0,
    attempts: claimed ? 1 : 0,
    lease_until: claimed ? dueAt : null,
    due_at: dueAt,
    metadata: writeLabels(job.labels),
    batch_id: job.page?.batchId ?? null,
    page: job.page?.number ?? null,
    temporary: job.isTemporary === true ? 1 : 0,
    request_id: job.requestId ?? null,
  });
  if (isLarge) tx.run("INSERT INTO payloads (mode, id, request) VALUES (?1, ?2, ?3)", mode, id, job.request);
  // Sets the alarm to LEASE_MS from now at the latest, even if the job is due later. A claimed job needs an alarm at
  // about that time for its lease. If that alarm is already set, the claim writes one row fewer.
  if (dueAt !== null) tx.wakeAt(Math.min(dueAt, tx.now + LEASE_MS));
  const row = readRow(tx, job);
  if (row === null) throw new Error(`The job ${id} wasn't inserted.`);
  return row;
}

/**
 * Returns the time (Unix ms) at which the alarm must check a new job, or null. An asynchronous job that waits for a
 * slot needs no alarm, because the transaction that frees the slot starts the job.
 */
function toFirstDue(tx: Transaction, job: NewJob, next: "run" | "wait"): number | null {
  if (next === "wait") return job.waiting ? tx.now + SYNC_WAIT_MS : null;
  return tx.now + (job.waiting ? LEASE_MS : FIRST_WAKE_MS);
}

/** A request with its Idempotency-Key, or null if it has no key. */
interface Repeatable {
  mode: Mode;
  /** The id of the job, batch or crawl that the request creates. */
  id: string;
  /** The endpoint, `batch` or `crawl`. Keys of different endpoints are independent. */
  endpoint: string;
  idempotency: NewJob["idempotency"];
}

/** Returns the id of a request with this Idempotency-Key in the last 24 hours, "conflict" for another body, or null. */
export function findRepeated(tx: Transaction, { mode, endpoint, idempotency }: Repeatable): string | null {
  if (idempotency === null) return null;
  const row = tx.first<{ body_hash: string; job_id: string; created_at: number }>(
    "SELECT body_hash, job_id, created_at FROM idempotency_keys WHERE mode = ?1 AND endpoint = ?2 AND key = ?3",
    ...[mode, endpoint, idempotency.key],
  );
  if (row === null || row.created_at <= tx.now - IDEMPOTENCY_MS) return null;
  return row.body_hash === idempotency.bodyHash ? row.job_id : "conflict";
}

/** Stores the request's Idempotency-Key. Replaces an expired one. */
export function rememberKey(tx: Transaction, { mode, id, endpoint, idempotency }: Repeatable): void {
  if (idempotency === null || idempotency.isResumed === true) return;
  const { key, bodyHash: body_hash } = idempotency;
  tx.insert("idempotency_keys", { mode, endpoint, key, body_hash, job_id: id, created_at: tx.now }, "REPLACE");
}

/** Deletes an Idempotency-Key, so that the next request with it creates a new job. */
export function forgetKey(
  tx: Transaction,
  { mode, endpoint, key }: Pick<Repeatable, "mode" | "endpoint"> & { key: string },
): void {
  tx.run("DELETE FROM idempotency_keys WHERE mode = ?1 AND endpoint = ?2 AND key = ?3", mode, endpoint, key);
}
