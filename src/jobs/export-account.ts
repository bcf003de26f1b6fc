// Exports an account's data for its members, as NDJSON. The export of operators (`account/restore-account.ts`) has the
// rows of the database instead, which only the same version of the service can read.

import { readArchivedJobs } from "../account/archived-job";
import { callAccount } from "../account/client";
import { type DeliveryRow, toDelivery } from "../account/deliveries/deliveries";
import type { ArchivePart } from "../account/retention/archive";
import { readLabels } from "../account/storage/labels";
import { exportDirectory } from "../directory/directory-export";
import { toByteStream } from "../lib/async";
import { toIso } from "../lib/clock";
import type { AccountRef } from "../model/account";
import { MODES, type Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import type { Job } from "../model/job";
import { toShownLabels } from "../model/labels";
import { type Account, toAccountRef } from "../store/accounts";
import { listMembers } from "../store/memberships";
import { openResult } from "../store/objects";
import { toDeliveryRecord } from "../webhooks/deliveries";
import { readResult, toJobRecord } from "./read-job";

/** The jobs that one call to the account returns: 6 MB with results and requests of 60 KB each. */
const JOBS_PER_CALL = 50;
/**
 * The maximum number of calls to D1, R2 and the Durable Object for one response. A Worker can make 10,000 in one
 * invocation. A longer export ends with a line of the type `continue`.
 */
const MAX_CALLS = 9_000;

type Row = Record<string, unknown>;
type Line = { type: string } & Row;

/** One page of lines. If a line has `job`, its result is in R2 and is streamed when the line is sent. */
interface Page {
  lines: { line: Line; job?: Job }[];
  /** The position after this page, or null at the end of the export. */
  next: ExportPosition | null;
  calls: number;
}

interface ExportSource {
  env: Env;
  account: Account;
  ref: AccountRef;
  now: number;
}

/**
 * Streams the account's data as NDJSON: the account, its members, its keys and webhook endpoints without secrets, its
 * ledger, its deliveries, its batches, and its jobs with their results. Holds one page of rows in memory at a time, and
 * streams results from R2. After each page, a line of the type `cursor` contains a cursor for continuing after an
 * interruption. The last line has the type `end`, or `continue` if the export needs another response.
 */
export function streamAccountData(
  env: Env,
  account: Account,
  { now, from = EXPORT_START, maxCalls = MAX_CALLS }: { now: number; from?: ExportPosition; maxCalls?: number },
): ReadableStream<Uint8Array> {
  return toByteStream(toChunks({ env, account, ref: toAccountRef(account), now }, from, maxCalls));
}

async function* toChunks(
  source: ExportSource,
  from: ExportPosition,
  maxCalls: number,
): AsyncGenerator<string | Uint8Array, void> {
  let position: ExportPosition | null = from;
  let lines = 0;
  let calls = 0;
  while (position !== null && calls < maxCalls) {
    const page: Page = await readPage(source, position);
    calls += page.calls;
    let text = "";
    for (const { line, job } of page.lines) {
      lines++;
      if (job === undefined) text += `${JSON.stringify(line)}\n`;
      else {
        calls++;
        yield `${text}${JSON.stringify(line).slice(0, -1)},"result":`;
        yield* readStored(source.env, job);
        text = "}\n";
      }
    }
    position = page.next;
    if (position !== null) {
      text += `${JSON.stringify({ type: "cursor", cursor: toExportCursor(position) })}\n`;
      lines++;
    }
    yield text;
  }
  const last = position === null ? { type: "end" } : { type: "continue", cursor: toExportCursor(position) };
  yield `${JSON.stringify({ ...last, lines })}\n`;
}

/** Streams the JSON of a result from R2, or `null` if retention has deleted it. */
async function* readStored(env: Env, job: Job): AsyncGenerator<string | Uint8Array, void> {
  const object = await openResult(env.STORE, job.id, job.run);
  if (object === null) yield "null";
  else yield* object.body;
}

async function readPage(source: ExportSource, position: ExportPosition): Promise<Page> {
  switch (position.part) {
    case "directory":
      return {
        lines: (await readDirectory(source)).map((line) => ({ line })),
        next: toNextPart("directory"),
        calls: 5,
      };
    case "ledger":
      return await readTable(source, position, ["id"], ({ kind, amount, created_at }) => ({
        type: "ledger",
        kind,
        amount,
        ...toWire({ created_at }),
      }));
    case "deliveries":
      return await readTable(source, position, ["mode", "id"], (row) => ({
        type: "delivery",
        mode: row.mode,
        ...toDeliveryRecord(toDelivery(row as unknown as DeliveryRow)),
      }));
    case "batches":
      return await readTable(source, position, ["mode", "id"], toBatchLine);
    case "jobs.live":
      return await readJobs(source, position, "live");
    case "jobs.test":
      return await readJobs(source, position, "test");
    case "archives":
      return await readArchive(source, position);
  }
}

async function readDirectory({ env, account, ref, now }: ExportSource): Promise<Line[]> {
  const [directory, members, ...endpoints] = await Promise.all([
    exportDirectory(env.DB, account),
    listMembers(env.DB, account.id),
    ...MODES.map((mode) => callAccount(env, ref, (stub) => stub.listEndpoints(mode))),
  ]);
  return [
    { type: "account", exported_at: toIso(now), ...toWire(directory.account) },
    ...members.map(({ email, name, role, joinedAt }) => ({
      type: "member",
      email,
      name,
      role,
      joined_at: toIso(joinedAt),
    })),
    ...directory.keys.map(({ hash: _, previous_hash: __, ...key }) => ({ type: "key", ...toWire(key) })),
    ...endpoints.flatMap((list, index) =>
      list.map(({ id, url, events, createdAt }) => ({
        type: "webhook_endpoint",
        mode: MODES[index],
        id,
        url,
        events,
        created_at: createdAt === null ? null : toIso(createdAt),
      })),
    ),
  ];
}

/** Returns the line of a batch or crawl. Its pages are exported as jobs that contain the id of the batch. */
function toBatchLine(row: Row): Line {
  const { mode, id, kind, key_id, endpoint, status, code, pages, completed, failed, credits_used, metadata } = row;
  const { created_at, ended_at } = toWire(row);
  const labels = toShownLabels(readLabels(metadata === null ? null : String(metadata)));
  const shown = { mode, id, kind, key_id, endpoint, status, code, ...labels, pages, completed, failed, credits_used };
  return { type: "batch", ...shown, created_at, ended_at };
}

/** Reads the jobs of a mode, newest first. The full rows have results of up to 60 KB. Larger results are in R2. */
async function readJobs({ env, ref }: ExportSource, { part, after }: ExportPosition, mode: Mode): Promise<Page> {
  const filter = { mode, cursor: after?.[0], limit: JOBS_PER_CALL, offset: 0, isCounted: false, isFull: true };
  const page = await callAccount(env, ref, (stub) => stub.list(filter));
  const next = page.next === null ? toNextPart(part) : { part, after: [page.next] };
  return { lines: page.items.map(toJobLine), next, calls: 1 };
}

/** Reads a file of archived jobs. A job that is archived during the export may occur twice, but is never missing. */
async function readArchive({ env, ref }: ExportSource, { part, after }: ExportPosition): Promise<Page> {
  const state = await readRows(env, ref, "account", null);
  const before = String(state.rows[0]?.archived_before ?? "");
  const { rows } = await readRows(env, ref, "archives", after);
  const row = rows.find(({ date }) => String(date) < before);
  if (row === undefined) return { lines: [], next: toNextPart(part), calls: 2 };
  const file = { ...row, expired: row.expired === 1 } as unknown as ArchivePart;
  const jobs = await readArchivedJobs(env, ref, file);
  return { lines: jobs.map(toJobLine), next: { part, after: [row.mode, row.last_id].map(String) }, calls: 4 };
}

/** Returns the line of a job. Its result is added later if it is in R2. */
function toJobLine(job: Job): Page["lines"][number] {
  const line = { type: "job", mode: job.mode, ...toJobRecord(job) };
  if (job.status !== "completed") return { line };
  // The result of a request with `store: false` is only returned to the caller who reads it.
  if (job.isTemporary) return { line: { ...line, result: null } };
  return job.resultStored ? { line, job } : { line: { ...line, result: readResult(job) } };
}

/** Reads about 2 MB of the rows of one table, and converts them. */
async function readTable(
  { env, ref }: ExportSource,
  { part, after }: ExportPosition,
  key: readonly string[],
  convert: (row: Row) => Line,
): Promise<Page> {
  const { rows, isLast } = await readRows(env, ref, part, after);
  const last = rows.at(-1);
  const next = isLast || last === undefined ? toNextPart(part) : { part, after: key.map((name) => String(last[name])) };
  return { lines: rows.map((row) => ({ line: convert(row) })), next, calls: 1 };
}

async function readRows(
  env: Env,
  account: AccountRef,
  table: string,
  after: string[] | null,
): Promise<{ rows: Row[]; isLast: boolean }> {
  const page = await callAccount(env, account, (stub) => stub.exportRows(JSON.stringify({ table, after })));
  const lines = page.lines.split("\n").filter((line) => line !== "");
  const rows = lines.map((line) => JSON.parse(line) as [table: string, row: Row]);
  // At the end of a table, the next page starts with the next table.
  const own = rows.filter(([name]) => name === table).map(([, row]) => row);
  return { rows: own, isLast: own.length < rows.length || page.next === null };
}

/** Converts a row of the directory to the form of the API: times are ISO 8601, and JSON columns are values. */
function toWire(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (name.endsWith("_at") && typeof value === "number") return [name, toIso(value)];
      const isJson = typeof value === "string" && /^[[{]/.test(value) && name !== "name";
      return [name, isJson ? JSON.parse(value) : value];
    }),
  );
}

/** The parts of an export in their order. The value is the number of columns that identify a row of the part. */
const PARTS = {
  directory: 0,
  ledger: 1,
  deliveries: 2,
  batches: 2,
  "jobs.live": 1,
  "jobs.test": 1,
  archives: 2,
} as const;
type ExportPart = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as ExportPart[];

/** A position in an export: after the row with the key `after`, or before the first row if it is null. */
interface ExportPosition {
  part: ExportPart;
  after: string[] | null;
}

export const EXPORT_START: ExportPosition = { part: "directory", after: null };

const SEPARATOR = "~";

function toExportCursor({ part, after }: ExportPosition): string {
  return [part, ...(after ?? [])].join(SEPARATOR);
}

/** Returns the position of a cursor. Throws AppError if the cursor isn't from an export. */
export function readExportCursor(cursor: string): ExportPosition {
  const [name, ...after] = cursor.split(SEPARATOR);
  const part = NAMES.find((each) => each === name);
  if (part !== undefined && after.length === 0) return { part, after: null };
  if (part !== undefined && after.length === PARTS[part]) return { part, after };
  throw new AppError(
    "invalid_request",
    "The cursor is invalid. Copy the value of 'cursor' from the last complete line of the type 'cursor' in your file.",
  );
}

/** Returns the start of the next part, or null after the last part. */
function toNextPart(part: ExportPart): ExportPosition | null {
  const next = NAMES[NAMES.indexOf(part) + 1];
  return next === undefined ? null : { part: next, after: null };
}
