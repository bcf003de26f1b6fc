import type { JobRow } from "./state.ts";

/** The times (Unix ms) at which the test killed processes. */
export interface InjectedKills {
  /** Kills of the whole service. */
  service: number[];
  /** Kills of only the browsers, while the service kept running. */
  browsers: number[];
}

const MAX_ATTEMPTS = 3;
/**
 * Matches the log line of a run that failed with an unexpected error. Synchronous requests also log a `request_id`
 * before `job_id`.
 */
const RUN_FAILED = /"event":"run_failed".*?"job_id":"([^"]+)"/g;

/** Returns the number of runs that failed with an unexpected error, by job id, from the service's log. */
export function countRunFailures(log: string): Map<string, number> {
  const lines = Map.groupBy(log.matchAll(RUN_FAILED), ([, id]) => String(id));
  return new Map([...lines].map(([id, { length }]) => [id, length]));
}

/**
 * Returns true if injected kills can explain that a job used all its attempts. Each attempt needs a kill during the
 * job's lifetime. A run with an unexpected error needs a kill of only the browsers, because the service was still
 * running when it logged the error.
 */
export function mayExhaustAttempts(
  job: JobRow,
  { service, browsers }: InjectedKills,
  runFailures: Map<string, number>,
): boolean {
  const countDuringJob = (times: number[]) =>
    times.filter((at) => at >= job.created_at && at <= Number(job.ended_at)).length;
  const browserKills = countDuringJob(browsers);
  const kills = countDuringJob(service) + browserKills;
  return job.attempts >= MAX_ATTEMPTS && kills >= MAX_ATTEMPTS && (runFailures.get(job.id) ?? 0) <= browserKills;
}
