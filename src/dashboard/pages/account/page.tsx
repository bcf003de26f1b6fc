import { callAccount } from "../../../account/client";
import { now } from "../../../lib/clock";
import { hasRole, type Role } from "../../../model/role";
import { canSendEmail } from "../../../net/email";
import { listInvitations } from "../../../store/invitations";
import { listMembers } from "../../../store/memberships";
import { Card } from "../../ui/components";
import { type DashboardContext, requireSignedIn } from "../../ui/env";
import type { FormErrors } from "../../ui/form";
import { AccountSwitch } from "../../ui/layout";
import { DoneNotice } from "../../ui/notices";
import { CapturesCard, DeleteCard, ExportCard, NameCard } from "./cards";
import { InvitationsCard, MembersCard } from "./member-cards";

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
  /** The form that renames the account, with its errors. */
  name?: { name: string; errors: FormErrors };
  /** The form that invites a member, with its errors. */
  invitation?: { email: string; role: Role; errors: FormErrors };
}

/** Renders the page of the account. Only owners see the forms that require the role owner. */
export async function renderAccountPage(c: DashboardContext, forms: AccountForms = {}): Promise<Response> {
  const { account, role } = c.var;
  const user = requireSignedIn(c);
  const isOwner = hasRole(role, "owner");
  const [members, captures, invitations] = await Promise.all([
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
      <MembersCard {...{ members, isOwner }} userId={user.id} />
      {isOwner ? (
        <InvitationsCard
          invitations={invitations}
          sendsEmail={canSendEmail(c.env) && user.emailVerified}
          {...forms.invitation}
        />
      ) : null}
      {captures.kind === "setting" ? <CapturesCard keeps={captures.keeps} canChange={isOwner} /> : null}
      <ExportCard />
      {isOwner ? <DeleteCard /> : null}
    </>,
    { title: "Account", section: "account", lead: account.name },
  );
}
