import { AppError } from "../model/errors";
import { type Job, type JobError, type JobExtras, type JobKey, wasRendered } from "../model/job";
import { MAX_ATTEMPTS, SYNC_WAIT_MS } from "../model/limits";
import { type Receipt, type RefundReason, toReceipt } from "../model/receipt";
import { readBatchRow } from "./batch-row";
import { countEndedPage } from "./batches";
import { insertCapture } from "./captures";
import { settle } from "./credits";
import { expectRow, type JobRow, readRow, toJobOf } from "./job-row";
import { countCharged, countReserved } from "./key-credits";
import { insertJobDeliveries, insertPageDeliveries } from "./new-deliveries";
import { readPlanned } from "./receipts";
import { countSlot, slotUseOf } from "./slots";
import { applyDueGrant, writeCredits } from "./state";
import { endTemporary } from "./temporary-results";
import type { Transaction } from "./transaction";
import type { FinishReply, JobEnd } from "./types";
import { recordUsage } from "./usage";
import { alertAfterCharge } from "./usage-alerts";

/** The members of `meta` that can be long. Lists omit them. */
const EVIDENCE = ["evidence", "unverified", "source_by_field"];

/**
 * Ends a job with the result or error of one of its runs. Charges the job, records usage and inserts the delivery.
 * Idempotent by job and run.
 */
export function finishJob(tx: Transaction, key: JobKey, run: number, end: JobEnd): FinishReply {
  const row = readRow(tx, key);
  if (row === null || row.run !== run) return { kind: "lease_lost" };
  if (row.ended_at !== null) {
    // A different status or code means that the job ended in another way, for example by `cancel`. Otherwise, this run
    // has already ended the job. The run calls again because the first reply was lost.
    if (row.status !== end.status || (end.status === "failed" && row.code !== end.error.code))
      return { kind: "lease_lost" };
    return { kind: "ended", job: toJobOf(tx, row) };
  }
  if (row.status !== "processing") return { kind: "lease_lost" };
  return { kind: "ended", job: endJob(tx, row, end) };
}

/** Fails a job for one of the `REASONS`. Charges no credits. */
export function failJob(tx: Transaction, row: JobRow, reason: keyof typeof REASONS): Job {
  const { code, message, status, retryable } = REASONS[reason];
  const processingTimeMs = 0;
  return endJob(tx, row, {
    status: "failed",
    error: { code, message, status, retryable },
    processingTimeMs,
    endedAt: tx.now,
  });
}

const REASONS = {
  attempts: new AppError(
    "internal_error",
    `The job failed ${MAX_ATTEMPTS} times because of an error on our side. Nothing was charged.`,
  ),
  capacity: new AppError("unavailable", "No browser was free for one hour. Nothing was charged. Try again later."),
  erased: new AppError("unavailable", "The account is being erased. Nothing was charged.", { retryable: false }),
  cancelled: new AppError("cancelled", "The job was canceled. Nothing was charged."),
} satisfies Record<string, AppError>;

function endJob(tx: Transaction, row: JobRow, end: JobEnd): Job {
  const key = { mode: row.mode as Job["mode"], id: row.id };
  const charge = toCharge(tx, row, end);
  const receipt = receiptOf(row, end, charge);
  const error: JobError | null = end.status === "failed" ? end.error : null;
  const { short, long } = end.status === "completed" ? splitExtras(end.extras) : { short: null, long: null };
  const result = end.status === "completed" ? end.result : null;
  const outcome = end.status === "completed" ? (end.outcome ?? "ok") : null;
  tx.run(
    `UPDATE jobs SET status = ?3, waits = 0, secrets = NULL, lease_until = NULL, due_at = NULL, result_in = ?4,
       meta = ?5, credits_used = ?6, outcome = ?7, code = ?8, error = ?9, processing_time_ms = ?10, ended_at = ?11,
       receipt = ?12
     WHERE mode = ?1 AND id = ?2`,
    row.mode,
    row.id,
    end.status,
    end.status === "failed" ? null : result === null ? "r2" : "payload",
    short,
    charge,
    outcome,
    error?.code ?? null,
    error === null
      ? null
      : JSON.stringify({
          message: error.message,
          status: error.status,
          retryable: error.retryable,
          details: error.details,
        }),
    end.processingTimeMs,
    end.endedAt,
    JSON.stringify(receipt),
  );
  if (result !== null || long !== null) {
    tx.run(
      `INSERT INTO payloads (mode, id, result, evidence) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET result = excluded.result, evidence = excluded.evidence`,
      row.mode,
      row.id,
      result,
      long,
    );
  }
  if (row.temporary === 1) endTemporary(tx, row, { hasResult: end.status === "completed" });
  if (end.status === "completed" && end.capture !== undefined) insertCapture(tx, { ...key, run: row.run }, end.capture);
  settleCredits(tx, row, charge);
  const job = toJobOf(tx, expectRow(tx, key));
  recordUsage(tx, {
    mode: key.mode,
    id: row.id,
    keyId: row.key_id,
    endpoint: job.endpoint,
    code: error?.code ?? outcome ?? "ok",
    failed: error !== null,
    rendered: wasRendered(job),
    credits: charge,
    durationMs: end.processingTimeMs,
  });
  if (row.waits === 1) tx.totals.waits--;
  else countSlot(tx.totals, slotUseOf(row), -1);
  tx.ended.push(job);
  tx.changed.add(row.id);
  const isPushed = row.waiting === 0 || end.endedAt > row.created_at + SYNC_WAIT_MS;
  const batch = row.batch_id === null ? null : readBatchRow(tx, { mode: key.mode, id: row.batch_id });
  if (batch !== null) {
    insertPageDeliveries(tx, job, batch);
    countEndedPage(tx, job, { row: batch, reserved: row.credits, charge });
  } else if (isPushed) insertJobDeliveries(tx, job, row);
  return job;
}

function toCharge(tx: Transaction, row: JobRow, end: JobEnd): number {
  if (end.status === "failed" || (end.isFree === true && !tx.state.settings.chargeFreeOutcomes)) return 0;
  return Math.min(Math.max(0, end.charge), row.credits);
}

/** Returns the receipt of a job that ends. The receipt's total is the charge. */
function receiptOf(row: JobRow, end: JobEnd, charge: number): Receipt {
  const lines = (end.status === "completed" ? end.lines : undefined) ?? readPlanned(row).plan.lines;
  return toReceipt(lines, charge, refundReasonOf(row, end));
}

/** Returns the reason why a job costs less than the parts of its price. */
function refundReasonOf({ mode }: JobRow, end: JobEnd): string {
  if (mode === "test") return "test_key" satisfies RefundReason;
  if (end.status === "failed") return end.error.code;
  return end.isFree === true && end.outcome !== undefined ? end.outcome : ("not_used" satisfies RefundReason);
}

function settleCredits(tx: Transaction, row: JobRow, charge: number): void {
  if (row.credits === 0) return;
  applyDueGrant(tx);
  const credits = settle(tx.state.credits, { reserved: row.credits, charge, createdAt: row.created_at });
  const isSame = credits.funds === tx.state.credits.funds && credits.used === tx.state.credits.used;
  tx.state.credits = credits;
  countReserved(tx, row.key_id, -row.credits);
  countCharged(tx, { id: row.id, keyId: row.key_id, charge });
  if (!isSame) writeCredits(tx);
  if (charge > 0) alertAfterCharge(tx, row.key_id);
}

/**
 * Cancels a job that hasn't ended. Returns the resulting job. A job that had already ended is returned unchanged.
 * Returns null if the job doesn't exist.
 */
export function cancelJob(tx: Transaction, key: JobKey): Job | null {
  const row = readRow(tx, key);
  if (row === null) return null;
  return row.ended_at === null ? failJob(tx, row, "cancelled") : toJobOf(tx, row);
}

function splitExtras(extras: JobExtras | null): { short: string | null; long: string | null } {
  if (extras === null) return { short: null, long: null };
  const members = Object.entries(extras);
  const pick = (isLong: boolean) => members.filter(([name]) => EVIDENCE.includes(name) === isLong);
  const toJson = (picked: typeof members) => (picked.length === 0 ? null : JSON.stringify(Object.fromEntries(picked)));
  return { short: toJson(pick(false)), long: toJson(pick(true)) };
}
