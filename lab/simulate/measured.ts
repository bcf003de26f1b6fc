/** The counts of the counting Worker since the last reset. */
export interface Counts {
  /** The number of calls by target, for example `D1 fetch`, `R2 put`, `queue jobs` or `Account.finish`. */
  calls: Record<string, number>;
  /** The rows written in Durable Objects, by class and statement. Setting an alarm counts as one row. */
  rows: Record<string, number>;
  /** The wall time (ms) of calls to Durable Objects, by method. */
  walls: Record<string, number>;
  /** The number of handlers and calls that haven't returned. */
  running: number;
}

/** The mean counts of one job, measured by `npm run lab -- count`. */
export interface JobCounts {
  kind: string;
  d1Calls: number;
  verifierCalls: number;
  accountCalls: number;
  browserCalls: number;
  messages: number;
  r2Writes: number;
  r2Reads: number;
  /** The rows written in the account's object, including index rows and alarms. */
  accountRows: number;
  verifierRows: number;
  /**
   * The rows that one job writes in the account's object if no other job runs. They include the rows for setting and
   * running the alarm.
   */
  rowsAlone: number;
  /** The rows written in the account's object, by statement. */
  rowsBy: Record<string, number>;
  /** The number of requests and queue batches that the Worker handled. */
  invocations: number;
  /** The wall time (ms) of the calls to the account's object and the key verifier. */
  objectMs: number;
  /** The CPU time (ms) of the whole local runtime, which is an upper bound for the Worker and its objects. */
  cpuMs: number;
}

/**
 * The measurements of one account's object in the local runtime. Times are the object's CPU time (ms) without the RPC
 * call.
 */
export interface ObjectRun {
  createMs: number;
  claimMs: number;
  finishMs: number;
  syncJobsPerSecond: number;
  asyncJobsPerSecond: number;
  bytesPerJob: number;
}

/** The waiting times of account B's jobs while account A has a long queue. */
export interface FairnessRun {
  queuedJobs: number;
  slotsOfA: number;
  /**
   * The largest number of A's jobs that started while one of B's jobs waited. The wait begins with the response to B.
   */
  mostJobsAhead: number;
  medianWaitMs: number;
  p95WaitMs: number;
  /** The median waiting time of B's jobs if A has no jobs. */
  medianWaitAloneMs: number;
}

/** The contents of measured.json. */
export interface Measured {
  jobs: JobCounts[];
  object: ObjectRun;
  fairness: FairnessRun;
}
