import { Hono } from "hono";
import { createInvitation, MEMBER } from "../../../directory/invitations";
import { rateLimited } from "../../../keys/errors";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { AppError } from "../../../model/errors";
import { ROLE_LABELS, toRole } from "../../../model/role";
import { insertAudit } from "../../../store/audit";
import { deleteInvitation } from "../../../store/invitations";
import { deleteMember, listMembers, setRole } from "../../../store/memberships";
import { rateLimiter } from "../../../store/namespaces";
import { createEmailSender } from "../../auth/emails";
import { setAccountCookie } from "../../auth/session";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { InvitationLinkCard } from "./member-cards";
import { renderAccountPage } from "./page";

const INVITATIONS_PER_MINUTE = 5;
const LAST_OWNER = "The account needs an owner. Give another member the role owner first, or delete the account.";

/** The actions on the members of an account, its invitations, and the user's own memberships. */
export const members = new Hono<DashboardEnv>();

members.post("/account/invitations", async (c) => {
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
  return await c.render(<InvitationLinkCard {...{ url, email, role }} />, {
    title: "New invitation",
    section: "account",
  });
});

members.post("/account/invitations/:id/revoke", async (c) => {
  const accountId = c.var.account.id;
  const isDeleted = await deleteInvitation(c.env.DB, { id: c.req.param("id"), accountId });
  if (!isDeleted) throw new AppError("not_found", "This invitation isn't open any longer. Reload the page.");
  await audit(c, "member.revoke", {});
  return c.redirect("/dashboard/account?done=revoked", 303);
});

members.post("/account/members/:id/role", async (c) => {
  const userId = c.req.param("id");
  const role = toRole((await readFormFields(c, ["role"])).role);
  if (role === null) throw new AppError("invalid_request", "Choose a role.");
  const member = await findMember(c, userId);
  if (!(await setRole(c.env.DB, { accountId: c.var.account.id, userId, role }))) throw lastOwner();
  await audit(c, "member.role", { email: member.email, role: ROLE_LABELS[role] });
  return c.redirect("/dashboard/account?done=role", 303);
});

members.post("/account/members/:id/remove", async (c) => {
  const userId = c.req.param("id");
  const member = await findMember(c, userId);
  if (!(await deleteMember(c.env.DB, { accountId: c.var.account.id, userId }))) throw lastOwner();
  await audit(c, "member.remove", { email: member.email });
  return c.redirect("/dashboard/account?done=removed", 303);
});

members.post("/account/leave", async (c) => {
  const { id: userId } = requireSignedIn(c);
  if (!(await deleteMember(c.env.DB, { accountId: c.var.account.id, userId }))) throw lastOwner();
  await audit(c, "member.leave", {});
  return c.redirect("/dashboard", 303);
});

members.post("/account/switch", async (c) => {
  const { account: id } = await readFormFields(c, ["account"]);
  if (!c.var.accounts.some(({ account }) => account.id === id))
    throw new AppError("not_found", "You don't belong to this account any longer. Reload the page.");
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
