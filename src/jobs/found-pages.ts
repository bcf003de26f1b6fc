// Loads the pages that a search has found, as the pages of a batch.
import { callAccount } from "../account/client";
import { toErrorRecord } from "../contract/error-codes";
import { viewOf } from "../contract/view-options";
import { toSiblingId } from "../lib/id";
import type { Batch, BatchPage } from "../model/batch";
import { AppError } from "../model/errors";
import type { ClaimedJob, JobKey } from "../model/job";
import { SERP_LOAD_MAX } from "../model/limits";
import type { FoundPages, FoundPagesRequest } from "../model/run-context";
import { MAX_SERP_PAGE_BYTES, MAX_SERP_PAGES_BYTES } from "../model/search-limits";
import { viewResult } from "../text-view/view";
import { validateBatchPages } from "./batch-pages";
import { toPageRecord } from "./batch-records";
import { cancelBatch, describeBatchRefusal, findBatch, findOwner, readPages } from "./batches";
import { getOwnJob, readSmallResult } from "./read-job";

/**
 * Loads the pages as a batch, waits for them, and returns their records in the order of `urls`. A later run of the same
 * job gets the batch of the first run, even if it has found other URLs: these pages are charged, and no others are
 * loaded. If the account refuses the batch, all pages have the error.
 */
export async function loadFoundPages(
  env: Env,
  job: ClaimedJob,
  { urls, options, view, waitMs }: FoundPagesRequest,
): Promise<FoundPages> {
  const key = { mode: job.mode, id: toSiblingId(job.id) };
  let isNew = false;
  try {
    isNew = (await findBatch(env, job.account, key)) === null;
    if (isNew) await createPages(env, job, { key, urls, options });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    return { batchId: null, creditsUsed: 0, pages: urls.map((url) => toFailedPage(job, url, error)) };
  }
  // A job that was canceled before it had a batch couldn't cancel the batch.
  const isCanceled = isNew && (await getOwnJob(env, job.account, job))?.status === "failed";
  const batch = await findBatch(env, job.account, { ...key, waitMs: isCanceled ? 0 : waitMs });
  if (batch === null) throw new Error("The batch that the run has created is missing.");
  if (isCanceled) await cancelBatch(env, batch);
  const { pages } = await readPages(env, batch, { after: 0, limit: SERP_LOAD_MAX, isFull: true });
  const known = new Map(pages.flatMap((page) => (page.url === null ? [] : [[page.url, page]])));
  const listed = isNew ? urls : [...new Set([...urls.filter((url) => known.has(url)), ...known.keys()])];
  const records: FoundPages["pages"] = [];
  let room = MAX_SERP_PAGES_BYTES;
  // One page after the other, because large results are in memory until they are cut.
  for (const url of listed) {
    const page = known.get(url);
    const refused = () => new AppError("invalid_target", "This URL isn't an allowed target.");
    const limits = { view, maxBytes: Math.min(room, MAX_SERP_PAGE_BYTES) };
    const record = page === undefined ? toFailedPage(job, url, refused()) : await toRecord(env, batch, page, limits);
    // The records of batches have redacted URLs.
    records.push({ ...record, url });
    room -= JSON.stringify(record).length;
  }
  return { batchId: batch.id, creditsUsed: batch.credits.used, pages: records };
}

async function createPages(
  env: Env,
  job: ClaimedJob,
  { key, urls, options }: { key: JobKey } & Pick<FoundPagesRequest, "urls" | "options">,
): Promise<void> {
  const { mode, account, origin, prices, labels } = job;
  const owner = await findOwner(env, job);
  if (owner === null) throw new AppError("revoked_api_key", "The API key of the search is no longer active.");
  const {
    pages,
    invalid: _,
    ...shared
  } = await validateBatchPages(
    { endpoint: "scrape", requests: urls.map((url) => ({ url })), defaults: options, ignore_invalid: true },
    { env, mode, origin, prices, accountId: account.id, key },
  );
  const { rendered = false, credits = 0, plan } = pages[0] ?? {};
  const created = await callAccount(
    env,
    account,
    (stub) =>
      stub.createBatch({
        ...{ ...key, ...shared, kind: "batch", endpoint: "scrape", origin, prices, labels, pages },
        keyId: owner.id,
        creditLimit: owner.creditLimit,
        request: JSON.stringify({ endpoint: "scrape", defaults: options }),
        webhookUrl: null,
        pageEvents: false,
        first: { rendered, credits, plan },
        idempotency: null,
      }),
    { retryAlways: true },
  );
  if (created.kind === "created" || created.kind === "repeated") return;
  const total = pages.reduce((sum, page) => sum + page.credits, 0);
  throw describeBatchRefusal(created, credits, total);
}

function toFailedPage({ origin }: ClaimedJob, url: string, { code, message, details }: AppError) {
  return { url, job_id: null, status: "failed", error: toErrorRecord({ code, message, details }, origin) };
}

async function toRecord(
  env: Env,
  batch: Batch,
  page: BatchPage,
  { view, maxBytes }: Pick<FoundPagesRequest, "view"> & { maxBytes: number },
) {
  const { number: _, result: __, result_truncated: ___, ...record } = toPageRecord(batch, page);
  if (page.job?.status !== "completed") return record;
  const result = await readSmallResult(env, page.job, maxBytes);
  if (result === "too large") return { ...record, result: null, result_truncated: true };
  if (result === null) return { ...record, result };
  const options = viewOf(view);
  if (options === null) return { ...record, result };
  const { result: viewed, meta } = viewResult(result, options);
  return { ...record, result: viewed, ...meta };
}
