import { toIdTime } from "../../lib/id";
import type { AccountRef } from "../../model/account";
import type { ClaimedJob, Job, JobError, JobKey } from "../../model/job";
import type { Prices } from "../../model/prices";
import type { Receipt } from "../../model/receipt";
import type { RunPlan } from "../../model/run-plan";
import { readLabels } from "./labels";
import { storageLevel, type Transaction } from "./transaction";
import type { JobRow } from "./types";

/** The largest request that job records include. Polling repeats it, so larger ones are left out. */
export const MAX_SHOWN_REQUEST_BYTES = 16 * 1024;

/** The columns of a job. Use them with `JOB_TABLES`. */
export const JOB_COLUMNS = `j.mode, j.id, j.key_id, j.endpoint, j.status, j.waits, j.subject,
  COALESCE(j.request, p.request) AS request, j.secrets, j.rendered, j.waiting, j.webhook_url, j.webhook_endpoint_id,
  j.origin, j.credits, j.created_at, j.run, j.attempts, j.token, j.lease_until, j.due_at, j.resends, j.no_capacity_since,
  p.result, j.result_in, j.meta, j.metadata, p.evidence, j.credits_used, j.receipt, j.outcome, j.code, j.error,
  j.processing_time_ms, j.ended_at, j.expired, j.batch_id, j.page,
  j.temporary, j.request_id`;

export const WITH_PAYLOAD = "LEFT JOIN payloads p ON p.mode = j.mode AND p.id = j.id";

export const JOB_TABLES = `jobs j ${WITH_PAYLOAD}`;

/** The rows of the unfinished jobs. With `due_at IS NOT NULL OR waits = 1`, SQLite would use no index. */
export const UNFINISHED_JOBS = `(SELECT * FROM jobs WHERE due_at IS NOT NULL
  UNION ALL SELECT * FROM jobs WHERE waits = 1 AND due_at IS NULL)`;

export function readRow(tx: Transaction, { mode, id }: JobKey): JobRow | null {
  return tx.first<JobRow>(`SELECT ${JOB_COLUMNS} FROM ${JOB_TABLES} WHERE j.mode = ?1 AND j.id = ?2`, mode, id);
}

export function toJob(row: JobRow, account: AccountRef): Job {
  const meta = row.meta === null && row.evidence === null ? null : { ...parse(row.meta), ...parse(row.evidence) };
  return {
    mode: row.mode,
    id: row.id,
    account,
    keyId: row.key_id,
    endpoint: row.endpoint,
    status: row.status,
    subject: row.subject,
    request: row.request,
    secrets: row.secrets,
    rendered: row.rendered === 1,
    waiting: row.waiting === 1,
    webhookUrl: row.webhook_url,
    origin: row.origin,
    credits: row.credits,
    // Lists are filtered by the time in the id, so records show this time. The row is inserted a few milliseconds
    // later.
    createdAt: toIdTime(row.id),
    run: row.run,
    attempts: row.attempts,
    leaseUntil: row.lease_until,
    isTemporary: row.temporary === 1,
    result: row.result,
    resultStored: row.result_in === "r2",
    extras: meta as Job["extras"],
    creditsUsed: row.credits_used,
    receipt: readReceipt(row),
    labels: readLabels(row.metadata),
    outcome: row.outcome,
    error: toError(row),
    processingTimeMs: row.processing_time_ms,
    endedAt: row.ended_at,
    expired: row.expired === 1,
    batchId: row.batch_id,
    page: row.page,
    requestId: row.request_id,
  };
}

export function readJob(tx: Transaction, key: JobKey): Job | null {
  const row = readRow(tx, key);
  return row === null ? null : toJobOf(tx, row);
}

/** Converts a row of the transaction's account to a job. */
export function toJobOf(tx: Transaction, row: JobRow): Job {
  return toJob(row, tx.state.account);
}

/** Converts the row of an unfinished job to a job that can run. Throws if the job has ended. */
export function toClaimedJob(tx: Transaction, row: JobRow): ClaimedJob {
  return {
    ...toJobOf(tx, row),
    ...readPlanned(row),
    settings: {
      concurrentRenders: tx.state.settings.concurrentRenders,
      isStorageLarge: storageLevel(tx) !== "inline",
      keepsCaptures: tx.state.keepsCaptures,
    },
    isCrawled: isCrawled(tx, row),
  };
}

function isCrawled(tx: Transaction, { mode, batch_id }: JobRow): boolean {
  if (batch_id === null) return false;
  // Reads only the kind, because a complete row can have 120 KB.
  return tx.value("SELECT kind FROM batches WHERE mode = ?1 AND id = ?2", mode, batch_id) === "crawl";
}

function toError(row: JobRow): Job["error"] {
  if (row.code === null) return null;
  const { message, status, retryable, details } = parse(row.error) as unknown as Omit<JobError, "code">;
  return { code: row.code, message, status, retryable, ...(details && { details }) };
}

function parse(json: string | null): Record<string, unknown> {
  return json === null ? {} : JSON.parse(json);
}

/** The columns of a job that the functions below read. */
interface ReceiptColumns {
  /** The method and the prices of an unfinished job. When the job ends, the receipt replaces them. */
  receipt: string;
}

/** The method of an unfinished job, and the prices at its creation. */
interface Planned {
  plan: RunPlan;
  prices: Prices;
}

/** Returns the value of the column for an unfinished job. */
export function writePlanned({ plan, prices }: Planned): string {
  return JSON.stringify({ plan, prices } satisfies Planned);
}

/** Returns the method and the prices of an unfinished job. Throws if the job has ended. */
export function readPlanned(row: ReceiptColumns): Planned {
  const stored = parseReceipt(row);
  if (!("plan" in stored)) throw new Error("The job has ended, so its receipt has replaced the parts of its price.");
  return stored;
}

/** Returns the receipt of a job that has ended, or null for an unfinished job. */
function readReceipt(row: ReceiptColumns): Receipt | null {
  const stored = parseReceipt(row);
  return "total" in stored ? stored : null;
}

function parseReceipt({ receipt }: ReceiptColumns): Planned | Receipt {
  return JSON.parse(receipt);
}
