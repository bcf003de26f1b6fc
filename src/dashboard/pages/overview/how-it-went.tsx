import type { Outcome } from "../../../store/stats";
import { Card, Stat } from "../../ui/components";
import { ERROR_ADVICE } from "../../ui/error-advice";
import { toCount, toDuration, toPercent } from "../../ui/format";
import { ENDPOINT_NAMES } from "./days";
import { type Failure, type Summary, toFailures, toSummaries, toSummary } from "./outcomes";

const FAILURES_SHOWN = 5;

interface HowItWentProps {
  outcomes: Outcome[];
  /** As many as were looked at, at most. */
  limit: number;
  days: number;
}

/** Success, and time taken, of the latest jobs. */
export function HowItWent({ outcomes, limit, days }: HowItWentProps) {
  const all = toSummary(outcomes);
  const which =
    outcomes.length < limit
      ? `Of ${toCount(outcomes.length, "job")} of the last ${days} days that ended.`
      : `Of the latest ${limit.toLocaleString("en")} jobs that ended.`;
  return (
    <Card title="How it went">
      <dl class="stats">
        <Stat label="Success" value={toPercent(all.completed, all.ended)} />
        <Stat label="Half take up to" value={toTime(all.p50)} note="p50" />
        <Stat label="Nearly all up to" value={toTime(all.p95)} note="p95" />
      </dl>
      <section class="table-scroll" aria-label="By endpoint" tabindex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col" class="number">
                Ended
              </th>
              <th scope="col" class="number">
                Success
              </th>
              <th scope="col" class="number">
                p50
              </th>
              <th scope="col" class="number">
                p95
              </th>
            </tr>
          </thead>
          <tbody>
            {toSummaries(outcomes).map(([endpoint, summary]) => (
              <tr>
                <th scope="row">{ENDPOINT_NAMES[endpoint]}</th>
                <SummaryCells {...summary} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="small muted">{which} Times are those of completed jobs.</p>
    </Card>
  );
}

function SummaryCells({ ended, completed, p50, p95 }: Summary) {
  return (
    <>
      <td class="number">{ended.toLocaleString("en")}</td>
      <td class="number">{toPercent(completed, ended)}</td>
      <td class="number">{toTime(p50)}</td>
      <td class="number">{toTime(p95)}</td>
    </>
  );
}

/** What went wrong most often among the same jobs, and what to do about it. */
export function Failures({ outcomes }: { outcomes: Outcome[] }) {
  const failures = toFailures(outcomes, FAILURES_SHOWN);
  return (
    <Card title="What failed">
      {failures.length === 0 ? (
        <p class="muted">Nothing among these jobs. A failed job costs no credits.</p>
      ) : (
        <ul class="failures">
          {failures.map((failure) => (
            <FailureLine {...failure} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FailureLine({ code, count, endpoint, jobId }: Failure) {
  const filter = endpoint === null ? "" : `&endpoint=${endpoint}`;
  return (
    <li>
      <div class="row">
        <code>{code}</code>
        <a href={`/dashboard/jobs?status=failed${filter}`}>
          {toCount(count, "time")}
          <span class="visually-hidden"> failed with {code}</span>
        </a>
        <a class="small" href={`/dashboard/jobs/${jobId}`}>
          Latest job<span class="visually-hidden"> that failed with {code}</span>
        </a>
      </div>
      <p class="small">{ERROR_ADVICE[code]}</p>
    </li>
  );
}

function toTime(ms: number | null): string {
  return ms === null ? "–" : toDuration(ms);
}
