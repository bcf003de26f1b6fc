/** What an account's object reports to the directory, for lists of accounts. Times are Unix ms. */
export interface AccountSummary {
  accountId: string;
  balance: number;
  /** Credits that unfinished jobs have reserved. */
  reserved: number;
  /** Credits granted in this period. */
  granted: number;
  /** Credits charged in this period. */
  used: number;
  /** Jobs that are queued. */
  queued: number;
  /** Jobs that are being run. */
  processing: number;
  /** When the last job was created. Null: there was none. */
  lastJobAt: number | null;
  /** When the object's alarm must fire next. Null: nothing is due. The cron wakes objects whose time has passed. */
  nextDueAt: number | null;
  /** When the object sent this. An older summary never replaces a newer one. */
  at: number;
}

/** The message of the queue `summaries`. Its consumer writes a batch of them to D1 with one statement per kind. */
export type SummaryMessage = ({ kind: "account" } & AccountSummary) | { kind: "key_used"; keyId: string; at: number };
