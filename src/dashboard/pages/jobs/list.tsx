import { Endpoint, JobStatus } from "../../../contract/common";
import type { JobLine } from "../../../store/job-lines";
import { StatusBadge, TableCell, Time } from "../../ui/components";
import { toDuration } from "../../ui/format";
import type { JobsFilter } from "./filter";
import { toShortSubject } from "./subject";

export function FilterForm({ filter }: { filter: JobsFilter }) {
  const isFiltered = filter.status !== undefined || filter.endpoint !== undefined;
  return (
    <form method="get" action="/dashboard/jobs" class="filters" aria-label="Filter">
      <Choice name="status" label="State" any="All states" options={JobStatus.options} value={filter.status} />
      <Choice name="endpoint" label="Endpoint" any="All endpoints" options={Endpoint.options} value={filter.endpoint} />
      <button type="submit" class="button">
        Filter
      </button>
      {isFiltered ? <a href="/dashboard/jobs">Show all</a> : null}
    </form>
  );
}

function Choice(props: {
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

/** On narrow windows each row is a card. */
export function JobTable({ lines }: { lines: readonly JobLine[] }) {
  return (
    <table class="stacking jobs">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <th scope="col">Endpoint</th>
          <th scope="col">Created</th>
          <th scope="col" class="number">
            Took
          </th>
          <th scope="col" class="number">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ line }: { line: JobLine }) {
  return (
    <tr>
      <TableCell of="Job">
        <a href={`/dashboard/jobs/${line.id}`} title={line.subject ?? undefined}>
          {toTitle(line)}
        </a>
        {line.errorCode === null ? null : <span class="error-code">{line.errorCode}</span>}
      </TableCell>
      <TableCell of="State">
        <StatusBadge is={line.status} />
      </TableCell>
      <TableCell of="Endpoint">{line.engine === null ? line.endpoint : `${line.endpoint} · ${line.engine}`}</TableCell>
      <TableCell of="Created">
        <Time at={line.createdAt} />
      </TableCell>
      <TableCell of="Took" class="number">
        {line.processingTimeMs === null ? "–" : toDuration(line.processingTimeMs)}
      </TableCell>
      <TableCell of="Credits" class="number">
        {line.credits.toLocaleString("en")}
      </TableCell>
    </tr>
  );
}

function toTitle({ subject, expired }: JobLine): string {
  if (subject !== null) return toShortSubject(subject);
  return expired ? "No longer kept" : "A large request";
}
