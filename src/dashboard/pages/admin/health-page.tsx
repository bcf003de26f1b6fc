import { Hono } from "hono";
import { refreshSummaries } from "../../../directory/summaries";
import type { RequestFigures } from "../../../health/analytics";
import type { CheckedPart } from "../../../health/checks";
import { type HealthRange, type HealthReport, RANGES, readHealth } from "../../../health/report";
import { toShare } from "../../../health/verdict";
import { now } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { ERROR_CAUSES, type ErrorCause } from "../../../model/errors";
import { Card, DoneNotice, PostButton, RelativeTime, Stat, TableCell, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { toDuration } from "../../ui/format";

/** The health page of admins. `admin-pages.tsx` requires an admin. */
export const healthPages = new Hono<DashboardEnv>();

healthPages.get("/admin/health", async (c) => {
  const range = toRange(c.req.query("range"));
  const report = await readHealth(c.env, range, now());
  return await c.render(<HealthPage report={report} refreshed={c.req.query("done") === "refreshed"} />, {
    title: "Health",
    lead: "The state of the service, and the jobs of all accounts.",
    section: "admin",
    actions: (
      <>
        <PostButton action="/dashboard/admin/health" label="Refresh" fields={{ range }} small={false} />
        <a class="button quiet" href="/dashboard/admin/incidents">
          Incidents
        </a>
      </>
    ),
  });
});

// Makes the accounts send their figures now. By default, the figures are up to 15 minutes old.
healthPages.post("/admin/health", async (c) => {
  const { range } = await c.req.parseBody();
  await refreshSummaries(c.env);
  return c.redirect(`/dashboard/admin/health?range=${toRange(range)}&done=refreshed`, 303);
});

function toRange(text: unknown): HealthRange {
  return RANGES.find((range) => range === text) ?? "hour";
}

const RESPONSES_SHOWN = 10;
const RANGE_LABELS: Record<HealthRange, string> = { hour: "Last hour", day: "Last day", week: "Last week" };

const CAUSE_LABELS: Record<ErrorCause, string> = {
  service: "This service",
  outside: "Outside service",
  target: "Target site",
  customer: "Customer's request",
};

/** The page that shows whether this service or another party causes a problem, with the figures. */
function HealthPage({ report, refreshed }: { report: HealthReport; refreshed: boolean }) {
  return (
    <>
      <DoneNotice
        word={refreshed ? "refreshed" : undefined}
        texts={{ refreshed: "The accounts are sending new figures. Reload this page in ten seconds." }}
      />
      <Answer report={report} />
      <FiguresCard report={report} />
      <div class="grid two">
        <ServiceCard report={report} />
        <QueueCard report={report} />
      </div>
    </>
  );
}

function Answer({ report }: { report: HealthReport }) {
  const { headline, findings, alerts, figures, source, countedAt, at } = report;
  const isUnreported = figures?.jobs === 0 && source === "summaries";
  const isWarning = findings.length > 0 || figures === null || (isUnreported && countedAt === null);
  const tone = findings[0]?.cause === "service" ? " bad" : isWarning ? " warn" : "";
  return (
    <section class={`notice failure${tone}`} aria-labelledby="answer">
      <h2 id="answer">{headline}</h2>
      {findings.length === 0 ? null : (
        <ul>
          {findings.map(({ text }) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
      {isUnreported ? (
        <p>
          {countedAt === null ? null : <LatestReport at={countedAt} now={at} />} Accounts report at most every 15
          minutes. Choose Refresh to ask them for their figures now.
        </p>
      ) : null}
      {alerts === null ? <p>The alerts can't be read.</p> : null}
      {alerts === null || alerts.length === 0 ? null : (
        <p>
          Alerts since{" "}
          {alerts.map(({ text, since }, i) => (
            <>
              {i === 0 ? "" : "; "}
              <RelativeTime at={since} now={at} />: {text}
            </>
          ))}
        </p>
      )}
    </section>
  );
}

function FiguresCard({ report }: { report: HealthReport }) {
  const { figures, requests, range, since, countedAt, source, at } = report;
  return (
    <Card title="Jobs" actions={<RangeLinks current={range} />}>
      {figures === null ? (
        <p>The figures can't be read. Check the database, and read the logs.</p>
      ) : (
        <>
          <dl class="stats">
            {requests === null ? null : <Stat label="Requests" value={requests.requests.toLocaleString("en")} />}
            <Stat label="Ended jobs" value={figures.jobs.toLocaleString("en")} />
            <Stat label="Failed" value={toShare(figures.failed, figures.jobs)} />
            <Stat label="Failed because of this service" value={toShare(figures.causes.service, figures.jobs)} />
            <Stat
              label="Abandoned deliveries"
              value={figures.abandoned === null ? "–" : figures.abandoned.toLocaleString("en")}
            />
          </dl>
          {figures.jobs === 0 ? null : <EndpointTable report={report} />}
          {figures.codes.length === 0 ? null : <CodeTable report={report} />}
          {requests === null || requests.errors.length === 0 ? null : <ResponseTable {...requests} />}
        </>
      )}
      <p class="small muted">
        Live jobs since <Time at={since} />.{" "}
        {source === "analytics" ? (
          "Analytics Engine includes them after a few minutes."
        ) : (
          <>
            Accounts report every 15 minutes, and within a minute if a job failed because of this service.{" "}
            {countedAt === null ? "No account has reported yet." : <LatestReport at={countedAt} now={at} />}
          </>
        )}
        {requests === null ? " Requests that were refused before a job was created are only in the logs." : null}
      </p>
    </Card>
  );
}

function LatestReport(times: { at: number; now: number }) {
  return (
    <>
      The latest report is from <RelativeTime {...times} />.
    </>
  );
}

function RangeLinks({ current }: { current: HealthRange }) {
  return (
    <nav class="row" aria-label="Time range">
      {RANGES.map((range) => (
        <a
          class="button quiet small"
          href={`/dashboard/admin/health?range=${range}`}
          aria-current={range === current ? "page" : undefined}
        >
          {RANGE_LABELS[range]}
        </a>
      ))}
    </nav>
  );
}

function EndpointTable({ report: { figures } }: { report: HealthReport }) {
  return (
    <div class="table-scroll">
      <table class="stacking">
        <caption class="visually-hidden">Jobs by endpoint</caption>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            {["Jobs", "Failed", "Median", "95th percentile"].map((label) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures?.endpoints.map(({ endpoint, jobs, failed, p50, p95 }) => (
            <tr>
              <TableCell of="Endpoint">{endpoint}</TableCell>
              <TableCell of="Jobs" class="number">
                {jobs.toLocaleString("en")}
              </TableCell>
              <TableCell of="Failed" class="number">
                {toShare(failed, jobs)}
              </TableCell>
              <TableCell of="Median" class="number">
                {p50 === null ? "–" : toDuration(p50)}
              </TableCell>
              <TableCell of="95th percentile" class="number">
                {p95 === null ? "–" : toDuration(p95)}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The failed jobs by cause and error code. */
function CodeTable({ report: { figures } }: { report: HealthReport }) {
  if (figures === null) return null;
  return (
    <div class="table-scroll">
      <table class="stacking">
        <caption class="visually-hidden">Failed jobs by cause and error code</caption>
        <thead>
          <tr>
            <th scope="col">Cause</th>
            <th scope="col">Error code</th>
            <th scope="col">Endpoints</th>
            <th scope="col" class="number">
              Jobs
            </th>
            <th scope="col" class="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {ERROR_CAUSES.flatMap((cause) => figures.codes.filter((of) => of.cause === cause)).map((of) => (
            <tr>
              <TableCell of="Cause">{of.cause === null ? "" : CAUSE_LABELS[of.cause]}</TableCell>
              <TableCell of="Error code">
                <a href={`/docs/errors#${of.code}`}>
                  <code>{of.code}</code>
                </a>
              </TableCell>
              <TableCell of="Endpoints">{of.endpoints.join(", ")}</TableCell>
              <TableCell of="Jobs" class="number">
                {of.jobs.toLocaleString("en")}
              </TableCell>
              <TableCell of="Share" class="number">
                {toShare(of.jobs, figures.jobs)}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The most frequent responses with an error. */
function ResponseTable({ requests, errors }: RequestFigures) {
  return (
    <div class="table-scroll">
      <table class="stacking">
        <caption class="visually-hidden">Responses with an error</caption>
        <thead>
          <tr>
            <th scope="col">Response</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, RESPONSES_SHOWN).map((of) => (
            <tr>
              <TableCell of="Response">
                {of.status} <code>{of.code}</code>
              </TableCell>
              <TableCell of="Requests" class="number">
                {of.requests.toLocaleString("en")}
              </TableCell>
              <TableCell of="Share" class="number">
                {toShare(of.requests, requests)}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const PART_LABELS: Record<CheckedPart, string> = {
  database: "Database (D1)",
  store: "Object store (R2)",
  durable_objects: "Durable Objects",
  queues: "Queues",
  browser: "Browser",
};

/** The checks of the parts, the render slots and the search engines. */
function ServiceCard({ report: { checks, slots, engines, at } }: { report: HealthReport }) {
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
function QueueCard({ report: { queues, queueAgeMs, affected } }: { report: HealthReport }) {
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
