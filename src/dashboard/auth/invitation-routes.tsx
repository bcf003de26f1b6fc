import { Hono } from "hono";
import { findInvitation, joinAccount } from "../../directory/invitations";
import { now } from "../../lib/clock";
import { ROLE_LABELS } from "../../model/role";
import type { Invitation } from "../../store/invitations";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { readFormFields } from "../ui/form-data";
import { setAccountCookie } from "./session";

const HEAD = { title: "Invitation", bare: true };

/** The page of an invitation's link. It comes before `requireUser`, which would create an account for a new user. */
export const invitationRoutes = new Hono<DashboardEnv>();

invitationRoutes.get("/invitation", async (c) => {
  const token = c.req.query("token") ?? "";
  const invitation = await findInvitation(c.env, token, now());
  return invitation === null ? await refuse(c) : await c.render(<InvitationForm {...{ invitation, token, c }} />, HEAD);
});

invitationRoutes.post("/invitation", async (c) => {
  const { token } = await readFormFields(c, ["token"]);
  const { user } = c.var;
  if (user === null) return c.redirect(`/dashboard/invitation?token=${encodeURIComponent(token)}`, 303);
  const accountId = await joinAccount(c.env, { token, user, now: now() });
  if (accountId === null) return await refuse(c);
  setAccountCookie(c, accountId);
  return c.redirect("/dashboard/account?done=joined", 303);
});

async function refuse(c: DashboardContext): Promise<Response> {
  c.status(400);
  return await c.render(
    <section class="card sign">
      <h1>Invitation</h1>
      <div class="notice bad" role="alert">
        This invitation was already used or revoked, has expired, or is for another email address. Ask an owner of the
        account for a new one.
      </div>
      <p class="alternatives">
        <a href="/dashboard">Go to overview</a>
      </p>
    </section>,
    HEAD,
  );
}

interface InvitationFormProps {
  invitation: Invitation & { accountName: string };
  token: string;
  c: DashboardContext;
}

function InvitationForm({ invitation: { accountName, role, invitedBy, email }, token, c }: InvitationFormProps) {
  const { user } = c.var;
  const to = encodeURIComponent(`/dashboard/invitation?token=${token}`);
  const isOther = user !== null && email !== null && user.email !== email;
  return (
    <section class="card sign">
      <h1>Join {accountName}</h1>
      <p>
        {invitedBy} invites you to the account <strong>{accountName}</strong> with the role {ROLE_LABELS[role]}.
      </p>
      {isOther ? (
        <div class="notice bad" role="alert">
          This invitation is for {email}, but you are signed in as {user.email}. Sign out, and sign in as {email}.
        </div>
      ) : null}
      {user === null ? (
        <>
          <a class="button primary wide" href={`/dashboard/sign-in?to=${to}`}>
            Sign in to accept
          </a>
          <p class="alternatives">
            <a href={`/dashboard/sign-up?to=${to}`}>Sign up</a>
          </p>
          <p class="small muted">After a sign-up by email, open the link of the invitation again.</p>
        </>
      ) : isOther ? (
        <form method="post" action="/dashboard/sign-out">
          <button class="button wide" type="submit">
            Sign out
          </button>
        </form>
      ) : (
        <form method="post" action="/dashboard/invitation">
          <input type="hidden" name="token" value={token} />
          <p>You are signed in as {user.email}.</p>
          <button class="button primary wide" type="submit">
            Join account
          </button>
        </form>
      )}
    </section>
  );
}
