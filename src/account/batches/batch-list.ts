// The lists of batches and of their pages, as the dashboard shows them. They contain no requests and no results.
import type { Mode } from "../../model/api-key";
import type { Batch, BatchKind, BatchPage } from "../../model/batch";
import type { ErrorCode } from "../../model/errors";
import type { JobKey, JobStatus } from "../../model/job";
import { readListedJobs } from "../jobs/lists";
import { archivedBefore } from "../retention/archive";
import { DELETED_URL } from "../retention/temporary-results";
import type { RowOf, Transaction } from "../storage/transaction";
import { type BatchRow, readBatchRow, toBatch } from "./batch-row";
import type { PageFilter, PagesReply } from "./batch-types";

/** Selects batches and crawls, newest first. */
interface BatchListFilter {
  mode: Mode;
  kind?: BatchKind | undefined;
  /** Only those of this key. */
  keyId?: string | undefined;
  statuses?: readonly JobStatus[] | undefined;
  /** The maximum number of batches. */
  limit: number;
  /** The `next` of the previous part. Undefined for the first part. */
  cursor?: string | undefined;
}

/** A batch or crawl in a list. Its `request` is null. */
export interface BatchLine extends Batch {
  /** The start URL of a crawl, or the first URL of a batch. Null if it was deleted. */
  subject: string | null;
}

type BatchListReply = {
  kind: "batches";
  batches: BatchLine[];
  /** The `cursor` of the next part, or null if this is the last one. */
  next: string | null;
};

/** The status of a page. `pending`: the page hasn't started. */
const PAGE_STATUSES = ["pending", "queued", "processing", "completed", "failed"] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/** Selects the pages of a batch, in the order of their numbers. */
export interface PageLineFilter extends JobKey {
  /** Only pages with one of these statuses. Undefined: all pages. */
  statuses?: readonly PageStatus[] | undefined;
  /** Only ended pages with this outcome or error code. */
  code?: string | undefined;
  /** Only pages with a higher number. */
  after: number;
  /** The maximum number of pages. */
  limit: number;
}

export interface PageLine {
  /** The page's position, counted from 1. */
  number: number;
  /** Null if the request has `store: false` and its result was deleted. */
  url: string | null;
  /** Null if the page hasn't started. */
  jobId: string | null;
  /** Null if the job is archived, because its row no longer exists. */
  status: PageStatus | null;
  outcome: string | null;
  errorCode: ErrorCode | null;
  /** The reserved credits while the job is unfinished, then the charged credits. */
  credits: number;
  processingTimeMs: number | null;
}

export type PageLinesReply =
  | {
      kind: "pages";
      pages: PageLine[];
      /** True if jobs of the batch may be archived. Filters by status and code then omit their pages. */
      hasArchived: boolean;
      /** The `after` of the next part, or null if this is the last one. */
      next: number | null;
    }
  | { kind: "missing" };

interface BatchLineRow extends BatchRow {
  subject: string | null;
}

export const UNFINISHED = ["queued", "processing"] as const satisfies readonly JobStatus[];

/** A string that is greater than every id, because ids are hexadecimal. */
const ABOVE_ALL = "g";

/** Returns one part of the batches and crawls of a mode, newest first. */
export function listBatches(tx: Transaction, filter: BatchListFilter): BatchListReply {
  const { mode, limit, cursor, kind, keyId, statuses } = filter;
  // Unfinished batches are few, and have their own index.
  const isUnfinished = statuses?.every((status) => UNFINISHED.some((one) => one === status)) === true;
  const indexed = `${kind === undefined ? "" : "AND kind = ?6"} ${isUnfinished ? "AND due_at IS NOT NULL" : ""}`;
  const rows = tx.all<BatchLineRow>(
    `SELECT mode, id, kind, key_id, endpoint, status, NULL AS request, prices, origin, webhook_url,
       metadata, pages, started, completed, failed, by_code, credits_used, given_back, code, error, created_at, ended_at,
       COALESCE(CASE kind WHEN 'crawl' THEN json_extract(request, '$.url') END,
         (SELECT NULLIF(url, '') FROM batch_pages WHERE mode = b.mode AND batch_id = b.id AND number = 1)) AS subject
     FROM batches AS b WHERE mode = ?1 AND id < ?2 AND (?4 IS NULL OR key_id = ?4)
       AND (?5 IS NULL OR status IN (SELECT value FROM json_each(?5)))
       ${indexed}
     ORDER BY id DESC LIMIT ?3`,
    ...[mode, cursor ?? ABOVE_ALL, limit + 1, keyId ?? null],
    ...[statuses === undefined ? null : JSON.stringify(statuses), ...(kind === undefined ? [] : [kind])],
  );
  const batches = rows.slice(0, limit).map((row) => ({ ...toBatch(tx, row), subject: row.subject }));
  return { kind: "batches", batches, next: rows.length > limit ? (batches.at(-1)?.id ?? null) : null };
}

/** Returns some of a batch's pages, by number. Pages that an ended batch didn't start have failed with its code. */
export function listPageLines(
  tx: Transaction,
  { mode, id, statuses, code, after, limit }: PageLineFilter,
): PageLinesReply {
  const batch = readBatchRow(tx, { mode, id });
  if (batch === null) return { kind: "missing" };
  const rows = tx.all<RowOf<PageLine>>(
    `SELECT * FROM (
       SELECT p.number, NULLIF(p.url, '${DELETED_URL}') AS url, p.job_id AS jobId, j.outcome,
         CASE WHEN p.job_id IS NOT NULL THEN j.status WHEN ?6 IS NULL THEN 'pending' ELSE 'failed' END AS status,
         CASE WHEN p.job_id IS NULL THEN ?6 ELSE j.code END AS errorCode,
         COALESCE(CASE WHEN j.ended_at IS NULL THEN j.credits ELSE j.credits_used END, 0) AS credits,
         j.processing_time_ms AS processingTimeMs
       FROM batch_pages AS p LEFT JOIN jobs AS j ON j.mode = p.mode AND j.id = p.job_id
       WHERE p.mode = ?1 AND p.batch_id = ?2 AND p.number > ?3)
     WHERE (?4 IS NULL OR status IN (SELECT value FROM json_each(?4)))
       AND (?5 IS NULL OR (status IN ('completed', 'failed') AND COALESCE(errorCode, outcome, 'ok') = ?5))
     ORDER BY number LIMIT ?7`,
    ...[mode, id, after, statuses === undefined ? null : JSON.stringify(statuses), code ?? null],
    ...[batch.ended_at === null ? null : batch.code, limit + 1],
  );
  const pages = rows.slice(0, limit);
  const hasArchived = id < archivedBefore(tx).id;
  return { kind: "pages", pages, hasArchived, next: rows.length > limit ? (pages.at(-1)?.number ?? null) : null };
}

/** Returns one part of a batch's pages in the order of their numbers. Large results are omitted unless `isFull` is true. */
export function listPages(tx: Transaction, { mode, id, after, limit, isFull = false }: PageFilter): PagesReply {
  if (readBatchRow(tx, { mode, id }) === null) return { kind: "missing" };
  const rows = tx.all<{ number: number; url: string; job_id: string | null }>(
    `SELECT number, url, job_id FROM batch_pages
     WHERE mode = ?1 AND batch_id = ?2 AND number > ?3 ORDER BY number LIMIT ?4`,
    ...[mode, id, after, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const ids = shown.map(({ job_id }) => job_id).filter((jobId) => jobId !== null);
  const jobs = new Map(readListedJobs(tx, { mode, isFull }, ids).map((job) => [job.id, job]));
  const pages: BatchPage[] = shown.map(({ number, url, job_id }) => ({
    number,
    url: url === DELETED_URL ? null : url,
    job: job_id === null ? null : (jobs.get(job_id) ?? null),
  }));
  return { kind: "pages", pages, next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null };
}
