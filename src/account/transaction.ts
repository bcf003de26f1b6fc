import type { AccountRef } from "../model/account";
import type { Mode } from "../model/api-key";
import type { DeliveryMessage } from "../model/delivery";
import type { Job, JobMessage } from "../model/job";
import { SECOND_MS } from "../model/limits";
import type { Credits } from "./credits";
import type { AccountSettings } from "./types";

/** The account's row. Times are Unix ms. */
export interface AccountState {
  account: AccountRef;
  createdAt: number;
  settings: AccountSettings;
  credits: Credits;
  maintenanceAt: number | null;
}

/** What unfinished jobs hold, kept in memory so that a request needn't count rows. */
export interface Totals {
  /** Credits that unfinished jobs have reserved. */
  reserved: number;
  /** Asynchronous jobs that were dispatched or are being run. */
  jobSlots: number;
  /** Rendered jobs that were dispatched or are being run. */
  renderSlots: number;
  /** Jobs that wait for a slot. */
  waits: number;
}

/** A message for one of the queues of jobs. */
export interface DispatchedJob {
  message: JobMessage;
  rendered: boolean;
  delaySeconds: number;
}

/**
 * One transaction on the account's tables: what it reads with, and what must happen once it is committed. If it is rolled
 * back, nothing of it happens, and `totals` is discarded.
 */
export class Transaction {
  readonly dispatched: DispatchedJob[] = [];
  readonly deliveries: DeliveryMessage[] = [];
  readonly created: Pick<Job, "mode" | "keyId" | "endpoint">[] = [];
  readonly ended: Job[] = [];
  /** The jobs whose waiting callers must look again. */
  readonly changed = new Set<string>();
  /** The earliest time (Unix ms) at which the alarm must fire because of this transaction. */
  dueAt = Number.POSITIVE_INFINITY;

  constructor(
    readonly sql: SqlStorage,
    readonly env: Env,
    readonly state: AccountState,
    readonly totals: Totals,
    readonly now: number,
  ) {}

  /** Makes the alarm fire at `at` (Unix ms) or earlier. */
  wakeAt(at: number): void {
    this.dueAt = Math.min(this.dueAt, at);
  }

  /** Sends the job's message to its queue once this is committed. */
  send({ mode, id, rendered }: { mode: string; id: string; rendered: number }, delayMs: number): void {
    const message = { account: this.state.account, mode: mode as Mode, job: id };
    this.dispatched.push({ message, rendered: rendered === 1, delaySeconds: Math.ceil(delayMs / SECOND_MS) });
  }

  /** Returns the rows of a query. */
  all<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row[] {
    return this.sql.exec<Row>(query, ...values).toArray();
  }

  /** Returns the first row of a query, or null. */
  first<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row | null {
    return this.all<Row>(query, ...values)[0] ?? null;
  }

  /** Runs a statement that returns nothing. */
  run(query: string, ...values: SqlStorageValue[]): void {
    this.sql.exec(query, ...values).toArray();
  }
}
