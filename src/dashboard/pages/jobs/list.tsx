import { Endpoint, JobStatus } from "../../../contract/common";
import type { Mode } from "../../../model/api-key";
import type { JobLine } from "../../../store/job-list";
import { EmptyState, StatusBadge, TableCell, Time } from "../../ui/components";
import { shortenTarget, toDuration } from "../../ui/format";

/** The filter of the list, as the page's address has it. */
interface JobsFilter {
  status: JobStatus | undefined;
  endpoint: Endpoint | undefined;
}

/** Reads the filter. An invalid value is ignored. */
export function readFilter(query: Record<string, string>): JobsFilter {
  return { status: JobStatus.safeParse(query.status).data, endpoint: Endpoint.safeParse(query.endpoint).data };
}

/** Returns the address of a page of the list. */
export function toJobsHref({ status, endpoint }: JobsFilter, offset: number): string {
  const query = new URLSearchParams();
  if (status !== undefined) query.set("status", status);
  if (endpoint !== undefined) query.set("endpoint", endpoint);
  if (offset > 0) query.set("offset", String(offset));
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}

/** Returns true if the filter excludes any job. */
export function hasJobFilter({ status, endpoint }: JobsFilter): boolean {
  return status !== undefined || endpoint !== undefined;
}

/** The form that sets the filter. */
export function JobFilterForm({ filter }: { filter: JobsFilter }) {
  return (
    <form method="get" action="/dashboard/jobs" class="filters" aria-label="Filter">
      <FilterSelect name="status" label="Status" any="All statuses" options={JobStatus.options} value={filter.status} />
      <FilterSelect
        name="endpoint"
        label="Endpoint"
        any="All endpoints"
        options={Endpoint.options}
        value={filter.endpoint}
      />
      <button type="submit" class="button">
        Filter
      </button>
      {hasJobFilter(filter) ? <a href="/dashboard/jobs">Show all</a> : null}
    </form>
  );
}

function FilterSelect(props: {
  name: string;
  label: string;
  any: string;
  options: readonly string[];
  value: string | undefined;
}) {
  const { name, label, any, options, value } = props;
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <select id={`field-${name}`} name={name}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The table of jobs. On narrow screens each row is a card. */
export function JobTable({ lines }: { lines: readonly JobLine[] }) {
  return (
    <table class="stacking jobs">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Status</th>
          <th scope="col">Endpoint</th>
          <th scope="col">Created</th>
          <th scope="col" class="number">
            Duration
          </th>
          <th scope="col" class="number">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <JobRow line={line} />
        ))}
      </tbody>
    </table>
  );
}

function JobRow({ line }: { line: JobLine }) {
  return (
    <tr>
      <TableCell of="Job">
        <a href={`/dashboard/jobs/${line.id}`} title={line.subject ?? undefined}>
          {toTitle(line)}
        </a>
        {line.errorCode === null ? null : <span class="error-code">{line.errorCode}</span>}
      </TableCell>
      <TableCell of="Status">
        <StatusBadge is={line.status} />
      </TableCell>
      <TableCell of="Endpoint">{line.engine === null ? line.endpoint : `${line.endpoint} · ${line.engine}`}</TableCell>
      <TableCell of="Created">
        <Time at={line.createdAt} />
      </TableCell>
      <TableCell of="Duration" class="number">
        {line.processingTimeMs === null ? "–" : toDuration(line.processingTimeMs)}
      </TableCell>
      <TableCell of="Credits" class="number">
        {line.credits.toLocaleString("en")}
      </TableCell>
    </tr>
  );
}

function toTitle({ subject, expired }: JobLine): string {
  if (subject !== null) return shortenTarget(subject);
  return expired ? "Expired" : "A large request";
}

/** Replaces the table if it is empty. */
export function NoJobs({ hasJobFilter, mode }: { hasJobFilter: boolean; mode: Mode }) {
  if (hasJobFilter) {
    return (
      <EmptyState title="No job matches">
        <p>
          <a href="/dashboard/jobs">Show all jobs</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${mode} jobs yet`}>
      <p>Requests of your API keys and of the playground are listed here.</p>
      <a class="button primary" href="/dashboard/playground">
        Open the playground
      </a>
    </EmptyState>
  );
}
