import { Endpoint, JobStatus } from "../../contract/common";
import { COUNTED_JOBS_MAX, DASHBOARD_LIST_LIMIT } from "../../limits";

/** What of the jobs is looked at; the address of the page says it. */
export interface JobsFilter {
  status: JobStatus | undefined;
  endpoint: Endpoint | undefined;
  offset: number;
}

/** An address that somebody wrote by hand shows what can be made of it. */
export function readFilter(query: Record<string, string>): JobsFilter {
  const offset = /^\d{1,9}$/.test(query.offset ?? "") ? Number(query.offset) : 0;
  return {
    status: JobStatus.safeParse(query.status).data,
    endpoint: Endpoint.safeParse(query.endpoint).data,
    offset: Math.min(offset, COUNTED_JOBS_MAX - DASHBOARD_LIST_LIMIT),
  };
}

export function toJobsHref({ status, endpoint, offset }: JobsFilter): string {
  const query = new URLSearchParams();
  if (status !== undefined) query.set("status", status);
  if (endpoint !== undefined) query.set("endpoint", endpoint);
  if (offset > 0) query.set("offset", String(offset));
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}
