import type { JobCounts } from "./measured.ts";

/** Cloudflare's prices in US dollars beyond the included usage. docs/evidence/load.md has the sources. */
const PRICES = {
  workerRequests: { usd: 0.3, per: 1_000_000 },
  workerCpuMs: { usd: 0.02, per: 1_000_000 },
  objectRequests: { usd: 0.15, per: 1_000_000 },
  objectGbSeconds: { usd: 12.5, per: 1_000_000 },
  rowsWritten: { usd: 1, per: 1_000_000 },
  queueOperations: { usd: 0.4, per: 1_000_000 },
  r2Writes: { usd: 4.5, per: 1_000_000 },
  r2Reads: { usd: 0.36, per: 1_000_000 },
  browserSeconds: { usd: 0.09, per: 3_600 },
  dataPoints: { usd: 0.25, per: 1_000_000 },
  // From 2026-12-01. Until then, a million lines cost $0.60.
  logKb: { usd: 0.25, per: 1_000_000 },
} as const;

type Priced = keyof typeof PRICES;

const OBJECT_GB = 0.128;
/** Cloudflare bills three operations for each message: write, read and delete. */
const OPERATIONS_PER_MESSAGE = 3;
/** A line for each request and for each ended job. A line has about 1 KB with Cloudflare's own attributes (assumed). */
const LOG_KB_PER_JOB = 2;

/**
 * Returns the cost of 1,000 jobs in US dollars, by price. `browserSeconds` is the browser time of one render. Rows read
 * aren't included, because 1,000 of them cost only $0.000001.
 */
export function toCost(counts: JobCounts, { browserSeconds }: { browserSeconds: number }): Record<Priced, number> {
  const browser = counts.browserCalls > 0 ? browserSeconds : 0;
  const use: Record<Priced, number> = {
    workerRequests: counts.invocations,
    workerCpuMs: counts.cpuMs,
    objectRequests: counts.verifierCalls + counts.accountCalls + counts.browserCalls,
    objectGbSeconds: OBJECT_GB * (counts.objectMs / 1_000 + browser),
    rowsWritten: counts.accountRows + counts.verifierRows,
    queueOperations: counts.messages * OPERATIONS_PER_MESSAGE,
    r2Writes: counts.r2Writes,
    r2Reads: counts.r2Reads,
    browserSeconds: browser,
    // Analytics Engine gets one event for each ended job.
    dataPoints: 1,
    logKb: LOG_KB_PER_JOB,
  };
  const costs = Object.entries(PRICES).map(([name, { usd, per }]) => [name, (use[name as Priced] * 1_000 * usd) / per]);
  return Object.fromEntries(costs) as Record<Priced, number>;
}
