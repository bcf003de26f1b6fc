import { Hono } from "hono";
import { readUsage } from "../../../directory/usage";
import { toOrigin } from "../../../http/origin";
import { now } from "../../../lib/clock";
import { toIdStart } from "../../../lib/id";
import { DAY_MS } from "../../../model/limits";
import { listLatestJobs, listOutcomes, readBeginnings } from "../../../store/stats";
import { Card } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { Balance } from "./balance";
import { UsageChart, UsageTable } from "./chart";
import { type ChartDay, type Measure, toChartDays } from "./days";
import { FirstSteps } from "./first-steps";
import { Failures, HowItWent } from "./how-it-went";
import { LatestJobs } from "./latest-jobs";
import { Notices } from "./notices";

const DAYS = 30;
const LATEST_JOBS = 5;
/** Of so many of the latest jobs it is told how they went: a look at all of a busy month would take seconds. */
const OUTCOMES = 1_000;

export const overview = new Hono<DashboardEnv>();

overview.get("/", async (c) => {
  const { account, mode, user } = c.var;
  const owner = { accountId: account.id, mode };
  const at = now();
  const measure: Measure = c.req.query("chart") === "credits" ? "credits" : "requests";
  const [usage, outcomes, jobs, begun] = await Promise.all([
    readUsage(c.env, owner, at),
    listOutcomes(c.env.DB, { ...owner, since: toIdStart(at - DAYS * DAY_MS), limit: OUTCOMES }),
    listLatestJobs(c.env.DB, { ...owner, limit: LATEST_JOBS }),
    readBeginnings(c.env.DB, account.id),
  ]);
  return c.render(
    <>
      {user === null ? null : <Notices env={c.env} user={user} done={c.req.query("done")} />}
      <FirstSteps begun={begun} mode={mode} origin={toOrigin(c.env, c.req.url)} />
      <Balance account={account} now={at} />
      <Usage days={toChartDays(usage.days, measure, DAYS, at)} measure={measure} mode={mode} />
      {outcomes.length === 0 ? null : (
        <div class="grid two even">
          <HowItWent outcomes={outcomes} limit={OUTCOMES} days={DAYS} />
          <Failures outcomes={outcomes} />
        </div>
      )}
      <LatestJobs jobs={jobs} />
    </>,
    { title: "Overview", section: "overview" },
  );
});

function Usage({ days, measure, mode }: { days: ChartDay[]; measure: Measure; mode: "live" | "test" }) {
  const isEmpty = days.every(({ total }) => total === 0);
  return (
    <Card title={`The last ${DAYS} days`} actions={<MeasureSwitch measure={measure} />}>
      {isEmpty ? <p class="muted">{toNothing(measure, mode)}</p> : <UsageChart days={days} measure={measure} />}
      {isEmpty ? null : <UsageTable days={days} measure={measure} />}
    </Card>
  );
}

function MeasureSwitch({ measure }: { measure: Measure }) {
  return (
    <nav class="tabs" aria-label="What the chart counts">
      <a href="/dashboard" aria-current={measure === "requests" ? "page" : undefined}>
        Requests
      </a>
      <a href="/dashboard?chart=credits" aria-current={measure === "credits" ? "page" : undefined}>
        Credits
      </a>
    </nav>
  );
}

function toNothing(measure: Measure, mode: "live" | "test"): string {
  if (mode === "test" && measure === "credits") return "Test keys use no credits.";
  return measure === "credits"
    ? `No credits were used in the last ${DAYS} days.`
    : `No ${mode} requests in the last ${DAYS} days.`;
}
