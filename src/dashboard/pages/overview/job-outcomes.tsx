import type { Overview } from "../../../account/overview";
import type { UsageReport } from "../../../account/usage";
import type { UsageTotal } from "../../../account/usage-totals";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { toCount } from "../../../lib/count";
import { ERROR_HINTS } from "../../../model/error-hints";
import { Card, Stat } from "../../ui/components";
import { toDuration, toPercent } from "../../ui/format";
import { helpOf } from "../../ui/outcome";
import { JobsLink, type ReportedDays } from "../jobs/jobs-link";

/** The success rate and the durations of the jobs in the last `days` days. */
export function OutcomesCard({ usage, days }: { usage: UsageReport; days: number }) {
  const { total, endpoints } = usage;
  return (
    <Card title="Success and duration">
      <dl class="stats">
        <Stat label="Success rate" value={toPercent(total.requests - total.failed, total.requests)} />
        <Stat label="Median duration" value={formatTime(total.p50)} note="p50" />
        <Stat label="95th percentile" value={formatTime(total.p95)} note="p95" />
      </dl>
      <section class="table-scroll" aria-label="Success rate and duration by endpoint" tabindex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">Jobs</th>
              <th scope="col">Success rate</th>
              <th scope="col">Median</th>
              <th scope="col">95th percentile</th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map((part) => (
              <tr>
                <th scope="row">{ENDPOINTS[part.endpoint].label}</th>
                <TotalCells {...part} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="small muted">
        These figures include {toCount(total.requests, "job")} that ended in the last {days} days. Durations include
        only completed jobs and are accurate to within 5%.
      </p>
    </Card>
  );
}

function TotalCells({ requests, failed, p50, p95 }: UsageTotal) {
  return (
    <>
      <td>{requests.toLocaleString("en")}</td>
      <td>{toPercent(requests - failed, requests)}</td>
      <td>{formatTime(p50)}</td>
      <td>{formatTime(p95)}</td>
    </>
  );
}

/** The days of the overview's figures. */
export interface Period extends ReportedDays {
  /** The number of days. */
  days: number;
}

interface ErrorsCardProps {
  errors: Overview["errors"];
  period: Period;
}

/** The most frequent errors of these jobs, with advice. */
export function ErrorsCard({ errors, period }: ErrorsCardProps) {
  return (
    <Card title="Errors">
      {errors.length === 0 ? (
        <p class="muted">No jobs failed in the last {period.days} days. Failed jobs are free.</p>
      ) : (
        <ul class="failures">
          {errors.map((error) => (
            <ErrorLine {...error} period={period} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ErrorLine({ code, requests, jobId, period }: Overview["errors"][number] & { period: Period }) {
  return (
    <li>
      <div class="row">
        <code>{code}</code>
        <JobsLink days={period} conditions={{ code }}>
          {toCount(requests, "job")}
          <span class="visually-hidden"> failed with {code}</span>
        </JobsLink>
        {jobId === null ? null : (
          <a class="small" href={`/dashboard/jobs/${jobId}`}>
            Latest job<span class="visually-hidden"> that failed with {code}</span>
          </a>
        )}
      </div>
      <p class="small">{ERROR_HINTS[code]}</p>
    </li>
  );
}

/** The outcomes of completed jobs whose pages weren't ordinary pages. Empty if there are none. */
export function PagesCard({ codes, period }: { codes: UsageReport["codes"]; period: Period }) {
  const outcomes = codes.filter(({ code, failed }) => failed === 0 && code !== "ok");
  if (outcomes.length === 0) return null;
  return (
    <Card title="Pages without content">
      <ul class="failures">
        {outcomes.map((outcome) => (
          <PageLine {...outcome} period={period} />
        ))}
      </ul>
      <p class="small muted">
        These jobs completed in the last {period.days} days, but they didn't get the content of their pages. The success
        rate includes them.
      </p>
    </Card>
  );
}

function PageLine({ code, requests, credits, period }: UsageReport["codes"][number] & { period: Period }) {
  const help = helpOf(code);
  return (
    <li>
      <div class="row">
        <code>{code}</code>
        <JobsLink days={period} conditions={{ outcome: code }}>
          {toCount(requests, "job")}
          <span class="visually-hidden"> with the outcome {code}</span>
        </JobsLink>
        <span class="small muted">{toCount(credits, "credit")}</span>
      </div>
      <p class="small">
        {help?.meaning} {help?.advice}
      </p>
    </li>
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? "–" : toDuration(ms);
}
