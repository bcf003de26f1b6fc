import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import { FormErrorNotice, type FormErrors, NewPasswordField, TextField } from "../ui/form";

/** The form that sets a new password after a reset link. */
export function ResetForm({ token, errors }: { token?: string | undefined; errors?: FormErrors | undefined }) {
  return (
    <section class="card sign">
      <h1>Choose a new password</h1>
      <FormErrorNotice errors={errors} />
      {token === undefined ? (
        <IncompleteLink shown={errors === undefined} />
      ) : (
        <form method="post" action="/dashboard/reset">
          <input type="hidden" name="token" value={token} />
          <NewPasswordField
            hint={`${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters. You will be signed out everywhere.`}
          />
          <button class="button primary wide" type="submit">
            Change password
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
          <p>This link signs you in once.</p>
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
  return shown ? <p>This link is incomplete. Copy all of it into the address bar.</p> : null;
}

/** Shown after a link signed in a user that someone else may have created, because the address wasn't verified. */
export function AccountRecovered() {
  return (
    <section class="card sign">
      <h1>You are signed in</h1>
      <p>
        Someone had signed up with this address without verifying it. That password no longer works, and those sessions
        have ended.
      </p>
      <p>If it wasn't you, revoke the API keys that you don't know and check the webhook URL. They didn't change.</p>
      <a class="button primary wide" href="/dashboard/keys">
        Check the keys
      </a>
      <p class="alternatives">
        <a href="/dashboard/webhooks">Check the webhooks</a>
        <a href="/dashboard">Go to the overview</a>
      </p>
    </section>
  );
}

interface VerifyFormProps {
  token: string;
  email: string;
  /** True if no user is signed in. The password then proves who signed up. */
  asksPassword: boolean;
  errors?: FormErrors | undefined;
}

/** The form that confirms an email address. */
export function VerifyForm({ token, email, asksPassword, errors }: VerifyFormProps) {
  return (
    <section class="card sign">
      <h1>Confirm your address</h1>
      <FormErrorNotice errors={errors} />
      <form method="post" action="/dashboard/verify">
        <input type="hidden" name="token" value={token} />
        {asksPassword ? (
          <>
            <p>
              To confirm <strong>{email}</strong>, enter the password that you chose when you signed up.
            </p>
            <TextField name="password" label="Password" type="password" required autocomplete="current-password" />
          </>
        ) : (
          <p>
            Is <strong>{email}</strong> your address, and did you sign up with it here?
          </p>
        )}
        <button class="button primary wide" type="submit">
          Confirm address
        </button>
      </form>
      <p class="alternatives">
        {asksPassword ? (
          <a href="/dashboard/forgot">Forgot your password?</a>
        ) : (
          <a href="/dashboard">Go to the overview</a>
        )}
      </p>
    </section>
  );
}

/** Says that a link can't confirm the address. `email` is the signed-in user's address, or null. */
export function VerifyRefused({ email }: { email: string | null }) {
  return (
    <section class="card sign">
      <h1>Confirm your address</h1>
      <div class="notice bad" role="alert">
        This link has expired, or is for another address.{" "}
        {email === null ? "Sign in to get a new link." : "Send a new link from the settings."}
      </div>
      {email === null ? null : <p>You are signed in as {email}.</p>}
      <p class="alternatives">
        {email === null ? <a href="/dashboard/sign-in">Sign in</a> : <a href="/dashboard/settings">Settings</a>}
      </p>
    </section>
  );
}
