import { Hono } from "hono";
import { findUserOfLink } from "../../directory/users";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { deleteLinksOfUser, findUser } from "../../store/users";
import { LinkButton } from "../ui/components";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { FormErrors, NewPasswordField, TextField } from "../ui/form";
import { readFormFields } from "../ui/form-data";
import { PostForm } from "../ui/post-form";
import { callAuth, readVerificationToken, refuseAuth } from "./auth-client";
import { createEmailSender } from "./emails";
import { acceptInvitation, findNamedInvitation, readToken } from "./invitation-page";
import { takeReturnPath } from "./session";
import { createSignInLimiter } from "./sign-in-limiter";
import { renderSignPage, toSignPath } from "./sign-page";
import { needsSecondStep, toSecondStep } from "./two-factor-step";

/**
 * The pages of links in emails and of operators' links. A link takes effect only when the user presses the button on
 * its page, because mail scanners and link previews open links too.
 */
export const linkRoutes = new Hono<DashboardEnv>();

linkRoutes.get("/link", (c) => renderLinkForm(c, c.req.query("token")));

linkRoutes.post("/link", async (c) => {
  const { token } = await readFormFields(c, ["token"]);
  const user = await findUserOfLink(c.env.DB, token);
  const { error, response } = await callAuth(c, `/magic-link/verify?token=${encodeURIComponent(token)}`);
  if (error === null && response.status < 300) {
    // The address wasn't verified, so a stranger may have signed up. better-auth has removed the password and the
    // sessions.
    if (user?.email_verified === 0) return await renderAccountRecovered(c);
    return c.redirect(takeReturnPath(c, "/dashboard"), 303);
  }
  const message = "This link was already used or has expired. Request a new one.";
  if (error === null) c.status(400);
  const errors = error === null ? new FormErrors(message) : refuseAuth(c, error, { message });
  return await renderLinkForm(c, undefined, errors);
});

linkRoutes.get("/reset", (c) => renderResetForm(c, c.req.query("token")));

linkRoutes.post("/reset", async (c) => {
  const { token, password } = await readFormFields(c, ["token", "password"]);
  const { error } = await callAuth(c, "/reset-password", { token, newPassword: password });
  if (error === null) return c.redirect("/dashboard/sign-in?done=reset", 303);
  const errors = refuseAuth(c, error);
  // If the link is invalid, omits the token. The form then has no password field, because another password would fail
  // too.
  const isLinkInvalid = !/^(?:PASSWORD_|RATE_LIMITED)/.test(error.code);
  return await renderResetForm(c, isLinkInvalid ? undefined : token, errors);
});

// The link alone doesn't verify an address. A stranger may have signed up with it, and its owner may open the link by
// mistake. The session or the password proves that the same person signed up.
linkRoutes.get("/verify", async (c) => {
  const token = c.req.query("token") ?? "";
  const link = await readVerificationToken(c.env, token);
  const { user } = c.var;
  if (link === null || (user !== null && user.email !== link.email)) return await refuseToVerify(c);
  const { email, newEmail } = link;
  const invitation = readToken(c.req.query("invitation") ?? "");
  if (newEmail === null) return await renderVerify(c, { token, email, needsPassword: user === null, invitation });
  if (user === null) return c.redirect(toVerifyAfterSignIn(token), 303);
  return await renderSignPage(
    c,
    { title: "Confirm your new email address", links: [["/dashboard/settings", "Settings"]] },
    <PostForm action="/dashboard/verify" hidden={{ token }} wide submit="Change email address">
      <p>
        From now on, you sign in with <strong>{newEmail}</strong>. We inform <strong>{email}</strong> about the change.
      </p>
    </PostForm>,
  );
});

linkRoutes.post("/verify", async (c) => {
  const fields = await readFormFields(c, ["token", "password", "invitation"]);
  const { token, password } = fields;
  const invitation = readToken(fields.invitation);
  // Checks the token first. Otherwise, this form would reveal if a sign-up's password was accepted, and so if the
  // address is new.
  const link = await readVerificationToken(c.env, token);
  const { user } = c.var;
  if (link === null || (user !== null && user.email !== link.email)) return await refuseToVerify(c);
  const { email, newEmail } = link;
  if (newEmail !== null)
    return user === null ? c.redirect(toVerifyAfterSignIn(token), 303) : await changeEmail(c, token, newEmail);
  let member: { id: string; email: string } | null = user;
  if (user === null) {
    const result = await callAuth(c, "/sign-in/email", { email, password }, { verifiedOnly: false });
    const { error } = result;
    member = needsSecondStep(result) ? null : (result.body.user as { id: string; email: string });
    if (error !== null) {
      const message = "That's not the password that you chose when you signed up. Try again.";
      const errors = refuseAuth(c, error, { status: 401, message });
      return await renderVerify(c, { token, email, needsPassword: true, invitation, errors });
    }
  }
  const { error } = await callAuth(c, `/verify-email?token=${encodeURIComponent(token)}`);
  if (error !== null) return await refuseToVerify(c);
  if (member !== null && invitation !== null)
    return c.redirect(await acceptInvitation(c, { token: invitation, user: member }), 303);
  const to = takeReturnPath(c, "/dashboard?done=verified");
  return c.redirect(member === null ? toSecondStep(to) : to, 303);
});

/** Changes the user's email address, and informs the old one. The link alone would sign in anyone who has it. */
async function changeEmail(c: DashboardContext, token: string, newEmail: string): Promise<Response> {
  const { user } = c.var;
  if (user === null || (await findUser(c.env.DB, newEmail)) !== null) return await refuseToVerify(c);
  const { error } = await callAuth(c, `/verify-email?token=${encodeURIComponent(token)}`);
  if (error !== null) return await refuseToVerify(c);
  await deleteLinksOfUser(c.env.DB, user.id);
  await createSignInLimiter(c).remember(newEmail);
  const send = createEmailSender(c.env);
  if (send !== null) c.executionCtx.waitUntil(send({ to: user.email, kind: "changed", newEmail }));
  return c.redirect("/dashboard/settings?done=email", 303);
}

function toVerifyAfterSignIn(token: string): string {
  return toSignPath("sign-in", `/dashboard/verify?token=${token}`);
}

interface VerifyForm {
  token: string;
  email: string;
  /** True if no user is signed in. The password then proves that the same person signed up. */
  needsPassword: boolean;
  /** The token of the invitation that the user accepts together with the verification, or null. */
  invitation: string | null;
  errors?: FormErrors;
}

async function renderVerify(
  c: DashboardContext,
  { token, email, needsPassword, invitation, errors }: VerifyForm,
): Promise<Response> {
  const found = await findNamedInvitation(c, invitation);
  return await renderSignPage(
    c,
    {
      title: "Verify your email address",
      errors,
      links: [needsPassword ? ["/dashboard/forgot", "Forgot your password?"] : ["/dashboard", "Go to overview"]],
    },
    <PostForm
      action="/dashboard/verify"
      hidden={invitation === null ? { token } : { token, invitation }}
      wide
      submit="Verify email address"
    >
      {needsPassword ? (
        <>
          <p>
            To verify <strong>{email}</strong>, enter the password that you chose when you signed up.
          </p>
          <TextField name="password" label="Password" type="password" required autocomplete="current-password" />
        </>
      ) : (
        <p>
          Confirm that <strong>{email}</strong> is your email address and that you signed up with it.
        </p>
      )}
      {found === null ? null : (
        <p>
          You then join the account <strong>{found.accountName}</strong>.
        </p>
      )}
    </PostForm>,
  );
}

/** Renders the page of a link that can't verify an email address. */
async function refuseToVerify(c: DashboardContext): Promise<Response> {
  c.status(400);
  const email = c.var.user?.email ?? null;
  return await renderSignPage(
    c,
    {
      title: "Verify your email address",
      links: [email === null ? ["/dashboard/sign-in", "Sign in"] : ["/dashboard/settings", "Settings"]],
    },
    <>
      <div class="notice bad" role="alert">
        This link was already used, has expired or is for another email address.{" "}
        {email === null ? "Sign in to get a new link." : "Request a new link in the settings."}
      </div>
      {email === null ? null : <p>You are signed in as {email}.</p>}
    </>,
  );
}

/** Renders the form that sets a new password. A reset link opens it. */
async function renderResetForm(c: DashboardContext, token?: string, errors?: FormErrors): Promise<Response> {
  const isWhole = token !== undefined;
  return await renderSignPage(
    c,
    {
      title: "Reset your password",
      errors,
      links: [["/dashboard/sign-in", "Sign in"], isWhole ? null : ["/dashboard/forgot", "Request a new link"]],
    },
    isWhole ? (
      <PostForm action="/dashboard/reset" hidden={{ token }} wide submit="Reset password">
        <NewPasswordField
          hint={`${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters. All your sessions will be signed out.`}
        />
      </PostForm>
    ) : (
      <IncompleteLink shown={errors === undefined} />
    ),
  );
}

async function renderLinkForm(c: DashboardContext, token?: string, errors?: FormErrors): Promise<Response> {
  return await renderSignPage(
    c,
    { title: "Sign in with a link", errors, links: [["/dashboard/sign-in", "Sign in with a password"]] },
    token === undefined ? (
      <IncompleteLink shown={errors === undefined} />
    ) : (
      <PostForm action="/dashboard/link" hidden={{ token }} wide submit="Sign in">
        <p>This link works only once.</p>
      </PostForm>
    ),
  );
}

function IncompleteLink({ shown }: { shown: boolean }) {
  return shown ? <p>This link is incomplete. Copy the whole link into the address bar.</p> : null;
}

/** Renders the page after an operator's link signed in an unverified user. A stranger may have signed up. */
async function renderAccountRecovered(c: DashboardContext): Promise<Response> {
  return await renderSignPage(
    c,
    {
      title: "You are signed in",
      links: [
        ["/dashboard/webhooks", "Check webhooks"],
        ["/dashboard", "Go to overview"],
      ],
    },
    <>
      <p>
        Someone signed up with this email address earlier but never verified it. We removed the password that they chose
        and signed out all sessions of the account.
      </p>
      <p>
        We didn't change the API keys or the webhook URL. If it wasn't you who signed up, revoke the API keys that you
        didn't create, and check the webhook URL.
      </p>
      <LinkButton href="/dashboard/keys" tone="primary" wide label="Check API keys" />
    </>,
  );
}
