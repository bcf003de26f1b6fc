import { toShownCounts, toShownCredits } from "../account/batches/batch-event";
import type { BatchRecord, PageRecord } from "../contract/batches";
import { toErrorRecord } from "../contract/error-codes";
import type { ViewOptions } from "../contract/view-options";
import { toIso } from "../lib/clock";
import { redactUrl } from "../lib/redact";
import type { Batch, BatchPage } from "../model/batch";
import { toShownLabels } from "../model/labels";
import { viewOrOutline, withView } from "../text-view/view";
import { readResult, readView, toMeta } from "./read-job";

/**
 * Returns the record with a view of the page's result. If the page has no such section, the view is the outline. A
 * result that is too large for a view is omitted. `isEnd` is true if the view contains the end of the text. Throws
 * AppError if the result has no view.
 */
export async function viewPage(
  env: Env,
  { job }: BatchPage,
  record: PageRecord,
  options: ViewOptions,
): Promise<{ record: PageRecord; isEnd: boolean }> {
  if (job?.status !== "completed") return { record, isEnd: false };
  const view = await readView(env, job, options, viewOrOutline);
  if (view === null || view === "too large") return { record: { ...record, result: null }, isEnd: false };
  const { result_truncated: _, ...others } = record;
  return {
    record: { ...others, result: view.result, ...withView({ truncated: job.extras?.truncated }, view) },
    isEnd: view.isEnd,
  };
}

/** Returns the batch or crawl in the API's format, without its id and its pages. */
export function toBatchFields(batch: Batch): Omit<BatchRecord, "batch_id"> {
  const { status, endpoint, counts, credits, error, labels, createdAt, endedAt } = batch;
  return {
    status,
    endpoint,
    counts: toShownCounts(counts),
    credits: toShownCredits(credits),
    ...(error !== null && { error: toErrorRecord(error, batch.origin) }),
    ...toShownLabels(labels),
    created_at: toIso(createdAt),
    ...(endedAt !== null && { completed_at: toIso(endedAt) }),
  };
}

/** Returns the batch in the API's format, without its pages. */
export function toBatchRecord(batch: Batch): BatchRecord {
  return { batch_id: batch.id, ...toBatchFields(batch) };
}

/**
 * Returns a page in the API's format. Omits a result that is stored in R2. With `store: false`, omits the result unless
 * `isRead` is true, because callers who poll the status of a batch don't expect that this deletes results. If the batch
 * ended before the page started, the page has the error of the batch.
 */
export function toPageRecord(
  batch: Pick<Batch, "error" | "endedAt" | "origin">,
  page: BatchPage,
  { isRead = false } = {},
): PageRecord {
  const { number, job } = page;
  const url = page.url === null ? null : redactUrl(page.url);
  const error = job === null ? (batch.endedAt === null ? null : batch.error) : job.error;
  if (job === null) {
    const status = error === null ? "queued" : "failed";
    return { number, url, job_id: null, status, ...(error !== null && { error: toErrorRecord(error, batch.origin) }) };
  }
  const isLeftOut = job.isTemporary && !isRead && job.result !== null;
  return {
    number,
    url,
    job_id: job.id,
    status: job.status,
    ...(job.outcome !== null && { outcome: job.outcome }),
    ...(job.status === "completed" && { result: isLeftOut ? null : readResult(job) }),
    ...((job.resultStored || isLeftOut) && { result_truncated: true }),
    ...(error !== null && { error: toErrorRecord(error, job.origin) }),
    ...(job.endedAt !== null && { meta: toMeta(job) }),
  } as PageRecord;
}
