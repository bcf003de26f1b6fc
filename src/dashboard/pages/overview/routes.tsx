import { Hono } from "hono";
import { readUsage } from "../../../directory/credits";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { toIdStart } from "../../../lib/id";
import { DAY_MS } from "../../../model/limits";
import { listLatestJobs, listOutcomes, readBeginnings } from "../../../store/stats";
import { Card } from "../../ui/components";
import type { DashboardEnv, User } from "../../ui/env";
import { VerifyNotice } from "../../ui/notices";
import { BalanceCard, FirstStepsCard, LatestJobsCard } from "./cards";
import { ErrorsCard, OutcomesCard } from "./job-outcomes";
import { type ChartDay, type Measure, toChartDays, UsageChart, UsageTable } from "./usage-chart";

const DAYS = 30;
const LATEST_JOBS = 5;
/** The most jobs that the statistics read. Reading all jobs of a busy month would take seconds. */
const MAX_OUTCOMES = 1_000;

export const overview = new Hono<DashboardEnv>();

overview.get("/", async (c) => {
  const { account, mode, user } = c.var;
  const owner = { accountId: account.id, mode };
  const at = now();
  const measure: Measure = c.req.query("chart") === "credits" ? "credits" : "requests";
  const [usage, outcomes, jobs, progress] = await Promise.all([
    readUsage(c.env, owner, at),
    listOutcomes(c.env.DB, { ...owner, since: toIdStart(at - DAYS * DAY_MS), limit: MAX_OUTCOMES }),
    listLatestJobs(c.env.DB, { ...owner, limit: LATEST_JOBS }),
    readBeginnings(c.env.DB, account.id),
  ]);
  return c.render(
    <>
      {user === null ? null : <Notices env={c.env} user={user} done={c.req.query("done")} />}
      <FirstStepsCard progress={progress} mode={mode} origin={toOrigin(c.env, c.req.url)} />
      <BalanceCard account={account} now={at} />
      <UsageCard days={toChartDays(usage.days, measure, DAYS, at)} measure={measure} mode={mode} />
      {outcomes.length === 0 ? null : (
        <div class="grid two even">
          <OutcomesCard outcomes={outcomes} limit={MAX_OUTCOMES} days={DAYS} />
          <ErrorsCard outcomes={outcomes} />
        </div>
      )}
      <LatestJobsCard jobs={jobs} />
    </>,
    { title: "Overview", section: "overview" },
  );
});

function UsageCard({ days, measure, mode }: { days: ChartDay[]; measure: Measure; mode: "live" | "test" }) {
  const isEmpty = days.every(({ total }) => total === 0);
  return (
    <Card title={`The last ${DAYS} days`} actions={<MeasureSwitch measure={measure} />}>
      {isEmpty ? <p class="muted">{toEmptyText(measure, mode)}</p> : <UsageChart days={days} measure={measure} />}
      {isEmpty ? null : <UsageTable days={days} measure={measure} />}
    </Card>
  );
}

function MeasureSwitch({ measure }: { measure: Measure }) {
  return (
    <nav class="tabs" aria-label="Measure of the chart">
      <a href="/dashboard" aria-current={measure === "requests" ? "page" : undefined}>
        Requests
      </a>
      <a href="/dashboard?chart=credits" aria-current={measure === "credits" ? "page" : undefined}>
        Credits
      </a>
    </nav>
  );
}

function toEmptyText(measure: Measure, mode: "live" | "test"): string {
  if (mode === "test" && measure === "credits") return "Test keys use no credits.";
  return measure === "credits"
    ? `No credits were used in the last ${DAYS} days.`
    : `No ${mode} requests in the last ${DAYS} days.`;
}

const DONE: Record<string, string> = {
  welcome: "Welcome. Your account is on the free plan, with its first credits.",
  verified: "Your email address is verified.",
};

interface NoticesProps {
  env: Env;
  user: User;
  done: string | undefined;
}

/** Confirms an action, and asks the user to confirm the email address. */
function Notices({ env, user, done }: NoticesProps) {
  const words = done === "verified" && !user.emailVerified ? undefined : DONE[done ?? ""];
  return (
    <>
      {words === undefined ? null : (
        <div class="notice good" role="status">
          {words}
        </div>
      )}
      <VerifyNotice env={env} user={user} />
    </>
  );
}
