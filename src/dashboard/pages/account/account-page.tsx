import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { eraseAccount } from "../../../account/restore-account";
import { changeAccount } from "../../../directory/accounts";
import { createInvitation, MEMBER } from "../../../directory/invitations";
import { EXPORT_START, readExportCursor, streamAccountData } from "../../../jobs/export-account";
import { rateLimited } from "../../../keys/errors";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { AppError } from "../../../model/errors";
import { MAX_ACCOUNT_NAME_CHARS } from "../../../model/limits";
import { hasRole, ROLE_LABELS, type Role, toRole } from "../../../model/role";
import { canSendEmail } from "../../../net/email";
import { endConnectionsOf } from "../../../oauth/storage";
import { insertAudit } from "../../../store/audit";
import { deleteInvitation, listInvitations } from "../../../store/invitations";
import { deleteMember, listMembers, setRole } from "../../../store/memberships";
import { rateLimiter } from "../../../store/namespaces";
import { getUser } from "../../../store/users";
import { callAuth, checkPassword, hasPassword } from "../../auth/auth-client";
import { createEmailSender } from "../../auth/emails";
import { chooseReturnPath, setAccountCookie, setModeCookie } from "../../auth/session";
import { Card, DoneNotice } from "../../ui/components";
import { toDownloadHeaders } from "../../ui/download";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { AccountSwitch } from "../../ui/layout";
import {
  CapturesCard,
  DeleteCard,
  DeleteForm,
  ExportCard,
  InvitationLinkCard,
  InvitationsCard,
  MembersCard,
  NameCard,
} from "./account-cards";

const EXPORTS_PER_MINUTE = 5;

/** The pages of the account: name, members, export and deletion. Also the choice of the account and mode. */
export const account = new Hono<DashboardEnv>();

account.get("/account", (c) => renderAccountPage(c));

account.post("/account/name", async (c) => {
  const { name } = await readFormFields(c, ["name"]);
  const problem = findNameProblem(name);
  if (problem !== null) {
    c.status(400);
    return await renderAccountPage(c, { name: { name, errors: FormErrors.ofField("name", problem) } });
  }
  const { email: by } = requireSignedIn(c);
  await changeAccount(c.env, { accountId: c.var.account.id, change: { name }, actor: MEMBER, by, now: now() });
  return c.redirect("/dashboard/account?done=name", 303);
});

account.post("/account/captures", async (c) => {
  const { keep } = await readFormFields(c, ["keep"]);
  await callAccount(c.env, c.var.account, (stub) => stub.keepsCaptures(keep === "yes"));
  return c.redirect("/dashboard/account?done=captures", 303);
});

account.get("/account/export", async (c) => {
  const { id, tag } = c.var.account;
  const cursor = c.req.query("cursor")?.trim() ?? "";
  const from = cursor === "" ? EXPORT_START : readExportCursor(cursor);
  const rate = await rateLimiter(c.env, `export:${id}`).consume(EXPORTS_PER_MINUTE);
  if (!rate.allowed) throw rateLimited(rate, `You can start ${EXPORTS_PER_MINUTE} exports per minute.`, now());
  const at = now();
  const name = `account-${tag}-${toIso(at).slice(0, 10)}${cursor === "" ? "" : "-continued"}.ndjson`;
  const file = streamAccountData(c.env, c.var.account, { now: at, from });
  return c.body(file, 200, toDownloadHeaders(name, "application/x-ndjson"));
});

account.get("/account/delete", (c) => renderDeleteForm(c));

account.post("/account/delete", async (c) => {
  const { name, current } = await readFormFields(c, ["name", "current"]);
  const user = requireSignedIn(c);
  const { id: accountId, name: accountName } = c.var.account;
  if (name !== accountName) {
    c.status(400);
    const message = `Type the account's name exactly as shown: ${accountName}`;
    return await renderDeleteForm(c, FormErrors.ofField("name", message));
  }
  const wrong = await checkPassword(c, current);
  if (wrong !== null) return await renderDeleteForm(c, wrong);
  const informed = await listMembers(c.env.DB, accountId);
  await eraseAccount(c.env, { accountId, actor: MEMBER });
  const send = createEmailSender(c.env);
  if (send !== null) {
    // Members who aren't owners are also informed, because they may lose their sign-in.
    const sent = informed.map(({ email: to }) => send({ to, kind: "deleted", account: accountName }));
    c.executionCtx.waitUntil(Promise.all(sent));
  }
  // A user without another account is erased together with the account.
  if ((await getUser(c.env.DB, user.id)) !== null) return c.redirect("/dashboard", 303);
  await callAuth(c, "/sign-out", {});
  return c.redirect("/dashboard/sign-in?done=deleted", 303);
});

function findNameProblem(name: string): string | null {
  if (name === "") return "Enter a name.";
  return name.length > MAX_ACCOUNT_NAME_CHARS ? `Use at most ${MAX_ACCOUNT_NAME_CHARS} characters.` : null;
}

async function renderDeleteForm(c: DashboardContext, errors?: FormErrors) {
  const form = <DeleteForm name={c.var.account.name} hasPassword={await hasPassword(c)} errors={errors} />;
  return await c.render(form, {
    title: "Delete the account?",
    section: "account",
  });
}

const INVITATIONS_PER_MINUTE = 5;
const LAST_OWNER = "The account needs an owner. Give another member the role owner first, or delete the account.";

account.post("/account/invitations", async (c) => {
  const { email, role: roleName } = await readFormFields(c, ["email", "role"]);
  const role = toRole(roleName) ?? "read_only";
  const { id: accountId, name: account } = c.var.account;
  const { id, email: by, emailVerified } = requireSignedIn(c);
  const rate = await rateLimiter(c.env, `invitations:${accountId}`).consume(INVITATIONS_PER_MINUTE);
  if (!rate.allowed) throw rateLimited(rate, `You can create ${INVITATIONS_PER_MINUTE} invitations per minute.`, now());
  let token: string;
  try {
    const invitation = { accountId, email: email === "" ? null : email, role, by: { id, email: by }, now: now() };
    token = await createInvitation(c.env, invitation);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(400);
    const errors = new FormErrors(null, error.details);
    return await renderAccountPage(c, { invitation: { email, role, errors } });
  }
  const send = createEmailSender(c.env);
  // An unverified user could otherwise send emails to strangers in another person's name.
  if (email !== "" && send !== null && emailVerified) {
    await send({ to: email.toLowerCase(), kind: "invitation", token, account, by });
    return c.redirect("/dashboard/account?done=invited", 303);
  }
  const url = `${toOrigin(c.env, c.req.url)}/dashboard/invitation?token=${token}`;
  return await c.render(<InvitationLinkCard url={url} email={email} role={role} />, {
    title: "New invitation",
    section: "account",
  });
});

account.post("/account/invitations/:id/revoke", async (c) => {
  const accountId = c.var.account.id;
  const isDeleted = await deleteInvitation(c.env.DB, { id: c.req.param("id"), accountId });
  if (!isDeleted) throw new AppError("not_found", "This invitation isn't open any longer. Reload the page.");
  await audit(c, "member.revoke", {});
  return c.redirect("/dashboard/account?done=revoked", 303);
});

account.post("/account/members/:id/role", async (c) => {
  const userId = c.req.param("id");
  const role = toRole((await readFormFields(c, ["role"])).role);
  if (role === null) throw new AppError("invalid_request", "Choose a role.");
  const member = await findMember(c, userId);
  if (!(await setRole(c.env.DB, { accountId: c.var.account.id, userId, role }))) throw lastOwner();
  await audit(c, "member.role", { email: member.email, role: ROLE_LABELS[role] });
  return c.redirect("/dashboard/account?done=role", 303);
});

account.post("/account/members/:id/remove", async (c) => {
  const userId = c.req.param("id");
  const member = await findMember(c, userId);
  if (!(await deleteMember(c.env.DB, { accountId: c.var.account.id, userId }))) throw lastOwner();
  await endConnectionsOf(c.env, c.var.account, userId);
  await audit(c, "member.remove", { email: member.email });
  return c.redirect("/dashboard/account?done=removed", 303);
});

account.post("/account/leave", async (c) => {
  const { id: userId } = requireSignedIn(c);
  if (!(await deleteMember(c.env.DB, { accountId: c.var.account.id, userId }))) throw lastOwner();
  await endConnectionsOf(c.env, c.var.account, userId);
  await audit(c, "member.leave", {});
  return c.redirect("/dashboard", 303);
});

account.post("/account/switch", async (c) => {
  const { account: id } = await readFormFields(c, ["account"]);
  if (!c.var.accounts.some(({ account }) => account.id === id))
    throw new AppError("not_found", "You are no longer a member of this account. Reload the page.");
  setAccountCookie(c, id);
  return c.redirect("/dashboard", 303);
});

async function findMember(c: DashboardContext, userId: string) {
  const member = (await listMembers(c.env.DB, c.var.account.id)).find(({ id }) => id === userId);
  if (member === undefined)
    throw new AppError("not_found", "This user doesn't belong to the account any longer. Reload the page.");
  return member;
}

function lastOwner(): AppError {
  return new AppError("invalid_request", LAST_OWNER);
}

async function audit(
  c: DashboardContext,
  action: "member.revoke" | "member.role" | "member.remove" | "member.leave",
  detail: Record<string, unknown>,
): Promise<void> {
  const by = requireSignedIn(c).email;
  const accountId = c.var.account.id;
  await insertAudit(c.env.DB, { actor: MEMBER, action, accountId, detail: { by, ...detail }, at: now() });
}

const DONE: Record<string, string> = {
  name: "The account's name was changed.",
  captures: "The setting for captures was changed.",
  joined: "You joined the account.",
  invited: "We sent the invitation. The link expires in 7 days.",
  revoked: "The invitation was revoked. Its link no longer works.",
  role: "The role was changed.",
  removed:
    "The member was removed from the account. The API keys stay valid. Revoke or rotate the keys that this user knows.",
};

interface AccountForms {
  name?: { name: string; errors: FormErrors };
  invitation?: { email: string; role: Role; errors: FormErrors };
}

/** Renders the page of the account. Only owners see the forms that require the role owner. */
async function renderAccountPage(c: DashboardContext, forms: AccountForms = {}): Promise<Response> {
  const { account, role } = c.var;
  const user = requireSignedIn(c);
  const isOwner = hasRole(role, "owner");
  const [members, keepsCaptures, invitations] = await Promise.all([
    listMembers(c.env.DB, account.id),
    callAccount(c.env, account, (stub) => stub.keepsCaptures(null)),
    isOwner ? listInvitations(c.env.DB, account.id, now()) : [],
  ]);
  return await c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      {isOwner ? <NameCard name={forms.name?.name ?? account.name} errors={forms.name?.errors} /> : null}
      {c.var.accounts.length > 1 ? (
        <Card title="Your accounts">
          <AccountSwitch />
        </Card>
      ) : null}
      <MembersCard members={members} isOwner={isOwner} userId={user.id} />
      {isOwner ? (
        <InvitationsCard
          invitations={invitations}
          sendsEmail={canSendEmail(c.env) && user.emailVerified}
          {...forms.invitation}
        />
      ) : null}
      <CapturesCard keeps={keepsCaptures} canChange={isOwner} />
      <ExportCard />
      {isOwner ? <DeleteCard /> : null}
    </>,
    { title: "Account", section: "account", lead: account.name },
  );
}

// Switches between live and test data, and redirects to the page that the user came from.
account.post("/mode", async (c) => {
  const { mode } = await readFormFields(c, ["mode"]);
  setModeCookie(c, mode === "test" ? "test" : "live");
  const referer = URL.parse(c.req.header("referer") ?? "");
  if (referer === null) return c.redirect("/dashboard", 303);
  // Removes parameters that apply only to the previous mode: the confirmation of a change, the ids of jobs, and the
  // mode itself.
  for (const name of ["done", "job", "from", "mode"]) referer.searchParams.delete(name);
  return c.redirect(chooseReturnPath(`${referer.pathname}${referer.search}`), 303);
});
