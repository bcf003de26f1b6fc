import { sleep } from "../../lib/clock";
import { toIdStart } from "../../lib/id";
import type { Job } from "../../model/job";
import { MAX_LISTED_RESULT_BYTES } from "../../model/limits";
import { archivedBefore } from "../retention/archive";
import { JOB_COLUMNS, JOB_TABLES, MAX_SHOWN_REQUEST_BYTES, toJobOf } from "../storage/job-row";
import { toLabelTexts } from "../storage/labels";
import type { Transaction } from "../storage/transaction";
import type { Gone, JobFilter, JobRow } from "../storage/types";
import { countPages, hasBatches, type JobCounts } from "./job-counts";
import { type JobLine, listLines } from "./job-lines";

/**
 * The maximum number of rows that one window reads: WINDOW_ROWS without an index, and INDEXED_WINDOW_ROWS with an
 * index. A window that ends before its page is full returns a cursor, and `readPage` continues with the next window.
 * Between the windows, the Durable Object can serve other requests. The limit with an index is lower, because rows
 * that are found by an index are on different database pages.
 */
const WINDOW_ROWS = 10_000;
const INDEXED_WINDOW_ROWS = 2_500;
/** The maximum number of windows that one call of the Durable Object reads: 600,000 rows without an index. */
const MAX_WINDOWS = 60;
/** The maximum number of matches that a query counts. Totals that are kept in memory have no maximum. */
const MAX_COUNT = 10_000;

/** Reads one window of the jobs, newest first, without the large members of `meta`. */
export function listJobs(tx: Transaction, counts: JobCounts, filter: JobFilter): ListPage<Job> {
  const page = findIds(tx, counts, filter);
  return { kind: "page", ...page, items: readListedJobs(tx, filter, page.items) };
}

/** Reads one window of the jobs as rows of the dashboard's job list, newest first. */
export function listJobLines(tx: Transaction, counts: JobCounts, filter: JobFilter): ListPage<JobLine> {
  const page = findIds(tx, counts, filter);
  return { kind: "page", ...page, items: listLines(tx, filter.mode, page.items) };
}

/** The SQL condition for a result that is small enough for lists. Lists omit larger results and results in R2. */
const IS_LISTED = `octet_length(p.result) <= ${MAX_LISTED_RESULT_BYTES}`;
const REQUEST = "COALESCE(j.request, p.request)";
const LISTED_COLUMNS = JOB_COLUMNS.replace(
  REQUEST,
  `CASE WHEN octet_length(${REQUEST}) <= ${MAX_SHOWN_REQUEST_BYTES} THEN ${REQUEST} END`,
)
  .replace("p.result", `CASE WHEN ${IS_LISTED} THEN p.result END AS result`)
  .replace("j.result_in", `CASE WHEN p.result IS NULL OR ${IS_LISTED} THEN j.result_in ELSE 'r2' END AS result_in`)
  .replace("p.evidence", "NULL AS evidence");

/** Reads the jobs with these ids, newest first. Omits large results unless `isFull` is true. */
export function readListedJobs(
  tx: Transaction,
  { mode, isFull = false }: Pick<JobFilter, "mode" | "isFull">,
  ids: string[],
): Job[] {
  const columns = isFull ? JOB_COLUMNS : LISTED_COLUMNS;
  const rows = tx.all<JobRow>(
    `SELECT ${columns} FROM ${JOB_TABLES}
     WHERE j.mode = ?1 AND j.id IN (SELECT value FROM json_each(?2)) ORDER BY j.id DESC`,
    ...[mode, JSON.stringify(ids)],
  );
  return rows.map((row) => toJobOf(tx, row));
}

// The parameters of every query: ?1 mode, ?2 key, ?3 endpoint, ?4 status, ?5 code, ?6 outcome, ?7 lowest id
// (inclusive), ?8 highest id (exclusive), ?9 text, ?10 labels (see toLabelTexts), ?11 batch, ?12 1 to omit
// the pages of batches, ?13 limit, ?14 offset.
const RANGE = "mode = ?1 AND id >= ?7 AND id < ?8";
/** The SQL sources for each kind of filter. Together they have all matches. Each is read in the order of an index. */
const SOURCES = {
  all: [`jobs WHERE ${RANGE}`],
  key: [`jobs INDEXED BY jobs_by_key WHERE ${RANGE} AND key_id = ?2`],
  endpoint: [`jobs INDEXED BY jobs_by_endpoint WHERE ${RANGE} AND endpoint = ?3`],
  failed: [`jobs INDEXED BY jobs_failed WHERE ${RANGE} AND code IS NOT NULL`],
  code: [`jobs INDEXED BY jobs_by_code WHERE ${RANGE} AND code IS NOT NULL AND code = ?5`],
  outcome: [`jobs INDEXED BY jobs_by_outcome WHERE ${RANGE} AND outcome <> 'ok' AND outcome = ?6`],
  processing: [`jobs INDEXED BY jobs_due WHERE ${RANGE} AND due_at IS NOT NULL AND status = 'processing'`],
  batch: [`jobs INDEXED BY jobs_by_batch WHERE ${RANGE} AND batch_id IS NOT NULL AND batch_id = ?11`],
  labels: [`jobs INDEXED BY jobs_labeled WHERE ${RANGE} AND metadata IS NOT NULL`],
  queued: [
    `jobs INDEXED BY jobs_waiting WHERE ${RANGE} AND waits = 1 AND rendered = 0 AND waiting = 0`,
    `jobs INDEXED BY jobs_waiting WHERE ${RANGE} AND waits = 1 AND rendered = 1 AND waiting = 0`,
    `jobs INDEXED BY jobs_waiting WHERE ${RANGE} AND waits = 1 AND rendered = 1 AND waiting = 1`,
    `jobs INDEXED BY jobs_due WHERE ${RANGE} AND due_at IS NOT NULL AND waits = 0 AND status = 'queued'`,
  ],
} as const;
type Source = keyof typeof SOURCES;

const MATCHES = `(?2 IS NULL OR key_id = ?2) AND (?3 IS NULL OR endpoint = ?3) AND (?4 IS NULL OR status = ?4)
  AND (?5 IS NULL OR code = ?5) AND (?6 IS NULL OR outcome = ?6)
  AND (?9 IS NULL OR instr(lower(subject), lower(?9)) > 0)
  AND (?10 IS NULL OR (metadata IS NOT NULL AND
    NOT EXISTS (SELECT 1 FROM json_each(?10) WHERE instr(metadata, value) = 0)))
  AND (?11 IS NULL OR batch_id = ?11) AND (?12 = 0 OR batch_id IS NULL)`;

const FILTERS = ["keyId", "endpoint", "status", "code", "outcome", "text", "tags", "metadata", "batchId"] as const;

/** The filters that the index of each source already applies. The query doesn't have to read rows for these filters. */
const COVERED_FILTERS: { [S in Source]: readonly (keyof JobFilter)[] } = {
  all: [],
  key: ["keyId"],
  endpoint: ["endpoint"],
  failed: ["status"],
  code: ["status", "code"],
  outcome: ["status", "outcome"],
  processing: ["status"],
  batch: ["batchId"],
  labels: [],
  queued: ["status"],
};

/** A search uses no index if this share of the jobs matches. Reading a row by index takes twice as long. */
const MAX_INDEX_SHARE = 0.4;

function toSource(tx: Transaction, counts: JobCounts, filter: JobFilter): Source {
  const { mode, status, code, outcome, keyId, endpoint, text, batchId } = filter;
  if (batchId !== undefined) return "batch";
  if (status === "queued" || status === "processing") return status;
  if (code !== undefined) return "code";
  if (status === "failed") return "failed";
  if (outcome !== undefined && outcome !== "ok") return "outcome";
  if (toLabelTexts(filter) !== null) return "labels";
  const source = keyId !== undefined ? "key" : endpoint !== undefined ? "endpoint" : "all";
  if (text === undefined || source === "all") return source;
  const jobs = counts.count(tx, source === "key" ? { mode, keyId } : { mode, endpoint });
  return jobs >= counts.count(tx, { mode }) * MAX_INDEX_SHARE ? "all" : source;
}

function findIds(tx: Transaction, counts: JobCounts, filter: JobFilter): Omit<ListPage<string>, "kind"> {
  const { status, code, outcome, cursor, limit, offset } = filter;
  const isEmpty =
    (code !== undefined && status !== undefined && status !== "failed") ||
    (outcome !== undefined && status !== undefined && status !== "completed") ||
    (code !== undefined && outcome !== undefined);
  const archivedBefore = findArchivedBefore(tx, filter);
  if (isEmpty) return { items: [], total: 0, isEstimate: false, skipped: 0, next: null, archivedBefore };
  const first = toRange(tx, filter);
  const range = cursor !== undefined && cursor < first.below ? { ...first, below: cursor } : first;
  const omitsPages = filter.batchId === undefined && filter.includesPages !== true && hasBatches(tx, filter.mode);
  const query = new ListQuery(tx, { ...filter, omitsPages }, toSource(tx, counts, filter));
  const { found, skipped, floor } = query.read(range, limit + 1, offset);
  const isCut = found.length > limit;
  const items = isCut ? found.slice(0, limit) : found;
  return {
    items,
    skipped,
    next: isCut ? (items.at(-1) ?? null) : floor,
    archivedBefore,
    ...countAll(tx, counts, filter, { query, first, atLeast: skipped + found.length }),
  };
}

function countAll(
  tx: Transaction,
  counts: JobCounts,
  filter: JobFilter,
  { query, first, atLeast }: { query: ListQuery; first: IdRange; atLeast: number },
): { total: number; isEstimate: boolean } {
  const { since, until, text, code, outcome, tags, metadata, batchId, isCounted = true } = filter;
  if (!isCounted) return { total: atLeast, isEstimate: true };
  const isKnown = [since, until, text, code, outcome, tags, metadata, batchId].every((value) => value === undefined);
  if (isKnown) {
    const pages = query.filter.omitsPages ? countPages(tx, filter) : 0;
    return { total: counts.count(tx, filter) - pages, isEstimate: false };
  }
  const { total, floor } = query.count(first);
  return { total: Math.max(total, atLeast), isEstimate: floor !== null || total >= MAX_COUNT };
}

/** Returns the time before which jobs are archived (Unix ms), or null if the filter excludes archived jobs. */
function findArchivedBefore(tx: Transaction, { since }: JobFilter): number | null {
  const { date } = archivedBefore(tx);
  const time = date === "" ? 0 : Date.parse(date);
  return (since ?? 0) < time ? time : null;
}

/** A range of ids: `from` is inclusive and `below` is exclusive. */
interface IdRange {
  from: string;
  below: string;
}

/** A string that is greater than every id, because ids are hexadecimal. */
const ABOVE_ALL = "g";

function toRange(tx: Transaction, { since, until }: JobFilter): IdRange {
  const listed = archivedBefore(tx).id;
  const from = since === undefined ? "" : toIdStart(since);
  return {
    from: from > listed ? from : listed,
    below: until === undefined ? ABOVE_ALL : toIdStart(until),
  };
}

/** Builds and runs the queries for one filter. */
class ListQuery {
  readonly #parts: readonly string[];
  readonly #matches: string;
  readonly #windowRows: number;

  constructor(
    readonly tx: Transaction,
    readonly filter: JobFilter & { omitsPages: boolean },
    source: Source,
  ) {
    const others = FILTERS.filter((name) => filter[name] !== undefined && !COVERED_FILTERS[source].includes(name));
    this.#parts = SOURCES[source];
    // The rows in the index of labels have the same order as the table, so neighboring rows are on the same database
    // pages.
    this.#windowRows = source === "all" || source === "labels" ? WINDOW_ROWS : INDEXED_WINDOW_ROWS;
    this.#matches = others.length === 0 && !filter.omitsPages ? "" : ` AND ${MATCHES}`;
  }

  /**
   * Returns up to `limit` ids of matches after the first `offset` matches, and the number of skipped matches. Also
   * returns the lowest id that this window reads, or null if it reads the whole range.
   */
  read(range: IdRange, limit: number, offset: number): { found: string[]; skipped: number; floor: string | null } {
    // An earlier window has read many rows and found few matches. One query that reads all rows is then the fastest.
    if (this.filter.isCounted === false && this.#matches !== "") {
      const { value, floor } = this.#scan<string>(range, "json_group_array(id)");
      const found: string[] = JSON.parse(value);
      return { found: found.slice(offset, offset + limit), skipped: Math.min(offset, found.length), floor };
    }
    const floor = this.#floorOf(range);
    const window = floor === null ? range : { ...range, from: floor };
    const query = `${this.#select("id", this.#matches)} ORDER BY id DESC LIMIT ?13 OFFSET ?14`;
    const found = this.#run<{ id: string }>(query, window, limit, offset).map(({ id }) => id);
    const skipped = found.length > 0 || offset === 0 ? offset : Math.min(offset, this.count(window).total);
    return { found, skipped, floor };
  }

  /** Counts the matches of one window, at most MAX_COUNT. `floor` is null if the window contains the whole range. */
  count(range: IdRange): { total: number; floor: string | null } {
    if (this.#matches !== "") {
      const { value, floor } = this.#scan<number>(range, "COUNT(*)");
      return { total: value, floor };
    }
    const query = `SELECT COUNT(*) AS jobs FROM (${this.#select("1", "")} LIMIT ?13 OFFSET ?14)`;
    return { total: this.#run<{ jobs: number }>(query, range, MAX_COUNT, 0)[0]?.jobs ?? 0, floor: null };
  }

  /** Returns the lowest id that this window reads, or null if it reads the whole range. */
  #floorOf(range: IdRange): string | null {
    if (this.#matches === "") return null;
    const query = `${this.#select("id", "")} ORDER BY id DESC LIMIT ?13 OFFSET ?14`;
    return this.#run<{ id: string }>(query, range, 1, this.#windowRows - 1)[0]?.id ?? null;
  }

  /** Reads all rows of one window. Returns an aggregate of the matches, and the lowest id as `read` does. */
  #scan<Value extends string | number>(range: IdRange, aggregate: string): { value: Value; floor: string | null } {
    const rows = `${this.#select("id, key_id, endpoint, status, code, outcome, subject, metadata, batch_id", "")} ORDER BY id DESC LIMIT ?13 OFFSET ?14`;
    const [row] = this.#run<{ value: Value; floor: string; rows: number }>(
      `SELECT ${aggregate} FILTER (WHERE ${MATCHES}) AS value, MIN(id) AS floor, COUNT(*) AS rows FROM (${rows})`,
      range,
      this.#windowRows,
      0,
    );
    if (row === undefined) throw new Error("An aggregate query has returned no row.");
    return { value: row.value, floor: row.rows < this.#windowRows ? null : row.floor };
  }

  #select(columns: string, matches: string): string {
    return this.#parts.map((part) => `SELECT ${columns} FROM ${part}${matches}`).join(" UNION ALL ");
  }

  #run<Row extends Record<string, SqlStorageValue>>(
    query: string,
    range: IdRange,
    limit: number,
    offset: number,
  ): Row[] {
    const { mode, keyId, endpoint, status, code, outcome, text, batchId, omitsPages } = this.filter;
    const labels = toLabelTexts(this.filter);
    const filters = [mode, keyId, endpoint, status, code, outcome, range.from, range.below, text, labels, batchId];
    const values = [...filters, omitsPages ? 1 : 0, limit, offset];
    return this.tx.all<Row>(query, ...values.map((value) => value ?? null));
  }
}

/** One page of a list, or the part of a page that one window contains. */
export interface ListPage<Item> {
  kind: "page";
  items: Item[];
  /** The number of matching jobs. If `isEstimate` is true, there may be more. */
  total: number;
  isEstimate: boolean;
  /** The number of matches that were skipped because of `offset`. It is less than `offset` if the reading ended early. */
  skipped: number;
  /** The cursor of the next page. Null if this is the last page. */
  next: string | null;
  /** The time before which jobs are archived (Unix ms). Null if the filter doesn't include archived jobs. */
  archivedBefore: number | null;
}

/**
 * Calls `readPart` until the page is full, but at most MAX_WINDOWS times, because each call reads a limited number of
 * rows. A page can therefore be shorter than requested and still have a next page. Only the first call counts the
 * matching jobs.
 */
export async function readPage<Item>(
  filter: JobFilter,
  readPart: (filter: JobFilter) => Promise<ListPage<Item> | Gone> | ListPage<Item> | Gone,
): Promise<ListPage<Item> | Gone> {
  const first = await readPart(filter);
  if (first.kind === "gone") return first;
  const page = { ...first };
  for (let part = 1; part < MAX_WINDOWS && page.next !== null && page.items.length < filter.limit; part++) {
    // Lets the Durable Object serve other calls between two windows.
    await sleep(0);
    const reply = await readPart({
      ...filter,
      cursor: page.next,
      offset: filter.offset - page.skipped,
      limit: filter.limit - page.items.length,
      isCounted: false,
    });
    if (reply.kind === "gone") return reply;
    page.items = [...page.items, ...reply.items];
    page.skipped += reply.skipped;
    page.next = reply.next;
  }
  return filter.cursor === undefined ? withTotal(page, filter) : page;
}

/** Adjusts the total of a list's first page to the jobs that were read. A known total also shows if the list ends. */
function withTotal<Item>(page: ListPage<Item>, { offset }: JobFilter): ListPage<Item> {
  const read = offset + page.items.length;
  if (page.isEstimate) return { ...page, total: Math.max(page.total, page.next === null ? read : read + 1) };
  return read < page.total ? page : { ...page, next: null };
}
