import type { PeriodCounts } from "./service-counts";

/** The figures that an account's Durable Object reports to D1, for lists of accounts. Times are Unix ms. */
export interface AccountSummary {
  accountId: string;
  balance: number;
  /** Credits that are reserved for unfinished jobs. */
  reserved: number;
  /** Credits granted in this period. */
  granted: number;
  /** Credits charged in this period. */
  used: number;
  queued: number;
  processing: number;
  /** The number of queued jobs that wait because of the account's own limit of concurrent jobs. */
  waiting: number;
  /** The number of jobs that were requeued because no browser was free. */
  browserWaits: number;
  /** The time since which the oldest job has waited in the service's own queue. Null if no job waits there. */
  queuedSince: number | null;
  /** The creation time of the last job. Null if the account has no jobs. */
  lastJobAt: number | null;
  /** The next time of the object's alarm. Null if nothing is due. The cron wakes an object whose alarm is late. */
  nextDueAt: number | null;
  /** The time at which the object sent this summary. An older summary never replaces a newer one. */
  at: number;
  /** The counts of the latest periods. They are totals, so a repeated message has no additional effect. */
  periods: PeriodCounts[];
}

/** The queue message of a summary. The consumer writes a batch to D1 with one statement per kind. */
export type SummaryMessage = ({ kind: "account" } & AccountSummary) | { kind: "key_used"; keyId: string; at: number };
