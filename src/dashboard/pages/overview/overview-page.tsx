import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import type { UsageReport } from "../../../account/credits/usage";
import type { JobLine } from "../../../account/jobs/job-lines";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { now, toIso } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { toOrigin } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import { ERROR_HINTS } from "../../../model/error-hints";
import type { ErrorCode } from "../../../model/errors";
import { DAY_MS } from "../../../model/limits";
import { countActiveKeys } from "../../../store/keys";
import { toApiCommand } from "../../ui/api-command";
import { Card, CodeBlock, DoneNotice, EmptyState, LinkButton, Stats, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { toDuration, toPercent } from "../../ui/format";
import { helpOf, LatestJob, OutcomeBadge, toSuccessStats } from "../../ui/job-parts";
import { VerifyNotice } from "../../ui/layout";
import { Permitted } from "../../ui/post-form";
import { Figures } from "../../ui/table";
import { type ChartDay, type Measure, MeasureSwitch, toChartDays, UsageChart } from "../../ui/usage-chart";
import { JobsLink, type ReportedDays } from "../jobs/job-filter";

const DAYS = 30;
const LATEST_JOBS = 5;
const PROBLEMS_SHOWN = 8;

export const overview = new Hono<DashboardEnv>();

overview.get("/", async (c) => {
  const { account, mode, user } = c.var;
  const done = c.req.query("done");
  const at = now();
  const measure: Measure = c.req.query("chart") === "credits" ? "credits" : "requests";
  // The first day of the chart.
  const since = toIso(at - (DAYS - 1) * DAY_MS).slice(0, 10);
  const query = { mode, since, latest: LATEST_JOBS };
  const overview = await callAccount(c.env, account, (stub) => stub.overview(query));
  const { usage, latest, hasJob, hasCalled } = overview;
  const period = { from: since, to: toIso(at).slice(0, 10), archivedBefore: usage.archivedBefore };
  const hasKey = hasCalled || (await countActiveKeys(c.env.DB, account.id, at)) > 0;
  return c.render(
    <>
      <DoneNotice word={done === "verified" && user?.emailVerified !== true ? undefined : done} texts={DONE} />
      <VerifyNotice />
      <FirstStepsCard progress={{ hasKey, hasJob, hasCalled }} mode={mode} origin={toOrigin(c.env, c.req.url)} />
      <BalanceCard usage={usage} now={at} />
      <UsageCard days={toChartDays(usage.days, measure, DAYS, at)} measure={measure} mode={mode} />
      {usage.total.requests === 0 ? null : (
        <div class="grid two even">
          <OutcomesCard usage={usage} />
          <ProblemsCard codes={usage.codes} period={period} />
        </div>
      )}
      <LatestJobsCard jobs={latest} />
    </>,
    { title: "Overview", section: "overview" },
  );
});

function UsageCard({ days, measure, mode }: { days: ChartDay[]; measure: Measure; mode: "live" | "test" }) {
  const isEmpty = days.every(({ total }) => total === 0);
  return (
    <Card
      title={`Last ${DAYS} days`}
      actions={
        <>
          <MeasureSwitch measure={measure} toHref={(each) => `/dashboard?chart=${each}`} />
          <a href="/dashboard/usage">All usage</a>
        </>
      }
    >
      {isEmpty ? <p class="muted">{toEmptyText(measure, mode)}</p> : <UsageChart days={days} measure={measure} />}
    </Card>
  );
}

function toEmptyText(measure: Measure, mode: "live" | "test"): string {
  if (mode === "test" && measure === "credits") return "Test requests are free.";
  return measure === "credits"
    ? `You used no credits in the last ${DAYS} days.`
    : `You sent no ${mode} requests in the last ${DAYS} days.`;
}

const DONE: Record<string, string> = {
  welcome: "Welcome! Your account is on the free plan and has its first credits.",
  verified: "Your email address is verified.",
};

export function BalanceCard({ usage, now }: { usage: UsageReport; now: number }) {
  const { balance, reserved, period } = usage;
  const { granted, added, used, end } = period;
  const total = granted + added;
  // Reading the usage grants the credits that are due and starts a new period. `end` is in the past only if the grant
  // is held because the email address isn't verified.
  const isHeld = end <= now;
  return (
    <Card>
      <Stats
        of={[
          ["Balance", balance, "credits"],
          ["Reserved", reserved, "by unfinished jobs"],
          ["Used in this period", used, total > 0 ? toTotalNote(granted, added) : "credits"],
          isHeld
            ? ["Next renewal", "On hold", "until you verify your email address"]
            : ["Next renewal", <Time at={end} />, "unused credits expire"],
        ]}
      />
      {total > 0 ? (
        <progress class="share" max={total} value={Math.min(used, total)} aria-label="Credits used in this period" />
      ) : null}
      {balance === 0 && !isHeld ? (
        <p class="small">
          You have no credits left. Requests with live keys are refused until the next renewal. Test keys still work.{" "}
          <a href="/dashboard/plan">Compare plans</a>
        </p>
      ) : null}
    </Card>
  );
}

/** Returns the note under the used credits: the credits of this period. */
function toTotalNote(granted: number, added: number): string {
  const total = (granted + added).toLocaleString("en");
  if (added === 0) return `of ${total} granted`;
  return `of ${total} (${granted.toLocaleString("en")} granted, ${added.toLocaleString("en")} added)`;
}

interface FirstStepsCardProps {
  /** The steps that the user has completed, in either mode. */
  progress: {
    hasKey: boolean;
    hasJob: boolean;
    /** True if a job was created with an API key. */
    hasCalled: boolean;
  };
  mode: Mode;
  origin: string;
}

/** The next steps of a new user. Empty after the first job of an API key. */
export function FirstStepsCard({ progress, mode, origin }: FirstStepsCardProps) {
  if (progress.hasCalled) return null;
  return (
    <Card title="First steps">
      <ol class="steps">
        {progress.hasJob ? null : (
          <li>
            <h3>Scrape a page in the playground</h3>
            <p>Try a request without an API key or code.</p>
            <p>
              <LinkButton href="/dashboard/playground" tone="primary" label="Open playground" />
            </p>
          </li>
        )}
        {progress.hasKey ? null : (
          <li>
            <h3>Create an API key</h3>
            <Permitted action="/dashboard/keys/new" otherwise={<p>Ask a member of the account for a key.</p>}>
              <p>The key is shown only once. Store it where your program can read it.</p>
              <p>
                <LinkButton
                  href="/dashboard/keys/new"
                  tone={progress.hasJob ? "primary" : "plain"}
                  label="Create key"
                />
              </p>
            </Permitted>
          </li>
        )}
        <li>
          <h3>Call the API</h3>
          <p>
            Replace <code>sk_{mode}_…</code> with your API key and run this command in a terminal.
          </p>
          <CodeBlock id="first-call" label="First request with curl">
            {toApiCommand({
              url: `${origin}/v1/scrape?wait=true`,
              key: `sk_${mode}_…`,
              body: { url: "https://example.com/" },
            })}
          </CodeBlock>
        </li>
      </ol>
    </Card>
  );
}

export function LatestJobsCard({ jobs }: { jobs: JobLine[] }) {
  if (jobs.length === 0) {
    const link = ["/dashboard/playground", "Open playground"] as const;
    return <EmptyState title="No jobs yet" text="Run your first job in the playground." link={link} />;
  }
  return (
    <Card title="Latest jobs" actions={<a href="/dashboard/jobs">Show all jobs</a>}>
      <ul class="latest">
        {jobs.map((job) => (
          <LatestJob job={job} href={`/dashboard/jobs/${job.id}`}>
            {" "}
            <OutcomeBadge outcome={job.outcome} />
          </LatestJob>
        ))}
      </ul>
    </Card>
  );
}

/** The success rate and the durations of the jobs. */
function OutcomesCard({ usage }: { usage: UsageReport }) {
  const { total, endpoints } = usage;
  return (
    <Card title="Success and duration">
      <Stats
        of={[
          ...toSuccessStats(usage),
          ["Median duration", formatTime(total.p50), "p50"],
          ["95th percentile", formatTime(total.p95), "p95"],
        ]}
      />
      <Figures
        label="Success rate and duration by endpoint"
        rows={endpoints}
        columns={[
          { label: "Endpoint", cell: ({ endpoint }) => ENDPOINTS[endpoint].label },
          { label: "Jobs", cell: ({ requests }) => requests },
          { label: "Success rate", cell: ({ requests, failed }) => toPercent(requests - failed, requests) },
          { label: "Median", cell: ({ p50 }) => formatTime(p50) },
          { label: "95th percentile", cell: ({ p95 }) => formatTime(p95) },
        ]}
      />
      <p class="small muted">
        These figures include {toCount(total.requests, "job")} that ended in the last {DAYS} days. Durations include
        only completed jobs and are accurate to within 5%.
      </p>
    </Card>
  );
}

interface ProblemsProps {
  codes: UsageReport["codes"];
  /** The days of the figures. */
  period: ReportedDays;
}

/** The most frequent errors, and outcomes of pages without content, with advice. */
function ProblemsCard({ codes, period }: ProblemsProps) {
  const problems = codes.filter(({ code }) => code !== "ok").slice(0, PROBLEMS_SHOWN);
  return (
    <Card title="Errors and pages without content">
      {problems.length === 0 ? (
        <p class="muted">No jobs failed in the last {DAYS} days. Failed jobs are free.</p>
      ) : (
        <ul class="failures">
          {problems.map(({ code, requests, failed, credits }) => (
            <li>
              <div class="row">
                <code>{code}</code>
                <JobsLink days={period} conditions={failed > 0 ? { code } : { outcome: code }}>
                  {toCount(requests, "job")}
                  <span class="visually-hidden"> with {code}</span>
                </JobsLink>
                <span class="small muted">{failed > 0 ? "failed" : toCount(credits, "credit")}</span>
              </div>
              <p class="small">{toHelp(code)}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Returns the advice about an error code or an outcome. */
function toHelp(code: string): string {
  if (Object.hasOwn(ERROR_HINTS, code)) return ERROR_HINTS[code as ErrorCode];
  return `${helpOf(code)?.meaning ?? ""} ${helpOf(code)?.advice ?? ""}`;
}

function formatTime(ms: number | null): string {
  return ms === null ? "–" : toDuration(ms);
}
