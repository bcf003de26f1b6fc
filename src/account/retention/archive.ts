// Moves old jobs to R2 as gzipped NDJSON, starting with the oldest day. First writes the jobs of the day to files. Then
// advances `archived_before` to the next day, so that lists omit the archived jobs. Finally deletes the archived rows,
// 500 at a time. Each file of jobs has a second file with the requests, results and evidence of the jobs. When
// retention ends, only the second file is deleted.
import { withTimeout } from "../../lib/async";
import { toIso } from "../../lib/clock";
import { toIdStart, toIdTime } from "../../lib/id";
import { log } from "../../lib/log";
import type { AccountRef } from "../../model/account";
import { MODES, type Mode } from "../../model/api-key";
import type { JobKey } from "../../model/job";
import { DAY_MS, MINUTE_MS, R2_TIMEOUT_MS } from "../../model/limits";
import { deleteObjects } from "../../store/objects";
import { storageLevel, type Transaction } from "../storage/transaction";

/** The number of days for which jobs stay in the Durable Object. If its storage is too full, they leave earlier. */
export const JOB_DAYS = 400;
/** One file holds at most 500 jobs and about 4 MB of JSON, so that one transaction can read them. */
const PART_JOBS = 500;
const PART_BYTES = 4_000_000;
const DELETED_ROWS = 500;
/**
 * A day is archived at least this long after its end. A job belongs to the day on which its id was created, but the job
 * is inserted a moment later. A job of the day can therefore be inserted shortly after midnight.
 */
const LATE_MS = 60 * MINUTE_MS;

/** The account data and bindings that retention and archiving use. */
export interface MaintenanceContext {
  env: Env;
  account: AccountRef;
  now: number;
  /** Runs `work` in one transaction of the account's Durable Object. */
  transaction: <T>(work: (tx: Transaction) => T) => T;
}

/** A row of the table `jobs`. Migrations can add columns, so the type names only the columns that this module uses. */
export type JobColumns = Record<string, SqlStorageValue> & { id: string; run: number; expired: number };
export type PayloadColumns = Record<string, SqlStorageValue> & { id: string };

/** One file of archived jobs. It holds jobs of one mode and one day. */
export interface ArchivePart {
  mode: Mode;
  date: string;
  part: number;
  expired: boolean;
}

type PartRow = Record<string, SqlStorageValue> & { mode: Mode; date: string; part: number; expired: number };

const toDate = (ms: number) => toIso(ms).slice(0, 10);
const toKey = (tag: string, { mode, date, part }: ArchivePart) => `archive/${tag}/${mode}/${date}/${part}`;
const toPayloadKey = (tag: string, part: ArchivePart) => `${toKey(tag, part)}-payloads`;

/**
 * Returns the first day that isn't archived (YYYY-MM-DD, UTC) and the lowest job id that is possible on that day. Both
 * are empty strings if no day was archived.
 */
export function archivedBefore(tx: Transaction): { date: string; id: string } {
  const date = tx.value<string>("SELECT archived_before FROM account") ?? "";
  return { date, id: date === "" ? "" : toIdStart(Date.parse(date)) };
}

/** Returns the file that may hold an archived job, or null if no file covers its id. */
export function findArchive(tx: Transaction, { mode, id }: JobKey): ArchivePart | null {
  const row = tx.first<PartRow>(
    `SELECT mode, date, part, expired FROM archives
     WHERE mode = ?1 AND last_id = (SELECT MIN(last_id) FROM archives WHERE mode = ?1 AND last_id >= ?2)
       AND first_id <= ?2`,
    ...[mode, id],
  );
  return row === null ? null : toPart(row);
}

function toPart({ mode, date, part, expired }: PartRow): ArchivePart {
  return { mode, date, part, expired: expired === 1 };
}

/** Returns the archived columns of a job and its payload. Returns null if the file doesn't contain the job. */
export async function readArchived(
  store: R2Bucket,
  tag: string,
  part: ArchivePart,
  id: string,
): Promise<{ job: JobColumns; payload: PayloadColumns | null } | null> {
  const [job, payload] = await Promise.all([
    findLine<JobColumns>(store, toKey(tag, part), id),
    part.expired ? null : findLine<PayloadColumns>(store, toPayloadKey(tag, part), id),
  ]);
  return job === null ? null : { job, payload };
}

/** Returns the archived columns of all jobs of a file, each with its payload. A file fits into memory. */
export async function readPart(
  store: R2Bucket,
  tag: string,
  part: ArchivePart,
): Promise<{ job: JobColumns; payload: PayloadColumns | null }[]> {
  const jobs = await readLines<JobColumns>(store, toKey(tag, part));
  const payloads = part.expired ? [] : await readLines<PayloadColumns>(store, toPayloadKey(tag, part));
  const byId = new Map(payloads.map((payload) => [payload.id, payload]));
  return jobs.map((job) => ({ job, payload: byId.get(job.id) ?? null }));
}

/**
 * Writes one archive file for the oldest day if the day is older than `JOB_DAYS` or the storage is too full. If all
 * jobs of the day are already in files, marks the day as archived instead. Returns true if there may be more to
 * archive.
 */
export async function archiveOldest(context: MaintenanceContext): Promise<boolean> {
  const { env, account } = context;
  const next = context.transaction((tx) => readNextPart(tx));
  if (next === null) return false;
  const { part, jobs, payloads, firstId, lastId } = next;
  if (lastId === null) {
    const until = toDate(Date.parse(part.date) + DAY_MS);
    context.transaction((tx) => tx.run("UPDATE account SET archived_before = ?", until));
    log("info", "archived", { account_id: account.id, date: part.date });
    return true;
  }
  await putLines(env.STORE, toKey(account.tag, part), jobs);
  const isExpired = jobs.every(({ expired }) => expired === 1);
  if (payloads.length > 0) await putLines(env.STORE, toPayloadKey(account.tag, part), payloads);
  context.transaction((tx) => {
    tx.run(
      `INSERT OR IGNORE INTO archives (mode, date, part, first_id, last_id, jobs, expired) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[part.mode, part.date, part.part, firstId, lastId, jobs.length, isExpired ? 1 : 0],
    );
  });
  return true;
}

interface NextPart {
  part: ArchivePart;
  jobs: JobColumns[];
  payloads: PayloadColumns[];
  firstId: string;
  /** The id of the file's last job. Null if all jobs of the day are already in files. */
  lastId: string | null;
}

/** Reads the next jobs to archive. Returns null if no day is due, or if a job of that day hasn't ended. */
function readNextPart(tx: Transaction): NextPart | null {
  const oldest = oldestListedId(tx);
  if (oldest === null) return null;
  const date = toDate(toIdTime(oldest));
  const end = Date.parse(date) + DAY_MS;
  const level = storageLevel(tx);
  const due = end <= tx.now - JOB_DAYS * DAY_MS || level === "archive" || level === "full";
  if (!due || end + LATE_MS > tx.now || hasUnfinishedJob(tx, toIdStart(end))) return null;
  for (const mode of MODES) {
    const written = tx.first<{ last_id: string | null; parts: number }>(
      "SELECT MAX(last_id) AS last_id, COUNT(*) AS parts FROM archives WHERE mode = ? AND last_id >= ? AND last_id < ?",
      ...[mode, toIdStart(Date.parse(date)), toIdStart(end)],
    );
    const jobs = tx.all<JobColumns>(
      "SELECT * FROM jobs WHERE mode = ? AND id > ? AND id < ? ORDER BY id LIMIT ?",
      ...[mode, written?.last_id ?? toIdStart(Date.parse(date)), toIdStart(end), PART_JOBS],
    );
    const part = { mode, date, part: (written?.parts ?? 0) + 1, expired: false };
    if (jobs.length > 0) return limitBytes(tx, part, jobs);
  }
  const part = { mode: MODES[0], date, part: 0, expired: false };
  return { part, jobs: [], payloads: [], firstId: oldest, lastId: null };
}

/** Keeps as many of the jobs as fit into one file, and reads their payloads. */
function limitBytes(tx: Transaction, part: ArchivePart, jobs: JobColumns[]): NextPart {
  const payloads: PayloadColumns[] = [];
  const kept: JobColumns[] = [];
  // Reads the payloads one by one, because all of them may not fit into memory.
  const stored = tx.sql.exec<PayloadColumns>(
    "SELECT * FROM payloads WHERE mode = ? AND id >= ? AND id <= ? ORDER BY id",
    part.mode,
    jobs[0]?.id ?? "",
    jobs.at(-1)?.id ?? "",
  );
  let next = stored.next();
  let bytes = 0;
  for (const job of jobs) {
    if (bytes >= PART_BYTES) break;
    kept.push(job);
    bytes += JSON.stringify(job).length;
    while (next.value !== undefined && next.value.id < job.id) next = stored.next();
    if (job.expired === 1) continue;
    const payload = next.value?.id === job.id ? next.value : null;
    // The request and the labels are copied into the payload file, because retention deletes only this file.
    const { request = null, metadata = null } = job;
    if (payload === null && request === null && metadata === null) continue;
    const columns = { ...payload, id: job.id, request: request ?? payload?.request ?? null, metadata };
    job.request = null;
    job.metadata = null;
    payloads.push(columns);
    bytes += JSON.stringify(columns).length;
  }
  return { part, jobs: kept, payloads, firstId: kept[0]?.id ?? "", lastId: kept.at(-1)?.id ?? null };
}

/** Deletes up to 500 rows of archived jobs for each mode. Returns true if more rows may remain. */
export function deleteArchivedRows(tx: Transaction): boolean {
  const { id: before } = archivedBefore(tx);
  if (before === "") return false;
  let more = false;
  for (const mode of MODES) {
    const rows = tx.all<{ id: string }>(
      "SELECT id FROM jobs WHERE mode = ? AND id < ? ORDER BY id LIMIT ?",
      ...[mode, before, DELETED_ROWS],
    );
    if (rows.length === 0) continue;
    const ids = JSON.stringify(rows.map(({ id }) => id));
    for (const table of ["jobs", "payloads"]) {
      tx.run(`DELETE FROM ${table} WHERE mode = ? AND id IN (SELECT value FROM json_each(?))`, mode, ids);
    }
    more ||= rows.length === DELETED_ROWS;
  }
  return more;
}

/** Returns the time (Unix ms) at which the oldest payload file must be deleted, or null without one. */
export function nextArchiveExpiry(tx: Transaction, retentionMs: number): number | null {
  const date = tx.value<string>("SELECT date FROM archives WHERE expired = 0 ORDER BY last_id LIMIT 1");
  // Adds two days instead of one, because a job that was created on this day may have ended on the next day.
  return date === null ? null : Date.parse(date) + 2 * DAY_MS + retentionMs;
}

/** Deletes one payload file if the retention of its jobs has ended. Returns true if more payload files may be due. */
export async function expireArchive(context: MaintenanceContext, retentionMs: number): Promise<boolean> {
  const { env, account, now } = context;
  const row = context.transaction((tx) => {
    const at = nextArchiveExpiry(tx, retentionMs);
    if (at === null || at > now) return null;
    return tx.first<PartRow>(
      "SELECT mode, date, part, expired FROM archives WHERE expired = 0 ORDER BY last_id LIMIT 1",
    );
  });
  if (row === null) return false;
  const part = toPart(row);
  const jobs = await readLines<JobColumns>(env.STORE, toKey(account.tag, part));
  await deleteObjects(env.STORE, jobs);
  await env.STORE.delete(toPayloadKey(account.tag, part));
  context.transaction((tx) =>
    tx.run("UPDATE archives SET expired = 1 WHERE mode = ? AND date = ? AND part = ?", part.mode, part.date, part.part),
  );
  return true;
}

/** Returns the id of the oldest job that isn't archived, or null if there is no job. */
export function oldestListedId(tx: Transaction): string | null {
  const { id: from } = archivedBefore(tx);
  const ids = MODES.flatMap((mode) =>
    tx.all<{ id: string }>("SELECT id FROM jobs WHERE mode = ? AND id >= ? ORDER BY id LIMIT 1", mode, from),
  );
  return ids.map(({ id }) => id).sort()[0] ?? null;
}

function hasUnfinishedJob(tx: Transaction, before: string): boolean {
  return (
    tx.first("SELECT 1 AS found FROM jobs WHERE due_at IS NOT NULL AND id < ? LIMIT 1", before) !== null ||
    tx.first("SELECT 1 AS found FROM jobs WHERE waits = 1 AND id < ? LIMIT 1", before) !== null
  );
}

async function putLines(store: R2Bucket, key: string, rows: { id: string }[]): Promise<void> {
  // The id is the first member of each line, so `findLine` can find a job without parsing the other lines.
  const text = rows.map(({ id, ...columns }) => `${JSON.stringify({ id, ...columns })}\n`).join("");
  const zipped = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
  const bytes = await new Response(zipped).arrayBuffer();
  await store.put(key, bytes, { httpMetadata: { contentType: "application/x-ndjson", contentEncoding: "gzip" } });
}

async function readText(store: R2Bucket, key: string): Promise<string> {
  const object = await store.get(key);
  if (object === null) return "";
  const unzipped = new Response(object.body.pipeThrough(new DecompressionStream("gzip")));
  return await withTimeout(R2_TIMEOUT_MS, unzipped.text());
}

async function readLines<Row>(store: R2Bucket, key: string): Promise<Row[]> {
  const lines = (await readText(store, key)).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

async function findLine<Row>(store: R2Bucket, key: string, id: string): Promise<Row | null> {
  const text = await readText(store, key);
  const start = text.indexOf(`{"id":"${id}"`);
  if (start < 0 || (start > 0 && text[start - 1] !== "\n")) return null;
  return JSON.parse(text.slice(start, text.indexOf("\n", start))) as Row;
}
