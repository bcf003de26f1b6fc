import { AppError } from "../../model/errors";
import type { Job, JobError, JobExtras, JobKey } from "../../model/job";
import { MAX_ATTEMPTS } from "../../model/limits";
import { toCharge, toEndReceipt } from "../credits/settle";
import { endTemporary } from "../retention/temporary-results";
import { readJob, readRow, toJobOf } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { FinishReply, JobEnd, JobRow } from "../storage/types";

/** The members of `meta` that can be long. Lists omit them. */
const EVIDENCE = ["evidence", "unverified", "source_by_field"];

/** Ends a job with the result or error of one of its runs. Idempotent by job and run. */
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
  key_ended: new AppError(
    "cancelled",
    "The job was canceled, because its API key was revoked or has expired. Nothing was charged.",
  ),
} satisfies Record<string, AppError>;

/** Ends a job, and then executes the steps that other parts have added to the end of a job. */
function endJob(tx: Transaction, row: JobRow, end: JobEnd): Job {
  const charge = toCharge(tx, row, end);
  storeEnd(tx, row, end, charge);
  if (row.temporary === 1) endTemporary(tx, row, { hasResult: end.status === "completed" });
  const job = readJob(tx, row);
  if (job === null) throw new Error(`The job ${row.id} isn't in the table.`);
  for (const step of tx.hooks.endSteps) step(tx, { row, end, charge, job });
  tx.ended.push(job);
  tx.changed.add(row.id);
  return job;
}

const ENDED = { waits: 0, secrets: null, lease_until: null, due_at: null };

function storeEnd(tx: Transaction, row: JobRow, end: JobEnd, charge: number): void {
  const error = end.status === "failed" ? end.error : null;
  const { short, long } = end.status === "completed" ? splitExtras(end.extras) : { short: null, long: null };
  const result = end.status === "completed" ? end.result : null;
  tx.update("jobs", row, {
    ...ENDED,
    status: end.status,
    result_in: end.status === "failed" ? null : result === null ? "r2" : "payload",
    meta: short,
    credits_used: charge,
    outcome: end.status === "completed" ? (end.outcome ?? "ok") : null,
    code: error?.code ?? null,
    error: error === null ? null : toErrorJson(error),
    processing_time_ms: end.processingTimeMs,
    ended_at: end.endedAt,
    receipt: JSON.stringify(toEndReceipt(row, end, charge)),
  });
  if (result === null && long === null) return;
  tx.run(
    `INSERT INTO payloads (mode, id, result, evidence) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET result = excluded.result, evidence = excluded.evidence`,
    ...[row.mode, row.id, result, long],
  );
}

function toErrorJson({ message, status, retryable, details }: JobError): string {
  return JSON.stringify({ message, status, retryable, details });
}

function splitExtras(extras: JobExtras | null): { short: string | null; long: string | null } {
  if (extras === null) return { short: null, long: null };
  const members = Object.entries(extras);
  const pick = (isLong: boolean) => members.filter(([name]) => EVIDENCE.includes(name) === isLong);
  const toJson = (picked: typeof members) => (picked.length === 0 ? null : JSON.stringify(Object.fromEntries(picked)));
  return { short: toJson(pick(false)), long: toJson(pick(true)) };
}
