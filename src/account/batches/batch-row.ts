import type { Mode } from "../../model/api-key";
import type { Batch, BatchCounts, BatchKind, PageEndpoint } from "../../model/batch";
import type { ErrorCode } from "../../model/errors";
import type { JobError, JobKey, JobStatus } from "../../model/job";
import { readLabels } from "../storage/labels";
import type { Transaction } from "../storage/transaction";

export interface BatchRow extends Record<string, SqlStorageValue> {
  mode: Mode;
  id: string;
  kind: BatchKind;
  key_id: string;
  credit_limit: number | null;
  endpoint: PageEndpoint;
  status: JobStatus;
  request: string | null;
  defaults: string | null;
  secrets: string | null;
  /** JSON: see `NewBatch.hook`. */
  hook: string | null;
  origin: string;
  webhook_url: string | null;
  webhook_endpoint_id: string | null;
  page_events: number;
  metadata: string | null;
  pages: number;
  started: number;
  completed: number;
  failed: number;
  by_code: string;
  credits_used: number;
  given_back: number;
  /** The reason of the end. If the batch hasn't ended, it is being stopped for this reason. */
  code: ErrorCode | null;
  error: string | null;
  created_at: number;
  ended_at: number | null;
  due_at: number | null;
  /** JSON: see `Batch.prices`. */
  prices: string;
}

export function readBatchRow(tx: Transaction, { mode, id }: JobKey): BatchRow | null {
  return tx.first<BatchRow>("SELECT * FROM batches WHERE mode = ?1 AND id = ?2", mode, id);
}

export function readBatch(tx: Transaction, key: JobKey): Batch | null {
  const row = readBatchRow(tx, key);
  return row === null ? null : toBatch(tx, row);
}

/** Reads a batch that this transaction has inserted or changed. Throws if it doesn't exist. */
export function expectBatch(tx: Transaction, key: JobKey): Batch {
  const batch = readBatch(tx, key);
  if (batch === null) throw new Error(`The batch ${key.id} isn't in the table.`);
  return batch;
}

export function toBatch(tx: Transaction, row: BatchRow): Batch {
  return {
    mode: row.mode,
    id: row.id,
    account: tx.state.account,
    kind: row.kind,
    keyId: row.key_id,
    endpoint: row.endpoint,
    status: row.status,
    request: row.request,
    origin: row.origin,
    webhookUrl: row.webhook_url,
    labels: readLabels(row.metadata),
    counts: toCounts(row),
    credits: { reserved: countReservedBy(tx, row), used: row.credits_used, givenBack: row.given_back },
    error: toError(row),
    prices: JSON.parse(row.prices),
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

/** If a batch has ended, the pages that it didn't start count as failed, with the batch's error code. */
function toCounts(row: BatchRow): BatchCounts {
  const { pages: total, started, completed, failed, code, ended_at } = row;
  const rest = total - started;
  const byCode: Record<string, number> = JSON.parse(row.by_code);
  const running = countRunning(row);
  if (code === null || ended_at === null || rest === 0)
    return { total, pending: rest, running, completed, failed, byCode };
  byCode[code] = (byCode[code] ?? 0) + rest;
  return { total, pending: 0, running, completed, failed: failed + rest, byCode };
}

/** Returns the number of pages whose jobs haven't ended. */
export function countRunning({ started, completed, failed }: BatchRow): number {
  return started - completed - failed;
}

function countReservedBy(tx: Transaction, row: BatchRow): number {
  if (countRunning(row) === 0) return 0;
  const sum = tx.value<number | null>(
    `SELECT SUM(credits) FROM jobs INDEXED BY jobs_due
     WHERE due_at IS NOT NULL AND mode = ?1 AND batch_id = ?2`,
    ...[row.mode, row.id],
  );
  return sum ?? 0;
}

function toError({ code, error }: BatchRow): JobError | null {
  if (code === null || error === null) return null;
  return { code, ...(JSON.parse(error) as Omit<JobError, "code">) };
}
