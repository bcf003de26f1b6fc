import { toMonthlyCredits } from "../../../directory/credits";
import { PLAN_LIMITS, PLANS, type Plan, POLL_FACTOR } from "../../../model/plan";
import type { Account } from "../../../store/accounts";
import { Card, Stat } from "../../ui/components";

/** The limits of this account: the plan's, or its own. */
export function AccountLimitsCard({ env, account }: { env: Env; account: Account }) {
  const plan = PLAN_LIMITS[account.plan];
  const rate = account.ratePerMinute ?? plan.ratePerMinute;
  return (
    <Card title={`Your plan: ${toName(account.plan)}`}>
      <dl class="stats">
        <Stat
          label="Requests a minute"
          value={rate.toLocaleString("en")}
          note={toNote(account.ratePerMinute, plan.ratePerMinute, "for each key")}
        />
        <Stat
          label="Reads of a single job a minute"
          value={(rate * POLL_FACTOR).toLocaleString("en")}
          note="for each key"
        />
        <Stat
          label="Asynchronous jobs at a time"
          value={(account.concurrentJobs ?? plan.concurrentJobs).toLocaleString("en")}
          note={toNote(account.concurrentJobs, plan.concurrentJobs, "the others wait")}
        />
        <Stat
          label="Renders at a time"
          value={(account.concurrentRenders ?? plan.concurrentRenders).toLocaleString("en")}
          note={toNote(account.concurrentRenders, plan.concurrentRenders, "the others wait")}
        />
        <Stat label="Active keys" value={plan.activeKeys.toLocaleString("en")} note="at most" />
        <Stat
          label="Credits a month"
          value={toMonthlyCredits(env, account).toLocaleString("en")}
          note={toNote(account.monthlyCredits, toPlanCredits(env, account.plan), "without carry-over")}
        />
      </dl>
      <p class="small muted">To change your plan or limits, contact the operator of this service.</p>
    </Card>
  );
}

/** Returns the note of a figure. It says if the account has its own value. */
function toNote(own: number | null, plan: number, otherwise: string): string {
  if (own === null || own === plan) return otherwise;
  return plan > 0 ? `your own; the plan's is ${plan.toLocaleString("en")}` : "your own";
}

/** The table of all plans. */
export function PlansCard({ env, current }: { env: Env; current: Plan }) {
  return (
    <Card title="Plans">
      <section class="table-scroll" aria-label="Plans" tabindex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col" class="number">
                Requests a minute
              </th>
              <th scope="col" class="number">
                Jobs at a time
              </th>
              <th scope="col" class="number">
                Renders at a time
              </th>
              <th scope="col" class="number">
                Active keys
              </th>
              <th scope="col" class="number">
                Credits a month
              </th>
            </tr>
          </thead>
          <tbody>
            {PLANS.map((plan) => (
              <PlanRow {...{ env, plan, isCurrent: plan === current }} />
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

function PlanRow({ env, plan, isCurrent }: { env: Env; plan: Plan; isCurrent: boolean }) {
  const { ratePerMinute, concurrentJobs, concurrentRenders, activeKeys } = PLAN_LIMITS[plan];
  const isAgreed = plan === "enterprise";
  return (
    <tr aria-current={isCurrent ? "true" : undefined} class={isCurrent ? "present" : undefined}>
      <th scope="row">
        {toName(plan)} {isCurrent ? <span class="status good">yours</span> : null}
      </th>
      <td class="number">{isAgreed ? "as agreed" : ratePerMinute.toLocaleString("en")}</td>
      <td class="number">{isAgreed ? "as agreed" : concurrentJobs.toLocaleString("en")}</td>
      <td class="number">{isAgreed ? "as agreed" : concurrentRenders.toLocaleString("en")}</td>
      <td class="number">{activeKeys.toLocaleString("en")}</td>
      <td class="number">{isAgreed ? "as agreed" : toPlanCredits(env, plan).toLocaleString("en")}</td>
    </tr>
  );
}

function toPlanCredits(env: Env, plan: Plan): number {
  return toMonthlyCredits(env, { plan, monthlyCredits: null });
}

function toName(plan: Plan): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
