import type { JobCounts } from "./measured.ts";

/** Dollars, beyond what the monthly plan includes: the one place where prices stand. Sources and dates: docs/scaling.md. */
const PRICES = {
  workerRequests: { usd: 0.3, per: 1_000_000 },
  workerCpuMs: { usd: 0.02, per: 1_000_000 },
  d1RowsRead: { usd: 0.001, per: 1_000_000 },
  d1RowsWritten: { usd: 1, per: 1_000_000 },
  objectRequests: { usd: 0.15, per: 1_000_000 },
  objectGbSeconds: { usd: 12.5, per: 1_000_000 },
  objectRowsRead: { usd: 0.001, per: 1_000_000 },
  objectRowsWritten: { usd: 1, per: 1_000_000 },
  queueOperations: { usd: 0.4, per: 1_000_000 },
  r2Writes: { usd: 4.5, per: 1_000_000 },
  r2Reads: { usd: 0.36, per: 1_000_000 },
  browserSeconds: { usd: 0.09, per: 3_600 },
} as const;

export type Priced = keyof typeof PRICES;

const OBJECT_GB = 0.128;
/** Written, read, deleted. */
const OPERATIONS_PER_MESSAGE = 3;

interface Outside {
  /** The time of a browser that one render is charged with: its own, or its share. */
  browserSeconds: number;
  receiverMs: number;
}

/** What one job asks of each thing that has a price. */
export function toUse(counts: JobCounts, { browserSeconds, receiverMs }: Outside): Record<Priced, number> {
  const { objectMs } = counts;
  const renders = Object.keys(objectMs).some((name) => name.startsWith("BrowserHost"));
  const browser = renders ? browserSeconds : 0;
  // An object is charged while it runs or waits: a delivery's for its receiver, a browser's while the browser is there.
  const ms = Object.entries(objectMs).reduce((total, [name, own]) => {
    if (name.startsWith("BrowserHost")) return total;
    return total + own + (name === "WebhookDelivery.alarm" ? receiverMs : 0);
  }, 0);
  return {
    workerRequests: counts.invocations,
    workerCpuMs: counts.cpuMs,
    d1RowsRead: counts.rowsRead,
    d1RowsWritten: counts.rowsWritten,
    objectRequests: counts.objectCalls,
    objectGbSeconds: OBJECT_GB * (ms / 1_000 + browser),
    objectRowsRead: counts.objectRowsRead,
    objectRowsWritten: counts.objectRowsWritten,
    queueOperations: counts.messages * OPERATIONS_PER_MESSAGE,
    r2Writes: counts.r2Writes,
    r2Reads: counts.r2Reads,
    browserSeconds: browser,
  };
}

/** Dollars a million jobs, by what they are paid for. */
export function toCost(use: Record<Priced, number>): Record<Priced, number> {
  const MILLION = 1_000_000;
  const entries = Object.entries(PRICES).map(([name, { usd, per }]) => [
    name,
    (use[name as Priced] * MILLION * usd) / per,
  ]);
  return Object.fromEntries(entries) as Record<Priced, number>;
}
