import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { DAY_MS } from "../../../model/limits";
import { countActiveKeys } from "../../../store/keys";
import { Card, DoneNotice, VerifyNotice } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { MeasureSwitch, UsageChart, UsageTable } from "../../ui/usage-chart";
import { type ChartDay, type Measure, toChartDays } from "../../ui/usage-series";
import { BalanceCard, ErrorsCard, FirstStepsCard, LatestJobsCard, OutcomesCard, PagesCard } from "./overview-cards";

const DAYS = 30;
const LATEST_JOBS = 5;
const ERRORS_SHOWN = 5;

export const overview = new Hono<DashboardEnv>();

overview.get("/", async (c) => {
  const { account, mode, user } = c.var;
  const done = c.req.query("done");
  const at = now();
  const measure: Measure = c.req.query("chart") === "credits" ? "credits" : "requests";
  // The first day of the chart.
  const since = toIso(at - (DAYS - 1) * DAY_MS).slice(0, 10);
  const query = { mode, since, latest: LATEST_JOBS, errors: ERRORS_SHOWN };
  const overview = await callAccount(c.env, account, (stub) => stub.overview(query));
  const { usage, errors, latest, hasJob, hasCalled } = overview;
  const period = { from: since, to: toIso(at).slice(0, 10), days: DAYS, archivedBefore: usage.archivedBefore };
  const hasKey = hasCalled || (await countActiveKeys(c.env.DB, account.id, at)) > 0;
  return c.render(
    <>
      <DoneNotice word={done === "verified" && user?.emailVerified !== true ? undefined : done} texts={DONE} />
      <VerifyNotice env={c.env} user={user} />
      <FirstStepsCard progress={{ hasKey, hasJob, hasCalled }} mode={mode} origin={toOrigin(c.env, c.req.url)} />
      <BalanceCard usage={usage} now={at} />
      <UsageCard days={toChartDays(usage.days, measure, DAYS, at)} measure={measure} mode={mode} />
      {usage.total.requests === 0 ? null : (
        <div class="grid two even">
          <OutcomesCard usage={usage} days={DAYS} />
          <ErrorsCard errors={errors} period={period} />
        </div>
      )}
      <PagesCard codes={usage.codes} period={period} />
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
      {isEmpty ? null : <UsageTable days={days} measure={measure} />}
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
