/** The length of a period in which ended jobs are counted. It is short, so that an outage is visible soon. */
export const PERIOD_MS = 600_000;

/**
 * Numbers by name. The names are paths, so that SQL can add up the counts of any name:
 * `job/{endpoint}/{plain|rendered}/{code}/{bucket}` for ended jobs, `deliveries/abandoned`, `check/{part}/{result}` for
 * readiness checks, and `engine/{engine}/{outcome}` for checks of search engines.
 */
export type Counts = Readonly<Record<string, number>>;

/** The counts of one period. `start` is its start (Unix ms). */
export interface PeriodCounts {
  start: number;
  counts: Counts;
}

/** A count of jobs that ended with the same outcome or error code. */
export interface JobCount {
  endpoint: string;
  /** `plain` or `rendered`. */
  method: string;
  /** The outcome of completed jobs, or the error code of failed jobs. */
  code: string;
  /** The number of the histogram's bucket. Empty for failed jobs. */
  bucket: string;
}

/** Returns the start (Unix ms) of the period that contains a time. */
export function toPeriod(at: number): number {
  return at - (at % PERIOD_MS);
}

/** Returns the name of a count of jobs. */
export function toJobCount({ endpoint, method, code, bucket }: JobCount): string {
  return `job/${endpoint}/${method}/${code}/${bucket}`;
}

/** Returns the parts of a count of jobs, or null if the name belongs to another count. */
export function fromJobCount(name: string): JobCount | null {
  const [kind, endpoint = "", method = "", code = "", bucket = ""] = name.split("/");
  return kind === "job" ? { endpoint, method, code, bucket } : null;
}

export function addCounts(a: Counts, b: Counts): Counts {
  const sums: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Returns the periods with the counts of one more period. */
export function addPeriod(periods: readonly PeriodCounts[], { start, counts }: PeriodCounts): PeriodCounts[] {
  const known = periods.find((period) => period.start === start);
  return [...periods.filter((period) => period !== known), { start, counts: addCounts(known?.counts ?? {}, counts) }];
}
