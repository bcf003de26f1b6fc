import { Endpoint } from "../../../contract/common";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import type { ErrorCode } from "../../../model/errors";
import type { Outcome } from "../../../store/stats";
import { Card, Stat } from "../../ui/components";
import { ERROR_ADVICE } from "../../ui/error-advice";
import { toCount, toDuration, toPercent } from "../../ui/format";

const ERRORS_SHOWN = 5;

/** Statistics of ended jobs. */
interface OutcomeSummary {
  ended: number;
  completed: number;
  /** The median duration of completed jobs in milliseconds; null if there are none. */
  p50: number | null;
  p95: number | null;
}

/** An error code with its number of jobs. */
interface ErrorCount {
  code: ErrorCode;
  count: number;
  /** The endpoint, or null if several had this error. */
  endpoint: Endpoint | null;
  /** The latest job with this error. */
  jobId: string;
}

/** Summarizes ended jobs. */
export function toOutcomeSummary(outcomes: readonly Outcome[]): OutcomeSummary {
  const completed = outcomes.filter(({ errorCode }) => errorCode === null);
  const times = completed.flatMap(({ processingTimeMs: ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
  return {
    ended: outcomes.length,
    completed: completed.length,
    p50: toPercentile(times, 0.5),
    p95: toPercentile(times, 0.95),
  };
}

/** Summarizes ended jobs by endpoint. Endpoints without jobs are left out. */
function toSummaries(outcomes: readonly Outcome[]): [Endpoint, OutcomeSummary][] {
  return Endpoint.options
    .map((endpoint): [Endpoint, OutcomeSummary] => [
      endpoint,
      toOutcomeSummary(outcomes.filter((outcome) => outcome.endpoint === endpoint)),
    ])
    .filter(([, { ended }]) => ended > 0);
}

/** Counts the jobs by error code, the most frequent first. `outcomes` must be sorted with the newest first. */
export function countErrors(outcomes: readonly Outcome[], limit: number): ErrorCount[] {
  const byCode = new Map<ErrorCode, ErrorCount>();
  for (const { id, endpoint, errorCode } of outcomes) {
    if (errorCode === null) continue;
    const failure = byCode.get(errorCode) ?? { code: errorCode, count: 0, endpoint, jobId: id };
    failure.count++;
    if (failure.endpoint !== endpoint) failure.endpoint = null;
    byCode.set(errorCode, failure);
  }
  return [...byCode.values()].sort((a, b) => b.count - a.count || a.code.localeCompare(b.code)).slice(0, limit);
}

/** Returns the nearest-rank percentile, which is always a measured value. */
function toPercentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}

interface OutcomesCardProps {
  outcomes: Outcome[];
  /** The most jobs that were read. */
  limit: number;
  days: number;
}

/** The success rate and the durations of the latest jobs. */
export function OutcomesCard({ outcomes, limit, days }: OutcomesCardProps) {
  const all = toOutcomeSummary(outcomes);
  const which =
    outcomes.length < limit
      ? `Based on ${toCount(outcomes.length, "job")} of the last ${days} days.`
      : `Based on the latest ${limit.toLocaleString("en")} jobs.`;
  return (
    <Card title="Success and duration">
      <dl class="stats">
        <Stat label="Success rate" value={toPercent(all.completed, all.ended)} />
        <Stat label="Median" value={formatTime(all.p50)} note="p50" />
        <Stat label="95th percentile" value={formatTime(all.p95)} note="p95" />
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
                <th scope="row">{ENDPOINTS[endpoint].label}</th>
                <SummaryCells {...summary} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="small muted">{which} Durations are those of completed jobs.</p>
    </Card>
  );
}

function SummaryCells({ ended, completed, p50, p95 }: OutcomeSummary) {
  return (
    <>
      <td class="number">{ended.toLocaleString("en")}</td>
      <td class="number">{toPercent(completed, ended)}</td>
      <td class="number">{formatTime(p50)}</td>
      <td class="number">{formatTime(p95)}</td>
    </>
  );
}

/** The most frequent errors of the same jobs, with advice. */
export function ErrorsCard({ outcomes }: { outcomes: Outcome[] }) {
  const errors = countErrors(outcomes, ERRORS_SHOWN);
  return (
    <Card title="Errors">
      {errors.length === 0 ? (
        <p class="muted">None of these jobs failed. A failed job costs no credits.</p>
      ) : (
        <ul class="failures">
          {errors.map((error) => (
            <ErrorLine {...error} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ErrorLine({ code, count, endpoint, jobId }: ErrorCount) {
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

function formatTime(ms: number | null): string {
  return ms === null ? "–" : toDuration(ms);
}
