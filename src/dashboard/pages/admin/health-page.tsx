import { Hono } from "hono";
import { refreshSummaries } from "../../../directory/summaries";
import type { RequestFigures } from "../../../health/analytics";
import { PART_NAMES } from "../../../health/checks";
import { type HealthRange, type HealthReport, RANGES, readHealth } from "../../../health/report";
import { toShare } from "../../../health/verdict";
import { now } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { ERROR_CAUSES, type ErrorCause } from "../../../model/errors";
import { Card, DoneNotice, type Fact, Facts, LinkButton, LinkTabs, Stats, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { capitalize, toDuration } from "../../ui/format";
import { PostButton } from "../../ui/post-form";
import { Table } from "../../ui/table";
import { toAccountPath } from "./support-view";

const DONE = { refreshed: "The accounts are sending new figures. Reload this page in ten seconds." };

/** The health page of admins. `admin-pages.tsx` requires an admin. */
export const healthPages = new Hono<DashboardEnv>();

healthPages.get("/admin/health", async (c) => {
  const range = readRange(c.req.query("range"));
  const report = await readHealth(c.env, range, now());
  const page = (
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <Answer report={report} />
      <FiguresCard report={report} />
      <div class="grid two">
        <ServiceCard report={report} />
        <QueueCard report={report} />
      </div>
    </>
  );
  return await c.render(page, {
    title: "Health",
    lead: "The state of the service, and the jobs of all accounts.",
    section: "admin",
    actions: (
      <>
        <PostButton action="/dashboard/admin/health" label="Refresh" hidden={{ range }} small={false} />
        <LinkButton href="/dashboard/admin/incidents" tone="quiet" label="Incidents" />
      </>
    ),
  });
});

// Makes the accounts send their figures now. By default, the figures are up to 15 minutes old.
healthPages.post("/admin/health", async (c) => {
  const { range } = await c.req.parseBody();
  await refreshSummaries(c.env);
  return c.redirect(`/dashboard/admin/health?range=${readRange(range)}&done=refreshed`, 303);
});

function readRange(text: unknown): HealthRange {
  return RANGES.find((range) => range === text) ?? "hour";
}

const RESPONSES_SHOWN = 10;
const RANGE_LINKS = RANGES.map((range) => [range, `/dashboard/admin/health?range=${range}`, `Last ${range}`] as const);

const CAUSE_LABELS: Record<ErrorCause, string> = {
  service: "This service",
  outside: "Outside service",
  target: "Target site",
  customer: "Customer's request",
};

/** The answer to the question if this service or another party causes a problem. */
function Answer({ report }: { report: HealthReport }) {
  const { headline, findings, alerts, figures, countedAt } = report;
  const isUnreported = figures?.jobs === 0;
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
          {countedAt === null ? null : <LatestReport at={countedAt} />} Accounts report at most every 15 minutes. Choose
          Refresh to ask them for their figures now.
        </p>
      ) : null}
      {alerts === null ? <p>The alerts can't be read.</p> : null}
      {alerts === null || alerts.length === 0 ? null : (
        <p>
          Alerts since{" "}
          {alerts.map(({ text, since }, i) => (
            <>
              {i === 0 ? "" : "; "}
              <Time at={since} />: {text}
            </>
          ))}
        </p>
      )}
    </section>
  );
}

function FiguresCard({ report }: { report: HealthReport }) {
  const { figures, requests, range, since, countedAt } = report;
  return (
    <Card title="Jobs" actions={<LinkTabs label="Time range" current={range} links={RANGE_LINKS} />}>
      {figures === null ? (
        <p>The figures can't be read. Check the database, and read the logs.</p>
      ) : (
        <>
          <Stats
            of={[
              requests === null ? null : ["Requests", requests.requests],
              ["Ended jobs", figures.jobs],
              ["Failed", toShare(figures.failed, figures.jobs)],
              ["Failed because of this service", toShare(figures.causes.service, figures.jobs)],
              ["Abandoned deliveries", figures.abandoned],
            ]}
          />
          <EndpointTable endpoints={figures.endpoints} />
          <CodeTable figures={figures} />
        </>
      )}
      {requests === null ? null : <ResponseTable {...requests} />}
      <p class="small muted">
        Live jobs since <Time at={since} />. Accounts report every 15 minutes, and within a minute if a job failed
        because of this service. {countedAt === null ? "No account has reported yet." : <LatestReport at={countedAt} />}
        {requests === null ? " Requests that were refused before a job was created are only in the logs." : null}
      </p>
    </Card>
  );
}

function LatestReport({ at }: { at: number }) {
  return (
    <>
      The latest report is from <Time at={at} />.
    </>
  );
}

type Figures = NonNullable<HealthReport["figures"]>;

function EndpointTable({ endpoints }: Pick<Figures, "endpoints">) {
  return (
    <Table
      caption="Jobs by endpoint"
      rows={endpoints}
      columns={[
        { label: "Endpoint", cell: ({ endpoint }) => endpoint },
        { label: "Jobs", class: "number", cell: ({ jobs }) => jobs },
        { label: "Failed", class: "number", cell: ({ failed, jobs }) => toShare(failed, jobs) },
        { label: "Median", class: "number", cell: ({ p50 }) => (p50 === null ? "–" : toDuration(p50)) },
        { label: "95th percentile", class: "number", cell: ({ p95 }) => (p95 === null ? "–" : toDuration(p95)) },
      ]}
    />
  );
}

/** The failed jobs by cause and error code. */
function CodeTable({ figures }: { figures: Figures }) {
  return (
    <Table
      caption="Failed jobs by cause and error code"
      rows={ERROR_CAUSES.flatMap((cause) => figures.codes.filter((of) => of.cause === cause))}
      columns={[
        { label: "Cause", cell: ({ cause }) => (cause === null ? "" : CAUSE_LABELS[cause]) },
        {
          label: "Error code",
          cell: ({ code }) => (
            <a href={`/docs/errors#${code}`}>
              <code>{code}</code>
            </a>
          ),
        },
        { label: "Endpoints", cell: ({ endpoints }) => endpoints.join(", ") },
        { label: "Jobs", class: "number", cell: ({ jobs }) => jobs },
        { label: "Share", class: "number", cell: ({ jobs }) => toShare(jobs, figures.jobs) },
      ]}
    />
  );
}

/** The most frequent responses with an error. */
function ResponseTable({ requests: all, errors }: RequestFigures) {
  return (
    <Table
      caption="Responses with an error"
      rows={errors.slice(0, RESPONSES_SHOWN)}
      columns={[
        {
          label: "Response",
          cell: ({ status, code }) => (
            <>
              {status} <code>{code}</code>
            </>
          ),
        },
        { label: "Requests", class: "number", cell: ({ requests }) => requests },
        { label: "Share", class: "number", cell: ({ requests }) => toShare(requests, all) },
      ]}
    />
  );
}

/** The checks of the parts, the render slots and the search engines. */
function ServiceCard({ report: { checks, slots, engines } }: { report: HealthReport }) {
  return (
    <Card title="Parts">
      <Facts
        of={[
          ...checks.parts.map(
            ({ part, result, ms }): Fact => [
              capitalize(PART_NAMES[part]),
              <>
                <span class={`status ${result === "ok" ? "good" : "bad"}`}>{result}</span>{" "}
                <span class="muted">{toDuration(ms)}</span>
              </>,
            ],
          ),
          [
            "Render slots",
            slots === null
              ? "unknown"
              : `${slots.inUse} of ${slots.size} in use, ${toCount(slots.waiting, "render waits", "renders wait")}`,
          ],
          ...(engines?.map((engine): Fact => [engine.label, <EngineStatus engine={engine} />]) ?? [
            ["Search engines", "unknown"] as const,
          ]),
        ]}
      />
    </Card>
  );
}

type Engine = NonNullable<HealthReport["engines"]>[number];

function EngineStatus({ engine: { lastOutcome, lastAt, isFailing } }: { engine: Engine }) {
  if (lastOutcome === null || lastAt === null) return "not checked in the last day";
  return (
    <>
      <span class={`status ${lastOutcome === "results" ? "good" : isFailing ? "bad" : "warn"}`}>{lastOutcome}</span>{" "}
      <span class="muted">
        <Time at={lastAt} />
      </span>
    </>
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
      <Table
        caption="Waiting jobs by account"
        rows={queues ?? []}
        columns={[
          { label: "Account", cell: ({ accountId, name }) => <a href={toAccountPath(accountId)}>{name}</a> },
          { label: "Queued", class: "number", cell: ({ queued }) => queued },
          { label: "Own limit", class: "number", cell: ({ waiting }) => waiting },
          { label: "No browser", class: "number", cell: ({ browserWaits }) => browserWaits },
        ]}
      />
      {affected === null || affected.length === 0 ? null : (
        <>
          <p>Accounts with jobs that failed in the last hour because of this service or an outside service:</p>
          <ul class="rows">
            {affected.map(({ accountId, failed }) => (
              <li>
                <a href={toAccountPath(accountId)}>
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
