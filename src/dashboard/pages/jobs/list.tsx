import type { JobLine } from "../../../account/job-lines";
import type { JobFilter } from "../../../account/types";
import { Endpoint, JobStatus } from "../../../contract/common";
import { JobListQuery } from "../../../contract/jobs";
import type { Page } from "../../../jobs/list";
import type { Mode } from "../../../model/api-key";
import { OUTCOMES } from "../../../model/job";
import { MAX_FILTER_CHARS } from "../../../model/limits";
import { EmptyState, StatusBadge, TableCell, Time } from "../../ui/components";
import { shortenTarget, toDuration } from "../../ui/format";
import { OutcomeBadge } from "../../ui/outcome";
import { MAX_OFFSET, Pagination } from "../../ui/pagination";

/** The filter of the list, from the page's query string. */
type JobsFilter = Pick<JobFilter, "status" | "endpoint" | "code" | "outcome" | "keyId" | "text">;

/** Returns the filter in the query string. Ignores invalid values. */
export function readFilter(query: Record<string, string>): JobsFilter {
  const { status, endpoint, code, outcome, key_id, text } = JobListQuery.shape;
  return {
    status: status.safeParse(query.status).data,
    endpoint: endpoint.safeParse(query.endpoint).data,
    code: code.safeParse(query.code?.trim()).data,
    outcome: outcome.safeParse(query.outcome).data,
    keyId: key_id.safeParse(query.key_id).data,
    text: text.safeParse(query.text?.trim()).data,
  };
}

/** Returns the URL of a page of the list. */
export function toJobsHref(filter: JobsFilter, { offset = 0, cursor }: { offset?: number; cursor?: string }): string {
  const query = new URLSearchParams();
  for (const [name, value] of toParameters(filter)) query.set(name, value);
  if (offset > 0) query.set("offset", String(offset));
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}

function toParameters({ keyId, ...filter }: JobsFilter): [name: string, value: string][] {
  const all = Object.entries({ ...filter, key_id: keyId });
  return all.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** Returns true if the filter has a condition. */
export function hasJobFilter(filter: JobsFilter): boolean {
  return toParameters(filter).length > 0;
}

/** The filter form. It has no field for the key, which only links set. */
export function JobFilterForm({ filter }: { filter: JobsFilter }) {
  return (
    <form method="get" action="/dashboard/jobs" class="filters" aria-label="Filter jobs">
      <FilterSelect name="status" label="Status" any="All statuses" options={JobStatus.options} value={filter.status} />
      <FilterSelect
        name="endpoint"
        label="Endpoint"
        any="All endpoints"
        options={Endpoint.options}
        value={filter.endpoint}
      />
      <FilterSelect name="outcome" label="Outcome" any="All outcomes" options={OUTCOMES} value={filter.outcome} />
      <FilterInput name="code" label="Error code" value={filter.code} />
      <FilterInput name="text" label="URL or query" value={filter.text} />
      {filter.keyId === undefined ? null : <input type="hidden" name="key_id" value={filter.keyId} />}
      <button type="submit" class="button">
        Filter
      </button>
      {hasJobFilter(filter) ? <a href="/dashboard/jobs">Show all jobs</a> : null}
    </form>
  );
}

function FilterInput({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <input id={`field-${name}`} name={name} value={value ?? ""} maxlength={MAX_FILTER_CHARS} />
    </div>
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

/** The table of jobs. On narrow screens, each row is a card. */
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
        <StatusBadge is={line.status} /> <OutcomeBadge outcome={line.outcome} />
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
  return expired ? "Expired request" : "Large request";
}

interface JobPagesProps {
  filter: JobsFilter;
  page: Pick<Page<JobLine>, "total" | "isEstimate" | "next">;
  limit: number;
  offset: number;
  cursor: string | undefined;
}

/**
 * The links to the next and previous page. Pages beyond MAX_OFFSET are requested with a cursor, which can't lead back
 * to newer pages. They link the newest page instead.
 */
export function JobPages({ filter, page, limit, offset, cursor }: JobPagesProps) {
  const older = page.next === null ? null : toJobsHref(filter, { cursor: page.next });
  if (cursor === undefined) {
    const href = (at: number) => (at > MAX_OFFSET && older !== null ? older : toJobsHref(filter, { offset: at }));
    return <Pagination {...{ limit, offset, href }} total={page.total} atLeast={page.isEstimate} />;
  }
  return (
    <nav class="pages" aria-label="Pagination">
      <a class="button quiet small" href={toJobsHref(filter, {})}>
        Newest
      </a>
      {older === null ? null : (
        <a class="button quiet small" href={older} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}

/** The empty state of the table. */
export function NoJobs({ hasJobFilter, mode }: { hasJobFilter: boolean; mode: Mode }) {
  if (hasJobFilter) {
    return (
      <EmptyState title="No matching jobs">
        <p>
          <a href="/dashboard/jobs">Show all jobs</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${mode} jobs yet`}>
      <p>Jobs that your API keys and the playground create appear here.</p>
      <a class="button primary" href="/dashboard/playground">
        Open playground
      </a>
    </EmptyState>
  );
}
