import { Hono } from "hono";
import { z } from "zod";
import { isEmail } from "../../directory/users";
import { sleep } from "../../lib/clock";
import { isStartedLocally } from "../../lib/env";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { isSignUpOpen } from "../../model/operator";
import { canSendEmail } from "../../net/email";
import { DoneNotice } from "../ui/components";
import type { DashboardContext, DashboardEnv } from "../ui/env";
import { EmailField, FormErrors, NewPasswordField, TextField } from "../ui/form";
import { readFormFields } from "../ui/form-data";
import { Operator } from "../ui/operator";
import { PostForm } from "../ui/post-form";
import { type AuthResult, callAuth, hasGitHub, refuseAuth } from "./auth-client";
import { AUTH_PATH, GITHUB_FAILED_PATH, MIN_RESPONSE_MS } from "./constants";
import { acceptInvitation, findNamedInvitation, type NamedInvitation, readInvitationToken } from "./invitation-page";
import { chooseReturnPath } from "./session";
import { renderSignPage, toSignPath } from "./sign-page";
import { TURNSTILE_FIELD, Turnstile, verifyTurnstile } from "./turnstile";
import { needsSecondStep, toSecondStep } from "./two-factor-step";

const WRONG_PASSWORD = "The email address or the password is wrong. Try again, or reset your password.";
const WRONG_PASSWORD_OR_UNVERIFIED =
  "The password is wrong, or your email address isn't verified yet. If you just signed up, open the link in the email that we sent you.";

/** The pages that don't require a session: sign-up, sign-in, and requests for a password reset link. */
export const signInRoutes = new Hono<DashboardEnv>();

signInRoutes.get("/sign-in", async (c) => {
  const { to, done, error } = c.req.query();
  if (c.var.user !== null) return c.redirect(chooseReturnPath(to ?? ""), 303);
  return await renderSignIn(c, { to, done, refusal: error });
});

signInRoutes.post("/sign-in", async (c) => {
  const { email, password, to } = await readFormFields(c, ["email", "password", "to"]);
  // An unverified user gets another link to verify the address.
  const result = await callAuth(c, "/sign-in/email", { email, password }, { invitation: readInvitationToken(to) });
  const { error } = result;
  if (needsSecondStep(result)) return c.redirect(toSecondStep(to), 303);
  if (error === null) return c.redirect(chooseReturnPath(to), 303);
  // The message is the same for an unverified user. Another message would reveal that the address was new at the
  // sign-up.
  const message = canSendEmail(c.env) ? WRONG_PASSWORD_OR_UNVERIFIED : WRONG_PASSWORD;
  const errors = refuseAuth(c, error, { status: 401, message });
  return await renderSignIn(c, { email, to, errors });
});

signInRoutes.get("/sign-up", async (c) => {
  const { to } = c.req.query();
  if (c.var.user !== null) return c.redirect(chooseReturnPath(to ?? ""), 303);
  const invitation = await findNamedInvitation(c, readInvitationToken(to ?? ""));
  return await renderSignUp(c, { to, invitation, email: invitation?.email ?? undefined });
});

signInRoutes.post("/sign-up", async (c) => {
  const form = await readFormFields(c, ["email", "password", "to", TURNSTILE_FIELD]);
  const { email, password, to, [TURNSTILE_FIELD]: turnstile } = form;
  const token = readInvitationToken(to);
  const invitation = await findNamedInvitation(c, token);
  const { error, body } = await signUp(c, { email, password, invitation, token, turnstile });
  if (error !== null) {
    const status = error.code === "TURNSTILE_UNAVAILABLE" ? 503 : 400;
    return await renderSignUp(c, { email, to, invitation, errors: refuseAuth(c, error, { status }) });
  }
  if (canSendEmail(c.env)) return await renderCheckEmail(c, email);
  const user = NewUser.safeParse(body.user).data;
  if (token !== null && user !== undefined) return c.redirect(await acceptInvitation(c, { token, user }), 303);
  return c.redirect(to === "" ? "/dashboard?done=welcome" : chooseReturnPath(to), 303);
});

const NewUser = z.object({ id: z.string(), email: z.string() });

interface SignUp {
  email: string;
  password: string;
  /** The open invitation that the user accepts with the sign-up, or null. */
  invitation: NamedInvitation | null;
  token: string | null;
  /** The token of Turnstile's widget. */
  turnstile: string;
}

async function signUp(
  c: DashboardContext,
  { email, password, invitation, token, turnstile }: SignUp,
): Promise<Pick<AuthResult, "error" | "body">> {
  if (!isEmail(email)) return refuse("INVALID_EMAIL");
  if (invitation !== null && invitation.email !== null && invitation.email !== email.toLowerCase())
    return refuse("OTHER_EMAIL", `This invitation is for ${invitation.email}. Sign up with this address.`);
  const problem = await verifyTurnstile(c, turnstile);
  if (problem !== null) return refuse(problem);
  const [name = email] = email.split("@");
  const options = { invitation: invitation === null ? null : token };
  const call = callAuth(c, "/sign-up/email", { email, password, name }, options);
  if (!canSendEmail(c.env)) return await call;
  const [{ error, body }] = await Promise.all([call, sleep(MIN_RESPONSE_MS)]);
  // Ignores the error of a second sign-up with the same new address at the same time. With a registered address, both
  // sign-ups succeed, so an error would reveal that the address is new.
  return { error: error?.code === "FAILED_TO_CREATE_USER" ? null : error, body };
}

function refuse(code: string, message = ""): Pick<AuthResult, "error" | "body"> {
  return { error: { code, message, retryAfterSeconds: null }, body: {} };
}

signInRoutes.post("/sign-in/github", async (c) => {
  const { to } = await readFormFields(c, ["to"]);
  const body = { provider: "github", callbackURL: chooseReturnPath(to), errorCallbackURL: GITHUB_FAILED_PATH };
  const result = await callAuth(c, "/sign-in/social", body);
  const url = result.body.url;
  return c.redirect(typeof url === "string" ? url : GITHUB_FAILED_PATH, 303);
});

// GitHub redirects users here. better-auth creates the session and returns the next location.
signInRoutes.get("/auth/callback/github", async (c) => {
  const url = new URL(c.req.url);
  const path = `${url.pathname.slice(AUTH_PATH.length)}${url.search}`;
  const { response } = await callAuth(c, path);
  const location = URL.parse(response.headers.get("location") ?? GITHUB_FAILED_PATH, url.origin);
  return c.redirect(chooseReturnPath(location === null ? "" : `${location.pathname}${location.search}`), 303);
});

signInRoutes.post("/sign-out", async (c) => {
  const { to } = await readFormFields(c, ["to"]);
  await callAuth(c, "/sign-out", {});
  return c.redirect(to === "" ? "/dashboard/sign-in?done=out" : toSignPath("sign-in", to), 303);
});

signInRoutes.get("/forgot", (c) => renderForgot(c));

signInRoutes.post("/forgot", async (c) => {
  const { email } = await readFormFields(c, ["email"]);
  if (!canSendEmail(c.env)) return c.redirect("/dashboard/forgot", 303);
  // The response must not reveal if the address is registered.
  const call = callAuth(c, "/request-password-reset", { email });
  const [{ error }] = await Promise.all([call, sleep(MIN_RESPONSE_MS)]);
  if (error === null) return await renderForgot(c, { sentTo: email });
  const errors = refuseAuth(c, error, { message: "This is not a valid email address. Please check it." });
  return await renderForgot(c, { email, errors });
});

interface SignInForm {
  email?: string | undefined;
  to?: string | undefined;
  errors?: FormErrors;
}

const DONE_TEXTS: Record<string, string> = {
  out: "You are signed out.",
  everywhere: "All your sessions were signed out.",
  "second-step": "Your sign-in has expired, or there were too many wrong codes. Sign in again.",
  "user-deleted": "Your sign-in was deleted.",
  deleted: "The account was deleted. Its data is being removed.",
  reset:
    "Your password was reset, and all your sessions were signed out. Sign in with the new password. The reset didn't change your API keys and webhooks. If someone else knew your old password, check them.",
};

/** The messages for a failed sign-in with GitHub, by the error code of GitHub or better-auth. */
const GITHUB_ERRORS: Record<string, string> = {
  access_denied: "You didn't allow GitHub to share your profile. Try again, or sign in with your password.",
  signup_disabled:
    "Sign-up is closed, including sign-up with GitHub. Ask the operator of this service for a sign-in link.",
  account_not_linked:
    "You signed up with a password and haven't verified your email address. Sign in with your password and verify the address. After that, you can sign in with GitHub.",
  email_not_verified: "GitHub hasn't verified your email address. Verify it on GitHub and try again.",
};

interface SignInState extends SignInForm {
  done?: string | undefined;
  /** The error code of a failed sign-in with GitHub. */
  refusal?: string | undefined;
}

async function renderSignIn(c: DashboardContext, { email, to, done, refusal = "", errors }: SignInState) {
  const failure = GITHUB_ERRORS[refusal] ?? "The sign-in with GitHub failed. Try again, or sign in with your password.";
  return await renderSignPage(
    c,
    {
      title: "Sign in",
      errors: errors ?? (done === "github" ? new FormErrors(failure) : undefined),
      links: [
        isSignUpOpen(c.env) ? [toSignPath("sign-up", to), "Sign up"] : null,
        ["/dashboard/forgot", "Forgot your password?"],
      ],
    },
    <>
      <DoneNotice word={done} texts={DONE_TEXTS} />
      {isStartedLocally(c.env) ? (
        <p class="muted">
          <code>npm start</code> prints a link that signs you in.
        </p>
      ) : null}
      <PostForm action="/dashboard/sign-in" hidden={{ to }} wide submit="Sign in">
        <EmailField required autocomplete="username" value={email} />
        <TextField name="password" label="Password" type="password" required autocomplete="current-password" />
      </PostForm>
      <GitHubButton shown={hasGitHub(c.env)} to={to} />
    </>,
  );
}

interface SignUpState extends SignInForm {
  /** The invitation that the user accepts with the sign-up, or null. */
  invitation: NamedInvitation | null;
}

async function renderSignUp(c: DashboardContext, { email, errors, to, invitation }: SignUpState) {
  if (!isSignUpOpen(c.env)) {
    return await renderSignPage(
      c,
      { title: "Sign up", links: [["/dashboard/sign-in", "Sign in"]] },
      <p>
        Sign-up is closed. Ask <Operator /> for a sign-in link.
      </p>,
    );
  }
  const hint = `${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters.`;
  return await renderSignPage(
    c,
    { title: "Sign up", errors, links: [[toSignPath("sign-in", to), "Already have an account? Sign in"]] },
    <>
      {invitation === null ? (
        <p class="lead">Turn web pages into clean data. Start for free, without a credit card.</p>
      ) : (
        <p class="lead">
          If you sign up, you join the account <strong>{invitation.accountName}</strong> of {invitation.invitedBy}.
        </p>
      )}
      <PostForm action="/dashboard/sign-up" hidden={{ to }} wide submit="Sign up">
        <EmailField required autocomplete="username" value={email} />
        <NewPasswordField label="Password" hint={hint} />
        <Turnstile env={c.env} />
      </PostForm>
      <GitHubButton shown={hasGitHub(c.env)} to={to} />
    </>,
  );
}

/** Renders the page after a sign-up by email. It must not reveal if the address was already registered. */
async function renderCheckEmail(c: DashboardContext, email: string) {
  return await renderSignPage(
    c,
    {
      title: "Check your email",
      links: [
        ["/dashboard/sign-in", "Sign in"],
        ["/dashboard/forgot", "Forgot your password?"],
      ],
    },
    <>
      <p role="status">
        We sent an email to <strong>{email}</strong>. Open the link in the email to verify your email address. The link
        expires in 24 hours.
      </p>
      <p class="small muted">
        If you don't receive the email, check your spam folder. To get a new link, sign in with your password.
      </p>
    </>,
  );
}

interface ForgotState {
  sentTo?: string;
  email?: string;
  errors?: FormErrors;
}

/** Renders the form that requests a password reset link, or its confirmation. */
async function renderForgot(c: DashboardContext, { sentTo, email, errors }: ForgotState = {}) {
  return await renderSignPage(
    c,
    { title: "Forgot your password?", errors, links: [["/dashboard/sign-in", "Sign in"]] },
    !canSendEmail(c.env) ? (
      <p>This service doesn't send emails. Ask its operator for a password reset link.</p>
    ) : sentTo !== undefined ? (
      <p role="status">If {sentTo} is registered, we sent a password reset link to it. The link expires in 1 hour.</p>
    ) : (
      <PostForm action="/dashboard/forgot" wide submit="Send reset link">
        <EmailField required autocomplete="username" value={email} />
      </PostForm>
    ),
  );
}

function GitHubButton({ shown, to }: { shown: boolean; to?: string | undefined }) {
  if (!shown) return null;
  return (
    <PostForm
      action="/dashboard/sign-in/github"
      class="or"
      hidden={{ to }}
      tone="quiet"
      wide
      submit="Continue with GitHub"
    />
  );
}
