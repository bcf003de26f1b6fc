/** What `npm run count` found, as `measured.json` holds it. Counts are means of one job; ms, bytes. */
export interface Measured {
  command: string;
  pageBytes: number;
  jobs: JobCounts[];
  /** One GET of a job that has ended. */
  poll: { d1Calls: number; rowsRead: number; objectCalls: number };
  /** What SQLite itself takes for each statement with its triggers, the median. */
  sqliteMs: Record<string, number>;
  growth: Growth;
  /** One cron run that finds nothing, and one a month later, when `jobs` jobs and their deliveries have had their time. */
  cron: { idle: StatementCounts[]; retention: StatementCounts[]; jobs: number };
}

/** Means of one job, or of one cron run. */
export interface StatementCounts {
  /** Who made it, and what it is. */
  what: string;
  times: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface JobCounts {
  kind: string;
  mode: "sync" | "async" | "async, webhook";
  /** Round trips to D1, by who makes them. */
  d1Calls: Record<string, number>;
  statements: StatementCounts[];
  rowsRead: number;
  rowsWritten: number;
  /** Statements about the key that fell into the measurement: they come once a minute, and aren't in the counts. */
  keyStatements: number;
  objectCalls: number;
  objectRowsRead: number;
  objectRowsWritten: number;
  /** Wall time in Durable Objects, by method. */
  objectMs: Record<string, number>;
  messages: number;
  r2Writes: number;
  r2Reads: number;
  /** Of the Worker: requests and batches. */
  invocations: number;
  /** Of the whole local runtime, its D1, queues and R2 with it. */
  cpuMs: number;
}

export interface Growth {
  /** Of jobs that have ended, with their ledger, and a delivery. */
  jobs: number;
  bytesPerJob: Record<string, number>;
  /** One count of all jobs of an account that has so many. */
  countOfAllMs: number;
}
