import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { applyAccountChange } from "../../../directory/change";
import { adjustCredits, makeLink } from "../../../directory/operate";
import { toOrigin } from "../../../http/origin";
import { now } from "../../../lib/clock";
import { AppError } from "../../../model/errors";
import { getAccount, listAccounts } from "../../../store/accounts";
import { listAudit } from "../../../store/audit";
import { getUser, listMembers } from "../../../store/users";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { readOffset } from "../../ui/pagination";
import { AccountList } from "./account-list";
import { AccountPage, type AccountView } from "./account-page";
import { AuditList } from "./audit-list";
import { LinkCard } from "./link-card";
import { readCredits, readLimits, readSwitch } from "./read";

const ACCOUNTS_A_PAGE = 50;
const AUDIT_A_PAGE = 50;

/** For admins: all accounts, and what was done to them. Nobody else learns that it's there. */
export const admin = new Hono<DashboardEnv>();

const requireAdmin = createMiddleware<DashboardEnv>(async (c, next) => {
  if (!c.var.isAdmin) return await c.notFound();
  await next();
});

admin.use("/admin", requireAdmin);
admin.use("/admin/*", requireAdmin);

admin.get("/admin", async (c) => await showAccounts(c));

admin.get("/admin/audit", async (c) => {
  const before = readEntryNumber(c.req.query("before"));
  const accountId = c.req.query("account") || null;
  const entries = await listAudit(c.env.DB, { accountId, limit: AUDIT_A_PAGE, before });
  return c.render(<AuditList {...{ entries, accountId, limit: AUDIT_A_PAGE, withAccount: true }} />, {
    title: "Audit log",
    lead: "What admins and operators did, newest first. Nothing in it can be changed.",
    section: "admin",
  });
});

// A link for somebody who isn't there yet: the way in where signing up is closed.
admin.post("/admin/invite", async (c) => {
  const { email } = await readFormFields(c, ["email"]);
  const [name = email] = email.split("@");
  try {
    const link = { kind: "sign-in" as const, email, name };
    const url = await makeLink(c.env, { link, accountId: null, ...toActor(c) });
    return c.render(<LinkCard {...{ url, email }} kind="sign-in" />, { title: "A link to hand on", section: "admin" });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(400);
    return await showAccounts(c, { email, errors: FormErrors.of(error) });
  }
});

admin.get("/admin/accounts/:id", async (c) => await showAccount(c, c.req.param("id"), { done: c.req.query("done") }));

admin.post("/admin/accounts/:id/limits", async (c) => {
  const id = c.req.param("id");
  const entered = await readFormFields(c, ["plan", "rate_per_minute", "monthly_credits"]);
  return await act(c, { id, entered }, async () => {
    await applyAccountChange(c.env, { accountId: id, change: readLimits(entered), ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/credits", async (c) => {
  const id = c.req.param("id");
  const entered = await readFormFields(c, ["credits"]);
  return await act(c, { id, entered }, async () => {
    await adjustCredits(c.env, { accountId: id, by: readCredits(entered.credits), ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/suspension", async (c) => {
  const id = c.req.param("id");
  const { suspend } = await readFormFields(c, ["suspend"]);
  return await act(c, { id, entered: {} }, async () => {
    const change = { suspendedAt: readSwitch("suspend", suspend) ? now() : null };
    await applyAccountChange(c.env, { accountId: id, change, ...toActor(c) });
  });
});

admin.post("/admin/accounts/:id/link", async (c) => {
  const accountId = c.req.param("id");
  const { user: userId, kind } = await readFormFields(c, ["user", "kind"]);
  const members = await listMembers(c.env.DB, accountId);
  const user = members.some(({ id }) => id === userId) ? await getUser(c.env.DB, userId) : null;
  if (user === null) throw new AppError("not_found", "This account has no such user.");
  const link =
    kind === "reset"
      ? { kind: "reset" as const, userId }
      : { kind: "sign-in" as const, email: user.email, name: user.name };
  const url = await makeLink(c.env, { link, accountId, ...toActor(c) });
  const card = (
    <LinkCard url={url} email={user.email} kind={link.kind} back={`/dashboard/admin/accounts/${accountId}`} />
  );
  return c.render(card, { title: "A link to hand on", section: "admin" });
});

// What was refused stands at the address of its form: a reload of that leads back.
admin.get("/admin/invite", (c) => c.redirect("/dashboard/admin", 303));
admin.get("/admin/accounts/:id/:action{limits|credits|suspension|link}", (c) =>
  c.redirect(`/dashboard/admin/accounts/${encodeURIComponent(c.req.param("id"))}`, 303),
);

type AdminContext = Parameters<typeof requireAdmin>[0];

/** Acts, and goes back to the account; what was refused is shown beside its form. */
async function act(
  c: AdminContext,
  { id, entered }: { id: string; entered: Record<string, string> },
  work: () => Promise<void>,
): Promise<Response> {
  if ((await getAccount(c.env.DB, id)) === null) return await c.notFound();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(400);
    return await showAccount(c, id, { entered, errors: FormErrors.of(error) });
  }
  return c.redirect(`/dashboard/admin/accounts/${encodeURIComponent(id)}?done=changed`, 303);
}

async function showAccounts(c: AdminContext, invited: { email?: string; errors?: FormErrors } = {}): Promise<Response> {
  const search = (c.req.query("search") ?? "").trim().slice(0, 200);
  const offset = readOffset(c);
  const accounts = await listAccounts(c.env.DB, { search, limit: ACCOUNTS_A_PAGE, offset });
  return await c.render(<AccountList {...{ accounts, search, offset, limit: ACCOUNTS_A_PAGE, invited }} />, {
    title: "Accounts",
    section: "admin",
    actions: (
      <a class="button quiet" href="/dashboard/admin/audit">
        Audit log
      </a>
    ),
  });
}

async function showAccount(
  c: AdminContext,
  id: string,
  view: Pick<AccountView, "done" | "entered" | "errors">,
): Promise<Response> {
  const account = await getAccount(c.env.DB, id);
  if (account === null) return await c.notFound();
  const [members, entries] = await Promise.all([
    listMembers(c.env.DB, id),
    listAudit(c.env.DB, { accountId: id, limit: AUDIT_A_PAGE, before: null }),
  ]);
  return await c.render(<AccountPage {...{ account, members, entries, ...view }} />, {
    title: account.name,
    section: "admin",
    actions: (
      <a class="button quiet" href="/dashboard/admin">
        All accounts
      </a>
    ),
  });
}

/** Who acts, for the audit log, and where and when. */
function toActor(c: AdminContext) {
  if (c.var.user === null) throw new Error("An admin page was reached without a user.");
  return { actor: c.var.user.email, origin: toOrigin(c.env, c.req.url), now: now() };
}

/** Where the next page of the log goes on; null: at its beginning. */
function readEntryNumber(text = ""): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) || null : null;
}
