import type { CheckedPart } from "../../../../health/checks";
import type { HealthReport } from "../../../../health/report";
import { toCount } from "../../../../lib/count";
import { Card, RelativeTime, TableCell } from "../../../ui/components";
import { toDuration } from "../../../ui/format";

const PART_LABELS: Record<CheckedPart, string> = {
  database: "Database (D1)",
  store: "Object store (R2)",
  durable_objects: "Durable Objects",
  queues: "Queues",
  browser: "Browser",
};

/** The checks of the parts, the render slots and the search engines. */
export function ServiceCard({ report: { checks, slots, engines, at } }: { report: HealthReport }) {
  return (
    <Card title="Parts">
      <dl class="facts">
        {checks.parts.map(({ part, result, ms }) => (
          <>
            <dt>{PART_LABELS[part]}</dt>
            <dd>
              <span class={`status ${result === "ok" ? "good" : "bad"}`}>{result}</span>{" "}
              <span class="muted">{toDuration(ms)}</span>
            </dd>
          </>
        ))}
        <dt>Render slots</dt>
        <dd>
          {slots === null
            ? "unknown"
            : `${slots.inUse} of ${slots.size} in use, ${toCount(slots.waiting, "render waits", "renders wait")}`}
        </dd>
        {engines?.map(({ label, lastOutcome, lastAt, isFailing }) => (
          <>
            <dt>{label}</dt>
            <dd>
              {lastOutcome === null || lastAt === null ? (
                "not checked in the last day"
              ) : (
                <>
                  <span class={`status ${lastOutcome === "results" ? "good" : isFailing ? "bad" : "warn"}`}>
                    {lastOutcome}
                  </span>{" "}
                  <span class="muted">
                    <RelativeTime at={lastAt} now={at} />
                  </span>
                </>
              )}
            </dd>
          </>
        ))}
        {engines === null ? (
          <>
            <dt>Search engines</dt>
            <dd>unknown</dd>
          </>
        ) : null}
      </dl>
    </Card>
  );
}

/** The waiting jobs by account, and the accounts with failed jobs. */
export function QueueCard({ report: { queues, queueAgeMs, affected } }: { report: HealthReport }) {
  return (
    <Card title="Accounts">
      <p>
        {queues === null
          ? "The waiting jobs can't be read."
          : queueAgeMs === null
            ? "No job waits in the service's queue."
            : `The oldest job has waited in the service's queue for ${toDuration(queueAgeMs)}.`}
      </p>
      {queues === null || queues.length === 0 ? null : (
        <table class="stacking">
          <caption class="visually-hidden">Waiting jobs by account</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="number">
                Queued
              </th>
              <th scope="col" class="number">
                Own limit
              </th>
              <th scope="col" class="number">
                No browser
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ accountId, name, queued, waiting, browserWaits }) => (
              <tr>
                <TableCell of="Account">
                  <a href={toAccountPage(accountId)}>{name}</a>
                </TableCell>
                <TableCell of="Queued" class="number">
                  {queued.toLocaleString("en")}
                </TableCell>
                <TableCell of="Own limit" class="number">
                  {waiting.toLocaleString("en")}
                </TableCell>
                <TableCell of="No browser" class="number">
                  {browserWaits.toLocaleString("en")}
                </TableCell>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {affected === null || affected.length === 0 ? null : (
        <>
          <p>Accounts with jobs that failed in the last hour because of this service or an outside service:</p>
          <ul class="rows">
            {affected.map(({ accountId, failed }) => (
              <li>
                <a href={toAccountPage(accountId)}>
                  <code>{accountId}</code>
                </a>
                : {toCount(failed, "job")}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function toAccountPage(id: string): string {
  return `/dashboard/admin/accounts/${encodeURIComponent(id)}`;
}
