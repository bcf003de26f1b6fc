import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { FormErrorNotice, type FormErrors, NewPasswordField, TextField } from "../ui/form";

/** The form that sets a new password. A reset link opens it. */
export function ResetForm({ token, errors }: { token?: string | undefined; errors?: FormErrors | undefined }) {
  return (
    <section class="card sign">
      <h1>Reset your password</h1>
      <FormErrorNotice errors={errors} />
      {token === undefined ? (
        <IncompleteLink shown={errors === undefined} />
      ) : (
        <form method="post" action="/dashboard/reset">
          <input type="hidden" name="token" value={token} />
          <NewPasswordField
            hint={`${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters. All your sessions will be signed out.`}
          />
          <button class="button primary wide" type="submit">
            Reset password
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in</a>
        {token === undefined ? <a href="/dashboard/forgot">Request a new link</a> : null}
      </p>
    </section>
  );
}

/** The form that signs in with an operator's link. */
export function LinkForm({ token, errors }: { token?: string | undefined; errors?: FormErrors }) {
  return (
    <section class="card sign">
      <h1>Sign in with a link</h1>
      <FormErrorNotice errors={errors} />
      {token === undefined ? (
        <IncompleteLink shown={errors === undefined} />
      ) : (
        <form method="post" action="/dashboard/link">
          <input type="hidden" name="token" value={token} />
          <p>This link works only once.</p>
          <button class="button primary wide" type="submit">
            Sign in
          </button>
        </form>
      )}
      <p class="alternatives">
        <a href="/dashboard/sign-in">Sign in with a password</a>
      </p>
    </section>
  );
}

function IncompleteLink({ shown }: { shown: boolean }) {
  return shown ? <p>This link is incomplete. Copy the whole link into the address bar.</p> : null;
}

/**
 * Shown after an operator's link signed in a user whose email address wasn't verified. A stranger may have signed up
 * with it.
 */
export function AccountRecovered() {
  return (
    <section class="card sign">
      <h1>You are signed in</h1>
      <p>
        Someone signed up with this email address earlier but never verified it. We removed the password that they chose
        and signed out all sessions of the account.
      </p>
      <p>
        We didn't change the API keys or the webhook URL. If it wasn't you who signed up, revoke the API keys that you
        didn't create, and check the webhook URL.
      </p>
      <a class="button primary wide" href="/dashboard/keys">
        Check API keys
      </a>
      <p class="alternatives">
        <a href="/dashboard/webhooks">Check webhooks</a>
        <a href="/dashboard">Go to overview</a>
      </p>
    </section>
  );
}

/** The state of the form that verifies an email address. */
export interface VerifyFormProps {
  token: string;
  email: string;
  /** True if no user is signed in. The password then proves that the same person signed up. */
  needsPassword: boolean;
  /** The token of the invitation that the user accepts together with the verification, or null. */
  invitation: string | null;
  /** The name of the invitation's account. Null if there is no open invitation. */
  accountName: string | null;
  errors?: FormErrors | undefined;
}

/** The form that verifies an email address. */
export function VerifyForm({ token, email, needsPassword, invitation, accountName, errors }: VerifyFormProps) {
  return (
    <section class="card sign">
      <h1>Verify your email address</h1>
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/verify">
        <input type="hidden" name="token" value={token} />
        {invitation === null ? null : <input type="hidden" name="invitation" value={invitation} />}
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
        {accountName === null ? null : (
          <p>
            You then join the account <strong>{accountName}</strong>.
          </p>
        )}
        <button class="button primary wide" type="submit">
          Verify email address
        </button>
      </form>
      <p class="alternatives">
        {needsPassword ? (
          <a href="/dashboard/forgot">Forgot your password?</a>
        ) : (
          <a href="/dashboard">Go to overview</a>
        )}
      </p>
    </section>
  );
}

/** The form that confirms a new email address. */
export function ChangeEmailForm({ token, email, newEmail }: { token: string; email: string; newEmail: string }) {
  return (
    <section class="card sign">
      <h1>Confirm your new email address</h1>
      <form method="post" action="/dashboard/verify">
        <input type="hidden" name="token" value={token} />
        <p>
          From now on, you sign in with <strong>{newEmail}</strong>. We inform <strong>{email}</strong> about the
          change.
        </p>
        <button class="button primary wide" type="submit">
          Change email address
        </button>
      </form>
      <p class="alternatives">
        <a href="/dashboard/settings">Settings</a>
      </p>
    </section>
  );
}

/** The page of a link that can't verify an email address. `email` is the signed-in user's address, or null. */
export function VerifyRefused({ email }: { email: string | null }) {
  return (
    <section class="card sign">
      <h1>Verify your email address</h1>
      <div class="notice bad" role="alert">
        This link was already used, has expired or is for another email address.{" "}
        {email === null ? "Sign in to get a new link." : "Request a new link in the settings."}
      </div>
      {email === null ? null : <p>You are signed in as {email}.</p>}
      <p class="alternatives">
        {email === null ? <a href="/dashboard/sign-in">Sign in</a> : <a href="/dashboard/settings">Settings</a>}
      </p>
    </section>
  );
}
