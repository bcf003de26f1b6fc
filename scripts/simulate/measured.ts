/** What the counting Worker has counted since the last reset. */
export interface Counts {
  /** Calls by what was called: `D1 fetch`, `R2 put`, `queue jobs`, `Account.finish`. */
  calls: Record<string, number>;
  /** Rows written in Durable Objects, by class and statement. An alarm that is set is one row. */
  rows: Record<string, number>;
  /** Wall time (ms) of calls to Durable Objects, by method. */
  walls: Record<string, number>;
  /** Handlers and calls that haven't returned. */
  running: number;
}

/** The means of one job, as `npm run count` found them. */
export interface JobCounts {
  kind: string;
  d1Calls: number;
  verifierCalls: number;
  accountCalls: number;
  browserCalls: number;
  messages: number;
  r2Writes: number;
  r2Reads: number;
  /** Rows written in the account's object, with indexes and with alarms that are set. */
  accountRows: number;
  verifierRows: number;
  /** The rows in the account's object if no other job runs: the alarm is set for this job and fires after it. */
  rowsAlone: number;
  /** Where the rows of the account's object are written. */
  rowsBy: Record<string, number>;
  /** Requests and batches that the Worker handled. */
  invocations: number;
  /** Wall time (ms) of the calls to the account's object and the verifier. */
  objectMs: number;
  /** Processor time (ms) of the whole local runtime: an upper bound for the Worker and its objects. */
  cpuMs: number;
}

/**
 * One account's object in the local runtime. The times are processor time (ms) of the object itself, without the call.
 */
export interface ObjectRun {
  createMs: number;
  claimMs: number;
  finishMs: number;
  syncJobsPerSecond: number;
  asyncJobsPerSecond: number;
  bytesPerJob: number;
}

/** Account B's jobs, while account A's queue is long. */
export interface FairnessRun {
  queuedJobs: number;
  slotsOfA: number;
  /** Jobs of A that began between the response to B and the begin of B's job. */
  mostJobsAhead: number;
  medianWaitMs: number;
  p95WaitMs: number;
  /** The same without A. */
  medianWaitAloneMs: number;
}

/** The contents of measured.json. */
export interface Measured {
  jobs: JobCounts[];
  object: ObjectRun;
  fairness: FairnessRun;
}
