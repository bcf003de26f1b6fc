import type { Overview } from "../../../account/overview";
import type { UsageReport } from "../../../account/usage";
import type { UsageTotal } from "../../../account/usage-totals";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { Card, Stat } from "../../ui/components";
import { ERROR_ADVICE } from "../../ui/error-advice";
import { toCount, toDuration, toPercent } from "../../ui/format";

/** The success rate and the durations of the jobs of the last days. */
export function OutcomesCard({ usage, days }: { usage: UsageReport; days: number }) {
  const { total, endpoints } = usage;
  return (
    <Card title="Success and duration">
      <dl class="stats">
        <Stat label="Success rate" value={toPercent(total.requests - total.failed, total.requests)} />
        <Stat label="Median" value={formatTime(total.p50)} note="p50" />
        <Stat label="95th percentile" value={formatTime(total.p95)} note="p95" />
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
        Based on {toCount(total.requests, "job")} of the last {days} days. Durations are those of completed jobs, within
        5 %.
      </p>
    </Card>
  );
}

function TotalCells({ requests, failed, p50, p95 }: UsageTotal) {
  return (
    <>
      <td class="number">{requests.toLocaleString("en")}</td>
      <td class="number">{toPercent(requests - failed, requests)}</td>
      <td class="number">{formatTime(p50)}</td>
      <td class="number">{formatTime(p95)}</td>
    </>
  );
}

/** The most frequent errors of the same jobs, with advice. */
export function ErrorsCard({ errors }: { errors: Overview["errors"] }) {
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

function ErrorLine({ code, requests, jobId }: Overview["errors"][number]) {
  return (
    <li>
      <div class="row">
        <code>{code}</code>
        <a href={`/dashboard/jobs?code=${code}`}>
          {toCount(requests, "time")}
          <span class="visually-hidden"> failed with {code}</span>
        </a>
        {jobId === null ? null : (
          <a class="small" href={`/dashboard/jobs/${jobId}`}>
            Latest job<span class="visually-hidden"> that failed with {code}</span>
          </a>
        )}
      </div>
      <p class="small">{ERROR_ADVICE[code]}</p>
    </li>
  );
}

function formatTime(ms: number | null): string {
  return ms === null ? "–" : toDuration(ms);
}
