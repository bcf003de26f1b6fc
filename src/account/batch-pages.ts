import type { BatchPage } from "../model/batch";
import { DELETED_URL, readBatchRow } from "./batch-row";
import type { PageFilter, PagesReply } from "./batch-types";
import { readListedJobs } from "./lists";
import type { Transaction } from "./transaction";

/** Returns one part of a batch's pages in the order of their numbers. Large results are omitted unless `isFull` is true. */
export function listPages(tx: Transaction, { mode, id, after, limit, isFull = false }: PageFilter): PagesReply {
  if (readBatchRow(tx, { mode, id }) === null) return { kind: "missing" };
  const rows = tx.all<{ number: number; url: string; job_id: string | null }>(
    `SELECT number, url, job_id FROM batch_pages
     WHERE mode = ?1 AND batch_id = ?2 AND number > ?3 ORDER BY number LIMIT ?4`,
    mode,
    id,
    after,
    limit + 1,
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
