import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { callAccount } from "../../../account/client";
import { invalidParameter } from "../../../contract/invalid-request";
import { changeAccount } from "../../../directory/accounts";
import { adjustCredits } from "../../../directory/credits";
import { createLink } from "../../../directory/users";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { AppError } from "../../../model/errors";
import { PLANS } from "../../../model/plan";
import { type OwnPrices, parsePrices } from "../../../model/prices";
import { listAccounts } from "../../../store/account-summaries";
import { type Account, type AccountChange, getAccount } from "../../../store/accounts";
import { listAudit } from "../../../store/audit";
import { listMembers } from "../../../store/memberships";
import { getUser } from "../../../store/users";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { readOffset } from "../../ui/pagination";
import { AccountList } from "./account-list";
import { type AccountCredits, AccountPage, type AccountView, LinkCard } from "./account-page";
import { AuditLog } from "./audit-log";
import { denyListPages } from "./deny-list-routes";
import { incidentPages } from "./health/incident-routes";
import { healthPages } from "./health/routes";
import { searchPages } from "./search-routes";
import { support } from "./support-routes";

const ACCOUNTS_PER_PAGE = 50;
const MAX_CREDITS = 1_000_000_000;
const ENTRIES_PER_PAGE = 50;
const LIMIT_FIELDS = [
  "plan",
  "rate_per_minute",
  "monthly_credits",
  "concurrent_jobs",
  "concurrent_renders",
  "charge_free_outcomes",
  "daily_credits",
  "prices",
] as const;

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

admin.get("/admin", async (c) => await renderAccounts(c));

admin.get("/admin/audit", async (c) => {
  const before = readEntryId(c.req.query("before"));
  const accountId = c.req.query("account") || null;
  const entries = await listAudit(c.env.DB, { accountId, limit: ENTRIES_PER_PAGE, before });
  return c.render(<AuditLog {...{ entries, accountId, limit: ENTRIES_PER_PAGE, withAccount: true }} />, {
    title: "Audit log",
    lead: "Actions of admins and operators, newest first. Entries can't be changed.",
    section: "admin",
  });
});

// Creates a sign-in link for a new user. If sign-up is closed, new users need this link.
admin.post("/admin/invite", async (c) => {
  const { email } = await readFormFields(c, ["email"]);
  const [name = email] = email.split("@");
  try {
    const link = { kind: "sign-in" as const, email, name };
    const url = await createLink(c.env, { link, accountId: null, ...toActor(c) });
    return c.render(<LinkCard {...{ url, email }} kind="sign-in" />, { title: "New link", section: "admin" });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(400);
    return await renderAccounts(c, { email, errors: FormErrors.of(error) });
  }
});

admin.get("/admin/accounts/:id", async (c) => await renderAccount(c, c.req.param("id"), { done: c.req.query("done") }));

admin.post("/admin/accounts/:id/limits", async (c) => {
  const id = c.req.param("id");
  const entered = await readFormFields(c, LIMIT_FIELDS);
  return await submitChange(c, { id, entered }, async () => {
    await changeAccount(c.env, { accountId: id, change: readLimits(entered), ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/credits", async (c) => {
  const id = c.req.param("id");
  const entered = await readFormFields(c, ["credits"]);
  return await submitChange(c, { id, entered }, async () => {
    await adjustCredits(c.env, { accountId: id, by: readCredits(entered.credits), ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/suspension", async (c) => {
  const id = c.req.param("id");
  const { suspend } = await readFormFields(c, ["suspend"]);
  return await submitChange(c, { id, entered: {} }, async () => {
    const change = { suspendedAt: readSwitch("suspend", suspend) ? now() : null };
    await changeAccount(c.env, { accountId: id, change, ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/link", async (c) => {
  const accountId = c.req.param("id");
  const { user: userId, kind } = await readFormFields(c, ["user", "kind"]);
  const members = await listMembers(c.env.DB, accountId);
  const user = members.some(({ id }) => id === userId) ? await getUser(c.env.DB, userId) : null;
  if (user === null) throw new AppError("not_found", "This account doesn't have this user. Reload the account's page.");
  const link =
    kind === "reset"
      ? { kind: "reset" as const, userId }
      : { kind: "sign-in" as const, email: user.email, name: user.name };
  const url = await createLink(c.env, { link, accountId, ...toActor(c) });
  const card = (
    <LinkCard url={url} email={user.email} kind={link.kind} back={`/dashboard/admin/accounts/${accountId}`} />
  );
  return c.render(card, { title: "New link", section: "admin" });
});

// A form with errors is rendered at the path of its POST. If the user opens that URL again, the browser requests it
// with GET, so it redirects to the page with the form.
admin.get("/admin/invite", (c) => c.redirect("/dashboard/admin", 303));
admin.get("/admin/accounts/:id/:action{limits|credits|suspension|link}", (c) =>
  c.redirect(`/dashboard/admin/accounts/${encodeURIComponent(c.req.param("id"))}`, 303),
);

type AdminContext = Parameters<typeof requireAdmin>[0];

/** Runs a change and redirects to the account's page. If the change is refused, renders the page with the errors. */
async function submitChange(
  c: AdminContext,
  { id, entered }: { id: string; entered: Record<string, string> },
  change: () => Promise<void>,
): Promise<Response> {
  if ((await getAccount(c.env.DB, id)) === null) return await c.notFound();
  try {
    await change();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(error.status as ContentfulStatusCode);
    return await renderAccount(c, id, { entered, errors: FormErrors.of(error) });
  }
  return c.redirect(`/dashboard/admin/accounts/${encodeURIComponent(id)}?done=changed`, 303);
}

async function renderAccounts(
  c: AdminContext,
  invited: { email?: string; errors?: FormErrors } = {},
): Promise<Response> {
  const search = (c.req.query("search") ?? "").trim().slice(0, 200);
  const offset = readOffset(c);
  const accounts = await listAccounts(c.env.DB, { search, limit: ACCOUNTS_PER_PAGE, offset });
  return await c.render(<AccountList {...{ accounts, search, offset, limit: ACCOUNTS_PER_PAGE, invited }} />, {
    title: "Accounts",
    section: "admin",
    actions: (
      <>
        <a class="button quiet" href="/dashboard/admin/health">
          Health
        </a>
        <a class="button quiet" href="/dashboard/admin/deny-list">
          Deny list
        </a>
        <a class="button quiet" href="/dashboard/admin/audit">
          Audit log
        </a>
      </>
    ),
  });
}

async function renderAccount(
  c: AdminContext,
  id: string,
  view: Pick<AccountView, "done" | "entered" | "errors">,
): Promise<Response> {
  const account = await getAccount(c.env.DB, id);
  if (account === null) return await c.notFound();
  const [credits, members, entries] = await Promise.all([
    readAccountCredits(c.env, account),
    listMembers(c.env.DB, id),
    listAudit(c.env.DB, { accountId: id, limit: ENTRIES_PER_PAGE, before: null }),
  ]);
  return await c.render(<AccountPage {...{ account, credits, members, entries, ...view }} />, {
    title: account.name,
    section: "admin",
    actions: (
      <a class="button quiet" href="/dashboard/admin">
        All accounts
      </a>
    ),
  });
}

/**
 * Returns the credits from the account's Durable Object. Returns null if it can't be reached, so that the page still
 * works.
 */
async function readAccountCredits(env: Env, account: Account): Promise<AccountCredits | null> {
  try {
    const reply = await callAccount(
      env,
      account,
      async (stub) => await stub.usage({ mode: "live", since: toIso(now()).slice(0, 10) }),
    );
    return reply.kind === "gone" ? null : reply;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the audit log's actor and time, and the origin for links. */
function toActor(c: AdminContext) {
  if (c.var.user === null) throw new Error("The request has no user.");
  return { actor: c.var.user.email, origin: toOrigin(c.env, c.req.url), now: now() };
}

/** Returns the id in the parameter `before`, or null for the first page of the log. */
function readEntryId(text = ""): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) || null : null;
}

/**
 * Returns the plan, the account's own limits and its price rule. An empty limit becomes null. Throws AppError if a value
 * is invalid.
 */
function readLimits(form: Record<(typeof LIMIT_FIELDS)[number], string>): AccountChange {
  const plan = PLANS.find((name) => name === form.plan);
  if (plan === undefined) throw invalidParameter("plan", `must be one of ${PLANS.join(", ")}`, { kind: "field" });
  return {
    plan,
    ratePerMinute: readLimit("rate_per_minute", form.rate_per_minute, 1),
    monthlyCredits: readLimit("monthly_credits", form.monthly_credits, 0),
    concurrentJobs: readLimit("concurrent_jobs", form.concurrent_jobs, 1),
    concurrentRenders: readLimit("concurrent_renders", form.concurrent_renders, 1),
    dailyCredits: readLimit("daily_credits", form.daily_credits, 1),
    prices: readPrices(form.prices),
    // Browsers omit a checkbox that isn't checked.
    chargeFreeOutcomes: form.charge_free_outcomes === "true",
  };
}

function readPrices(text: string): OwnPrices | null {
  const prices = parsePrices(text);
  if (typeof prices === "string")
    throw new AppError("invalid_request", prices, { details: [{ path: "prices", message: prices }] });
  return prices;
}

/** Returns the credits to add. A negative number removes credits. Accepts commas only between thousands. */
function readCredits(text: string): number {
  const isWhole = /^[+\-−]?(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(text);
  const credits = isWhole ? Number(text.replaceAll(",", "").replace("−", "-")) : 0;
  if (credits === 0 || Math.abs(credits) > MAX_CREDITS)
    throw invalidParameter("credits", "must be a whole number other than 0, such as 500 or -20", { kind: "field" });
  return credits;
}

/** Returns the value of a hidden field that is `true` or `false`. Throws AppError for other values. */
function readSwitch(path: string, text: string): boolean {
  if (text !== "true" && text !== "false") throw invalidParameter(path, "must be true or false", { kind: "field" });
  return text === "true";
}

function readLimit(path: string, text: string, least: number): number | null {
  if (text === "") return null;
  const limit = Number(text);
  if (!/^\d{1,9}$/.test(text) || limit < least) {
    throw invalidParameter(path, `must be a whole number of at least ${least}, or empty to use the plan's limit`, {
      kind: "field",
    });
  }
  return limit;
}
