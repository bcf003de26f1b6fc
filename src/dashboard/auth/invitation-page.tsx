import { Hono } from "hono";
import { findInvitation, joinAccount } from "../../directory/invitations";
import { now } from "../../lib/clock";
import { isSignUpOpen } from "../../model/operator";
import { ROLE_LABELS } from "../../model/role";
import type { Invitation } from "../../store/invitations";
import { isMember } from "../../store/memberships";
import { LinkButton } from "../ui/components";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { readFormFields } from "../ui/form-data";
import { PostButton, PostForm } from "../ui/post-form";

import { INVITATION_PATH, toInvitationPath } from "./constants";
import { chooseReturnPath, setAccountCookie } from "./session";
import { renderSignPage, toSignPath } from "./sign-page";

/** The page of an invitation's link. It comes before `requireUser`, which would create an account for a new user. */
export const invitationRoutes = new Hono<DashboardEnv>();

invitationRoutes.get("/invitation", async (c) => {
  const token = readToken(c.req.query("token") ?? "");
  const invitation = await findNamedInvitation(c, token);
  if (token === null || invitation === null) return await refuse(c);
  const { user } = c.var;
  const hasJoined = user !== null && (await isMember(c.env.DB, { userId: user.id, accountId: invitation.accountId }));
  const content = <InvitationContent invitation={invitation} token={token} hasJoined={hasJoined} c={c} />;
  return await renderSignPage(c, { title: `Join ${invitation.accountName}` }, content);
});

invitationRoutes.post("/invitation", async (c) => {
  const { token } = await readFormFields(c, ["token"]);
  const { user } = c.var;
  if (user === null) return c.redirect(toInvitationPath(token), 303);
  const path = await acceptInvitation(c, { token, user });
  return path === toInvitationPath(token) ? await refuse(c) : c.redirect(path, 303);
});

async function refuse(c: DashboardContext): Promise<Response> {
  c.status(400);
  return await renderSignPage(
    c,
    { title: "Invitation", links: [["/dashboard", "Go to overview"]] },
    <div class="notice bad" role="alert">
      This invitation was already used or revoked, has expired, or is for another email address. Ask an owner of the
      account for a new one.
    </div>,
  );
}

interface InvitationProps {
  invitation: NamedInvitation;
  token: string;
  /** True if the signed-in user already belongs to the account. */
  hasJoined: boolean;
  c: DashboardContext;
}

function InvitationContent({ invitation, token, hasJoined, c }: InvitationProps) {
  const { accountName, role, invitedBy, email } = invitation;
  const { user } = c.var;
  const to = toInvitationPath(token);
  return (
    <>
      <p>
        {invitedBy} invites you to the account <strong>{accountName}</strong> with the role {ROLE_LABELS[role]}.
      </p>
      {user === null ? (
        <>
          <LinkButton href={toSignPath("sign-in", to)} tone="primary" wide label="Sign in to accept" />
          <p class="alternatives">
            {isSignUpOpen(c.env) ? (
              <a href={toSignPath("sign-up", to)}>Sign up</a>
            ) : (
              "Sign-up is closed. To get access, ask the operator of this service for a sign-in link."
            )}
          </p>
        </>
      ) : hasJoined ? (
        // Doesn't use up the invitation, because a member may open the link only to check it.
        <>
          <div class="notice" role="status">
            You are signed in as {user.email} and already belong to this account. The invitation is still open. An owner
            can change your role on the page “Account”.
          </div>
          <PostForm action={INVITATION_PATH} hidden={{ token }} wide submit="Go to account" />
        </>
      ) : email !== null && user.email !== email ? (
        <>
          <div class="notice bad" role="alert">
            This invitation is for {email}, but you are signed in as {user.email}. Sign out, and sign in as {email}.
          </div>
          <PostButton action="/dashboard/sign-out" label="Sign out" small={false} />
        </>
      ) : (
        <PostForm action={INVITATION_PATH} hidden={{ token }} wide submit="Join account">
          <p>You are signed in as {user.email}.</p>
        </PostForm>
      )}
    </>
  );
}

const TOKEN = /^[0-9a-f]{64}$/;

export type NamedInvitation = Invitation & { accountName: string };

/** Returns the token in `to`, the path after a sign-up, if it is the path of an invitation. Otherwise null. */
export function readInvitationToken(to: string): string | null {
  const [path, query] = chooseReturnPath(to).split("?");
  return path === INVITATION_PATH ? readToken(new URLSearchParams(query).get("token") ?? "") : null;
}

/** Returns the text if it has the format of an invitation's token. Otherwise returns null. */
export function readToken(text: string): string | null {
  return TOKEN.test(text) ? text : null;
}

/** Returns the open invitation with this token, or null. */
export async function findNamedInvitation(c: DashboardContext, token: string | null): Promise<NamedInvitation | null> {
  return token === null ? null : await findInvitation(c.env, token, now());
}

/**
 * Adds the user to the account of the invitation and selects this account. Returns the path of the next page: the
 * account's page, or the invitation's page, which explains why the user can't join.
 */
export async function acceptInvitation(
  c: DashboardContext,
  { token, user }: { token: string; user: { id: string; email: string } },
): Promise<string> {
  const accountId = await joinAccount(c.env, { token, user, now: now() });
  if (accountId === null) return toInvitationPath(token);
  setAccountCookie(c, accountId);
  return "/dashboard/account?done=joined";
}
