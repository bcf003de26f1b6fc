// Starts the pages of batches and crawls. A page is an ordinary job that starts only if a slot is free, so a page never
// delays other jobs. While a search waits for its pages, one of them at a time uses its slots.
import { newTaggedId, toSiblingId } from "../../lib/id";
import { REQUEST_ENDPOINT } from "../../model/delivery";
import type { Job, JobKey } from "../../model/job";
import { type LabelFields, labelsOf } from "../../model/labels";
import { claimNextPage } from "../jobs/claims";
import { createJob } from "../jobs/create-job";
import { failJob, finishJob } from "../jobs/finish";
import { hasFreeSlot, promoteWaiting } from "../jobs/slots";
import { toRetentionMs } from "../retention/retention";
import { readRow, toJobOf } from "../storage/job-row";
import type { Transaction } from "../storage/transaction";
import type { FinishReply, JobEnd, NewJob } from "../storage/types";
import { type BatchRow, countRunning, expectBatch, readBatchRow } from "./batch-row";
import type {
  BatchReply,
  CreateBatchReply,
  KeyStop,
  KeyWork,
  NewBatch,
  NewPage,
  ResumeBatch,
  ResumeReply,
  StartPagesReply,
  StopReason,
} from "./batch-types";
import {
  BATCH_CHECK_MS,
  endBatch,
  giveUp,
  insertNewBatch,
  insertPages,
  isResumable,
  listUnfinished,
  reopenBatch,
} from "./batches";

/** A transaction starts at most this many pages. The next transaction follows immediately. */
const MAX_STARTED = 10;
/** An alarm checks at most this many batches. */
const MAX_CHECKED = 100;
/** `cancelBatch` ends at most this many jobs in one call. */
const MAX_CANCELLED = 25;

/** The reason why a page didn't start. `ended`: its batch has ended. */
type NotStarted = "no_slot" | "insufficient_credits" | "unavailable" | "ended";

interface PageRow extends Record<string, SqlStorageValue> {
  number: number;
  job_id: string | null;
  url: string;
  overrides: string | null;
  secrets: string | null;
  rendered: number;
  credits: number;
  plan: string;
}

/**
 * Starts pages of batches in free slots. The batch with the fewest running pages comes first. Batches without a running
 * page take turns. `current` is the id of the batch whose turn continues. Sets `hasMorePages` if the transaction has
 * started `MAX_STARTED` pages. If the object then stops, the alarm continues.
 */
export function feedBatches(tx: Transaction, current: string | null = null): void {
  if (tx.totals.batches === 0) return;
  const room = new Room(tx);
  if (!room.isFreeFor(false) && room.lenders.size === 0) return;
  const waiting = new Map(listWaiting(tx).map((entry) => [`${entry.mode}:${entry.id}`, entry]));
  while (true) {
    const [first, ...others] = [...waiting].filter(([, entry]) => room.isFreeFor(false, entry));
    if (first === undefined) return;
    if (tx.created.length >= MAX_STARTED) {
      tx.hasMorePages = true;
      return;
    }
    const [name, next] = others.reduce(
      (best, each) => (isBefore(each[1], best[1], { current, last: tx.totals.lastBatch }) ? each : best),
      first,
    );
    const batch = readBatchRow(tx, next);
    if (batch !== null && startPage(tx, batch, room) === "started" && next.pending > 1) {
      waiting.set(name, { ...next, running: next.running + 1, pending: next.pending - 1 });
    } else waiting.delete(name);
  }
}

/** Inserts a batch and starts its first pages. Idempotent by the batch's id. */
export function createBatch(tx: Transaction, batch: NewBatch): CreateBatchReply {
  const reply = insertNewBatch(tx, batch);
  feedBatches(tx);
  return "batch" in reply ? { ...reply, batch: expectBatch(tx, reply.batch) } : reply;
}

/** Continues a batch or crawl that stopped and can be resumed. */
export function resumeBatch(tx: Transaction, call: ResumeBatch): ResumeReply {
  const reply = reopenBatch(tx, call);
  feedBatches(tx);
  return reply.kind === "resumed" ? { ...reply, batch: expectBatch(tx, call) } : reply;
}

/** Starts waiting jobs, and then pages of batches, in the slots of ended jobs. `current` is as in `feedBatches`. */
export function useFreeSlots(tx: Transaction, current: string | null = null): void {
  tx.replaced = tx.ended.length;
  promoteWaiting(tx);
  feedBatches(tx, current);
}

/** The next pages that a run claims or adds when it ends its page. */
interface NextPages {
  /** The token of the run that continues with the next page. Null if the run claims no other page. */
  token: string | null;
  /** The next pages of the run's crawl. */
  pages: NewPage[];
}

/**
 * Ends a job with the outcome of its run. Idempotent by job and run. With `next.token`, also claims the next page of
 * the job's batch with this token, so that the page doesn't wait in the queue. `next.pages` are the next pages of the
 * job's crawl.
 */
export function finish(
  tx: Transaction,
  key: JobKey,
  run: number,
  end: JobEnd,
  { token, pages }: NextPages = { token: null, pages: [] },
): FinishReply {
  const reply = finishJob(tx, key, run, end);
  if (reply.kind === "ended") cancelFoundPages(tx, reply.job);
  if (reply.kind !== "ended" || reply.job.batchId === null) return reply;
  const { mode, batchId } = reply.job;
  if (pages.length > 0) insertNextPages(tx, { mode, id: batchId }, pages);
  // The run can continue only with a plain page.
  useFreeSlots(tx, token === null || reply.job.rendered ? null : batchId);
  if (token === null) return reply;
  const next = claimNextPage(tx, { mode, batch_id: batchId }, token);
  if (next === null) return reply;
  // A page that was started earlier already has a queue message. That message then claims the page that was started
  // just now.
  const own = tx.dispatched.findIndex(({ message }) => message.job === next.id);
  const position =
    own >= 0 ? own : tx.dispatched.findIndex(({ message }) => tx.startedPages.get(message.job) === batchId);
  if (position >= 0) tx.dispatched.splice(position, 1);
  return { ...reply, next };
}

/**
 * Cancels a job that hasn't ended, with the pages that it loads. Returns the resulting job. A job that had already ended
 * is returned unchanged. Returns null if the job doesn't exist.
 */
export function cancelJob(tx: Transaction, key: JobKey): Job | null {
  const row = readRow(tx, key);
  if (row === null) return null;
  const job = row.ended_at === null ? failJob(tx, row, "cancelled") : toJobOf(tx, row);
  cancelFoundPages(tx, job);
  return job;
}

/** Cancels the batch of a search that has failed, because no caller gets its pages. */
function cancelFoundPages(tx: Transaction, { endpoint, status, mode, id }: Job): void {
  if (endpoint === "serp" && status === "failed") cancelBatch(tx, { mode, id: toSiblingId(id) });
}

/** A batch with pages that haven't started. */
interface WaitingBatch extends JobKey {
  running: number;
  pending: number;
}

function listWaiting(tx: Transaction): WaitingBatch[] {
  // Lists the needed columns, because a complete row can have 120 KB.
  return tx.all<{ mode: JobKey["mode"]; id: string; running: number; pending: number }>(
    `SELECT mode, id, started - completed - failed AS running, pages - started AS pending
     FROM batches INDEXED BY batches_due WHERE due_at IS NOT NULL AND code IS NULL AND started < pages`,
  );
}

/** `last` is the id of the batch whose page was started last. */
function isBefore(
  a: WaitingBatch,
  b: WaitingBatch,
  { current, last }: { current: string | null; last: string },
): boolean {
  if (a.running !== b.running) return a.running < b.running;
  if (a.running > 0) return a.id < b.id;
  if (a.id === current || b.id === current) return a.id === current;
  const [aWasServed, bWasServed] = [a.id <= last, b.id <= last];
  return aWasServed === bWasServed ? a.id < b.id : bWasServed;
}

/**
 * Updates the time of the next check of the due batches, and wakes the Durable Objects of due crawls. Continues to
 * cancel batches, and cancels those that haven't ended within the retention period, for example because the account is
 * suspended.
 */
export function checkDueBatches(tx: Transaction): void {
  const due = tx.all<Pick<BatchRow, "mode" | "id" | "kind" | "code" | "created_at">>(
    "SELECT mode, id, kind, code, created_at FROM batches INDEXED BY batches_due WHERE due_at <= ?1 LIMIT ?2",
    ...[tx.now, MAX_CHECKED],
  );
  for (const row of due) {
    if (row.code !== null || row.created_at <= tx.now - toRetentionMs(tx.env)) {
      // Unless all its jobs have ended, the batch stays due, so the alarm fires again immediately.
      const reason = (row.code ?? "cancelled") as StopReason;
      endUnfinished(tx, row, reason);
      continue;
    }
    tx.update("batches", row, { due_at: tx.now + BATCH_CHECK_MS });
    if (row.kind === "crawl") tx.wakeCrawl(row);
  }
  if (due.length > 0) tx.wakeAt(tx.now + BATCH_CHECK_MS);
  feedBatches(tx);
}

/**
 * Inserts pages of a crawl, and starts them until no slot is free or the credits are used up. Idempotent by the pages'
 * numbers, which continue the numbers of the earlier calls. A crawl that has ended accepts no pages.
 */
export function startPages(tx: Transaction, key: JobKey, pages: NewPage[]): StartPagesReply {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  if (addPages(tx, key, { row, pages })) feedBatches(tx);
  return readProgress(tx, key);
}

/** Inserts the pages that the crawl doesn't have yet. Returns true if there are any. */
function addPages(tx: Transaction, key: JobKey, { row, pages }: { row: BatchRow; pages: NewPage[] }): boolean {
  const added = row.code === null && row.ended_at === null ? pages.filter(({ number }) => number > row.pages) : [];
  if (added.length === 0) return false;
  const missing = added.findIndex(({ number }, i) => number !== row.pages + i + 1);
  if (missing >= 0) throw new Error(`The crawl ${key.id} has no page ${row.pages + missing + 1}.`);
  insertPages(tx, key, added);
  tx.run("UPDATE batches SET pages = pages + ?3 WHERE mode = ?1 AND id = ?2", key.mode, key.id, added.length);
  return true;
}

/** Inserts the next pages of a crawl. Ignores them if an earlier page is missing; the crawl then sends all again. */
function insertNextPages(tx: Transaction, key: JobKey, pages: NewPage[]): void {
  const row = readBatchRow(tx, key);
  if (row === null) return;
  const first = pages.find(({ number }) => number > row.pages);
  if (first?.number === row.pages + 1) addPages(tx, key, { row, pages });
}

function readProgress(tx: Transaction, key: JobKey): StartPagesReply {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  const running = tx.all<{ page: number }>(
    `SELECT page FROM jobs INDEXED BY jobs_due
     WHERE due_at IS NOT NULL AND mode = ?1 AND batch_id = ?2 AND page IS NOT NULL`,
    ...[key.mode, key.id],
  );
  // Reads the last pages first, because nearly always these are the pages that haven't started.
  const pending = tx.all<{ number: number }>(
    `SELECT number FROM batch_pages WHERE mode = ?1 AND batch_id = ?2 AND job_id IS NULL
     ORDER BY number DESC LIMIT ?3`,
    ...[key.mode, key.id, row.pages - row.started],
  );
  const hasEnded = row.code !== null || row.ended_at !== null;
  return {
    kind: "pages",
    unfinished: [...running.map(({ page }) => page), ...pending.map(({ number }) => number)],
    hasEnded,
    isOver: hasEnded && !isResumable(row.code),
  };
}

/** Starts the batch's next page. If the account can't pay for it and no other page is running, ends the batch. */
function startPage(tx: Transaction, batch: BatchRow, room: Room): "started" | NotStarted {
  const page = findNextPage(tx, batch);
  if (page === null) throw new Error(`The batch ${batch.id} has no page to start.`);
  if (!room.isFreeFor(page.rendered === 1, { id: batch.id, running: countRunning(batch) })) return "no_slot";
  const reply = createJob(tx, toNewJob(tx, batch, page));
  if (reply.kind !== "created") {
    const { kind } = reply;
    if (kind !== "insufficient_credits" && kind !== "key_limit" && kind !== "daily_limit" && kind !== "model_limit")
      return "unavailable";
    // Credits may be released when the running pages end.
    if (countRunning(batch) > 0) return "insufficient_credits";
    endBatch(tx, batch, kind);
    return "ended";
  }
  const { job } = reply;
  room.take(job.rendered);
  tx.run(
    "UPDATE batch_pages SET job_id = ?4 WHERE mode = ?1 AND batch_id = ?2 AND number = ?3",
    ...[batch.mode, batch.id, page.number, job.id],
  );
  tx.update("batches", batch, { started: batch.started + 1, status: "processing" });
  tx.totals.lastBatch = batch.id;
  if (!job.rendered) tx.startedPages.set(job.id, batch.id);
  return "started";
}

/**
 * Returns a page that hasn't started. Pages start in the order of their numbers, except for the pages that were running
 * when the batch was stopped. Only these are searched for.
 */
function findNextPage(tx: Transaction, { mode, id, started }: BatchRow): PageRow | null {
  const page = "SELECT * FROM batch_pages WHERE mode = ?1 AND batch_id = ?2 AND job_id IS NULL";
  return (
    tx.first<PageRow>(`${page} AND number = ?3`, mode, id, started + 1) ??
    tx.first<PageRow>(`${page} ORDER BY number LIMIT 1`, mode, id)
  );
}

function toNewJob(tx: Transaction, batch: BatchRow, page: PageRow): NewJob {
  const request = mergeRequest(page, batch.defaults);
  const hasOwnUrl = batch.webhook_endpoint_id === REQUEST_ENDPOINT && batch.page_events === 1;
  return {
    mode: batch.mode,
    id: newTaggedId(tx.state.account.tag),
    keyId: batch.key_id,
    endpoint: batch.endpoint,
    request: JSON.stringify(request),
    secrets: page.secrets ?? batch.secrets,
    subject: page.url,
    rendered: page.rendered === 1,
    waiting: false,
    webhookUrl: hasOwnUrl ? batch.webhook_url : null,
    origin: batch.origin,
    credits: page.credits,
    plan: JSON.parse(page.plan),
    prices: JSON.parse(batch.prices),
    creditLimit: toCreditLimit(tx, batch),
    labels: labelsOf(request),
    isTemporary: request.store === false,
    page: { batchId: batch.id, number: page.number },
    createdAt: tx.now,
    idempotency: null,
  };
}

/** Returns the latest known credit limit of the batch's key, because it may have changed since the batch was created. */
function toCreditLimit({ totals }: Transaction, { key_id, credit_limit }: BatchRow): number | null {
  const { [key_id]: known } = totals.keyLimits;
  return known === undefined ? credit_limit : known;
}

/** Returns the request of a page. A null in its overrides removes a default. */
function mergeRequest(
  { url, overrides }: PageRow,
  defaults: string | null,
): { url: string; store?: boolean } & LabelFields {
  const merged = Object.entries({ ...JSON.parse(defaults ?? "{}"), ...JSON.parse(overrides ?? "{}") });
  return { url, ...Object.fromEntries(merged.filter(([, value]) => value !== null)) };
}

/**
 * Cancels a batch: ends its unfinished jobs, and starts no more pages. Ends at most `MAX_CANCELLED` jobs, and returns
 * `cancelling` if more remain. Call it again, or let the alarm do so. A batch that has ended is returned unchanged, but
 * can no longer be resumed.
 */
export function cancelBatch(tx: Transaction, key: JobKey): BatchReply | { kind: "cancelling" } {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  if (row.ended_at !== null) {
    if (isResumable(row.code)) giveUp(tx, row);
    return { kind: "batch", batch: expectBatch(tx, key) };
  }
  return endUnfinished(tx, key, "cancelled");
}

/** Ends up to `MAX_CANCELLED` jobs of an unfinished batch, and the batch if no more remain. */
function endUnfinished(tx: Transaction, key: JobKey, reason: StopReason): BatchReply | { kind: "cancelling" } {
  const row = readBatchRow(tx, key);
  if (row === null) return { kind: "missing" };
  // From now on, the batch starts no more pages, and doesn't end as completed with its last page.
  if (row.code !== reason) tx.update("batches", row, { code: reason });
  const unfinished = listUnfinished(tx, key);
  for (const id of unfinished.slice(0, MAX_CANCELLED)) {
    const job = readRow(tx, { mode: key.mode, id });
    if (job !== null && job.ended_at === null) failJob(tx, job, "cancelled");
  }
  if (unfinished.length > MAX_CANCELLED) return { kind: "cancelling" };
  // The last pages of a batch can end while other work of its key is being stopped.
  const isCompleted = row.kind === "batch" && isResumable(reason) && row.started === row.pages;
  return { kind: "batch", batch: endBatch(tx, row, isCompleted && unfinished.length === 0 ? null : reason) };
}

/** The unfinished batches of a key. */
const BATCHES_OF_KEY = "FROM batches INDEXED BY batches_due WHERE due_at IS NOT NULL AND key_id = ?1";
/** The unfinished jobs of a key. Those that wait for a slot come first, because their end starts no other job of the key. */
const JOBS_OF_KEY = `FROM (SELECT mode, id, key_id FROM jobs WHERE waits = 1
  UNION ALL SELECT mode, id, key_id FROM jobs WHERE due_at IS NOT NULL AND waits = 0) WHERE key_id = ?1`;
/** `countKeyWork` counts at most this many jobs. */
export const MAX_COUNTED_WORK = 10_000;

export function countKeyWork(tx: Transaction, keyId: string): KeyWork & { kind: "work" } {
  const jobs = `SELECT COUNT(*) FROM (SELECT 1 ${JOBS_OF_KEY} LIMIT ?2)`;
  const work = tx.first<{ jobs: number; batches: number }>(
    `SELECT (${jobs}) AS jobs, (SELECT COUNT(*) ${BATCHES_OF_KEY}) AS batches`,
    ...[keyId, MAX_COUNTED_WORK],
  );
  return { kind: "work", jobs: work?.jobs ?? 0, batches: work?.batches ?? 0 };
}

/**
 * Stops the unfinished work of a key that was revoked or has expired. Its batches start no more pages, and can be
 * resumed with another key. Cancels at most `MAX_CANCELLED` jobs and ends as many batches. Call it again while
 * `hasMore` is true.
 */
export function stopKeyPart(
  tx: Transaction,
  { keyId, reason }: KeyStop,
): { kind: "stopping"; cancelled: number; hasMore: boolean } {
  tx.run(
    `UPDATE batches SET code = ?2 WHERE (mode, id) IN (SELECT mode, id ${BATCHES_OF_KEY} AND code IS NULL)`,
    ...[keyId, reason],
  );
  const jobs = tx.all<{ mode: JobKey["mode"]; id: string }>(
    `SELECT mode, id ${JOBS_OF_KEY} LIMIT ?2`,
    ...[keyId, MAX_CANCELLED],
  );
  for (const key of jobs) {
    const job = readRow(tx, key);
    if (job !== null) failJob(tx, job, "key_ended");
  }
  if (jobs.length > 0) return { kind: "stopping", cancelled: jobs.length, hasMore: true };
  const batches = tx.all<{ mode: JobKey["mode"]; id: string; code: StopReason }>(
    `SELECT mode, id, code ${BATCHES_OF_KEY} LIMIT ?2`,
    ...[keyId, MAX_CANCELLED],
  );
  for (const { code, ...key } of batches) endUnfinished(tx, key, code);
  return { kind: "stopping", cancelled: 0, hasMore: batches.length > 0 };
}

/** The slots that the pages of batches can still use. They leave one slot of the plan to other jobs. */
class Room {
  /** The running searches by the ids of their batches. True if the search also has a render slot. */
  readonly lenders: ReadonlyMap<string, boolean>;
  #jobs: number;
  #renders: number;

  constructor(readonly tx: Transaction) {
    const { concurrentJobs, concurrentRenders } = tx.state.settings;
    const used = tx.first<{ jobs: number; renders: number }>(
      `SELECT COUNT(*) AS jobs, COALESCE(SUM(rendered), 0) AS renders FROM jobs INDEXED BY jobs_due
       WHERE due_at IS NOT NULL AND batch_id IS NOT NULL`,
    );
    const searches = tx.all<{ id: string; rendered: number }>(
      `SELECT id, rendered FROM jobs INDEXED BY jobs_due
       WHERE due_at IS NOT NULL AND endpoint = 'serp' AND status = 'processing'`,
    );
    this.lenders = new Map(searches.map(({ id, rendered }) => [toSiblingId(id), rendered === 1]));
    this.#jobs = Math.max(1, concurrentJobs - 1) - (used?.jobs ?? 0);
    this.#renders = Math.max(1, concurrentRenders - 1) - (used?.renders ?? 0);
  }

  /** Returns true if a page can start. The only running page of a search's batch needs no slot that the search has. */
  isFreeFor(rendered: boolean, batch?: Pick<WaitingBatch, "id" | "running">): boolean {
    const lent = batch?.running === 0 ? this.lenders.get(batch.id) : undefined;
    const needsJob = lent === undefined;
    const needsRender = rendered && lent !== true;
    if ((needsJob && this.#jobs <= 0) || (needsRender && this.#renders <= 0)) return false;
    const { totals, state } = this.tx;
    return hasFreeSlot(totals, state.settings, { rendered: needsRender, waiting: !needsJob });
  }

  take(rendered: boolean): void {
    this.#jobs--;
    if (rendered) this.#renders--;
  }
}
