import type { JobRow } from "./state.ts";

/** What was done to the service, each with its time (Unix ms). */
export interface Blows {
  kills: number[];
  /** Of the browsers alone, while the service lived on. */
  browserKills: number[];
}

const MAX_ATTEMPTS = 3;
/** A line of the log: of a caller who waits, it has the request's id before the job's. */
const RUN_FAILED = /"event":"run_failed".*?"job_id":"([^"]+)"/g;

/** How many runs of each job the service's log calls accidents, by the job's id. */
export function countAccidents(log: string): Map<string, number> {
  const lines = Map.groupBy(log.matchAll(RUN_FAILED), ([, id]) => String(id));
  return new Map([...lines].map(([id, { length }]) => [id, length]));
}

/**
 * Whether a job may have used up its runs: each of them died by a blow that fell in its time. A run that failed while
 * the service lived on did so by the death of its browser; one that always throws has no such excuse.
 */
export function isWornOut(job: JobRow, { kills, browserKills }: Blows, accidents: Map<string, number>): boolean {
  const inItsTime = (times: number[]) =>
    times.filter((at) => at >= job.created_at && at <= Number(job.ended_at)).length;
  const blows = inItsTime(kills) + inItsTime(browserKills);
  return (
    job.attempts >= MAX_ATTEMPTS && blows >= MAX_ATTEMPTS && (accidents.get(job.id) ?? 0) <= inItsTime(browserKills)
  );
}
