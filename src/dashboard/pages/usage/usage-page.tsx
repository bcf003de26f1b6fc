import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { toUsageRange, type UsageRange, type UsageReport } from "../../../account/credits/usage";
import type { UsageTotal } from "../../../account/credits/usage-totals";
import { parseWith } from "../../../contract/invalid-request";
import { UsageQuery } from "../../../contract/usage";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { now, toIso } from "../../../lib/clock";
import { DAY_MS } from "../../../model/limits";
import { listKeyNames } from "../../../store/keys";
import { Card, EmptyState, LinkTabs, Stats, SubmitButton } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { type FormErrors, TextField, WithErrors } from "../../ui/form";
import { refuseForm } from "../../ui/form-data";
import { toKeyLabel, toPercent } from "../../ui/format";
import { toSuccessStats } from "../../ui/job-parts";
import { Figures } from "../../ui/table";
import { type Measure, MeasureSwitch, toChart, UsageChart } from "../../ui/usage-chart";
import { type JobConditions, JobsLink, type ReportedDays } from "../jobs/job-filter";

const DAYS = 30;
/** The tables show at most this many keys and outcomes. The API reports all of them. */
const MAX_ROWS = 50;

export const usagePages = new Hono<DashboardEnv>();

usagePages.get("/usage", async (c) => {
  const at = now();
  const measure: Measure = c.req.query("chart") === "credits" ? "credits" : "requests";
  const preset = toLastDays(DAYS, at);
  const given = { from: c.req.query("from") || preset.from, to: c.req.query("to") || preset.to };
  let range: UsageRange;
  try {
    range = toUsageRange(parseWith(UsageQuery, given), at);
  } catch (error) {
    return c.render(<RangeForm range={given} measure={measure} now={at} errors={refuseForm(c, error)} />, HEAD);
  }
  const { account, mode } = c.var;
  const report = await callAccount(c.env, account, (stub) => stub.usage({ mode, since: range.from, until: range.to }));
  return c.render(
    <>
      <RangeForm range={range} measure={measure} now={at} />
      {report.total.requests === 0 ? (
        <EmptyState title="No usage" text={`No ${mode} jobs ended in this range.`} />
      ) : (
        <>
          <ChartCard usage={report} range={range} measure={measure} />
          <Breakdowns
            usage={report}
            range={range}
            measure={measure}
            keys={await listKeyNames(c.env.DB, { accountId: account.id, mode })}
          />
        </>
      )}
    </>,
    HEAD,
  );
});

const HEAD = {
  title: "Usage",
  lead: "The jobs and credits of your account. A job counts for the day (UTC) on which it was created.",
  section: "usage",
} as const;

interface ReportProps {
  usage: UsageReport;
  range: UsageRange;
}

function ChartCard({ usage, range, measure }: ReportProps & { measure: Measure }) {
  const { total } = usage;
  const chart = toChart(usage.days, measure, range);
  return (
    <Card
      title={`${range.from} to ${range.to}`}
      actions={<MeasureSwitch measure={measure} toHref={(each) => toUsageHref(range, each)} />}
    >
      <Stats of={[["Jobs", total.requests], ["Credits", total.credits], ...toSuccessStats(usage)]} />
      <UsageChart {...chart} measure={measure} />
    </Card>
  );
}

interface BreakdownsProps extends ReportProps {
  measure: Measure;
  keys: Parameters<typeof toKeyLabel>[1];
}

/** The tables of usage. Keys and endpoints with the most jobs or credits come first. */
function Breakdowns({ usage, range, measure, keys }: BreakdownsProps) {
  const days = { ...range, archivedBefore: usage.archivedBefore };
  const compare = (a: UsageTotal, b: UsageTotal) => b[measure] - a[measure];
  const byKey = usage.keys
    .toSorted(compare)
    .slice(0, MAX_ROWS)
    .map(({ keyId, ...total }): BreakdownRow => {
      return { ...total, label: toKeyLabel(keyId, keys), conditions: { key_id: keyId } };
    });
  const byEndpoint = usage.endpoints.toSorted(compare).map(({ endpoint, ...total }): BreakdownRow => {
    return { ...total, label: ENDPOINTS[endpoint].label, conditions: { endpoint } };
  });
  const byCode = usage.codes.slice(0, MAX_ROWS).map(({ code, ...total }): BreakdownRow => {
    return { ...total, label: code, conditions: total.failed > 0 ? { code } : { outcome: code } };
  });
  return (
    <>
      <BreakdownCard title="Usage by key" by="Key" rows={byKey} days={days} />
      <div class="grid two even">
        <BreakdownCard title="Usage by endpoint" by="Endpoint" rows={byEndpoint} days={days} />
        <BreakdownCard title="Usage by outcome" by="Outcome or error code" rows={byCode} days={days} />
      </div>
    </>
  );
}

/** One row of a table: the usage of a key, an endpoint or an outcome. */
interface BreakdownRow extends UsageTotal {
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
function BreakdownCard({ title, by, rows, days }: BreakdownProps) {
  return (
    <Card title={title}>
      <Figures
        label={title}
        rows={rows}
        columns={[
          { label: by, cell: ({ label }) => label },
          {
            label: "Completed",
            cell: (row) => <JobsCell {...row} days={days} status="completed" jobs={row.requests - row.failed} />,
          },
          { label: "Failed", cell: (row) => <JobsCell {...row} days={days} status="failed" jobs={row.failed} /> },
          { label: "Credits", cell: ({ credits }) => credits },
          { label: "Success rate", cell: ({ requests, failed }) => toPercent(requests - failed, requests) },
        ]}
      />
    </Card>
  );
}

interface JobsCellProps extends Pick<BreakdownRow, "label" | "conditions"> {
  days: ReportedDays;
  status: "completed" | "failed";
  jobs: number;
}

function JobsCell({ label, conditions, days, status, jobs }: JobsCellProps) {
  if (jobs === 0) return "0";
  return (
    <JobsLink days={days} conditions={{ ...conditions, status }}>
      {jobs.toLocaleString("en")}
      <span class="visually-hidden">
        {" "}
        {status}: {label}
      </span>
    </JobsLink>
  );
}

/** The ranges that end today, in days. */
const PRESETS = [7, 30, 90, 365] as const;

interface RangeFormProps {
  /** The values of the form. They can be invalid. */
  range: UsageRange;
  measure: Measure;
  now: number;
  errors?: FormErrors | undefined;
}

/** Returns the range of the last `days` days, including today. */
function toLastDays(days: number, now: number): UsageRange {
  return { from: toIso(now - (days - 1) * DAY_MS).slice(0, 10), to: toIso(now).slice(0, 10) };
}

/** Returns the URL of the page. */
function toUsageHref(range: UsageRange, measure: Measure): string {
  return `/dashboard/usage?${new URLSearchParams({ ...range, chart: measure })}`;
}

function RangeForm({ range, measure, now, errors }: RangeFormProps) {
  const presets = PRESETS.map((days) => {
    const href = toUsageHref(toLastDays(days, now), measure);
    return [href, href, `${days} days`] as const;
  });
  return (
    <form method="get" action="/dashboard/usage" class="card fields">
      <WithErrors errors={errors}>
        <LinkTabs label="Range" current={toUsageHref(range, measure)} links={presets} />
        <div class="range">
          <TextField name="from" label="From" type="date" value={range.from} />
          <TextField name="to" label="To" type="date" value={range.to} />
          <input type="hidden" name="chart" value={measure} />
          <SubmitButton tone="plain" label="Show" />
        </div>
      </WithErrors>
    </form>
  );
}
