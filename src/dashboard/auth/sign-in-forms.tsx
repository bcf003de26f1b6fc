import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { FormErrorNotice, FormErrors, NewPasswordField, TextField } from "../ui/form";
import { DoneNotice } from "../ui/notices";
import { Operator } from "../ui/operator";
import type { NamedInvitation } from "./invitation-link";

interface SignInOptions {
  signUp: boolean;
  github: boolean;
}

interface SignInFormProps extends SignInOptions {
  email?: string;
  to?: string | undefined;
  done?: string | undefined;
  /** The error code of a failed sign-in with GitHub. */
  refusal?: string | undefined;
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

/** The sign-in form. */
export function SignInForm({ email, to, done, refusal = "", errors, signUp, github }: SignInFormProps) {
  const refused =
    done === "github"
      ? new FormErrors(
          GITHUB_ERRORS[refusal] ?? "The sign-in with GitHub failed. Try again, or sign in with your password.",
        )
      : undefined;
  return (
    <section class="card sign">
      <h1>Sign in</h1>
      <DoneNotice word={done} texts={DONE_TEXTS} />
      <FormErrorNotice errors={errors ?? refused} />
      <form method="post" action="/dashboard/sign-in">
        <input type="hidden" name="to" value={to} />
        <EmailField email={email} />
        <TextField name="password" label="Password" type="password" required autocomplete="current-password" />
        <button class="button primary wide" type="submit">
          Sign in
        </button>
      </form>
      <GitHubButton shown={github} to={to} />
      <p class="alternatives">
        {signUp ? <a href={`/dashboard/sign-up${to ? `?to=${encodeURIComponent(to)}` : ""}`}>Sign up</a> : null}
        <a href="/dashboard/forgot">Forgot your password?</a>
      </p>
    </section>
  );
}

interface SignUpFormProps extends SignInOptions {
  email?: string | undefined;
  errors?: FormErrors;
  to?: string | undefined;
  /** The invitation that the user accepts with the sign-up, or null. */
  invitation: NamedInvitation | null;
}

/** The sign-up form. */
export function SignUpForm({ email, errors, signUp, github, to, invitation }: SignUpFormProps) {
  if (!signUp) {
    return (
      <section class="card sign">
        <h1>Sign up</h1>
        <p>
          Sign-up is closed. Ask <Operator /> for a sign-in link.
        </p>
        <p class="alternatives">
          <a href="/dashboard/sign-in">Sign in</a>
        </p>
      </section>
    );
  }
  const hint = `${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters.`;
  return (
    <section class="card sign">
      <h1>Sign up</h1>
      {invitation === null ? (
        <p class="lead">Turn web pages into clean data. Start for free, without a credit card.</p>
      ) : (
        <p class="lead">
          If you sign up, you join the account <strong>{invitation.accountName}</strong> of {invitation.invitedBy}.
        </p>
      )}
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/sign-up">
        <input type="hidden" name="to" value={to} />
        <EmailField email={email} />
        <NewPasswordField label="Password" hint={hint} />
        <button class="button primary wide" type="submit">
          Sign up
        </button>
      </form>
      <GitHubButton shown={github} to={to} />
      <p class="alternatives">
        <a href={`/dashboard/sign-in${to ? `?to=${encodeURIComponent(to)}` : ""}`}>Already have an account? Sign in</a>
      </p>
    </section>
  );
}

/** The page after a sign-up, if email is configured. It must not reveal if the address was already registered. */
export function CheckEmail({ email }: { email: string }) {
  return (
    <section class="card sign">
      <h1>Check your email</h1>
      <p role="status">
        We sent an email to <strong>{email}</strong>. Open the link in the email to verify your email address. The link
        expires in 24 hours.
      </p>
      <p class="small muted">
        If you don't receive the email, check your spam folder. To get a new link, sign in with your password.
      </p>
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in</a>
        <a href="/dashboard/forgot">Forgot your password?</a>
      </p>
    </section>
  );
}

/** The form that requests a password reset link. */
export function ForgotForm({
  canSendEmail,
  sentTo,
  email,
  errors,
}: {
  canSendEmail: boolean;
  sentTo?: string | undefined;
  email?: string;
  errors?: FormErrors | undefined;
}) {
  return (
    <section class="card sign">
      <h1>Forgot your password?</h1>
      <FormErrorNotice errors={errors} />
      {!canSendEmail ? (
        <p>This service doesn't send emails. Ask its operator for a password reset link.</p>
      ) : sentTo !== undefined ? (
        <p role="status">If {sentTo} is registered, we sent a password reset link to it. The link expires in 1 hour.</p>
      ) : (
        <form method="post" action="/dashboard/forgot">
          <EmailField email={email} />
          <button class="button primary wide" type="submit">
            Send reset link
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in</a>
      </p>
    </section>
  );
}

function EmailField({ email }: { email?: string | undefined }) {
  return (
    <TextField
      name="email"
      label="Email"
      type="email"
      required
      autocomplete="username"
      value={email}
      inputmode="email"
    />
  );
}

function GitHubButton({ shown, to }: { shown: boolean; to?: string | undefined }) {
  if (!shown) return null;
  return (
    <form method="post" action="/dashboard/sign-in/github" class="or">
      <input type="hidden" name="to" value={to} />
      <button class="button quiet wide" type="submit">
        Continue with GitHub
      </button>
    </form>
  );
}
