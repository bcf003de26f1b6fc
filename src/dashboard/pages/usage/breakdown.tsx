import type { UsageTotal } from "../../../account/usage-totals";
import { Card } from "../../ui/components";
import { toPercent } from "../../ui/format";
import type { JobConditions } from "../jobs/filter";
import { JobsLink, type ReportedDays } from "../jobs/jobs-link";

/** One row of a table: the usage of a key, an endpoint or an outcome. */
export interface BreakdownRow extends UsageTotal {
  label: string;
  /** The conditions that select the row's jobs in the list of jobs. */
  conditions: JobConditions;
}

interface BreakdownProps {
  title: string;
  /** The heading of the first column. */
  by: string;
  rows: BreakdownRow[];
  days: ReportedDays;
}

/** A table of the usage by key, endpoint or outcome. Each number of jobs links to these jobs. */
export function BreakdownCard({ title, by, rows, days }: BreakdownProps) {
  return (
    <Card title={title}>
      <section class="table-scroll" aria-label={title} tabindex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">Completed</th>
              <th scope="col">Failed</th>
              <th scope="col">Credits</th>
              <th scope="col">Success rate</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, conditions, requests, failed, credits }) => (
              <tr>
                <th scope="row">{label}</th>
                <JobsCell {...{ label, conditions, days }} status="completed" jobs={requests - failed} />
                <JobsCell {...{ label, conditions, days }} status="failed" jobs={failed} />
                <td>{credits.toLocaleString("en")}</td>
                <td>{toPercent(requests - failed, requests)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

interface JobsCellProps extends Pick<BreakdownRow, "label" | "conditions"> {
  days: ReportedDays;
  status: "completed" | "failed";
  jobs: number;
}

function JobsCell({ label, conditions, days, status, jobs }: JobsCellProps) {
  if (jobs === 0) return <td>0</td>;
  return (
    <td>
      <JobsLink days={days} conditions={{ ...conditions, status }}>
        {jobs.toLocaleString("en")}
        <span class="visually-hidden">
          {" "}
          {status}: {label}
        </span>
      </JobsLink>
    </td>
  );
}
