import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { FormErrorNotice, FormErrors, NewPasswordField, TextField } from "../ui/form";
import { DoneNotice } from "../ui/notices";

interface SignInOptions {
  signUp: boolean;
  github: boolean;
}

interface SignInFormProps extends SignInOptions {
  email?: string;
  to?: string | undefined;
  done?: string | undefined;
  /** The error of a failed sign-in with GitHub. */
  refusal?: string | undefined;
  errors?: FormErrors;
}

const DONE_TEXTS: Record<string, string> = {
  out: "You are signed out.",
  everywhere: "You are signed out everywhere.",
  reset:
    "Your password was changed, and you are signed out everywhere. Sign in with the new one. API keys and webhooks didn't change. If someone else had your password, check both.",
};

/** Messages for the errors of a sign-in with GitHub, by the code of GitHub or better-auth. */
const GITHUB_ERRORS: Record<string, string> = {
  access_denied: "You didn't allow GitHub to share your profile.",
  signup_disabled: "Signing up is closed here, also with GitHub. Ask the operator of this service for a link.",
  account_not_linked:
    "This address has signed up here with a password. Sign in with that and confirm the address; then GitHub works too.",
  email_not_verified: "GitHub hasn't verified your address. Confirm it there and try again.",
};

/** The sign-in form. */
export function SignInForm({ email, to, done, refusal = "", errors, signUp, github }: SignInFormProps) {
  const refused =
    done === "github"
      ? new FormErrors(GITHUB_ERRORS[refusal] ?? "The sign-in with GitHub failed. Try again, or use your password.")
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
        {signUp ? <a href="/dashboard/sign-up">Sign up</a> : null}
        <a href="/dashboard/forgot">Forgot your password?</a>
      </p>
    </section>
  );
}

/** The sign-up form. */
export function SignUpForm({ email, errors, signUp, github }: SignInOptions & { email?: string; errors?: FormErrors }) {
  if (!signUp) {
    return (
      <section class="card sign">
        <h1>Sign up</h1>
        <p>Signing up is closed here. Ask the operator of this service for a link.</p>
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
      <p class="lead">Web pages as clean data. Start for free, without a card.</p>
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/sign-up">
        <EmailField email={email} />
        <NewPasswordField label="Password" hint={hint} />
        <button class="button primary wide" type="submit">
          Sign up
        </button>
      </form>
      <GitHubButton shown={github} />
      <p class="alternatives">
        <a href="/dashboard/sign-in">Already have an account? Sign in</a>
      </p>
    </section>
  );
}

/** After a sign-up where email is configured. The page is the same whether the address was registered before or not. */
export function CheckEmail({ email }: { email: string }) {
  return (
    <section class="card sign">
      <h1>Check your email</h1>
      <p role="status">
        We sent an email to <strong>{email}</strong>. Open the link in it to confirm your address. It works for a day.
      </p>
      <p class="small muted">
        No email? Check your spam folder. To get a new link, sign in with the password that you chose.
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
        <p>This service doesn't send email. Ask the operator for a link to choose a new password.</p>
      ) : sentTo !== undefined ? (
        <p role="status">
          If {sentTo} has signed up here, a link to choose a new password is on its way. It works for an hour.
        </p>
      ) : (
        <form method="post" action="/dashboard/forgot">
          <EmailField email={email} />
          <button class="button primary wide" type="submit">
            Send me a link
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Back to the sign-in</a>
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
