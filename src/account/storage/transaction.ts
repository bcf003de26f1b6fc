import { toPositiveNumber } from "../../lib/env";
import type { AccountRef } from "../../model/account";
import type { DeliveryMessage, WebhookAlertMessage } from "../../model/delivery";
import type { Job, JobKey, JobMessage } from "../../model/job";
import type { AccountSettings, Credits, Ending, KeyCredits } from "./types";

/** The account's row. Times are Unix ms. */
export interface AccountState {
  account: AccountRef;
  createdAt: number;
  settings: AccountSettings;
  credits: Credits;
  maintenanceAt: number | null;
  /** True if the account keeps the pages of its jobs as captures by default. */
  keepsCaptures: boolean;
}

/** The totals of unfinished jobs. They are kept in memory, so that a request doesn't need to count rows. */
export interface Totals {
  /** The credits that unfinished jobs have reserved. */
  reserved: number;
  /** The part of `reserved` by key id. A change replaces the object, because a rollback keeps the earlier one. */
  reservedByKey: Readonly<Record<string, number>>;
  /** The credits that keys have used in this period. Null until a key with a credit limit creates a job. */
  keyCredits: KeyCredits | null;
  /** The start of a day, and if its jobs have reached the limit of model-limit.ts. Null: the jobs must be counted. */
  modelLimit: { day: number; isReached: boolean } | null;
  /** The credit limits of keys that have created a job since the object started. Null: the key has no limit. */
  keyLimits: Readonly<Record<string, number | null>>;
  /** The number of asynchronous jobs that are dispatched or running. */
  jobSlots: number;
  /** The number of rendered jobs that are dispatched or running. */
  renderSlots: number;
  /** The number of jobs that wait for a slot. */
  waits: number;
  /** The number of batches and crawls that haven't ended. */
  batches: number;
  /** The id of the batch or crawl whose page was started last. Empty until the object has started a page. */
  lastBatch: string;
}

/** A message for the queue `jobs` or `renders`. */
export interface DispatchedJob {
  message: JobMessage;
  rendered: boolean;
}

/** A row whose columns have the names of the properties of `T`. SQLite has no booleans. */
export type RowOf<T> = { [Name in keyof T]: T[Name] extends boolean ? number : T[Name] };

/** The values of a row by the names of its columns. */
export type Columns = Readonly<Record<string, SqlStorageValue>>;

/** The parts of the Durable Object that a transaction uses. */
interface TransactionHooks {
  /** Returns true if the caller of this job waits in `awaitSlot`. */
  isAwaited: (id: string) => boolean;
  /** The effects of a job's end, in their order. They belong to the transaction that ends the job. */
  endSteps: readonly ((tx: Transaction, ending: Ending) => void)[];
}

/**
 * One transaction on the account's tables. Collects the effects that must follow the commit, such as queue messages.
 * After a rollback, the caller discards these effects and `totals`.
 */
export class Transaction {
  readonly dispatched: DispatchedJob[] = [];
  /** The batch of each plain page that this transaction has started, by the id of the page's job. */
  readonly startedPages = new Map<string, string>();
  readonly deliveries: DeliveryMessage[] = [];
  readonly alerts: WebhookAlertMessage[] = [];
  readonly created: Pick<Job, "mode" | "keyId" | "endpoint">[] = [];
  readonly ended: Job[] = [];
  /** The ids of ended jobs whose files must be deleted. */
  readonly files: string[] = [];
  /** The number of jobs in `ended` whose slots were already given to other jobs. */
  replaced = 0;
  /** The crawls, by id, whose Durable Objects must be woken, because a page or the crawl has ended. */
  readonly crawls = new Map<string, JobKey>();
  /** The ids of changed jobs, and of batches that have ended or continue. Calls that wait for them must be resumed. */
  readonly changed = new Set<string>();
  /** True if more pages of batches can start than one transaction may start. Another transaction must continue. */
  hasMorePages = false;
  /** The earliest time (Unix ms) at which this transaction needs an alarm. */
  dueAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly sql: SqlStorage,
    readonly env: Env,
    readonly state: AccountState,
    readonly totals: Totals,
    readonly now: number,
    readonly hooks: TransactionHooks = { isAwaited: () => false, endSteps: [] },
  ) {}

  /** Makes the alarm fire at `at` (Unix ms) or earlier. */
  wakeAt(at: number): void {
    this.dueAt = Math.min(this.dueAt, at);
  }

  /** Wakes the Durable Object of a crawl after the commit. */
  wakeCrawl({ mode, id }: JobKey): void {
    this.crawls.set(id, { mode, id });
  }

  /** Sends the job's message to its queue after the commit. */
  send({ mode, id, rendered }: JobKey & { rendered: number }): void {
    const message: JobMessage = { kind: "job", account: this.state.account, mode, job: id };
    this.dispatched.push({ message, rendered: rendered === 1 });
  }

  all<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row[] {
    return this.sql.exec<Row>(query, ...values).toArray();
  }

  first<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row | null {
    return this.all<Row>(query, ...values)[0] ?? null;
  }

  /** Returns the first column of the first row, or null if there is no row. */
  value<Value extends SqlStorageValue>(query: string, ...values: SqlStorageValue[]): Value | null {
    const row = this.first<Record<string, Value>>(query, ...values);
    return row === null ? null : (Object.values(row)[0] ?? null);
  }

  /** Inserts a row with these columns. `REPLACE` replaces a row with the same key. */
  insert(table: string, columns: Columns, verb: "INSERT" | "REPLACE" = "INSERT"): void {
    const names = Object.keys(columns);
    const places = names.map((_, i) => `?${i + 1}`);
    const into = `${table} (${names.join(", ")}) VALUES (${places.join(", ")})`;
    this.run(`${verb} INTO ${into}`, ...Object.values(columns));
  }

  update(table: string, { mode, id }: JobKey, columns: Columns): void {
    const sets = Object.keys(columns).map((name, i) => `${name} = ?${i + 3}`);
    this.run(`UPDATE ${table} SET ${sets.join(", ")} WHERE mode = ?1 AND id = ?2`, mode, id, ...Object.values(columns));
  }

  /** Runs a statement and discards its rows. Returns the number of rows that it has written, with those of indexes. */
  run(query: string, ...values: SqlStorageValue[]): number {
    const cursor = this.sql.exec(query, ...values);
    cursor.toArray();
    return cursor.rowsWritten;
  }
}

/**
 * The fill level of the account's storage. `inline`: small results are stored in rows. `r2`: every result goes to R2.
 * `archive`: old days also move to R2. `full`: new jobs are refused.
 */
export type StorageLevel = "inline" | "r2" | "archive" | "full";

/** Returns the fill level. The limits are ACCOUNT_INLINE_BYTES, ACCOUNT_ARCHIVE_BYTES and ACCOUNT_MAX_BYTES. */
export function storageLevel({ sql, env }: Pick<Transaction, "sql" | "env">): StorageLevel {
  const size = sql.databaseSize;
  if (size >= toPositiveNumber(env.ACCOUNT_MAX_BYTES, 8e9)) return "full";
  if (size >= toPositiveNumber(env.ACCOUNT_ARCHIVE_BYTES, 5e9)) return "archive";
  return size >= toPositiveNumber(env.ACCOUNT_INLINE_BYTES, 2e9) ? "r2" : "inline";
}
