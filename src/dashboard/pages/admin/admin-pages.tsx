import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { callAccount } from "../../../account/client";
import { invalidParameter } from "../../../contract/invalid-request";
import { changeAccount } from "../../../directory/accounts";
import { now, toIso } from "../../../lib/clock";
import { AppError } from "../../../model/errors";
import { formatPrices } from "../../../model/prices";
import { ROLE_LABELS } from "../../../model/role";
import { type ListedAccount, listAccounts } from "../../../store/account-summaries";
import { type Account, getAccount } from "../../../store/accounts";
import { type AuditEntry, listAudit } from "../../../store/audit";
import { listMembers, type Member } from "../../../store/memberships";
import { Card, DoneNotice, Facts, LinkButton, Stats, StatusBadge, Time } from "../../ui/components";
import { type DashboardEnv, requireSignedIn } from "../../ui/env";
import { readFormFields } from "../../ui/form-data";
import { VIEWS } from "../../ui/layout";
import { MAX_OFFSET, Pagination, readOffset } from "../../ui/pagination";
import { PostButton, PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";
import { AuditLog, ENTRIES_PER_PAGE } from "./audit-log";
import { denyListPages } from "./deny-list-page";
import { healthPages } from "./health-page";
import { incidentPages } from "./incidents-page";
import { searchPages } from "./search-page";
import { support } from "./support-pages";
import { toAccountPath } from "./support-view";

const ACCOUNTS_PER_PAGE = 50;

/** The admin pages: all accounts and the audit log. Users who aren't admins get 404. */
export const admin = new Hono<DashboardEnv>();

const requireAdmin = createMiddleware<DashboardEnv>(async (c, next) => {
  if (!c.var.isAdmin) return await c.notFound();
  await next();
});

admin.use("/admin", requireAdmin);
admin.use("/admin/*", requireAdmin);
admin.route("/", searchPages);
admin.route("/", support);
admin.route("/", denyListPages);

admin.route("/", healthPages);
admin.route("/", incidentPages);

admin.get("/admin", async (c) => {
  const search = (c.req.query("search") ?? "").trim().slice(0, 200);
  const offset = readOffset(c);
  const accounts = await listAccounts(c.env.DB, { search, limit: ACCOUNTS_PER_PAGE, offset });
  return c.render(<AccountList accounts={accounts} search={search} offset={offset} limit={ACCOUNTS_PER_PAGE} />, {
    title: "Accounts",
    section: "admin",
    actions: (
      <>
        <LinkButton href="/dashboard/admin/health" tone="quiet" label="Health" />
        <LinkButton href="/dashboard/admin/deny-list" tone="quiet" label="Deny list" />
        <LinkButton href="/dashboard/admin/audit" tone="quiet" label="Audit log" />
      </>
    ),
  });
});

admin.get("/admin/audit", async (c) => {
  const before = readEntryId(c.req.query("before"));
  const accountId = c.req.query("account") || null;
  const entries = await listAudit(c.env.DB, { accountId, limit: ENTRIES_PER_PAGE, before });
  return c.render(<AuditLog entries={entries} accountId={accountId} />, {
    title: "Audit log",
    lead: "Actions of admins and operators, newest first. Entries can't be changed.",
    section: "admin",
  });
});

admin.get("/admin/accounts/:id", async (c) => {
  const account = await getAccount(c.env.DB, c.req.param("id"));
  if (account === null) return await c.notFound();
  const [credits, members, entries] = await Promise.all([
    readAccountCredits(c.env, account),
    listMembers(c.env.DB, account.id),
    listAudit(c.env.DB, { accountId: account.id, limit: ENTRIES_PER_PAGE, before: null }),
  ]);
  return await c.render(
    <AccountPage account={account} credits={credits} members={members} entries={entries} done={c.req.query("done")} />,
    {
      title: account.name,
      section: "admin",
      actions: <LinkButton href="/dashboard/admin" tone="quiet" label="All accounts" />,
    },
  );
});

admin.post("/admin/accounts/:id/suspension", async (c) => {
  const accountId = c.req.param("id");
  const { suspend } = await readFormFields(c, ["suspend"]);
  if (suspend !== "true" && suspend !== "false")
    throw invalidParameter("suspend", "must be true or false", { kind: "field" });
  if ((await getAccount(c.env.DB, accountId)) === null) return await c.notFound();
  const change = { suspendedAt: suspend === "true" ? now() : null };
  await changeAccount(c.env, { accountId, change, actor: requireSignedIn(c).email, now: now() });
  return c.redirect(`${toAccountPath(accountId)}?done=changed`, 303);
});

/** Returns the credits from the account's object. Null if it can't be reached, so that the page still works. */
async function readAccountCredits(env: Env, account: Account): Promise<AccountCredits | null> {
  try {
    return await callAccount(env, account, (stub) => stub.usage({ mode: "live", since: toIso(now()).slice(0, 10) }));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the id in the parameter `before`, or null for the first page of the log. */
function readEntryId(text = ""): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) || null : null;
}

interface AccountListProps {
  /** Up to `limit` accounts, plus one more if there is a next page. */
  accounts: ListedAccount[];
  search: string;
  limit: number;
  offset: number;
}

function AccountList({ accounts, search, limit, offset }: AccountListProps) {
  const shown = accounts.slice(0, limit);
  const href = (at: number) => `/dashboard/admin?search=${encodeURIComponent(search)}&offset=${at}`;
  return (
    <Card>
      <PostForm action="/dashboard/admin/find" class="row search" tone="plain" submit="Search">
        <label class="visually-hidden" for="search">
          Job, request, key, account or email address
        </label>
        <input
          id="search"
          name="search"
          type="search"
          value={search}
          placeholder="Job, request ID, key, account or email"
          aria-describedby="search-hint"
        />
      </PostForm>
      <p class="small muted" id="search-hint">
        Enter the ID of a job, batch, crawl, delivery or request (X-Request-Id). API keys, account IDs and email
        addresses can be shortened to their beginning. A part of an account's name is enough.
      </p>
      <Table
        caption="Accounts"
        empty="No matching accounts. Search for a part of a name, or for the beginning of an ID or email address."
        rows={shown}
        columns={[
          { label: "Account", cell: ({ id, name }) => <a href={toAccountPath(id)}>{name}</a> },
          { label: "Plan", cell: ({ plan }) => plan },
          { label: "Balance", class: "number", cell: ({ balance }) => balance ?? "–" },
          { label: "Credits used", class: "number", cell: ({ used }) => used ?? "–" },
          { label: "Created", class: "when", cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            label: "Status",
            cell: ({ suspendedAt }) => <StatusBadge is={suspendedAt === null ? "active" : "suspended"} />,
          },
        ]}
      />
      <p class="small muted">Balances can be up to 15 minutes old. An account's page shows its current balance.</p>
      <Pagination offset={offset} limit={limit} href={href} more={accounts.length > limit && offset < MAX_OFFSET} />
    </Card>
  );
}

interface AccountView {
  account: Account;
  /** The current credits, or null if the account's Durable Object can't be reached. */
  credits: AccountCredits | null;
  members: Member[];
  entries: (AuditEntry & { id: number })[];
  done: string | undefined;
}

/** The account's credits, as its Durable Object returns them. */
interface AccountCredits {
  balance: number;
  reserved: number;
  /** `end` is the time (Unix ms) of the next grant. */
  period: { end: number; granted: number; used: number };
}

/** The settings, users and audit log of an account. The only change on this page is the suspension. */
function AccountPage({ account, credits, members, entries, done }: AccountView) {
  const at = toAccountPath(account.id);
  return (
    <>
      <DoneNotice word={done} texts={{ changed: "The change was saved. It applies to all requests from now on." }} />
      <Card>
        <CreditStats credits={credits} />
        <nav class="row" aria-label="Pages of the account">
          {[...VIEWS, ["deny-list", "Deny list"] as const].map(([page, label]) => (
            <LinkButton href={`${at}/${page}`} tone="quiet" small label={label} />
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
      <AuditLog entries={entries} accountId={account.id} />
    </>
  );
}

function Suspension({ account: { name, suspendedAt }, action }: { account: Account; action: string }) {
  const isSuspended = suspendedAt !== null;
  return (
    <div class="row">
      <StatusBadge is={isSuspended ? "suspended" : "active"} />
      {isSuspended ? (
        <PostButton action={action} label="Reactivate" hidden={{ suspend: "false" }} />
      ) : (
        <PostButton
          action={action}
          label="Suspend"
          tone="danger"
          hidden={{ suspend: "true" }}
          confirm={`Suspend ${name}? All requests with its keys will be refused.`}
        />
      )}
    </div>
  );
}

function Limits({ account }: { account: Account }) {
  const ofPlan = "the plan's limit";
  return (
    <Card title="Plan and limits">
      <Facts
        of={[
          ["Plan", account.plan],
          ["Requests per minute", account.ratePerMinute ?? ofPlan],
          ["Credits per month", account.monthlyCredits ?? ofPlan],
          ["Concurrent asynchronous jobs", account.concurrentJobs ?? ofPlan],
          ["Concurrent renders", account.concurrentRenders ?? ofPlan],
          ["Credits per day", account.dailyCredits ?? "no limit"],
          ["Prices", formatPrices(account.prices) || "those of the service"],
          ["Pages without content", account.chargeFreeOutcomes ? "charged" : "free"],
        ]}
      />
      <p class="small muted">
        To change the account, run <code>npm run admin -- set {account.id}</code>.
      </p>
    </Card>
  );
}

function CreditStats({ credits }: { credits: AccountCredits | null }) {
  if (credits === null)
    return <p role="alert">The account can't be reached at the moment. Reload the page to see its credits.</p>;
  const { balance, reserved, period } = credits;
  return (
    <Stats
      of={[
        ["Balance", balance, "credits"],
        ["Reserved", reserved, "by unfinished jobs"],
        ["Used", period.used, `of ${period.granted.toLocaleString("en")} granted`],
      ]}
    />
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
