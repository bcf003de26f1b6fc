import { Hono } from "hono";
import { toMonthlyCredits } from "../../../directory/credits";
import { listPlans, listPrices, type PlanLine, toPlanFigure } from "../../../endpoints/price-list";
import { toCount } from "../../../lib/count";
import { toPositiveNumber } from "../../../lib/env";
import { DAY_MS, JOB_TIMEOUT_MS, MAX_BODY_BYTES, RETENTION_DAYS_DEFAULT, SYNC_WAIT_MS } from "../../../model/limits";
import { toOperatorLinks } from "../../../model/operator";
import { MAX_PAGE_BYTES_DEFAULT } from "../../../model/page-limits";
import { type Plan, POLL_FACTOR, toPlanLimits } from "../../../model/plan";
import { toPrices } from "../../../model/prices";
import type { Account } from "../../../store/accounts";
import { Card, Facts, LinkButton, Stats } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { capitalize, toDuration, toSize } from "../../ui/format";
import { Operator } from "../../ui/operator";
import { Figures } from "../../ui/table";

export const plan = new Hono<DashboardEnv>();

plan.get("/plan", (c) => {
  const { account } = c.var;
  return c.render(
    <>
      <AccountLimitsCard env={c.env} account={account} />
      <PlansCard env={c.env} current={account.plan} />
      <div class="grid two even">
        <Card title="Prices">
          <Facts
            class="limits"
            of={listPrices(toPrices(c.env, account.prices)).map(
              ([what, credits, note]) => [what, toCount(credits, "credit"), note] as const,
            )}
          />
        </Card>
        <ServiceLimitsCard env={c.env} />
      </div>
    </>,
    { title: "Plan and limits", section: "plan", lead: "The limits of your account and the prices of requests." },
  );
});

/** The limits of the account. The account's own limits take precedence over the plan's. */
function AccountLimitsCard({ env, account }: { env: Env; account: Account }) {
  const plan = toPlanLimits(env)[account.plan];
  const rate = account.ratePerMinute ?? plan.ratePerMinute;
  return (
    <Card title={`Your plan: ${capitalize(account.plan)}`}>
      <Stats
        of={[
          ["Requests per minute", rate, toNote(account.ratePerMinute, plan.ratePerMinute, "for each key")],
          ["GET /v1/jobs/{id} requests per minute", rate * POLL_FACTOR, "for each key"],
          [
            "Concurrent asynchronous jobs",
            account.concurrentJobs ?? plan.concurrentJobs,
            toNote(account.concurrentJobs, plan.concurrentJobs, "further jobs wait"),
          ],
          [
            "Concurrent renders",
            account.concurrentRenders ?? plan.concurrentRenders,
            toNote(account.concurrentRenders, plan.concurrentRenders, "further renders wait"),
          ],
          ["Active API keys", plan.activeKeys, "live and test"],
          [
            "Credits per month",
            toMonthlyCredits(env, account),
            toNote(
              account.monthlyCredits,
              toMonthlyCredits(env, { ...account, monthlyCredits: null }),
              "unused credits expire",
            ),
          ],
          account.dailyCredits === null ? null : ["Credits per day", account.dailyCredits, "custom limit"],
        ]}
      />
      {account.chargeFreeOutcomes ? (
        <p>
          <Operator text="The operator of this service" /> charges your account for pages without content, such as
          sign-in forms. For other accounts, they are free.
        </p>
      ) : null}
      <p class="small muted">
        To change your {toOperatorLinks(env).upgrade === null ? "plan or limits" : "limits"}, contact <Operator />.
      </p>
    </Card>
  );
}

/** The limits of this deployment that are the same for every plan. */
function ServiceLimitsCard({ env }: { env: Env }) {
  const retention = toPositiveNumber(env.RETENTION_DAYS, RETENTION_DAYS_DEFAULT) * DAY_MS;
  const page = toPositiveNumber(env.MAX_PAGE_BYTES, MAX_PAGE_BYTES_DEFAULT);
  return (
    <Card title="Limits of the service">
      <Facts
        class="limits"
        of={[
          ["Results and screenshots", toDuration(retention), "After this time, jobs are listed without results."],
          ["Page", toSize(page), "The limit applies to the decompressed page."],
          ["Request body", toSize(MAX_BODY_BYTES), "Larger requests are refused with 413."],
          ["Synchronous request", toDuration(SYNC_WAIT_MS), "After this time, the response is 202."],
          ["Job", toDuration(JOB_TIMEOUT_MS)],
        ]}
      />
      <p class="small muted">
        The <a href="/docs/reference">API reference</a> lists the limits of each parameter.
      </p>
    </Card>
  );
}

/** Returns the note under a limit: `otherwise`, or that the account has its own limit. */
function toNote(own: number | null, plan: number, otherwise: string): string {
  return own === null || own === plan ? otherwise : "custom limit";
}

/** The plans with their limits, and with their prices in money if the operator gives them. */
function PlansCard({ env, current }: { env: Env; current: Plan }) {
  const plans = listPlans(env);
  const upgradeUrl = toOperatorLinks(env).upgrade;
  const price = { label: "Price", cell: ({ price }: PlanLine) => price ?? "–" };
  return (
    <Card
      title="Plans"
      actions={upgradeUrl === null ? undefined : <LinkButton href={upgradeUrl} tone="primary" label="Change plan" />}
    >
      <Figures
        label="Plans"
        rows={plans}
        isCurrent={({ plan }) => plan === current}
        columns={[
          {
            label: "Plan",
            cell: ({ plan }) => (
              <>
                {capitalize(plan)} {plan === current ? <span class="status good">current</span> : null}
              </>
            ),
          },
          ...(plans.some((plan) => plan.price !== null) ? [price] : []),
          { label: "Credits per month", cell: ({ plan, monthlyCredits }) => toPlanFigure(plan, monthlyCredits) },
          { label: "Requests per minute", cell: ({ plan, ratePerMinute }) => toPlanFigure(plan, ratePerMinute) },
          {
            label: "Concurrent asynchronous jobs",
            cell: ({ plan, concurrentJobs }) => toPlanFigure(plan, concurrentJobs),
          },
          { label: "Concurrent renders", cell: ({ plan, concurrentRenders }) => toPlanFigure(plan, concurrentRenders) },
          { label: "Active API keys", cell: ({ activeKeys }) => activeKeys },
        ]}
      />
    </Card>
  );
}
