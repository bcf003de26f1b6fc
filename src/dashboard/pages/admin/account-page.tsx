import { formatPrices } from "../../../model/prices";
import { ROLE_LABELS } from "../../../model/role";
import type { Account } from "../../../store/accounts";
import type { AuditEntry } from "../../../store/audit";
import type { Member } from "../../../store/memberships";
import { Card, DoneNotice, Facts, PostButton, Stat, StatusBadge, Time } from "../../ui/components";
import { AuditLog } from "./audit-log";
import { Commands } from "./commands";
import { toAccountPath } from "./support-view";

interface AccountView {
  account: Account;
  /** The current credits, or null if the account's Durable Object can't be reached. */
  credits: AccountCredits | null;
  members: Member[];
  entries: (AuditEntry & { id: number })[];
  done: string | undefined;
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

/** The settings, users and audit log of an account. The only change on this page is the suspension. */
export function AccountPage({ account, credits, members, entries, done }: AccountView) {
  const at = toAccountPath(account.id);
  return (
    <>
      <DoneNotice word={done} texts={{ changed: "The change was saved. It applies to all requests from now on." }} />
      <Card>
        <CreditStats credits={credits} />
        <nav class="row" aria-label="Pages of the account">
          {PAGES.map(([page, label]) => (
            <a class="button quiet small" href={`${at}/${page}`}>
              {label}
            </a>
          ))}
        </nav>
        <Facts
          of={[
            ["ID", <code>{account.id}</code>],
            ["Created", <Time at={account.createdAt} />],
            ["Next renewal", credits === null ? "–" : <Time at={credits.period.end} />],
            [
              "Durable Object",
              <>
                <code>{account.object}</code> {[account.jurisdiction, account.location].filter(Boolean).join(", ")}
              </>,
            ],
            ["Status", <Suspension account={account} action={`${at}/suspension`} />],
          ]}
        />
      </Card>
      <Limits account={account} />
      <Members members={members} />
      <Card title="Change the account">
        <Commands
          lines={[
            `set ${account.id} --plan pro --rate 100`,
            `credits ${account.id} --add=500`,
            "sign-in <email of a user>",
            "reset <email of a user>",
          ]}
        />
      </Card>
      <AuditLog {...{ entries, limit: AUDIT_SHOWN, accountId: account.id, withAccount: false }} title="Audit log" />
    </>
  );
}

function Suspension({ account: { name, suspendedAt }, action }: { account: Account; action: string }) {
  const isSuspended = suspendedAt !== null;
  return (
    <div class="row">
      <StatusBadge is={isSuspended ? "suspended" : "active"} />
      {isSuspended ? (
        <PostButton action={action} label="Reactivate" fields={{ suspend: "false" }} />
      ) : (
        <PostButton
          action={action}
          label="Suspend"
          tone="danger"
          fields={{ suspend: "true" }}
          confirm={`Suspend ${name}? All requests with its keys will be refused.`}
        />
      )}
    </div>
  );
}

function Limits({ account }: { account: Account }) {
  const toLimit = (limit: number | null) => limit?.toLocaleString("en") ?? "the plan's limit";
  return (
    <Card title="Plan and limits">
      <Facts
        of={[
          ["Plan", account.plan],
          ["Requests per minute", toLimit(account.ratePerMinute)],
          ["Credits per month", toLimit(account.monthlyCredits)],
          ["Concurrent asynchronous jobs", toLimit(account.concurrentJobs)],
          ["Concurrent renders", toLimit(account.concurrentRenders)],
          ["Credits per day", account.dailyCredits?.toLocaleString("en") ?? "no limit"],
          ["Prices", formatPrices(account.prices) || "those of the service"],
          ["Pages without content", account.chargeFreeOutcomes ? "charged" : "free"],
        ]}
      />
    </Card>
  );
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

function Members({ members }: { members: Member[] }) {
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
          </li>
        ))}
      </ul>
    </Card>
  );
}
