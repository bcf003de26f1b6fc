import { Endpoint, JobStatus } from "../../../contract/common";

/** What of the jobs is looked at; the address of the page says it. */
export interface JobsFilter {
  status: JobStatus | undefined;
  endpoint: Endpoint | undefined;
}

/** An address that somebody wrote by hand shows what can be made of it. */
export function readFilter(query: Record<string, string>): JobsFilter {
  return { status: JobStatus.safeParse(query.status).data, endpoint: Endpoint.safeParse(query.endpoint).data };
}

export function toJobsHref({ status, endpoint }: JobsFilter, offset: number): string {
  const query = new URLSearchParams();
  if (status !== undefined) query.set("status", status);
  if (endpoint !== undefined) query.set("endpoint", endpoint);
  if (offset > 0) query.set("offset", String(offset));
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}
