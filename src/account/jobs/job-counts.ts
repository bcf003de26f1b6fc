import type { Mode } from "../../model/api-key";
import type { Endpoint } from "../../model/endpoint";
import type { Job, JobStatus } from "../../model/job";
import { toUsageKey, type UsageRows } from "../credits/usage";
import { archivedBefore } from "../retention/archive";
import { UNFINISHED_JOBS } from "../storage/job-row";
import type { RowOf, Transaction } from "../storage/transaction";

/** The number of jobs of one mode, key and endpoint, by status. */
interface Counts {
  mode: Mode;
  keyId: string;
  endpoint: Endpoint;
  unfinished: number;
  completed: number;
  failed: number;
}

type Counted = Pick<Job, "mode" | "keyId" | "endpoint">;

/** The jobs to count. An undefined filter matches every value. */
interface CountFilter {
  mode: Mode;
  keyId?: string | undefined;
  endpoint?: Endpoint | undefined;
  status?: JobStatus | undefined;
}

/**
 * Counts the jobs of an account in memory, so that lists don't need to count rows. The first list loads the counts from
 * the table `usage`, in several transactions. Every committed transaction updates them.
 */
export class JobCounts {
  readonly #counts = new Map<string, Counts>();
  /** For each mode, the lowest position whose rows of `usage` are counted. Later rows are counted too. */
  readonly #countedFrom: Record<Mode, string> = { live: ABOVE_ALL, test: ABOVE_ALL };
  isLoaded = false;
  /** The first day that is counted (YYYY-MM-DD). All earlier days are archived. */
  readonly since: string;

  constructor(since: string) {
    this.since = since;
  }

  /** Counts ended jobs. `rows` are the next rows of `usage`, newest first. `next` is null if they are the last ones. */
  addEnded(mode: Mode, { rows, next }: UsageRows): void {
    for (const row of rows) {
      const counts = countsOf(this.#counts, { mode, keyId: row.key_id, endpoint: row.endpoint });
      counts[row.failed === 1 ? "failed" : "completed"] += row.requests;
    }
    this.#countedFrom[mode] = next === null ? "" : toPosition(next.date, next.key_id, next.endpoint, next.code);
  }

  /** Counts the unfinished jobs. Call it after all ended jobs are counted. */
  addUnfinished(tx: Transaction): void {
    const rows = tx.all<RowOf<Counted & { jobs: number }>>(
      `SELECT mode, key_id AS keyId, endpoint, COUNT(*) AS jobs FROM ${UNFINISHED_JOBS} GROUP BY mode, key_id, endpoint`,
    );
    for (const row of rows) countsOf(this.#counts, row).unfinished += row.jobs;
    this.isLoaded = true;
  }

  /** Updates the counts after a transaction was committed. */
  apply({ created, ended }: Pick<Transaction, "created" | "ended">): void {
    if (this.isLoaded) for (const job of created) countsOf(this.#counts, job).unfinished++;
    for (const job of ended) {
      const counts = countsOf(this.#counts, job);
      if (this.isLoaded) counts.unfinished--;
      const { date, code } = toUsageKey(job);
      // The row of another job is still to be read, with this job.
      if (toPosition(date, job.keyId, job.endpoint, code) < this.#countedFrom[job.mode]) continue;
      counts[job.status === "completed" ? "completed" : "failed"]++;
    }
  }

  count(tx: Transaction, filter: CountFilter): number {
    let total = 0;
    for (const counts of this.#counts.values()) {
      const isCounted =
        counts.mode === filter.mode &&
        (filter.keyId === undefined || counts.keyId === filter.keyId) &&
        (filter.endpoint === undefined || counts.endpoint === filter.endpoint);
      if (isCounted) total += pick(counts, filter.status);
    }
    if (filter.status !== "queued" && filter.status !== "processing") return total;
    const processing = countProcessing(tx, filter);
    return filter.status === "processing" ? processing : total - processing;
  }
}

function pick({ unfinished, completed, failed }: Counts, status: JobStatus | undefined): number {
  if (status === undefined) return unfinished + completed + failed;
  return { queued: unfinished, processing: unfinished, completed, failed }[status];
}

function countsOf(all: Map<string, Counts>, { mode, keyId, endpoint }: Counted): Counts {
  const name = `${mode} ${keyId} ${endpoint}`;
  const counts = all.get(name) ?? { mode, keyId, endpoint, unfinished: 0, completed: 0, failed: 0 };
  all.set(name, counts);
  return counts;
}

/** A position that is higher than the position of every row. */
const ABOVE_ALL = "~";

/** Returns the position of a row of `usage` in the order of its primary key. */
function toPosition(...key: [date: string, keyId: string, endpoint: string, code: string]): string {
  return key.join(" ");
}

/** Counts the running jobs in the table. There are few, because each has a slot or a waiting caller. */
function countProcessing(tx: Transaction, { mode, keyId, endpoint }: CountFilter): number {
  const count = tx.value<number>(
    `SELECT COUNT(*) FROM jobs INDEXED BY jobs_due
     WHERE due_at IS NOT NULL AND mode = ?1 AND status = 'processing' AND (?2 IS NULL OR key_id = ?2)
       AND (?3 IS NULL OR endpoint = ?3)`,
    ...[mode, keyId ?? null, endpoint ?? null],
  );
  return count ?? 0;
}

/** Returns true if the account has batches or crawls of this mode. Lists of jobs don't include their pages. */
export function hasBatches(tx: Transaction, mode: CountFilter["mode"]): boolean {
  return tx.first("SELECT 1 AS found FROM batches WHERE mode = ?1 LIMIT 1", mode) !== null;
}

/** Returns the number of jobs that match the filter and are pages of batches or crawls. */
export function countPages(tx: Transaction, filter: CountFilter): number {
  const { mode, keyId = null, endpoint = null, status = null } = filter;
  // There are only few unfinished pages, because each one holds a concurrency slot.
  if (status === "queued" || status === "processing") {
    const unfinished = tx.value<number>(
      `SELECT COUNT(*) FROM jobs INDEXED BY jobs_due
       WHERE due_at IS NOT NULL AND batch_id IS NOT NULL AND mode = ?1 AND (?2 IS NULL OR key_id = ?2)
         AND (?3 IS NULL OR endpoint = ?3) AND status = ?4`,
      ...[mode, keyId, endpoint, status],
    );
    return unfinished ?? 0;
  }
  const { id: listedFrom } = archivedBefore(tx);
  const pages = tx.value<number | null>(
    `SELECT SUM(CASE ?4 WHEN 'completed' THEN completed WHEN 'failed' THEN failed ELSE started END)
     FROM batches WHERE mode = ?1 AND (?2 IS NULL OR key_id = ?2) AND (?3 IS NULL OR endpoint = ?3) AND id >= ?5`,
    ...[mode, keyId, endpoint, status ?? "", listedFrom],
  );
  if (listedFrom === "") return pages ?? 0;
  // The listed pages of older batches. There are only few such pages, because few batches run over midnight.
  const ofOlder = tx.value<number>(
    `SELECT COUNT(*) FROM batches b JOIN jobs j INDEXED BY jobs_by_batch
       ON j.mode = b.mode AND j.batch_id IS NOT NULL AND j.batch_id = b.id AND j.id >= ?5
     WHERE b.mode = ?1 AND b.id < ?5 AND (?2 IS NULL OR b.key_id = ?2) AND (?3 IS NULL OR b.endpoint = ?3)
       AND (?4 IS NULL OR j.status = ?4)`,
    ...[mode, keyId, endpoint, status, listedFrom],
  );
  return (pages ?? 0) + (ofOlder ?? 0);
}
