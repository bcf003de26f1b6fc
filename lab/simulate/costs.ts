import { round, sum } from "../figures.ts";
import type { JobCounts } from "./measured.ts";
import { toCost } from "./prices.ts";

/** The time that a render takes, and the time that the browser is open for it, in seconds. */
const RENDER_SECONDS = 2;

/**
 * The browser time of one render in seconds, by load. When renders are rare, a browser stays open for 2 s after a render
 * (src/browser/idle-time.ts). Version 0.1.0 kept it open for 60 s.
 */
export const BROWSER_SECONDS = {
  // Four renders share a browser.
  busy: RENDER_SECONDS / 4,
  // The interval is short, so the browser stays open.
  "every 10 s": 10,
  rare: RENDER_SECONDS + 2,
  "rare, version 0.1.0": RENDER_SECONDS + 60,
} as const;

/** Prints the costs of 1,000 jobs of each kind. */
export function printCosts(jobs: JobCounts[]): void {
  console.log("US dollars per 1,000 jobs, without the plan's included usage");
  console.table(Object.fromEntries(jobs.map((job) => [job.kind, toRow(job, BROWSER_SECONDS.busy)])));
  const rendered = jobs.find(({ kind }) => kind === "scrape, rendered, sync");
  if (rendered === undefined) return;
  console.log("US dollars per 1,000 renders, by load");
  const loads = Object.entries(BROWSER_SECONDS);
  console.table(Object.fromEntries(loads.map(([load, seconds]) => [load, toRow(rendered, seconds)])));
}

function toRow(job: JobCounts, browserSeconds: number) {
  const cost = toCost(job, { browserSeconds });
  return {
    Worker: round(cost.workerRequests + cost.workerCpuMs),
    objects: round(cost.objectRequests + cost.objectGbSeconds),
    rows: round(cost.rowsWritten),
    queues: round(cost.queueOperations),
    R2: round(cost.r2Writes + cost.r2Reads),
    browsers: round(cost.browserSeconds),
    events: round(cost.dataPoints),
    logs: round(cost.logKb),
    total: round(sum(Object.values(cost))),
  };
}
