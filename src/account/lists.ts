import { toIdStart } from "../lib/id";
import { type Job, MAX_SHOWN_REQUEST_BYTES } from "../model/job";
import { MAX_LISTED_RESULT_BYTES } from "../model/limits";
import { archivedBefore } from "./archive";
import type { JobCounts } from "./job-counts";
import { type JobLine, listLines } from "./job-lines";
import { JOB_COLUMNS, JOB_TABLES, type JobRow, toJobOf } from "./job-row";
import type { ListPage } from "./read-page";
import type { Transaction } from "./transaction";
import type { JobFilter } from "./types";

/**
 * The maximum number of rows that one window reads: WINDOW_ROWS without an index, and INDEXED_WINDOW_ROWS with an
 * index. A window that ends before its page is full returns a cursor, and `readPage` continues with the next window.
 * Between the windows, the Durable Object can serve other requests. The limit with an index is lower, because rows
 * that are found by an index are on different database pages.
 */
const WINDOW_ROWS = 10_000;
const INDEXED_WINDOW_ROWS = 2_500;
/** The maximum number of windows that one call of the Durable Object reads. */
export const MAX_WINDOWS = 20;
/** The maximum number of matches that a query counts. Totals that are kept in memory have no maximum. */
const MAX_COUNT = 10_000;

/** Reads one window of the jobs, newest first, without the large members of `meta`. */
export function listJobs(tx: Transaction, counts: JobCounts, filter: JobFilter): ListPage<Job> {
  const page = findIds(tx, counts, filter);
  return { kind: "page", ...page, items: readJobs(tx, filter, page.items) };
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

function readJobs(tx: Transaction, { mode }: JobFilter, ids: string[]): Job[] {
  const rows = tx.all<JobRow>(
    `SELECT ${LISTED_COLUMNS} FROM ${JOB_TABLES}
     WHERE j.mode = ?1 AND j.id IN (SELECT value FROM json_each(?2)) ORDER BY j.id DESC`,
    mode,
    JSON.stringify(ids),
  );
  return rows.map((row) => toJobOf(tx, row));
}

// The parameters of every query: ?1 mode, ?2 key, ?3 endpoint, ?4 status, ?5 code, ?6 outcome, ?7 lowest id
// (inclusive), ?8 highest id (exclusive), ?9 text, ?10 limit, ?11 offset.
const RANGE = "mode = ?1 AND id >= ?7 AND id < ?8";
/**
 * The SQL sources for each kind of filter. Together, the sources of a kind contain all matches. Each source is read in
 * the order of one index.
 */
const SOURCES = {
  all: [`jobs WHERE ${RANGE}`],
  key: [`jobs INDEXED BY jobs_by_key WHERE ${RANGE} AND key_id = ?2`],
  endpoint: [`jobs INDEXED BY jobs_by_endpoint WHERE ${RANGE} AND endpoint = ?3`],
  failed: [`jobs INDEXED BY jobs_failed WHERE ${RANGE} AND code IS NOT NULL`],
  code: [`jobs INDEXED BY jobs_by_code WHERE ${RANGE} AND code IS NOT NULL AND code = ?5`],
  outcome: [`jobs INDEXED BY jobs_by_outcome WHERE ${RANGE} AND outcome <> 'ok' AND outcome = ?6`],
  processing: [`jobs INDEXED BY jobs_due WHERE ${RANGE} AND due_at IS NOT NULL AND status = 'processing'`],
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
  AND (?9 IS NULL OR instr(lower(subject), lower(?9)) > 0)`;

/** The filters that the index of each source already applies. The query doesn't have to read rows for these filters. */
const COVERED_FILTERS: { [S in Source]: readonly (keyof JobFilter)[] } = {
  all: [],
  key: ["keyId"],
  endpoint: ["endpoint"],
  failed: ["status"],
  code: ["status", "code"],
  outcome: ["status", "outcome"],
  processing: ["status"],
  queued: ["status"],
};

function toSource({ status, code, outcome, keyId, endpoint }: JobFilter): Source {
  if (status === "queued" || status === "processing") return status;
  if (code !== undefined) return "code";
  if (status === "failed") return "failed";
  if (outcome !== undefined && outcome !== "ok") return "outcome";
  if (keyId !== undefined) return "key";
  return endpoint === undefined ? "all" : "endpoint";
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
  const query = new ListQuery(tx, filter);
  const floor = query.floorOf(range);
  const window = floor === null ? range : { ...range, from: floor };
  const found = query.ids(window, limit + 1, offset);
  const isCut = found.length > limit;
  const items = isCut ? found.slice(0, limit) : found;
  const skipped = items.length > 0 || offset === 0 ? offset : query.count(window, offset);
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
  const { since, until, text, code, outcome, isCounted = true } = filter;
  if (!isCounted) return { total: atLeast, isEstimate: true };
  const isKnown = [since, until, text, code, outcome].every((value) => value === undefined);
  if (isKnown) return { total: counts.count(tx, filter), isEstimate: false };
  const floor = query.floorOf(first);
  const total = query.count(floor === null ? first : { ...first, from: floor }, MAX_COUNT);
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
    readonly filter: JobFilter,
  ) {
    const source = toSource(filter);
    const others = (["keyId", "endpoint", "status", "code", "outcome", "text"] as const).filter(
      (name) => filter[name] !== undefined && !COVERED_FILTERS[source].includes(name),
    );
    this.#parts = SOURCES[source];
    this.#windowRows = source === "all" ? WINDOW_ROWS : INDEXED_WINDOW_ROWS;
    this.#matches = others.length === 0 ? "" : ` AND ${MATCHES}`;
  }

  /** Returns the lowest id that this call may read, or null if it may read the whole range. */
  floorOf(range: IdRange): string | null {
    if (this.#matches === "") return null;
    const [row] = this.#run<{ id: string }>(
      `${this.#select("id", "")} ORDER BY id DESC LIMIT ?10 OFFSET ?11`,
      range,
      1,
      this.#windowRows - 1,
    );
    return row?.id ?? null;
  }

  ids(range: IdRange, limit: number, offset: number): string[] {
    const query = `${this.#select("id", this.#matches)} ORDER BY id DESC LIMIT ?10 OFFSET ?11`;
    return this.#run<{ id: string }>(query, range, limit, offset).map(({ id }) => id);
  }

  /** Counts the matches in the range. Stops at `most`. */
  count(range: IdRange, most: number): number {
    const query = `SELECT COUNT(*) AS jobs FROM (${this.#select("1", this.#matches)} LIMIT ?10 OFFSET ?11)`;
    return this.#run<{ jobs: number }>(query, range, most, 0)[0]?.jobs ?? 0;
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
    const { mode, keyId, endpoint, status, code, outcome, text } = this.filter;
    const values = [mode, keyId, endpoint, status, code, outcome, range.from, range.below, text, limit, offset];
    return this.tx.all<Row>(query, ...values.map((value) => value ?? null));
  }
}
