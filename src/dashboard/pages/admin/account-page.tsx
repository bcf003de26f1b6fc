import { PLANS } from "../../../model/plan";
import { formatPrices, PRICE_NAMES } from "../../../model/prices";
import { ROLE_LABELS } from "../../../model/role";
import type { Account } from "../../../store/accounts";
import type { AuditEntry } from "../../../store/audit";
import type { Member } from "../../../store/memberships";
import { Card, CopyButton, PostButton, Stat, StatusBadge, Time } from "../../ui/components";
import { Checkbox, FormErrorNotice, type FormErrors, SelectField, TextField } from "../../ui/form";
import { DoneNotice } from "../../ui/notices";
import { AuditLog } from "./audit-log";

export interface AccountView {
  account: Account;
  /** The current credits, or null if the account's Durable Object can't be reached. */
  credits: AccountCredits | null;
  members: Member[];
  entries: (AuditEntry & { id: number })[];
  done?: string | undefined;
  /** The submitted values of a form with errors. */
  entered?: Record<string, string>;
  errors?: FormErrors;
}

/** The account's credits, as its Durable Object returns them. */
export interface AccountCredits {
  balance: number;
  reserved: number;
  /** `end` is the time (Unix ms) of the next grant. */
  period: { end: number; granted: number; used: number };
}

/** The pages about an account. */
const PAGES = [
  ["jobs", "Jobs"],
  ["batches", "Batches"],
  ["keys", "API keys"],
  ["webhooks", "Webhooks"],
  ["usage", "Usage"],
  ["deny-list", "Deny list"],
] as const;
const AUDIT_SHOWN = 50;
const EMPTY_HINT = "Leave empty to use the plan's limit.";

/** The settings, users and audit log of an account. */
export function AccountPage({ account, credits, members, entries, done, entered = {}, errors }: AccountView) {
  const at = `/dashboard/admin/accounts/${encodeURIComponent(account.id)}`;
  const suspended = account.suspendedAt !== null;
  return (
    <>
      <DoneNotice word={done} texts={{ changed: "The change was saved. It applies to all requests from now on." }} />
      <FormErrorNotice errors={errors} />
      <Card>
        <CreditStats credits={credits} />
        <nav class="row" aria-label="Pages of the account">
          {PAGES.map(([page, label]) => (
            <a class="button quiet small" href={`${at}/${page}`}>
              {label}
            </a>
          ))}
        </nav>
        <dl class="facts">
          <dt>ID</dt>
          <dd>
            <code>{account.id}</code>
          </dd>
          <dt>Created</dt>
          <dd>
            <Time at={account.createdAt} />
          </dd>
          <dt>Next renewal</dt>
          <dd>{credits === null ? "–" : <Time at={credits.period.end} />}</dd>
          <dt>Durable Object</dt>
          <dd>
            <code>{account.object}</code> {[account.jurisdiction, account.location].filter(Boolean).join(", ")}
          </dd>
          <dt>Status</dt>
          <dd class="row">
            <StatusBadge is={suspended ? "suspended" : "active"} />
            <PostButton
              action={`${at}/suspension`}
              label={suspended ? "Reactivate" : "Suspend"}
              tone={suspended ? "quiet" : "danger"}
              fields={{ suspend: String(!suspended) }}
              {...(suspended
                ? {}
                : { confirm: `Suspend ${account.name}? All requests with its keys will be refused.` })}
            />
          </dd>
        </dl>
      </Card>
      <div class="grid two">
        <Card title="Plan and limits">
          <form method="post" action={`${at}/limits`} class="fields">
            <SelectField
              name="plan"
              label="Plan"
              value={entered.plan ?? account.plan}
              options={PLANS.map((plan) => [plan, plan] as const)}
              errors={errors}
            />
            <TextField
              name="rate_per_minute"
              label="Requests per minute"
              inputmode="numeric"
              value={entered.rate_per_minute ?? account.ratePerMinute?.toString()}
              hint={EMPTY_HINT}
              errors={errors}
            />
            <TextField
              name="monthly_credits"
              label="Credits per month"
              inputmode="numeric"
              value={entered.monthly_credits ?? account.monthlyCredits?.toString()}
              hint={`${EMPTY_HINT} A change applies from the next renewal.`}
              errors={errors}
            />
            <TextField
              name="concurrent_jobs"
              label="Concurrent asynchronous jobs"
              inputmode="numeric"
              value={entered.concurrent_jobs ?? account.concurrentJobs?.toString()}
              hint={EMPTY_HINT}
              errors={errors}
            />
            <TextField
              name="concurrent_renders"
              label="Concurrent renders"
              inputmode="numeric"
              value={entered.concurrent_renders ?? account.concurrentRenders?.toString()}
              hint={EMPTY_HINT}
              errors={errors}
            />
            <TextField
              name="daily_credits"
              label="Credits per day"
              inputmode="numeric"
              value={entered.daily_credits ?? account.dailyCredits?.toString()}
              hint="Requests are refused for the rest of the day (UTC) after this limit is reached. Leave empty for no limit."
              errors={errors}
            />
            <TextField
              name="prices"
              label="Prices"
              placeholder="scrape=2, parse=3"
              value={entered.prices ?? formatPrices(account.prices)}
              hint={`In credits, for ${PRICE_NAMES.join(", ")}. Prices that aren't named are those of the service.`}
              errors={errors}
            />
            <Checkbox
              name="charge_free_outcomes"
              label="Charge for free outcomes"
              checked={isChecked(entered.charge_free_outcomes, account.chargeFreeOutcomes)}
              hint="Pages without content, such as sign-in forms and missing pages, are free. If this is on, this account pays for them."
            />
            <button class="button primary" type="submit">
              Save
            </button>
          </form>
        </Card>
        <Card title="Credits">
          <form method="post" action={`${at}/credits`} class="fields">
            <TextField
              name="credits"
              label="Number of credits"
              required
              inputmode="text"
              value={entered.credits}
              placeholder="500"
              hint="Enter a negative number to remove credits. The balance can't become negative."
              errors={errors}
            />
            <button class="button primary" type="submit">
              Adjust credits
            </button>
          </form>
        </Card>
      </div>
      <Members {...{ members, at }} />
      <AuditLog {...{ entries, limit: AUDIT_SHOWN, accountId: account.id, withAccount: false }} title="Audit log" />
    </>
  );
}

/** Returns the submitted state of a checkbox, or `stored` if the form wasn't submitted. */
function isChecked(entered: string | undefined, stored: boolean): boolean {
  return entered === undefined ? stored : entered === "true";
}

function CreditStats({ credits }: { credits: AccountCredits | null }) {
  if (credits === null)
    return <p role="alert">The account can't be reached at the moment. Reload the page to see its credits.</p>;
  const { balance, reserved, period } = credits;
  return (
    <dl class="stats">
      <Stat label="Balance" value={balance.toLocaleString("en")} note="credits" />
      <Stat label="Reserved" value={reserved.toLocaleString("en")} note="by unfinished jobs" />
      <Stat
        label="Used"
        value={period.used.toLocaleString("en")}
        note={`of ${period.granted.toLocaleString("en")} granted`}
      />
    </dl>
  );
}

function Members({ members, at }: { members: Member[]; at: string }) {
  return (
    <Card title="Users">
      {members.length === 0 ? <p class="muted">This account has no users.</p> : null}
      <ul class="rows">
        {members.map((user) => (
          <li class="row">
            <span>
              {user.email} ({ROLE_LABELS[user.role]}){" "}
              {user.emailVerified ? <StatusBadge is="verified" /> : <StatusBadge is="unverified" />}
            </span>
            <PostButton action={`${at}/link`} label="Create sign-in link" fields={{ user: user.id, kind: "sign-in" }} />
            <PostButton
              action={`${at}/link`}
              label="Create password reset link"
              fields={{ user: user.id, kind: "reset" }}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface LinkCardProps {
  url: string;
  email: string;
  kind: "sign-in" | "reset";
  back?: string;
}

/** A new link. It is shown only once. */
export function LinkCard({ url, email, kind, back = "/dashboard/admin" }: LinkCardProps) {
  return (
    <Card title={kind === "reset" ? `Password reset link for ${email}` : `Sign-in link for ${email}`}>
      <p>
        Send this link only to {email}, because opening it verifies this address. The link works once, expires in 24
        hours, and isn't shown again.
      </p>
      <div class="secret">
        <code id="link">{url}</code>
        <CopyButton of="link" />
      </div>
      <p>
        <a href={back}>Back</a>
      </p>
    </Card>
  );
}
