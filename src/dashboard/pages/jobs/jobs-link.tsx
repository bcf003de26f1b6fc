import type { Child } from "hono/jsx";
import type { UsageRange } from "../../../account/usage-range";
import { type JobConditions, toJobsHref } from "./filter";

/** The days of a usage report. */
export interface ReportedDays extends UsageRange {
  /** The first day whose jobs aren't archived (YYYY-MM-DD, UTC). Empty if no job was archived. */
  archivedBefore: string;
}

interface JobsLinkProps {
  days: ReportedDays;
  /** The conditions of the list. They must exclude unfinished jobs, because usage doesn't count them. */
  conditions: JobConditions;
  /** The number of jobs. */
  children: Child;
}

/**
 * Links a number of jobs in a usage report to the list of exactly these jobs. Usage counts the pages of batches and
 * crawls, so the list includes them. Without a link if days of the report are archived, because lists omit their jobs.
 */
export function JobsLink({ days: { from, to, archivedBefore }, conditions, children }: JobsLinkProps) {
  if (from < archivedBefore) return <>{children}</>;
  return <a href={toJobsHref({ ...conditions, from, to, include: "children" })}>{children}</a>;
}
