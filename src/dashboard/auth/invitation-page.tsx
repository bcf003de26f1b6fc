import { Hono } from "hono";
import { ROLE_LABELS } from "../../model/role";
import { isMember } from "../../store/memberships";
import { PostButton, SignCard, SubmitButton } from "../ui/components";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { readFormFields } from "../ui/form-data";
import { isSignUpOpen } from "./auth-client";
import { toInvitationPath } from "./constants";
import { acceptInvitation, findNamedInvitation, type NamedInvitation, readToken } from "./invitation-link";

const HEAD = { title: "Invitation", bare: true };

/** The page of an invitation's link. It comes before `requireUser`, which would create an account for a new user. */
export const invitationRoutes = new Hono<DashboardEnv>();

invitationRoutes.get("/invitation", async (c) => {
  const token = readToken(c.req.query("token") ?? "");
  const invitation = await findNamedInvitation(c, token);
  if (token === null || invitation === null) return await refuse(c);
  const { user } = c.var;
  const hasJoined = user !== null && (await isMember(c.env.DB, { userId: user.id, accountId: invitation.accountId }));
  return await c.render(<InvitationPage {...{ invitation, token, hasJoined, c }} />, HEAD);
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
  return await c.render(
    <SignCard title="Invitation" links={[["/dashboard", "Go to overview"]]}>
      <div class="notice bad" role="alert">
        This invitation was already used or revoked, has expired, or is for another email address. Ask an owner of the
        account for a new one.
      </div>
    </SignCard>,
    HEAD,
  );
}

interface InvitationPageProps {
  invitation: NamedInvitation;
  token: string;
  /** True if the signed-in user already belongs to the account. */
  hasJoined: boolean;
  c: DashboardContext;
}

function InvitationPage({ invitation, token, hasJoined, c }: InvitationPageProps) {
  const { accountName, role, invitedBy, email } = invitation;
  const { user } = c.var;
  const to = encodeURIComponent(toInvitationPath(token));
  return (
    <SignCard title={`Join ${accountName}`}>
      <p>
        {invitedBy} invites you to the account <strong>{accountName}</strong> with the role {ROLE_LABELS[role]}.
      </p>
      {user === null ? (
        <>
          <a class="button primary wide" href={`/dashboard/sign-in?to=${to}`}>
            Sign in to accept
          </a>
          <p class="alternatives">
            {isSignUpOpen(c.env) ? (
              <a href={`/dashboard/sign-up?to=${to}`}>Sign up</a>
            ) : (
              "Sign-up is closed. To get access, ask the operator of this service for a sign-in link."
            )}
          </p>
        </>
      ) : hasJoined ? (
        <HasJoined token={token} email={user.email} />
      ) : email !== null && user.email !== email ? (
        <>
          <div class="notice bad" role="alert">
            This invitation is for {email}, but you are signed in as {user.email}. Sign out, and sign in as {email}.
          </div>
          <PostButton action="/dashboard/sign-out" label="Sign out" small={false} />
        </>
      ) : (
        <form method="post" action="/dashboard/invitation">
          <input type="hidden" name="token" value={token} />
          <p>You are signed in as {user.email}.</p>
          <SubmitButton wide label="Join account" />
        </form>
      )}
    </SignCard>
  );
}

/** Doesn't use up the invitation, because a member may open the link only to check it. */
function HasJoined({ token, email }: { token: string; email: string }) {
  return (
    <>
      <div class="notice" role="status">
        You are signed in as {email} and already belong to this account. The invitation is still open. An owner can
        change your role on the page of the account.
      </div>
      <form method="post" action="/dashboard/invitation">
        <input type="hidden" name="token" value={token} />
        <SubmitButton wide label="Go to account" />
      </form>
    </>
  );
}
