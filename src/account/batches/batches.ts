import { type Batch, type BatchKind, RESUMABLE_CODES } from "../../model/batch";
import { ACCOUNT_ENDPOINT, REQUEST_ENDPOINT } from "../../model/delivery";
import { AppError, type ErrorCode, MODEL_LIMIT_REACHED } from "../../model/errors";
import type { JobKey } from "../../model/job";
import { MINUTE_MS } from "../../model/limits";
import { getWebhookUrl } from "../deliveries/webhook-settings";
import { checkJob, findRepeated, rememberKey } from "../jobs/create-job";
import { DELETED_URL } from "../retention/temporary-results";
import { writeLabels } from "../storage/labels";
import type { Transaction } from "../storage/transaction";
import type { Ending } from "../storage/types";
import { insertBatchDeliveries, insertHookDelivery, insertPageDeliveries } from "./batch-event";
import { type BatchRow, countRunning, expectBatch, readBatch, readBatchRow, toBatch } from "./batch-row";
import type {
  BatchReply,
  CreateBatchReply,
  NewBatch,
  NewPage,
  PagePrice,
  ResumeBatch,
  ResumeReply,
  StopReason,
} from "./batch-types";

/** The interval in which the alarm checks an unfinished batch, because its pages may not be able to start. */
export const BATCH_CHECK_MS = MINUTE_MS;

/** The reason why a batch or crawl ended before its last page. */
type EarlyEnd = StopReason | "insufficient_credits" | "key_limit" | "daily_limit" | "model_limit";

/** Returns true if a batch or crawl that ended with this code can be resumed. */
export function isResumable(code: string | null): boolean {
  return RESUMABLE_CODES.some((each) => each === code);
}

/** The errors of batches whose next page was refused: the code and the message. */
const REFUSALS: { [R in Exclude<EarlyEnd, StopReason>]: [code: ErrorCode, message: string] } = {
  insufficient_credits: [
    "insufficient_credits",
    "The balance could not pay for the next page. The remaining pages have not started. Add credits, and resume the batch or crawl.",
  ],
  key_limit: [
    "insufficient_credits",
    "The next page would exceed the credit limit of the API key. The remaining pages have not started. Raise the limit or wait for the next period, and resume the batch or crawl.",
  ],
  daily_limit: [
    "insufficient_credits",
    "The next page would exceed the daily limit of the account. The remaining pages have not started. Wait for the next day (UTC), and resume the batch or crawl.",
  ],
  model_limit: [
    "rate_limited",
    `${MODEL_LIMIT_REACHED} The remaining pages have not started. Check the schema and the prompt, wait for the next day (UTC), and resume the batch or crawl.`,
  ],
};

function toEndError(reason: EarlyEnd, kind: BatchKind): AppError {
  if (reason === "cancelled") return new AppError(reason, `The ${kind} was canceled. Unfinished pages aren't charged.`);
  if (reason !== "revoked_api_key" && reason !== "expired_api_key") return new AppError(...REFUSALS[reason]);
  const what = reason === "revoked_api_key" ? "was revoked" : "has expired";
  const message = `The API key of the ${kind} ${what}. Resume the ${kind} with another key to load the remaining pages.`;
  return new AppError(reason, message);
}

/**
 * Inserts a batch with its pages and its Idempotency-Key. Idempotent by the batch's id. Reserves nothing: the credits
 * of each page are reserved when it starts. Refuses the batch if the account can't pay for the first page.
 */
export function insertNewBatch(tx: Transaction, batch: NewBatch): CreateBatchReply {
  const same = readBatch(tx, batch);
  if (same !== null) return { kind: "created", batch: same };
  const earlier = findRepeated(tx, { ...batch, endpoint: batch.kind });
  if (earlier === "conflict") return { kind: "conflict" };
  const repeated = earlier === null ? null : readBatch(tx, { mode: batch.mode, id: earlier });
  if (repeated !== null) return { kind: "repeated", batch: repeated };
  const check = checkJob(tx, { ...batch, ...batch.first, waiting: false });
  if (check.kind !== "possible") return check;
  insertBatch(tx, batch);
  insertPages(tx, batch, batch.pages);
  insertHookDelivery(tx, readBatchRow(tx, batch), "started");
  rememberKey(tx, { ...batch, endpoint: batch.kind });
  tx.totals.batches++;
  tx.wakeAt(tx.now + BATCH_CHECK_MS);
  return { kind: "created", batch: expectBatch(tx, batch) };
}

function insertBatch(tx: Transaction, batch: NewBatch): void {
  const accountUrl = batch.webhookUrl === null ? getWebhookUrl(tx, batch.mode) : null;
  const { mode, id, kind, endpoint, request, secrets, origin } = batch;
  const given = { mode, id, kind, endpoint, request, secrets, origin };
  tx.insert("batches", {
    ...given,
    status: "queued",
    key_id: batch.keyId,
    credit_limit: batch.creditLimit,
    defaults: JSON.stringify(batch.defaults),
    webhook_url: batch.webhookUrl ?? accountUrl,
    webhook_endpoint_id: batch.webhookUrl !== null ? REQUEST_ENDPOINT : accountUrl !== null ? ACCOUNT_ENDPOINT : null,
    page_events: batch.pageEvents ? 1 : 0,
    hook: batch.hook === undefined ? null : JSON.stringify(batch.hook),
    metadata: writeLabels(batch.labels),
    pages: batch.pages.length,
    created_at: tx.now,
    due_at: tx.now + BATCH_CHECK_MS,
    request_id: batch.requestId ?? null,
    prices: JSON.stringify(batch.prices),
  });
}

/**
 * A statement inserts pages until their columns have this many characters, because a parameter can have 2 MB. The
 * largest page has about 500 KB: 60 KB of fields, which JSON can double, and 350 KB of encrypted secrets.
 */
const CHARS_PER_STATEMENT = 200_000;

/** Inserts pages that haven't started. Statements with several pages take half of the time of single pages. */
export function insertPages(tx: Transaction, { mode, id }: JobKey, pages: readonly NewPage[]): void {
  let rows: string[] = [];
  let chars = 0;
  for (const [index, page] of pages.entries()) {
    const row = JSON.stringify(toPageColumns(page));
    rows.push(row);
    chars += row.length;
    if (chars < CHARS_PER_STATEMENT && index < pages.length - 1) continue;
    tx.run(
      `INSERT INTO batch_pages (mode, batch_id, number, url, overrides, secrets, rendered, credits, plan)
       SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
       FROM json_each(?3)`,
      ...[mode, id, `[${rows.join(",")}]`],
    );
    rows = [];
    chars = 0;
  }
}

function toPageColumns({ number, url, overrides, secrets, rendered, credits, plan }: NewPage) {
  // SQLite would store a lone surrogate in JSON as invalid UTF-8.
  const validUrl = url.toWellFormed();
  return [number, validUrl, JSON.stringify(overrides), secrets, rendered ? 1 : 0, credits, JSON.stringify(plan)];
}

/**
 * Sends the event of an ended page, counts its end, and ends its batch if this was the last page. Does nothing for
 * other jobs. A crawl is ended by its own Durable Object, because only the Durable Object knows if there are more
 * pages.
 */
export function endPage(
  tx: Transaction,
  { row: { batch_id: id, page, credits: reserved }, charge, job }: Ending,
): void {
  const row = id === null ? null : readBatchRow(tx, { mode: job.mode, id });
  if (row === null) return;
  if (isResumable(row.code) && job.error?.code === "cancelled") {
    returnPage(tx, row, job.id);
    return;
  }
  // A page that has ended doesn't start again.
  tx.run(
    `UPDATE batch_pages SET overrides = NULL, secrets = NULL
     WHERE mode = ?1 AND batch_id = ?2 AND number = ?3 AND (overrides <> '{}' OR secrets IS NOT NULL)`,
    ...[row.mode, row.id, page],
  );
  insertPageDeliveries(tx, job, row);
  const code = job.error?.code ?? job.outcome ?? "ok";
  const byCode: Record<string, number> = JSON.parse(row.by_code);
  byCode[code] = (byCode[code] ?? 0) + 1;
  tx.update("batches", row, {
    ...(job.error === null ? { completed: row.completed + 1 } : { failed: row.failed + 1 }),
    by_code: JSON.stringify(byCode),
    credits_used: row.credits_used + charge,
    given_back: row.given_back + reserved - charge,
  });
  // The run of a completed page has already reported it to the crawl. The runs of other pages will also report them.
  if (row.kind === "crawl") {
    if (job.error !== null || countRunning(row) <= 1) tx.wakeCrawl(row);
  } else if (row.code === null && row.started === row.pages && countRunning(row) === 1) endBatch(tx, row, null);
}

/** Makes a cancelled page a page that hasn't started, because its batch can be resumed with another key. */
function returnPage(tx: Transaction, row: BatchRow, jobId: string): void {
  const { mode, id, started } = row;
  tx.run("UPDATE batch_pages SET job_id = NULL WHERE mode = ?1 AND batch_id = ?2 AND job_id = ?3", mode, id, jobId);
  tx.update("batches", row, { started: started - 1 });
}

/** Ends a batch after all its started pages have ended. `reason` says why others weren't started, or is null. */
export function endBatch(tx: Transaction, row: BatchRow, reason: EarlyEnd | null): Batch {
  const error = reason === null ? null : toEndError(reason, row.kind);
  const end = { ended_at: tx.now, due_at: null };
  if (error === null) tx.update("batches", row, { status: "completed", code: null, error: null, ...end });
  else tx.update("batches", row, { status: "failed", code: error.code, error: toErrorJson(error), ...end });
  // The requests and secrets of pages that haven't started are needed if the batch is resumed.
  if (!isResumable(error?.code ?? null)) deleteRequests(tx, row);
  tx.totals.batches--;
  tx.changed.add(row.id);
  if (row.kind === "crawl") tx.wakeCrawl(row);
  const batch = expectBatch(tx, row);
  insertBatchDeliveries(tx, batch, row);
  return batch;
}

/** Cancels a batch that could be resumed. Sends no event, because the batch's end has already sent it. */
export function giveUp(tx: Transaction, row: BatchRow): void {
  const error = toErrorJson(toEndError("cancelled", row.kind));
  tx.update("batches", row, { code: "cancelled", error });
  deleteRequests(tx, row);
  tx.changed.add(row.id);
  if (row.kind === "crawl") tx.wakeCrawl(row);
}

function toErrorJson({ message, status, retryable }: AppError): string {
  return JSON.stringify({ message, status, retryable });
}

/**
 * Deletes the secrets of a batch, and the requests of the pages that never started. With `store: false`, also deletes
 * the request of the batch and the URLs of these pages.
 */
function deleteRequests(tx: Transaction, row: BatchRow): void {
  const { mode, id, defaults } = row;
  const isTemporary = defaults !== null && JSON.parse(defaults).store === false;
  // The column `request` isn't NULL until retention has also deleted the labels.
  tx.update("batches", row, { secrets: null, ...(isTemporary && { request: "{}", defaults: null }) });
  tx.run(
    `UPDATE batch_pages SET overrides = NULL, secrets = NULL,
       url = CASE json_type(overrides, '$.store') WHEN 'false' THEN ?4 WHEN 'null' THEN url WHEN 'true' THEN url
         ELSE CASE ?3 WHEN 1 THEN ?4 ELSE url END END
     WHERE mode = ?1 AND batch_id = ?2 AND job_id IS NULL`,
    ...[mode, id, isTemporary ? 1 : 0, DELETED_URL],
  );
}

export function listUnfinished(tx: Transaction, { mode, id }: JobKey): string[] {
  const rows = tx.all<{ id: string }>(
    "SELECT id FROM jobs INDEXED BY jobs_due WHERE due_at IS NOT NULL AND mode = ?1 AND batch_id = ?2",
    ...[mode, id],
  );
  return rows.map((row) => row.id);
}

/** Continues a batch that stopped and can be resumed. Returns other batches unchanged. */
export function reopenBatch(tx: Transaction, { owner, ...key }: ResumeBatch): ResumeReply {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  if (row.ended_at === null || !isResumable(row.code) || row.defaults === null)
    return { kind: "unchanged", batch: toBatch(tx, row) };
  const { keyId, creditLimit } = owner ?? { keyId: row.key_id, creditLimit: row.credit_limit };
  const next = readNextPrice(tx, row);
  const { mode, endpoint } = row;
  const job = { mode, keyId, endpoint, ...next, creditLimit, waiting: false };
  const check = checkJob(tx, job);
  if (check.kind !== "possible") return { kind: "refused", refusal: check, credits: next.credits };
  const unended = { code: null, error: null, ended_at: null, due_at: tx.now + BATCH_CHECK_MS };
  tx.update("batches", row, { status: "processing", ...unended, credit_limit: creditLimit, key_id: keyId });
  tx.totals.batches++;
  tx.wakeAt(tx.now + BATCH_CHECK_MS);
  tx.changed.add(row.id);
  if (row.kind === "crawl") tx.wakeCrawl(row);
  return { kind: "resumed", batch: expectBatch(tx, key) };
}

/** Returns the price of the next page. The next page of a crawl isn't known, so assumes the price of the last one. */
function readNextPrice(tx: Transaction, { mode, id, started }: BatchRow): PagePrice {
  const page = tx.first<{ rendered: number; credits: number; plan: string }>(
    `SELECT rendered, credits, plan FROM batch_pages WHERE mode = ?1 AND batch_id = ?2 AND number <= ?3
     ORDER BY number DESC LIMIT 1`,
    ...[mode, id, started + 1],
  );
  if (page === null) return { rendered: false, credits: 0 };
  return { rendered: page.rendered === 1, credits: page.credits, plan: JSON.parse(page.plan) };
}

/** Ends a crawl that has no more pages. Returns null if it doesn't exist or still has unfinished pages. */
export function endCrawl(tx: Transaction, key: JobKey): BatchReply {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  const canEnd = row.code === null && row.ended_at === null && countRunning(row) === 0;
  if (!canEnd) return { kind: "batch", batch: toBatch(tx, row) };
  return { kind: "batch", batch: endBatch(tx, row, null) };
}
